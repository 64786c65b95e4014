"""The error of the elevation over time: a row per reference solution of the scene, a column per discretization.

    /usr/bin/python3 scripts/plots/errors.py results/sphere-integrators/sphere-integrators.h5

‖h − hₑ‖ / ‖hₑ‖ in the area-weighted 2-norm at the scheme's own points, as Shoal recorded it. A scheme can only come close
to the solution of the equations that it solves: linear, or nonlinear with or without advection.
"""

import sys
from fractions import Fraction

import numpy as np
import shoal_plot as sp


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], amplitude=sp.AMPLITUDE,
                          name={"default": "errors", "help": "name of the figure (default: %(default)s)"},
                          dt={"type": Fraction, "help": "time step of the runs shown (default: the smallest)"})
    results = sp.Results(chosen.file)
    runs = sp.at_amplitude([run for run in results.runs if run.diagnostic("l2_error_elevation") is not None],
                           chosen.amplitude)
    dt = float(chosen.dt) if chosen.dt else min(sp.time_steps(runs), default=0)
    runs = [run for run in runs if np.isclose(run["dt"], dt, rtol=1e-12)]
    if not runs:
        sys.exit(f"{chosen.file}: no run with an error to show" + (f" and Δt = {chosen.dt} s" if chosen.dt else ""))
    style, label = sp.line_styles(runs), sp.labels(runs)
    # Which solution goes by no name differs from run to run; its title tells them apart.
    titles = list(sp.reference_titles(runs[0]).values())

    figure, axes_of = sp.panels(titles, sp.discretizations(runs), lambda title, name: name)
    for run in runs:
        for reference, title in sp.reference_titles(run).items():
            axes = axes_of[title, run["discretization"]]
            error = run.diagnostic("l2_error_elevation" + (f"_{reference}" if reference else ""))[1:]
            time = run.diagnostic("time")[1:]  # at t = 0 there is none
            axes.semilogy(time, error, label=label[run.id].split(" · ", 1)[1], **style[run["integrator"]])
            if run.stopped_early:
                sp.mark_stop(axes, run, time[-1], error[-1])
    for (title, name), axes in axes_of.items():
        axes.set_xlim(left=0)
        if name == sp.discretizations(runs)[0]:
            axes.set_ylabel("‖h − hₑ‖ / ‖hₑ‖\n" + title.replace(", ", ",\n"))
    note = f"Δt = {sp.time_step_text(dt)}"
    refusals = sp.refusals_text(results.runs)
    sp.legend_below(figure, axes_of.values(), note + (f"; {refusals}" if refusals else ""))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
