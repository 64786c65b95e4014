"""The energy left, E(t)/E(0), of all runs of a file: all in one plot, and below it a panel per time step and scheme.

    /usr/bin/python3 scripts/plots/energy.py results/sphere-integrators/sphere-integrators.h5

Work done on the fluid by a moving surface or by forces is taken off, so what changes is the scheme's doing.
"""

import numpy as np
import shoal_plot as sp
from matplotlib.lines import Line2D

# In the plot of all runs colour tells the integrator, the kind of line the discretization, a marker the time step. The
# first line is a broad pale band, in which the thin one of a scheme that agrees with it still shows.
LINES = [{"linestyle": "-", "linewidth": 3.6, "alpha": 0.35}, {"linestyle": "-", "linewidth": 0.9},
         {"linestyle": (0, (1, 1.2)), "linewidth": 1.4}, {"linestyle": (0, (6, 1.5, 1, 1.5)), "linewidth": 1.1}]
MARKERS = [None, "o", "^", "s", "D", "v"]


def draw_all(axes, runs, style, label, top):
    """All runs in one plot; a run that leaves it upwards is cut off, and its panel says why."""
    lines = {name: LINES[i % len(LINES)] for i, name in enumerate(sp.discretizations(runs))}
    markers = {dt: MARKERS[i % len(MARKERS)] for i, dt in enumerate(sp.time_steps(runs))}
    for place, run in enumerate(runs):
        time, energy = sp.kept(run, "energy")
        # Markers of different runs stand at different times, so that those of equal curves do not hide each other.
        every = max(1, len(time) // 5)
        axes.plot(time, energy, color=style[label[run.id]]["color"], marker=markers[float(run["dt"])], markersize=3,
                  markevery=(every * place // len(runs), every), **lines[run["discretization"]])
    keys = [Line2D([], [], color="#333333", label=name, **line) for name, line in lines.items()]
    keys += [Line2D([], [], color="#333333", linestyle="none", marker=mark, markersize=3,
                    label=f"Δt = {sp.time_step_text(dt)}" + ("" if mark else ": no marker"))
             for dt, mark in markers.items()]
    axes.legend(handles=keys, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=2.6,
                title="colour: integrator, as below", title_fontsize=7.5)
    axes.set(xlim=(0, None), ylim=(0, top), xlabel="t (s)", ylabel="E(t) / E(0)")
    axes.set_title("all runs", loc="left")


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], amplitude=sp.AMPLITUDE,
                          name={"default": "energy", "help": "name of the figure (default: %(default)s)"})
    results = sp.Results(chosen.file)
    runs = sp.at_amplitude([run for run in results.runs if not run.refused], chosen.amplitude)
    if not runs:
        sp.refuse(f"{chosen.file}: no run has results" + sp.asked_text(chosen.amplitude))
    label = {name: text.split(" · ", 1)[1] for name, text in sp.labels(runs).items()}
    style = sp.line_styles({label[run.id]: run["integrator"] for run in runs})
    unknown = sp.unknown_energy_text(runs)
    curves = {run.id: sp.kept(run, "energy") for run in runs}
    sp.require_known(chosen.file, "energy", curves.values(), unknown)

    top = max([1.2] + [1.05 * np.nanmax(curves[run.id][1], initial=0) for run in runs if not run.stopped_early])
    figure, axes_of, overview = sp.panels(sp.time_steps(runs), sp.discretizations(runs),
                                          lambda dt, name: f"{name}, Δt = {sp.time_step_text(dt)}", overview=True)
    draw_all(overview, runs, style, label, top)
    for run in runs:
        axes_of[float(run["dt"]), run["discretization"]].plot(*curves[run.id], label=label[run.id], **style[label[run.id]])
    for (dt, name), axes in axes_of.items():
        axes.set(xlim=(0, None), ylim=(0, top))
        sp.mark_stops(axes, [(run, *curves[run.id], style[label[run.id]]["color"]) for run in runs if run.stopped_early
                             and (float(run["dt"]), run["discretization"]) == (dt, name)])
        if name == sp.discretizations(runs)[0]:
            axes.set_ylabel("E(t) / E(0)")
    sp.legend_below(figure, axes_of.values(), sp.amplitude_text(runs), unknown, sp.refusals_text(results.runs))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
