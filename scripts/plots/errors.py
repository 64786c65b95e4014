"""The error of the elevation against the scene's reference over time: a row per time step, a column per discretization.

    /usr/bin/python3 scripts/plots/errors.py results/sphere-integrators/sphere-integrators.h5

‖h − h_e‖ / ‖h_e‖ in the area-weighted 2-norm at the scheme's own points, as Shoal recorded it.
"""

import sys

import shoal_plot as sp


def main():
    chosen = sp.arguments(__doc__.splitlines()[0],
                          quantity={"default": "l2_error_elevation", "help": "which diagnostic (default: %(default)s)"})
    results = sp.Results(chosen.file)
    runs = [run for run in results.runs if run.diagnostic(chosen.quantity) is not None]
    if not runs:
        sys.exit(f"{chosen.file}: no run has the diagnostic '{chosen.quantity}'")
    style, label = sp.line_styles(runs), sp.labels(runs)

    figure, axes_of = sp.panels(runs)
    for run in runs:
        axes = axes_of[float(run["dt"]), run["discretization"]]
        time, error = run.diagnostic("time"), run.diagnostic(chosen.quantity)
        axes.semilogy(time, error, **style[run["integrator"]], label=label[run.id].split(" · ", 1)[1])
        if run.stopped_early:
            sp.mark_stop(axes, run, time[-1], error[-1])
    for (_, name), axes in axes_of.items():
        axes.set_xlim(left=0)
        if name == sp.discretizations(runs)[0]:
            axes.set_ylabel("‖h − hₑ‖ / ‖hₑ‖")
    sp.legend_below(figure, axes_of.values(), sp.refusals_text(results.runs))
    sp.save(figure, chosen, "errors")


if __name__ == "__main__":
    main()
