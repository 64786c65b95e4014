"""The error of the elevation over time: a row per reference solution of the scene, a column per discretization.

    /usr/bin/python3 scripts/plots/errors.py results/sphere-integrators/sphere-integrators.h5

‖h − hₑ‖ / ‖hₑ‖ in the area-weighted 2-norm at the scheme's own points, as Shoal recorded it. A scheme can only come close
to the solution of the equations that it solves: linear, or nonlinear with or without advection.
"""

import numpy as np
import shoal_plot as sp


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], amplitude=sp.AMPLITUDE,
                          name={"default": "errors", "help": "name of the figure (default: %(default)s)"},
                          dt=sp.TIME_STEP)
    results = sp.Results(chosen.file)
    runs = sp.at_amplitude([run for run in results.runs if run.diagnostic("l2_error_elevation") is not None],
                           chosen.amplitude)
    dt = float(chosen.dt) if chosen.dt else min(sp.time_steps(runs), default=0)
    runs = [run for run in runs if np.isclose(run["dt"], dt, rtol=1e-12)]
    if not runs:
        sp.refuse(f"{chosen.file}: no run has errors to show" + sp.asked_text(chosen.amplitude, chosen.dt))
    label = {name: text.split(" · ", 1)[1] for name, text in sp.labels(runs).items()}
    style = sp.line_styles({label[run.id]: run["integrator"] for run in runs})
    # Which solution goes by no name differs from run to run; its title tells them apart.
    titles = list(dict.fromkeys(title for run in runs for title in sp.reference_titles(run).values()))

    figure, axes_of = sp.panels(titles, sp.discretizations(runs), lambda title, name: name)
    curves = {place: [] for place in axes_of}
    for run in runs:
        for reference, title in sp.reference_titles(run).items():
            error = run.diagnostic("l2_error_elevation" + (f"_{reference}" if reference else ""))
            if error is None or len(error) < 2:
                continue
            time, error = run.diagnostic("time")[1:], error[1:]  # at t = 0 there is none
            place = title, run["discretization"]
            axes_of[place].semilogy(time, error, label=label[run.id], **style[label[run.id]])
            curves[place].append((run, time, error, style[label[run.id]]["color"]))
    sp.require_known(chosen.file, "error", [curve[1:3] for place in curves for curve in curves[place]])
    for (title, name), axes in axes_of.items():
        axes.set_xlim(left=0)
        sp.mark_stops(axes, [curve for curve in curves[title, name] if curve[0].stopped_early], text=title == titles[0])
        if name == sp.discretizations(runs)[0]:
            axes.set_ylabel("‖h − hₑ‖ / ‖hₑ‖\n" + title.replace(", ", ",\n"))
    sp.legend_below(figure, axes_of.values(), sp.amplitude_text(runs), f"Δt = {sp.time_step_text(dt)}",
                    sp.refusals_text(results.runs))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
