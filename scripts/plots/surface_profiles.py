"""Plot the water surface along x over the bed: a panel for each time, a line for each run.

    /usr/bin/python3 scripts/plots/surface_profiles.py results/grid-bumps/grid-bumps.h5 --only scene=krog-dam --times 15 75 180 --part 0.7 0.9

Elevations are means across the channel at the vertices. With --reference, the runs of that scheme on their finest mesh are drawn in grey.
"""

import numpy as np
from shoal_plots import layout, style
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.lines import Lines, constants, telling
from shoal_plots.page import Page
from shoal_plots.results import Results
from shoal_plots.selection import chosen_runs


def along_x(results, run, time, values):
    """(x, values) of the vertices, means over those with the same x."""
    x = np.round(results.surface_at(run, time)[0][:, 0], 9)
    places, column = np.unique(x, return_inverse=True)
    return places, np.bincount(column, values) / np.bincount(column)


def main():
    chosen = arguments(__doc__, **RUNS,
                       times={"type": float, "nargs": "+", "required": True, "help": "times of the panels in s, with snapshots near them"},
                       part={"type": float, "nargs": 2, "default": [0, 1], "metavar": ("FROM", "TO"), "help": "the part of the channel to show, from 0 to 1"},
                       reference={"metavar": "SCHEME", "help": "the scheme whose finest run is the reference"},
                       lines={"nargs": "+", "metavar": "ATTRIBUTE", "help": "what tells the lines apart (default: where the runs differ)"},
                       name={"default": "surface", "help": "name of the figure (default: %(default)s)"})
    results = Results(chosen.file)
    runs = [run for run in chosen_runs(results.runs, chosen.only, chosen.run) if len(run.snapshot_times())]
    if not runs:
        refuse(f"{chosen.file}: no run to show")
    reference = max((run for run in runs if run["discretization"] == chosen.reference), key=lambda run: run["triangles"], default=None)
    drawn = [run for run in runs if run is not reference]
    keys = chosen.lines or telling(drawn)
    lines = Lines([run.attributes for run in drawn], keys)
    page = Page([f"{time:g} s" for time in chosen.times], [None], chosen.width or "two", 36, sharey=False)
    handles = {}
    for time in chosen.times:
        axes = page[f"{time:g} s", None]
        lowest, highest = [], []
        for run in [*([reference] if reference else []), *drawn]:
            h = run.elevation_at(time)
            if h is None:
                continue
            x, h = along_x(results, run, time, h)
            begin, end = x[0] + np.multiply(chosen.part, x[-1] - x[0])
            shown = (x >= begin) & (x <= end)
            if not shown.any():
                refuse(f"--part: no vertices of run {run.id} between {begin:g} and {end:g} m")
            if run is reference:
                handles[f"{run['discretization']} on {run['mesh_name']}"] = axes.plot(x[shown], h[shown], color=style.GUIDE, linewidth=2.4, zorder=1, gid=layout.PART)[0]
            else:
                look = lines.look[lines.values_of(run.attributes)]
                every = max(1, shown.sum() // 6)
                first = every * drawn.index(run) // len(drawn)  # marks of lines that agree are side by side
                axes.plot(x[shown], h[shown], label=lines.label[lines.values_of(run.attributes)] or None, zorder=3, markevery=(first, every), **look)
            bed = along_x(results, run, time, -run.bed)[1]
            lowest.append(bed[shown].min())
            highest.append(h[shown].max())
        if highest:
            bed = along_x(results, run, time, -run.bed)
            axes.fill_between(*bed, min(lowest) - 1, color=style.GUIDE, alpha=0.35, linewidth=0, gid=layout.PART, zorder=0)
            margin = 0.05 * (max(highest) - min(lowest)) or 1
            axes.set_ylim(min(lowest) - margin, max(highest) + margin)
            axes.set_xlim(begin, end)
        page.ylabel(f"{time:g} s", f"surface at {time:g} s (m)")
    page.xlabel("x (m)")
    page.subtitle(constants(drawn, results.runs))
    if handles:
        page.legend([("reference", handles)])
    page.legend_of(lines, {None: {lines.values_of(run.attributes) for run in drawn}})
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
