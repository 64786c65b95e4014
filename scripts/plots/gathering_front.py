"""Plot the artificial acceleration (6.2) of Angst 2007 and the fronts in which it holds the water of a channel at rest.

    /usr/bin/python3 scripts/plots/gathering_front.py results/gathering-front/gathering-front.h5

Left: a(h) = s (exp(−(h−α)/σ) − 1), at most the limit (fig. 6.7). Right: where g dh/dx = −a(h), lines, and the runs, marks. Without the
limit the solution is h = α + σ log(1 − C exp(s x/(gσ))); the volume of the water gives C.
"""

import numpy as np
from shoal_plots import style
from shoal_plots.arguments import arguments, refuse
from shoal_plots.page import Page
from shoal_plots.results import Results, vertex_areas

POINTS = 4000  # of the tabulated front
DEEPEST = 1 - 1e-9  # of the way from the bed to the level, which the water reaches at an infinite distance
MARKS = 60  # along the channel


def acceleration(run, h):
    with np.errstate(over="ignore"):
        return np.minimum(run["artificial_strength"] * np.expm1((run["artificial_level"] - h) / run["artificial_width"]), run["artificial_limit"])


def front(run, length, volume):
    """x and h of the front in a channel of this length with this volume per metre of width."""
    bed, level = -run["depth"], run["artificial_level"]
    h = level - (level - bed) * np.geomspace(1, 1 - DEEPEST, POINTS)
    across = run["gravity"] / acceleration(run, h)
    distance = np.concatenate([[0], np.cumsum(0.5 * (across[1:] + across[:-1]) * np.diff(h))])  # from the shore
    water = np.concatenate([[0], np.cumsum(0.5 * (h[1:] + h[:-1] - 2 * bed) * np.diff(distance))])
    # Beyond the last point, the water is at the level.
    shore = np.interp(volume, water, distance) if volume < water[-1] else distance[-1] + (volume - water[-1]) / (level - bed)
    x = np.linspace(0, min(shore, length), POINTS)
    return x, np.interp(shore - x, distance, h)


def main():
    chosen = arguments(__doc__, name={"default": "fronts", "help": "name of the figure"})
    results = Results(chosen.file)
    runs = [run for run in results.runs if not run.refused and len(run.snapshot_times())]
    if not runs:
        refuse(f"{chosen.file}: no run to show")
    widths = sorted({run["artificial_width"] for run in runs})
    schemes = list(dict.fromkeys(run["discretization"] for run in runs))
    page = Page(["fronts"], ["law", "front"], chosen.width, 55, sharex=False, sharey=False)
    law, profile = page.row("fronts")
    lines, marks = {}, {}
    worst = 0
    for run in runs:
        colour = style.PALETTE[widths.index(run["artificial_width"])]
        x, faces = results.surface_at(run, run.snapshot_times()[-1])
        areas, along = vertex_areas(x, faces), x[:, 0] - x[:, 0].min()
        h = run.elevation_at(run.snapshot_times()[-1])
        exact = front(run, along.max(), np.sum(areas * (h + run["depth"])) / areas.sum() * along.max())
        worst = max(worst, np.average(np.abs(h - np.interp(along, *exact, right=-run["depth"])), weights=areas))
        name = f"σ = {run['artificial_width']:g} m"
        if name not in lines:
            levels = np.linspace(-run["depth"], 2 * run["artificial_level"], POINTS)
            law.plot(levels, acceleration(run, levels), color=colour, label=name)
            lines[name] = profile.plot(*exact, color=colour, label=name)[0]
        picked = [np.argmin(np.abs(along - place)) for place in np.linspace(0, along.max(), MARKS)]
        marker = style.MARKERS[schemes.index(run["discretization"])]
        marks[run["discretization"]] = profile.plot(along[picked], h[picked], color=colour, marker=marker, linestyle="", markersize=2.5,
                                                    markerfacecolor="none", markeredgewidth=0.5, label=run["discretization"])[0]
    law.axhline(0, color=style.GUIDE, linewidth=0.6, zorder=0, label="at rest")
    law.set_ylabel("acceleration (m/s²)")
    profile.set_ylabel("elevation at rest (m)")
    page.xlabel("elevation h (m)", "law")
    page.xlabel("x (m)", "front")
    page.legend([("theory", lines), ("runs", marks)])
    page.note(f"Mean distance of the water from theory: at most {worst:.2g} m.")
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
