"""What a step costs with each linear solver, from a file of experiments/linear-solvers.toml.

    /usr/bin/python3 scripts/plots/linear_solvers.py results/linear-solvers/linear-solvers.h5

Above: time per step and vertex without a push, mean over the steps after the first. In the middle: the longest of those
steps of the run with a push, over that mean. Below: iterations of that run, the most that a step took; dashed where they
start from the last solution.
"""

import numpy as np
import shoal_plot as sp

STYLES = {
    "multifrontal": {"color": "#0072B2", "marker": "o"},
    "cholmod": {"color": "#D55E00", "marker": "s"},
    "eigen-ldlt": {"color": "#CC79A7", "marker": "^"},
    "kept-factor": {"color": "#000000", "marker": "D"},
    "eigen-cg, jacobi": {"color": "#009E73", "marker": "v"},
    "eigen-cg, incomplete-cholesky": {"color": "#56B4E9", "marker": "P"},
    "petsc, gamg": {"color": "#E69F00", "marker": "X"},
    "petsc, hypre": {"color": "#7F7F7F", "marker": "*"},
}


def solver(run):
    preconditioner = run.attributes.get("preconditioner")
    return run["linear_solver"] + (f", {preconditioner}" if preconditioner else "")


def matrix(run):
    return (run["integrator"], run["amplitude"])


def matrix_title(integrator, amplitude):
    return f"{integrator}, the matrix stays" if integrator == "newmark" else f"{integrator}, a = {amplitude:g} H"


def draw(axes, runs, value, dashes="-"):
    for name, style in STYLES.items():
        points = sorted((int(run["vertices"]), value(run)) for run in runs if solver(run) == name)
        axes.plot(*zip(*points) if points else ([], []), label=name, linestyle=dashes, markersize=3.2, **style)


def main():
    chosen = sp.arguments(__doc__.splitlines()[0])
    runs = sp.Results(chosen.file).runs
    steps = {run.id: run.series("timing/total")[1:] for run in runs}
    quiet = {(matrix(run), solver(run), run.attributes.get("start"), run["vertices"]): steps[run.id].mean()
             for run in runs if run["push"] == 0}
    matrices = list(dict.fromkeys(map(matrix, runs)))
    rows = ["mean step (µs per vertex)", "longest step with push / mean", "most iterations with push"]
    figure, axes_of = sp.panels(rows, matrices, lambda row, one: matrix_title(*one) if row == rows[0] else "",
                                sharey="row", xlabel="vertices")
    for one in matrices:
        cold = [run for run in runs if matrix(run) == one and run.attributes.get("start", "cold") == "cold"]
        draw(axes_of[rows[0], one], [run for run in cold if run["push"] == 0],
             lambda run: 1e6 * steps[run.id].mean() / run["vertices"])
        pushed = [run for run in cold if run["push"] != 0]
        draw(axes_of[rows[1], one], pushed,
             lambda run: steps[run.id].max() / quiet[matrix(run), solver(run), run.attributes.get("start"),
                                                     run["vertices"]])
        most = lambda run: np.nanmax(run.diagnostic("solver_iterations"))  # noqa: E731
        draw(axes_of[rows[2], one], [run for run in pushed if most(run) > 0], most)
        draw(axes_of[rows[2], one], [run for run in runs if matrix(run) == one and run["push"] != 0 and
                                     run.attributes.get("start") == "warm"], most, (0, (2, 2)))
    for axes in axes_of.values():
        axes.set_xscale("log")
        axes.set_yscale("log")
    for row in rows:
        axes_of[row, matrices[0]].set_ylabel(row)
    sp.legend_below(figure, axes_of.values())
    sp.save(figure, chosen, "linear-solvers")


if __name__ == "__main__":
    main()
