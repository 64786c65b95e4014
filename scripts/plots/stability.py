"""Map of stability over mesh and time step, from a file of `shoal frontier`: every probe, the frontier, and theory.

    /usr/bin/python3 scripts/plots/stability.py results/stability/stability.h5

Time steps of a substep are in units of the mean edge over √(gH). Theory: the scheme's own stable step, and 2/ω_max of its
highest wave where it has wave operators.
"""

import sys

import h5py
import numpy as np
import shoal_plot as sp
from matplotlib.lines import Line2D

STABLE, UNSTABLE = "#0072B2", "#D55E00"


class Entry:
    def __init__(self, group):
        self.attributes = dict(group.attrs)
        self.unit = (self["mean_edge_length"] / np.sqrt(self["gravity"] * self["depth"]) * self["substeps"]
                     if self["outcome"] != "refused" else 1)
        self.probes = ({name: group["probes"][name][()] for name in ("dt", "stable")}
                       if "probes" in group else None)

    def __getitem__(self, name):
        return self.attributes[name]


def draw(axes, entries, meshes):
    for entry in entries:
        place = meshes.index(entry["mesh_name"])
        steps, stable = entry.probes["dt"] / entry.unit, entry.probes["stable"] > 0
        axes.plot(np.full(stable.sum(), place), steps[stable], linestyle="none", marker="o", markersize=2.6,
                  color=STABLE)
        axes.plot(np.full((~stable).sum(), place), steps[~stable], linestyle="none", marker="x", markersize=3.2,
                  markeredgewidth=0.9, color=UNSTABLE)
        span = (place - 0.33, place + 0.33)
        if entry["outcome"] == "found":
            axes.plot(span, [entry["dt_stable"] / entry.unit] * 2, color="black", linewidth=1.2)
        axes.plot(span, [entry["dt_theory"] / entry.unit] * 2, color="#555555", linewidth=0.8, linestyle=(0, (2, 1.5)))
        if np.isfinite(entry["highest_angular_frequency"]):
            axes.plot(span, [2 * entry["substeps"] / entry["highest_angular_frequency"] / entry.unit] * 2,
                      color="#009E73", linewidth=3, alpha=0.4, zorder=1)
    axes.set_yscale("log")
    axes.set_xticks(range(len(meshes)), meshes, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.6, len(meshes) - 0.4)
    axes.grid(axis="x", visible=False)


def main():
    chosen = sp.arguments(__doc__.splitlines()[0])
    with h5py.File(chosen.file, "r") as file:
        if "frontier" not in file:
            sys.exit(f"{chosen.file}: holds no stability frontier")
        entries = [Entry(group) for _, group in sorted(file["frontier"].items())]
    found = [entry for entry in entries if entry["outcome"] != "refused"]
    refused = [entry for entry in entries if entry["outcome"] == "refused"]
    schemes = list(dict.fromkeys(entry["discretization"] for entry in found))
    pairs = {name: list(dict.fromkeys(e["integrator"] for e in found if e["discretization"] == name))
             for name in schemes}
    columns = max(len(names) for names in pairs.values())
    meshes = sorted({entry["mesh_name"] for entry in found},
                    key=lambda name: (not name.startswith("icosphere"), not name.startswith("torus"), name))
    figure = sp.plt.figure(figsize=(sp.PAGE_WIDTH, 0.8 + 1.9 * len(schemes)))
    grid = figure.subplots(len(schemes), columns, squeeze=False, sharex=True, sharey=True)
    for number, (name, row) in enumerate(zip(schemes, grid)):
        below = len(pairs[schemes[number + 1]]) if number + 1 < len(schemes) else 0
        for column, (axes, integrator) in enumerate(zip(row, pairs[name] + [None] * columns)):
            if integrator is None:
                axes.set_axis_off()
                continue
            draw(axes, [e for e in found if (e["discretization"], e["integrator"]) == (name, integrator)], meshes)
            axes.set_title(f"{name} · {integrator}", loc="left", fontsize=7).set_in_layout(False)
            axes.tick_params(labelbottom=column >= below)
        row[0].set_ylabel("Δt √(gH) / edge / substep")
    keys = [Line2D([], [], linestyle="none", marker="o", markersize=3, color=STABLE, label="stable"),
            Line2D([], [], linestyle="none", marker="x", markersize=4, color=UNSTABLE, label="unstable"),
            Line2D([], [], color="black", label="frontier"),
            Line2D([], [], color="#555555", linestyle=(0, (2, 1.5)), linewidth=0.8, label="the scheme's own stable step"),
            Line2D([], [], color="#009E73", linewidth=3, alpha=0.4, label="2/ω_max")]
    empty = [axes for axes in grid.flat if not axes.axison]
    if empty:
        # Outside of the layout, which would widen a column for it.
        empty[-1].legend(handles=keys, loc="center right", fontsize=7).set_in_layout(False)
    else:
        grid[0, -1].legend(handles=keys, fontsize=6)
    if refused:
        print("refused: " + ", ".join(f"{e['discretization']} · {e['integrator']} on {e['mesh_name']}" for e in refused))
    sp.save(figure, chosen, "stability")


if __name__ == "__main__":
    main()
