"""Plot the cost of a step with each linear solver, from results of experiments/linear-solvers.toml.

    /usr/bin/python3 scripts/plots/linear_solvers.py results/linear-solvers/linear-solvers.h5

Top: time per step and vertex without a push, mean over all steps but the first. Middle: the longest step of the run with a push,
divided by that mean. Bottom: largest number of iterations per step of that run; dashed if they start from the last solution.
"""

import numpy as np
from shoal_plots import layout, words
from shoal_plots.arguments import arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.page import Page
from shoal_plots.results import Results

NEEDED = ("vertices", "integrator", "linear_solver", "amplitude", "push")
WARM = (0, (2, 2))


def solver(run):
    preconditioner = run.attributes.get("preconditioner")
    return run["linear_solver"] + (f", {preconditioner}" if preconditioner else "")


def matrix(run):
    return (run["integrator"], run["amplitude"])


def matrix_title(integrator, amplitude):
    return f"{integrator}, the matrix stays" if integrator == "newmark" else f"{integrator}, A = {amplitude:g} H"


def step_times(run):
    """Seconds of each step after the first."""
    total = run.series("timing/total")
    return np.array([]) if total is None else total[1:]


def max_iterations(run):
    iterations = run.diagnostic("solver_iterations")
    return 0 if iterations is None else np.nanmax(iterations, initial=0)


def left_out_text(results, runs):
    """The runs that failed, for a footnote: pair, solver and outcome."""
    names = dict.fromkeys(", ".join((run.scheme, *([solver(run)] if "linear_solver" in run.attributes else []),
                                     run["outcome"].replace("-", " "))) for run in results.runs
                          if run not in runs and run["outcome"] != "finished")
    return "left out: " + "; ".join(names) if names else ""


def curves(runs):
    """(row, matrix, solver, dashes) → [(vertices, value)]; a row is the label of its vertical axis."""
    result = {}

    def add(row, run, value, dashes="-"):
        result.setdefault((row, matrix(run), solver(run), dashes), []).append((int(run["vertices"]), value))

    def setup(run):
        return matrix(run), solver(run), run.attributes.get("start"), run["vertices"]

    quiet = {setup(run): step_times(run).mean() for run in runs if run["push"] == 0}
    for run in runs:
        warm = run.attributes.get("start") == "warm"
        if run["push"] == 0 and not warm:
            add("time of a step per vertex, mean (µs)", run, 1e6 * step_times(run).mean() / run["vertices"])
        if run["push"] != 0 and not warm and setup(run) in quiet:
            add("longest step with push / mean step without", run, step_times(run).max() / quiet[setup(run)])
        if run["push"] != 0 and max_iterations(run) > 0:
            add("number of iterations, largest, with push", run, max_iterations(run), WARM if warm else "-")
    return result


def main():
    chosen = arguments(__doc__,
                       name={"default": "linear-solvers", "help": "name of the figure (default: %(default)s)"})
    results = Results(chosen.file)
    runs = [run for run in results.runs if run["outcome"] == "finished" and all(name in run.attributes for name in NEEDED)
            and run["linear_solver"] != "none" and step_times(run).size]
    points = curves(runs)
    if not points:
        refuse(f"{chosen.file}: no run of the scene bump with a linear solver to show")
    lines = Lines([{"solver": solver(run)} for run in runs], ["solver"], text_of=lambda _, value: value)
    for look in lines.look.values():
        look["linestyle"] = "-"  # dashes show how the iteration starts
    rows = list(dict.fromkeys(row for row, *_ in points))
    matrices = list(dict.fromkeys(map(matrix, runs)))
    page = Page(rows, matrices, chosen.width, 40)
    for (row, one, name, dashes), values in points.items():
        look = {**lines.look[name,], "linestyle": dashes}
        page[row, one].loglog(*zip(*sorted(values)), label=name if dashes == "-" else None, gid=None if dashes == "-" else layout.PART, **look)
    for row in rows:
        page.ylabel(row, row)
    for one in matrices:
        page.title((rows[0], one), matrix_title(*one))
    page.xlabel(words.quantity_label("vertices"))
    page.legend(lines.legend())
    warm = any(dashes == WARM for *_, dashes in points)
    page.note("dashed: the iteration starts from the last solution (warm), else from zero" if warm else "", left_out_text(results, runs))
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
