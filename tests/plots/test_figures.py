"""Figures of made-up results pass the strict check of their layout, hard cases too: many runs with long names, runs that ended
early, one run only, refused runs, curves that lie on each other.

    test_figures.py FOLDER [hard | experiments PART OF]

`experiments` draws every [[figure]] of experiments/*.toml, of which PART OF takes the second of three, say.
"""

import csv
import itertools
import pathlib
import shutil
import sys
import unittest
from unittest import mock

from draw import SCRIPTS, draw  # first, as it skips the test where libraries are missing
import h5py
import numpy as np
import synthetic
from matplotlib.quiver import Quiver
from matplotlib.text import Text
from PIL import Image
from shoal_plots import land, layout, style, water
from shoal_plots.results import Results

EXPERIMENTS = SCRIPTS.parents[1] / "experiments"
NO_FIGURES = {"published_table.py", "published_orders.py", "published_errors.py", "ring_scatter.py", "film_speed.py", "jump_discharge.py", "subdivision_lines.py", "measured.py", "packets_or_traces.py", "isotropy.py", "cell_rates.py"}
OF_SCENES = {"film_speed.py": "no velocities", "jump_discharge.py": "no velocities", "measured.py": "no snapshots", "packets_or_traces.py": "no snapshots", "isotropy.py": "no snapshots"}  # what their scenes record and synthetic runs lack
SOLUTION = SCRIPTS.parents[1] / "results" / "references" / "galewsky.h5"
FOLDER = pathlib.Path("plots")


def results(name, runs):
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.h5"
    synthetic.write(path, [synthetic.attributes_of(run) for run in runs])
    return path


def lake(path, by_face, amplitude=0.0, count=24):
    """A lake 0.3 m deep at rest, or with a wave of some amplitude far from its island, as a scheme on vertices or on triangles
    records it: over the island's bed the depth at vertices is a mean of the triangles around, wet and dry."""
    import h5py

    x, y = np.meshgrid(np.linspace(-1, 1, count + 1), np.linspace(-1, 1, count + 1))
    vertices = np.column_stack([x.ravel(), y.ravel(), 0 * x.ravel()])
    corner = (np.arange(count)[:, None] * (count + 1) + np.arange(count)).ravel()
    faces = np.concatenate([np.column_stack([corner, corner + 1, corner + count + 2]),
                            np.column_stack([corner, corner + count + 2, corner + count + 1])])

    def bed_at(points):
        return 0.3 - 0.6 * np.exp(-(points[:, 0] ** 2 + points[:, 1] ** 2) / 0.1)

    def depth_at(points):
        return np.maximum(bed_at(points) + amplitude * (points[:, 0] > 0.7), 0)

    middles = vertices[faces].mean(axis=1)
    depth = depth_at(vertices)
    if by_face:
        around = np.bincount(faces.ravel(), np.repeat(depth_at(middles), 3), minlength=len(vertices))
        depth = around / np.bincount(faces.ravel(), minlength=len(vertices))
    FOLDER.mkdir(parents=True, exist_ok=True)
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "shoal"
        file["meshes/m/vertices"], file["meshes/m/faces"] = vertices, faces
        run = file.create_group("runs/0001")
        for name, value in {**synthetic.attributes_of({"scene": "custom", "mesh": "rectangle:24x24:2x2", "end": 1}), "mesh": "m"}.items():
            run.attrs[name] = str(value) if isinstance(value, (list, dict)) else value
        run["bed_depth_at_vertices"] = bed_at(vertices)
        run["snapshots/time"] = [0.0, 1.0]
        run["snapshots/depth_at_vertices"] = [depth, depth]
        own = (depth_at(middles), bed_at(middles)) if by_face else (depth, bed_at(vertices))
        run["snapshots/depth"], run["snapshots/elevation"] = [own[0]] * 2, [own[0] - own[1]] * 2
        run["snapshots/depth"].attrs["location"] = "face" if by_face else "vertex"
    return path


class Land(unittest.TestCase):
    def shore(self, by_face, amplitude=0.0):
        found = Results(lake(FOLDER / f"{self._testMethodName}-{by_face}.h5", by_face, amplitude))
        return found, found.runs[0], land.Shore(found, found.runs[0], 0.0, land.dry_depth(found.runs[0]))

    def test_an_island_is_land_and_the_lake_around_it_level(self):
        for by_face in (False, True):
            found, run, shore = self.shore(by_face)
            middle = found.mesh(run)[0][found.mesh(run)[1]].mean(axis=1)
            island, lake_ = np.hypot(*middle[:, :2].T) < 0.15, np.hypot(*middle[:, :2].T) > 0.4
            self.assertTrue(shore.dry[island].all() and not shore.dry[lake_].any())
            self.assertLess(np.abs(shore.elevation).max(), 1e-12, "the water is level up to the shore")
            self.assertAlmostEqual(shore.height.max(), 0.3, msg="the island is as high as it is")

    def test_the_colours_are_those_of_the_water_alone(self):
        for by_face in (False, True):
            found, run, _ = self.shore(by_face, amplitude=0.02)
            seen = water.Water(found, run, np.array([0.0, -0.02, 1.0]), 1.0)
            self.assertEqual(seen.limit, 0.02)
            image = seen.image(0, 64)
            colours = {"land": land.LAND, "water at rest": water.SEA(seen.norm(0))[:3]}
            for name, place in (("land", (32, 32)), ("water at rest", (32, 17))):
                ratio = image[place] / colours[name]  # light darkens, and has no colour
                self.assertLess(np.ptp(ratio), 0.02, f"{name}: {image[place]}")

    def test_velocities_are_arrows_in_the_visible_triangles(self):
        path = lake(FOLDER / f"{self._testMethodName}.h5", by_face=False)
        with h5py.File(path, "r+") as file:
            count = len(file["meshes/m/faces"])
            file["runs/0001/snapshots/velocity"] = np.tile([2.0, 0.0, 0.0], (2, count, 1))
        figures = []
        found = layout.problems
        with mock.patch.object(layout, "problems", lambda figure: figures.append(figure) or found(figure)):
            code, _, errors = draw("stills.py", [path, "--times", "0", "1", "--eye", "0,-0.01,1", "--arrows", "--name", "arrows"])
        self.assertEqual((code, errors), (0, ""))
        fields = figures[0].findobj(Quiver)
        self.assertEqual(len(fields), 2)
        for field in fields:
            self.assertTrue(count / 4 < field.N <= count)  # few pixels: not all are seen
            self.assertGreater(field.U.min(), 0)
            self.assertLess(np.abs(field.V).max(), 0.05 * field.U.max())

    def test_a_run_that_became_unstable_is_not_all_land(self):
        path = lake(FOLDER / f"{self._testMethodName}.h5", by_face=False)
        with h5py.File(path, "r+") as file:
            depths = file["runs/0001/snapshots/depth_at_vertices"]
            depths[1] = np.linspace(0, 1e9, depths.shape[1])
            depths[1, 7] = np.inf
        run = Results(path).runs[0]
        self.assertAlmostEqual(land.dry_depth(run), 1e-3 * 0.3, delta=1e-5)

    def test_no_colour_of_water_is_that_of_land(self):
        for colours in (water.SEA, style.plt.get_cmap("RdBu_r"), style.plt.get_cmap("viridis")):
            away = np.linalg.norm(colours(np.linspace(0, 1, 256))[:, :3] - land.LAND, axis=1)
            self.assertGreater(away.min(), 0.15, colours.name)

    def test_figures_with_land_say_so(self):
        for by_face in (False, True):
            path = lake(FOLDER / f"{self._testMethodName}-{by_face}.h5", by_face, 0.02)
            for script, arguments in (("pictures.py", ()), ("stills.py", ("--times", "0", "1", "--eye", "0,-1,1"))):
                figures = []
                found = layout.problems
                with mock.patch.object(layout, "problems", lambda figure: figures.append(figure) or found(figure)):
                    code, _, errors = draw(script, [path, "--name", "lake", *arguments])
                self.assertEqual((code, errors), (0, ""))
                texts = [text.get_text() for text in figures[0].findobj(Text)]
                self.assertIn("dry", texts, script)
                with mock.patch.object(layout, "problems", lambda figure: figures.append(figure) or found(figure)):
                    self.assertEqual(draw(script, [path, "--name", "wet", "--dry-depth", "-1", *arguments])[0], 0)
                self.assertNotIn("dry", [text.get_text() for text in figures[1].findobj(Text)])


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

    def work(self):
        """A table of two schemes of order 1 and 2 on three meshes of a scene; the finest run of one became unstable."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{self._testMethodName}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["scene", "discretization", "mesh_name", "unknowns", "outcome", "l1_error", "seconds"])
            for scene, (scheme, order), level in itertools.product(("parabola-friction", "dam-wet"), (("hllc", 1), ("dec", 2)), range(3)):
                broken = (scene, scheme, level) == ("dam-wet", "dec", 2)
                rows.writerow([scene, scheme, f"rectangle:{2**level}x1", 100 * 4**level, "unstable" if broken else "finished",
                               9e9 if broken else 0.3 * 2.0 ** (-order * level), 0.01 * 8**level])
        return path

    def test_work_and_precision_leave_out_runs_that_did_not_finish(self):
        texts = self.texts("work_precision.py", self.work(), "l1_error", "--panels", "scene")
        for text in ("parabola-friction", "dam-wet", "number of unknowns", "computing time (s)", "L₁ error of depth (1)", "hllc", "dec",
                     "left out: dam-wet, dec, unstable at mesh name = rectangle:4x1"):
            self.assertIn(text, texts)
        self.texts("work_precision.py", self.work(), "l1_error", "--where", "scene=parabola-friction")

    def test_orders_stand_beside_published_ones(self):
        code, output, errors = draw("published_orders.py", [self.work(), "l1_error"], figure=False)
        self.assertEqual((code, errors), (0, ""))
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in output.splitlines() if line.startswith("|")]
        self.assertEqual([row[:2] + row[5:6] for row in rows[2:]],
                         [["parabola-friction", "hllc", "1.00"], ["parabola-friction", "dec", "2.00"], ["parabola-friction", "Basilisk, damped bowl", ""],
                          ["dam-wet", "hllc", "1.00"], ["dam-wet", "dec", "–"]])
        self.assertEqual([row[-1] for row in rows[2:]], ["", "", "1.9 falling to 1.4", "", ""])
        self.assertIn("dam-wet, dec, rectangle:4x1: unstable.", output)

    def test_published_frames_stand_beside_ours_with_and_without_their_pictures(self):
        folder = FOLDER / self._testMethodName
        folder.mkdir(parents=True, exist_ok=True)
        stages = ["ms_animation", "ms_assembly", "ms_factorization", "ms_solve", "ms_depth"]
        with open(folder / "table.csv", "w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "mesh_name", "vertices", "triangles", "outcome", *stages, "ms_per_step"])
            rows.writerow(["0001", "figure:3778", 3778, 7552, "finished", *[0.1] * 5, 1])
        (folder / "pictures.csv").unlink(missing_ok=True)
        arguments = [folder / "table.csv", "table-2", "--stages", *(stage.removeprefix("ms_") for stage in stages), "--pictures"]

        def rates():
            """Frames per second, picture, its share, frames per second with it: ours and those of the Skinny Guy."""
            code, output, errors = draw("published_table.py", arguments, figure=False)
            self.assertEqual((code, errors), (0, ""))
            return [[cell.strip() for cell in line.strip("|").split("|")][-4:] for line in output.splitlines()[2:4]]

        published = ["36.4", "3.05", "10%", "32.8"]  # 32.8 is the number of the paper, which includes 10 % for the picture
        self.assertEqual(rates(), [["1000", "–", "–", "–"], published])
        (folder / "pictures.csv").write_text("id,ms_prepare,ms_draw\n0001,1,3\n")
        self.assertEqual(rates(), [["1000", "1 + 3", "80%", "200"], published])

    def test_a_front_that_gathers_water_is_the_closed_form_with_its_volume(self):
        from gathering_front import front

        level, sigma, gravity, bed, volume = 0.3, 0.2, 9.81, -0.2, 2.4
        run = {"artificial_strength": 1, "artificial_level": level, "artificial_width": sigma, "artificial_limit": np.inf, "gravity": gravity, "depth": -bed}
        x, h = front(run, 16, volume)
        constant = (1 - np.exp((bed - level) / sigma)) * np.exp(-x[-1] / (gravity * sigma))
        np.testing.assert_allclose(h, level + sigma * np.log(1 - constant * np.exp(x / (gravity * sigma))), atol=1e-5)
        self.assertAlmostEqual(np.trapz(h - bed, x), volume, places=4)

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


class Help(unittest.TestCase):
    def test_it_has_an_example(self):
        for script in sorted(SCRIPTS.glob("*.py")):
            code, text, _ = draw(script.name, ["-h"], figure=False)
            self.assertEqual((code, f"/usr/bin/python3 scripts/plots/{script.name} " in text), (0, True), text)


class Maps(unittest.TestCase):
    def setUp(self):
        self.path = results("maps", [{"scene": "galewsky"}])
        self.solution = FOLDER / "solution.h5"
        shutil.copy(SOLUTION, self.solution)

    def drawn(self, *options, time="7", interval="2e-5"):
        return draw("maps.py", [self.path, "--time", time, "--interval", interval, *options])

    def refused(self, expected, *options, **settings):
        code, _, errors = self.drawn(*options, **settings)
        self.assertEqual((code, expected in errors, errors.count("\n")), (2, True, 1), errors)

    def change(self, change_it, path=None):
        with h5py.File(path or self.path, "a") as file:
            change_it(file)

    def test_texts_are_complete(self):
        for options in ((), ("--latitudes", "10", "80"), ("--width", "one")):
            with mock.patch.object(layout, "SLACK", 0.0):  # which hides that a label lacks its edge
                self.assertEqual(self.drawn(*options)[::2], (0, ""))

    def test_options_out_of_range(self):
        for low, high in ((80, 10), (10, 10), (-1000, 1000)):
            self.refused("--latitudes", "--latitudes", str(low), str(high))
        for interval in ("1e-15", "0", "-1", "1"):
            self.refused("--interval", interval=interval)
        self.refused("the nearest is t = 0 s", time="0.001")
        self.refused("'../x/y' has a folder, which belongs to --output", "--name", "../x/y")

    def test_runs_without_a_map(self):
        def vertices(change_them):
            return lambda file: file["meshes/m/vertices"].write_direct(np.ascontiguousarray(change_them(file["meshes/m/vertices"][()])))

        def without_step_and_vorticity(file):
            del file["runs/0001"].attrs["dt"], file["runs/0001/snapshots/vorticity"]

        shots = "runs/0001/snapshots"
        for change, expected in ((vertices(lambda x: x * [1, 1, 0]), "not on a sphere"), (vertices(lambda x: x + [3, 0, 0]), "not on a sphere"),
                                 (without_step_and_vorticity, "no vorticity"),
                                 (lambda file: file.create_dataset(f"{shots}/positions", data=np.stack([file["meshes/m/vertices"] * np.array([1, 1, 1 + t])
                                                                                                        for t in file[f"{shots}/time"]])), "not on a sphere"),
                                 (lambda file: file[f"{shots}/vorticity"].write_direct(np.full(file[f"{shots}/vorticity"].shape, np.nan)), "not finite")):
            self.setUp()
            self.change(change)
            self.refused(expected)

    def test_solutions_that_are_none_of_the_run(self):
        def with_radius(text):
            return lambda file: file.attrs.update({"parameters": f"depth=1\n{text}\n"})

        def group(file):
            del file["time"]
            file.create_group("time")

        for change, expected in ((group, "/time"), (lambda file: file.attrs.update({"truncation": "x"}), "truncation"), (lambda file: file.attrs.pop("parameters"), "radius"),
                                 *((with_radius(text), "radius") for text in ("radius=0", "radius=nan", "radius=-1", "radius=x", "inner_radius=1")),
                                 (lambda file: file.attrs.update({"scene": "williamson-5"}), "williamson-5"), (lambda file: None, "the nearest is t = 86400 s")):
            self.setUp()
            self.change(change, self.solution)
            self.refused(expected, "--solution", self.solution)
        self.refused("no such file", "--solution", FOLDER / "none.h5")

    def test_solutions_for_other_parameters(self):
        self.change(lambda file: file["runs/0001"].attrs.update({"bump": 0.0}))
        self.refused("the solution for bump = 120, but run 0001 has bump = 0", "--solution", self.solution, time="0")
        self.change(lambda file: file["runs/0001"].attrs.update({"bump": 120.0}))
        self.refused("the nearest is t = 86400 s", "--solution", self.solution, time="0")


def experiments(part, of):
    """Draws the figures of some of the experiments; gives what went wrong."""
    failed = []
    for file in sorted(EXPERIMENTS.glob("*.toml"))[part - 1::of]:
        for script, arguments in synthetic.make(file, FOLDER / file.stem):
            code, _, errors = draw(script, arguments, figure=script not in NO_FIGURES)
            if script in OF_SCENES:
                if code != 2 or OF_SCENES[script] not in errors or errors.count("\n") != 1:
                    failed.append(f"{file.name}: {script} does not refuse runs with {OF_SCENES[script]}: exit code {code}\n{errors}")
            elif code or "Warning" in errors:
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
