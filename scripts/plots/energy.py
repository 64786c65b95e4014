"""The energy left, E(t)/E(0), of all runs of a file: a row per time step, a column per discretization.

    /usr/bin/python3 scripts/plots/energy.py results/sphere-integrators/sphere-integrators.h5

Work done on the fluid by a moving surface or by forces is taken off, so what changes is the scheme's doing.
"""

import sys

import numpy as np
import shoal_plot as sp


def energy_left(run):
    """(E − work)/E(0) [steps]."""
    energy = run.diagnostic("energy_total")
    work = sum(series for name in ("work_geometry", "work_forces")
               if (series := run.diagnostic(name)) is not None)
    return (energy - work) / energy[0]


def main():
    chosen = sp.arguments(__doc__.splitlines()[0])
    results = sp.Results(chosen.file)
    runs = [run for run in results.runs if not run.refused]
    if not runs:
        sys.exit(f"{chosen.file}: no run has results")
    style, label = sp.line_styles(runs), sp.labels(runs)

    top = max([1.2] + [1.05 * np.nanmax(energy_left(run)) for run in runs if not run.stopped_early])
    figure, axes_of = sp.panels(sp.time_steps(runs), sp.discretizations(runs),
                                lambda dt, name: f"{name}, Δt = {sp.time_step_text(dt)}")
    for run in runs:
        axes = axes_of[float(run["dt"]), run["discretization"]]
        time, energy = run.diagnostic("time"), energy_left(run)
        axes.plot(time, energy, label=label[run.id].split(" · ", 1)[1], **style[run["integrator"]])
        if run.stopped_early:
            outside = np.flatnonzero(~(energy < top))  # a NaN is outside too
            last = outside[0] if outside.size else -1
            sp.mark_stop(axes, run, time[last], np.nan_to_num(min(energy[last], top), nan=top))
    for (_, name), axes in axes_of.items():
        axes.set(xlim=(0, None), ylim=(0, top))
        if name == sp.discretizations(runs)[0]:
            axes.set_ylabel("E(t) / E(0)")
    sp.legend_below(figure, axes_of.values(), sp.refusals_text(results.runs))
    sp.save(figure, chosen, "energy")


if __name__ == "__main__":
    main()
