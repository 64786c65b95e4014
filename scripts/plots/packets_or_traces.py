"""Draw what grid-advection answers: which schemes keep a whirlpool, with which steps, and what an error of the velocity costs.

    /usr/bin/python3 scripts/plots/packets_or_traces.py results/grid-advection/grid-advection.h5

The first three panels are of the scene whirlpool, over √(gH)Δt/Δ: energy and enstrophy at the end over those when the push ended, and the
amplitude of waves of two cells in both directions. A line ends where steps become unstable. The last one is of shear-bump, across the
flow, which has an exact solution: the error of the velocity at the end over the computing time, a mark for each mesh.
"""

import re

import numpy as np
from measured import whirl
from shoal_plots import style
from shoal_plots.arguments import arguments, refuse
from shoal_plots.page import Page
from shoal_plots.results import Results

# Label: attributes of the runs, colour, marker, dashes. The defaults of `packets` go without saying.
PACKETS = {"discretization": "packets", "packet_velocity": "momentum", "pressure_gradient": "central", "packet_trace": "euler"}
TRACED = {"discretization": "height-map", "advection_form": "semi-lagrangian", "continuity": "flux"}
LINES = {
    "packets, N = 2, s = 1.05 (the source)": ({**PACKETS, "packets": 2, "smoothing": 1.05}, style.PALETTE[1], "s", "-"),
    "packets, N = 2, s = 1.2": ({**PACKETS, "packets": 2, "smoothing": 1.2}, style.PALETTE[1], "v", (0, (1.2, 1.2))),
    "packets, N = 8, s = 1": ({**PACKETS, "packets": 8, "smoothing": 1}, style.PALETTE[4], "D", (0, (5, 1.8))),
    "semi-Lagrangian, staggered": ({**TRACED, "layout": "edge"}, style.PALETTE[0], "o", "-"),
    "semi-Lagrangian, collocated": ({**TRACED, "layout": "centre"}, style.PALETTE[0], "^", (0, (5, 1.8))),
    "stelling, staggered": ({"discretization": "height-map", "advection_form": "stelling"}, style.PALETTE[5], "P", "-"),
    "lattice-boltzmann, τ = 0.51": ({"discretization": "lattice-boltzmann"}, style.PALETTE[3], "X", "-"),
    "dec, vector-invariant": ({"discretization": "dec"}, style.PALETTE[2], "<", "-"),
    "hllc, second order": ({"discretization": "hllc"}, style.PALETTE[6], ">", "-"),
}
OF_WHIRL = {"energy_left": "energy left, E / E₀", "enstrophy_left": "enstrophy left, Z / Z₀", "checkerboard": "checkerboard (m)"}
LARGEST = 2  # energies and enstrophies above this are not shown
ERROR, TIME = "l2_error_velocity", "seconds"


def courant(run):
    count, length = map(float, re.match(r"rectangle:(\d+)x\d+:([\d.]+)x", run["mesh_name"]).groups())
    return np.sqrt(run["gravity"] * run["depth"]) * run["dt"] * count / length


def main():
    chosen = arguments(__doc__, name={"default": "packets-or-traces", "help": "name of the figure (default: %(default)s)"})
    results = Results(chosen.file)
    steps = {}
    for run in results.runs:
        if run["scene"] == "whirlpool":
            steps.setdefault(courant(run), set()).add(run["outcome"])
    unstable = [at for at, outcomes in steps.items() if outcomes == {"unstable"}]  # for all schemes
    page = Page([*OF_WHIRL, ERROR], [""], chosen.width or "one", 37, sharex=False)
    handles = {}
    for label, (wanted, colour, marker, dashes) in LINES.items():
        mine = [run for run in results.runs if all(run.get(name, value) == value for name, value in wanted.items())]
        if not mine:
            refuse(f"{chosen.file}: no run with {', '.join(f'{name} = {value}' for name, value in wanted.items())}")
        look = {"color": colour, "marker": marker, "linestyle": dashes, "label": label}
        whirls = sorted((courant(run), whirl(results, run)) for run in mine if run["scene"] == "whirlpool" and run["outcome"] == "finished")
        for name in OF_WHIRL:
            handles[label], = page[name, ""].plot([at for at, _ in whirls], [row[name] for _, row in whirls], **look)
        bumps = [run for run in mine if run["scene"] == "shear-bump" and run["outcome"] == "finished"]
        points = sorted((run.series("timing/total").sum(), run.diagnostic(ERROR)[-1]) for run in bumps)
        page[ERROR, ""].plot(*zip(*points), **look)
    last = list(OF_WHIRL)[-1]
    for name, text in OF_WHIRL.items():
        axes = page[name, ""]
        axes.set_xscale("log")
        page.ylabel(name, text)
        if unstable:
            axes.set_xlim(right=1.3 * max(unstable))
            axes.axvspan(min(unstable) / 1.3, max(unstable) * 1.3, color="#EEEEEE", linewidth=0, zorder=0)
        axes.set_xlabel("√(gH) Δt / Δ (1)" if name == last else "")
        axes.tick_params(labelbottom=name == last)
    for name in ("energy_left", "enstrophy_left"):
        page[name, ""].set_ylim(0, LARGEST)
    for name in ("checkerboard", ERROR):
        page[name, ""].set_yscale("log")
    page[ERROR, ""].set_xscale("log")
    page.ylabel(ERROR, "error of v (1)")
    page.xlabel("computing time (s)")
    page.legend([("", handles)])
    page.note("grey: all schemes are unstable" if unstable else "")
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
