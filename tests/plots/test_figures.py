"""Figures of made-up results pass the strict check of their layout, hard cases too: many runs with long names, runs that ended
early, one run only, refused runs, curves that lie on each other.

    test_figures.py FOLDER [hard | experiments PART OF]

`experiments` draws every [[figure]] of experiments/*.toml, of which PART OF takes the second of three, say.
"""

import csv
import itertools
import pathlib
import sys
import unittest
from unittest import mock

from draw import SCRIPTS, draw  # first, as it skips the test where libraries are missing
import synthetic
from matplotlib.text import Text
from PIL import Image
from shoal_plots import layout

EXPERIMENTS = SCRIPTS.parents[1] / "experiments"
NO_FIGURES = {"published_table.py", "subdivision_lines.py"}
FOLDER = pathlib.Path("plots")


def results(name, runs):
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.h5"
    synthetic.write(path, [synthetic.attributes_of(run) for run in runs])
    return path


class Hard(unittest.TestCase):
    def draws(self, script, *arguments, **keywords):
        code, output, errors = draw(script, [*arguments, "--name", self._testMethodName], **keywords)
        self.assertEqual((code, errors), (0, ""), output)

    def texts(self, script, *arguments):
        """The texts on a figure that is as it should be."""
        figures = []
        found = layout.problems
        with mock.patch.object(layout, "problems", lambda figure: figures.append(figure) or found(figure)):
            self.draws(script, *arguments)
        return [" ".join(text.get_text().split()) for text in figures[0].findobj(Text) if text.get_text()]

    def orders(self, steps, errors_of):
        """A table of orders in time of four schemes, whose errors are `errors_of(scheme, step)`."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{self._testMethodName}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["refined", "discretization", "integrator", "mesh", "h", "dt", "finished", "error", "value", "at_start"])
            for scheme, integrator, step in itertools.product(("fefv", "dec", "kinetic", "hll"), ("ssprk3", "heun3"), steps):
                rows.writerow(["time", scheme, integrator, "icosphere:3", 0.1, step, 1, "l2_error", errors_of(scheme, step), 0])
        return path

    def test_orders_over_a_short_range_of_steps(self):
        path = self.orders([1 / 1600, 1 / 756, 1 / 432], lambda scheme, step: {"dec": 2500, "fefv": 850}.get(scheme, 180) * step**3)
        for width in ("one", "two"):
            self.draws("convergence.py", path, "--width", width)
        self.draws("convergence.py", path, "--where", "discretization=dec")

    def test_pictures_name_their_script_and_not_where_it_lay(self):
        path = self.orders([0.001, 0.002, 0.004], lambda scheme, step: step**2)
        self.draws("convergence.py", path)
        with Image.open(FOLDER / f"{self._testMethodName}.png") as picture:
            self.assertTrue(picture.text["Description"].startswith("python3 scripts/plots/convergence.py "), picture.text)

    def test_slopes_are_numbered_beside_curves_that_lie_on_them(self):
        for order in (1, 2, 3):
            path = self.orders([0.001, 0.002, 0.004, 0.008], lambda scheme, step: (1 + 9 * (scheme == "kinetic")) * step**order)
            self.assertEqual({"1", "2", "3"} - set(self.texts("convergence.py", path)), set())

    def test_numbers_of_slopes_stand_apart(self):
        """Drifts of williamson-2-time, whose curves left the numbers of two slopes one place."""
        drifts = {("fefv", "none"): (7.66e-13, 6.13e-12, 4.90e-11, 3.90e-10), ("fefv", "strang"): (1.61e-09, 1.25e-08, 9.89e-08, 7.86e-07),
                  ("fefv", "lie"): (4.12e-08, 6.87e-08, 4.68e-08, 5.57e-07), ("dec", "none"): (4.8e-11, 3.9e-10, 3.1e-09, 2.4e-08),
                  ("dec", "strang"): (2.0e-09, 1.5e-08, 1.1e-07, 8.5e-07), ("dec", "lie"): (2.3e-07, 4.4e-07, 7.9e-07, 8.9e-07)}
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / "slopes_apart.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["refined", "discretization", "integrator", "splitting", "mesh", "h", "dt", "finished", "error", "value", "at_start"])
            for error, (scheme, splitting) in itertools.product(("l2_error", "l2_error_own_velocity", "energy_drift"), drifts):
                for step, drift in zip((42.1875, 84.375, 168.75, 337.5), drifts[scheme, splitting]):
                    rows.writerow(["time", scheme, "ssprk3", splitting, "icosphere:3", 1e6, step, 1, error, drift, ""])
        for dpi in (60, 300):
            self.draws("convergence.py", path, dpi=dpi)

    def test_pictures_of_runs_that_are_no_sphere_bump(self):
        runs = [{**synthetic.attributes_of({"scene": "custom", "integrator": integrator, "end": 2.4}), **more} for integrator, more in
                (("explicit", {}), ("newmark", {"outcome": synthetic.UNSTABLE, "t_reached": 1.0}))]
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / "custom.h5"
        synthetic.write(path, runs)
        texts = self.texts("pictures.py", path)
        for text in ("t = 0 s", "t = 0.9 s", "t = 1.5 s", "t = 2.4 s", "from +z", "from −z", "unstable at t = 1 s"):
            self.assertIn(text, texts)
        self.assertFalse({"bump", "antipode"} & set(texts), texts)
        texts = self.texts("pictures.py", path, "--times", "0", "0.3", "0.4", "0.6", "0.9", "7")
        for text in ("no snapshot", "finished at t = 2.4 s"):
            self.assertIn(text, texts)

    def test_pictures_of_sphere_bump(self):
        path = FOLDER / "sphere-bump.h5"
        FOLDER.mkdir(parents=True, exist_ok=True)
        synthetic.write(path, [synthetic.attributes_of({"scene": "sphere-bump"})], [0.025, 0.6, 1.0, 7.0])
        texts = self.texts("pictures.py", path)
        for text in ("t = 0.025 s", "t = 0.6 s", "t = 1 s", "t = 7 s", "bump", "antipode"):
            self.assertIn(text, texts)

    def test_24_runs_with_long_names(self):
        runs = [{"integrator": integrator, "mesh": mesh, "linear_solver": solver, "lower_angle": angle, "laplacian": laplacian}
                for integrator in ("implicit-euler-velocity", "newmark-analytic") for mesh in ("jittered-sphere:4:jitter=0.15", "blob:3:slivers")
                for solver in ("lagged-cholesky", "eigen-incomplete-cholesky") for angle, laplacian in ((0, "surface"), (10, "surface"), (0, "intrinsic"))]
        self.assertEqual(len(runs), 24)
        path = results("many", runs)
        self.draws("series.py", path, "energy", "max_depth")
        self.draws("series.py", path, "energy", "--panels", "mesh_name", "--width", "two")

    def test_24_runs_with_names_of_their_own(self):
        path = results("names", [{"note": f"a run with a rather long name of its own, number {i}"} for i in range(24)])
        self.draws("series.py", path, "max_depth")

    def test_runs_that_ended_early(self):
        runs = [{"integrator": name, "outcome": synthetic.UNSTABLE, "t_reached": 0.5 + place} for place, name in
                enumerate(("explicit", "newmark", "semi-implicit", "implicit-euler", "ssprk3", "ssprk2", "newmark-analytic"))]
        path = FOLDER / "unstable.h5"
        FOLDER.mkdir(parents=True, exist_ok=True)
        synthetic.write(path, [{**synthetic.attributes_of(run), "outcome": run["outcome"], "t_reached": run["t_reached"]} for run in runs]
                        + [synthetic.attributes_of({"integrator": "explicit", "discretization": "dec"})])
        self.draws("series.py", path, "energy", "mass", "--panels", "discretization", "--top", "2")
        self.draws("series.py", path, "energy_change")

    def test_one_run_only(self):
        path = results("one", [{}])
        self.draws("series.py", path, "energy", "max_depth", "--width", "one")
        self.draws("series.py", path, "angular_momentum")

    def test_refused_runs(self):
        path = FOLDER / "refused.h5"
        FOLDER.mkdir(parents=True, exist_ok=True)
        runs = [synthetic.attributes_of({"integrator": name, "discretization": scheme}) for name in ("explicit", "newmark", "semi-implicit")
                for scheme in ("fefv", "kinetic")]
        synthetic.write(path, [{**run, "outcome": synthetic.REFUSED} if run["discretization"] == "kinetic" else run for run in runs])
        self.draws("series.py", path, "energy")
        code, _, errors = draw("series.py", [path, "energy", "--only", "discretization=kinetic"])
        self.assertEqual(code, 2)
        self.assertIn("no run has results", errors)

    def test_curves_that_lie_on_each_other(self):
        path = results("alike", [{"friction": i} for i in range(9)])
        self.draws("series.py", path, "max_depth", "--envelope", "none")

    def test_fractions_and_numbers_of_runs(self):
        path = results("chosen", [{"dt": "1/60"}, {"dt": "1/120"}, {"dt": 0.1}])
        self.draws("series.py", path, "energy", "--only", "dt=1/60|1/120")
        self.draws("series.py", path, "energy", "--run", "2")
        code, _, errors = draw("series.py", [path, "energy", "--run", "7"])
        self.assertEqual((code, "no run 0007" in errors), (2, True), errors)

    def test_refusals_are_one_sentence(self):
        path = results("short", [{}])
        for arguments, sentence in ((["nonsense"], "no run has the quantity 'nonsense'"), (["energy", "--only", "color=red"], "no run has an attribute 'color'"),
                                    (["distance"], "distance needs --against"), (["energy", "--only", "dt"], "'dt' is not NAME=VALUE")):
            code, _, errors = draw("series.py", [path, *arguments])
            self.assertEqual((code, sentence in errors, errors.count("\n")), (2, True, 1), errors)


def experiments(part, of):
    """Draws the figures of some of the experiments; gives what went wrong."""
    failed = []
    for file in sorted(EXPERIMENTS.glob("*.toml"))[part - 1::of]:
        for script, arguments in synthetic.make(file, FOLDER / file.stem):
            code, _, errors = draw(script, arguments, figure=script not in NO_FIGURES)
            if code or "Warning" in errors:
                failed.append(f"{file.name}, {arguments[-1]} by {script}: exit code {code}\n{errors}")
    return failed


def main():
    global FOLDER
    FOLDER = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:3] == ["experiments"]:
        failed = experiments(int(sys.argv[3]), int(sys.argv[4]))
        print(*failed, sep="\n")
        sys.exit(1 if failed else 0)
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
