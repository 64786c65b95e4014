"""Plot the largest stable time step of every pair of scheme and integrator, from a file of `shoal frontier`, with a mark per mesh.

    /usr/bin/python3 scripts/plots/stability.py results/stability/stability.h5

Substeps are in units of mean edge / √(gH). Short lines show the scheme's own stable step; marks in the strip on the right are pairs
without a limit.
"""

import numpy as np
from matplotlib.lines import Line2D
from shoal_plots import layout, style
from shoal_plots.arguments import arguments, refuse
from shoal_plots.page import Page
from shoal_plots.results import open_group

DODGE = 0.66  # the meshes of a pair are spread over this fraction of the distance between pairs
LINE = 5.6  # mm, distance between pairs


class Entry:
    """One entry of /frontier: a pair on a mesh."""

    def __init__(self, group):
        self.attributes = {name: value.decode() if isinstance(value, bytes) else value for name, value in group.attrs.items()}
        self.pair = (self["discretization"], self["integrator"])
        self.refused = self["outcome"] == "refused"
        if not self.refused:
            self.unit = self["mean_edge_length"] / np.sqrt(self["gravity"] * self["depth"]) * self["substeps"]

    def __getitem__(self, name):
        return self.attributes[name]

    @property
    def found(self):
        return self["outcome"] == "found"

    @property
    def limit(self):
        """The largest stable step and the scheme's own, in units of the mean edge over √(gH)."""
        return (self["dt_stable"] / self.unit if self.found else np.nan), self["dt_theory"] / self.unit


def main():
    chosen = arguments(__doc__, name={"default": "stability", "help": "name of the figure (default: %(default)s)"})
    entries = [Entry(group) for _, group in sorted(open_group(chosen.file, "frontier").items())]
    pairs = {}
    for entry in entries:
        if not entry.refused:
            pairs.setdefault(entry["discretization"], {}).setdefault(entry["integrator"])
    if not pairs:
        refuse(f"{chosen.file}: no pair has a frontier to show")
    shown = [entry for entry in entries if not entry.refused]
    meshes = sorted({entry["mesh_name"] for entry in shown},
                    key=lambda name: (not name.startswith("icosphere"), not name.startswith("torus"), name))
    most = min(style.CAPACITY["color"], style.CAPACITY["marker"])
    if len(meshes) > most:
        refuse(f"{chosen.file}: {len(meshes)} meshes, of which at most {most} can be told apart in one figure")
    colour, marker = (style.values_of(channel, "", meshes) for channel in ("color", "marker"))
    page = Page(pairs, ["limit"], chosen.width or "two", heights=[LINE * len(one) + 8 for one in pairs.values()])
    beyond = 3 * max([entry.limit[0] for entry in shown if entry.found] or [1])
    for name, integrators in pairs.items():
        axes, order = page[name, "limit"], list(integrators)
        for place, mesh in enumerate(meshes):
            here = [entry for entry in shown if entry["discretization"] == name and entry["mesh_name"] == mesh]
            if not here:
                continue
            line = np.array([order.index(entry["integrator"]) for entry in here]) + DODGE * ((place + 0.5) / len(meshes) - 0.5)
            stable, own = np.array([entry.limit for entry in here]).T
            look = {"linestyle": "none", "marker": marker[mesh], "color": colour[mesh], "markersize": 4}
            axes.plot(np.where(np.isnan(stable), beyond, stable), line, label=mesh, **look)
            axes.plot(own, line, linestyle="none", marker="|", markersize=5, markeredgewidth=1.0, color=colour[mesh], gid=layout.PART)
        axes.set_xscale("log")
        axes.set_yticks(range(len(order)), order)
        axes.set_ylim(len(order) - 0.45, -0.55)
        axes.axvspan(beyond / 1.5, beyond * 1.5, color="#EEEEEE", linewidth=0, zorder=0)
        axes.grid(axis="y", visible=False)
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        for edge in np.arange(len(order) - 1) + 0.5:
            axes.axhline(edge, color="#DDDDDD", linewidth=0.5, gid=layout.GUIDE)
        page.title((name, "limit"), name)
    least = min(value for entry in shown for value in entry.limit if value > 0)
    for name in pairs:
        page[name, "limit"].set_xlim(least / 1.3, beyond * 1.5)
    page.xlabel("largest stable Δt of a substep · √(gH) / mean edge length")
    page.legend([("", {**{mesh: Line2D([], [], linestyle="none", marker=marker[mesh], color=colour[mesh], markersize=4) for mesh in meshes},
                       "the scheme's own stable step": Line2D([], [], linestyle="none", marker="|", markersize=6, color=style.GREY),
                       "no limit found": style.plt.Rectangle((0, 0), 1, 1, color="#E4E4E4")})])
    refused = dict.fromkeys(" · ".join(entry.pair) for entry in entries if entry.refused and entry["integrator"] not in pairs.get(entry["discretization"], {}))
    page.note("refused on all meshes: " + ", ".join(refused) if refused else "")
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
