"""Map of stability over mesh and time step, from a file of `shoal frontier`: every probe, the frontier, and theory.

    /usr/bin/python3 scripts/plots/stability.py results/stability/stability.h5

Time steps of a substep are in units of the mean edge over √(gH). Theory: the scheme's own stable step, and 2/ω_max of its
highest wave where it has wave operators.
"""

import numpy as np
import shoal_plot as sp
from matplotlib.ticker import LogLocator, NullFormatter

PROBE_STABLE = {"linestyle": "none", "marker": "o", "markersize": 2.6, "color": sp.PALETTE[0]}
PROBE_UNSTABLE = {"linestyle": "none", "marker": "x", "markersize": 3.2, "markeredgewidth": 0.9, "color": sp.PALETTE[1]}
NO_LIMIT = {**PROBE_STABLE, "marker": ">", "markersize": 4, "fillstyle": "none"}
FRONTIER = {"color": "black", "linewidth": 1.4}
OWN_STEP = {"color": sp.GREY, "linewidth": 1.0, "linestyle": (0, (2, 1))}
HIGHEST_WAVE = {"color": sp.PALETTE[2], "linewidth": 3, "alpha": 0.4}
ABSENT = {"facecolor": "#F4F4F4", "edgecolor": "#CCCCCC", "hatch": "////", "linewidth": 0}


class Entry:
    """One entry of /frontier: a pair on a mesh."""

    def __init__(self, group):
        self.attributes = dict(group.attrs)
        self.pair = (self["discretization"], self["integrator"])
        self.refused = self["outcome"] == "refused"
        if not self.refused:
            self.unit = self["mean_edge_length"] / np.sqrt(self["gravity"] * self["depth"]) * self["substeps"]
            self.probes = {name: group["probes"][name][()] for name in ("dt", "stable")}

    def __getitem__(self, name):
        return self.attributes[name]


def draw(axes, entry, place):
    """The probes of an entry along the line at `place`, and across it the frontier and the theory."""
    steps, stable = entry.probes["dt"] / entry.unit, entry.probes["stable"] > 0
    axes.plot(steps[stable], np.full(stable.sum(), place), **PROBE_STABLE)
    axes.plot(steps[~stable], np.full((~stable).sum(), place), **PROBE_UNSTABLE)
    span = (place - 0.36, place + 0.36)
    if entry["outcome"] == "found":
        axes.plot([entry["dt_stable"] / entry.unit] * 2, span, **FRONTIER)
    elif entry["outcome"] == "unbounded":
        axes.plot(2.4 * steps.max(), place, **NO_LIMIT)
    axes.plot([entry["dt_theory"] / entry.unit] * 2, span, **OWN_STEP)
    if np.isfinite(entry["highest_angular_frequency"]):
        axes.plot([2 * entry["substeps"] / entry["highest_angular_frequency"] / entry.unit] * 2, span, zorder=1,
                  **HIGHEST_WAVE)


def draw_pair(axes, entries, meshes):
    """All meshes of a pair; hatched where there is no frontier, with the reason."""
    for place, mesh in enumerate(meshes):
        entry = next((entry for entry in entries if entry["mesh_name"] == mesh), None)
        if entry is not None and not entry.refused:
            draw(axes, entry, place)
            continue
        axes.axhspan(place - 0.36, place + 0.36, zorder=0, **ABSENT)
        axes.annotate("not computed" if entry is None else "refused", (0.5, place), xycoords=("axes fraction", "data"),
                      ha="center", va="center", fontsize=6, color=sp.GREY,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8})
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(100))
    axes.xaxis.set_minor_locator(LogLocator(10))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_yticks(range(len(meshes)), meshes)
    axes.set_ylim(len(meshes) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)


def main():
    chosen = sp.arguments(__doc__.splitlines()[0],
                          name={"default": "stability", "help": "name of the figure (default: %(default)s)"})
    entries = [Entry(group) for _, group in sorted(sp.open_group(chosen.file, "frontier").items())]
    pairs = {}
    for entry in entries:
        if not entry.refused:
            pairs.setdefault(entry["discretization"], {}).setdefault(entry["integrator"])
    if not pairs:
        sp.refuse(f"{chosen.file}: no pair has a frontier to show")
    shown = [entry for entry in entries if entry["integrator"] in pairs.get(entry["discretization"], {})]
    meshes = sorted({entry["mesh_name"] for entry in shown},
                    key=lambda name: (not name.startswith("icosphere"), not name.startswith("torus"), name))
    columns = max(map(len, pairs.values()))
    height = 0.45 + 0.17 * len(meshes)
    figure = sp.plt.figure(figsize=(sp.PAGE_WIDTH, 0.8 + height * len(pairs)))
    grid = figure.subplots(len(pairs), columns, squeeze=False, sharex=True, sharey=True)
    for (name, integrators), row in zip(pairs.items(), grid):
        for axes, integrator in zip(row, integrators):
            draw_pair(axes, [entry for entry in shown if entry.pair == (name, integrator)], meshes)
            axes.set_title(f"{name}\n{integrator}", loc="left", fontsize=7)
        for axes in row[len(integrators):]:
            axes.set_axis_off()
    for column in grid.T:
        lowest = [axes for axes in column if axes.axison][-1]
        lowest.tick_params(labelbottom=True)
        lowest.set_xlabel("Δt √(gH) / edge")
    for label, style in (("stable", PROBE_STABLE), ("unstable", PROBE_UNSTABLE), ("no limit found", NO_LIMIT),
                         ("frontier", FRONTIER), ("the scheme's own stable step", OWN_STEP),
                         ("2/ω of the highest wave", HIGHEST_WAVE)):
        grid[0, 0].plot([], [], label=label, **style)
    refused = dict.fromkeys(" · ".join(entry.pair) for entry in entries if entry.refused and entry not in shown)
    sp.legend_below(figure, [grid[0, 0]], "Δt of a substep, mean edge length",
                    "refused on all meshes: " + ", ".join(refused) if refused else "")
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
