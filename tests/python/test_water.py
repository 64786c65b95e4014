"""What newcomers met with water of their own: parts of a boundary, dry land, steps that fail, moves, changes, odd arguments."""

import gc
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
import weakref
from pathlib import Path

import numpy as np

import shoal
from schemes import Linear, Rusanov

STRIP = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 4], [0, 4, 5], [1, 2, 3], [1, 3, 4]]
SQUARE = shoal.mesh("rectangle:20x20:1x1")


def address(array):
    return array.__array_interface__["data"][0]


class Boundaries(unittest.TestCase):
    def test_parts_have_names(self):
        for reorder in (False, True):
            mesh = shoal.Mesh(*STRIP, reorder=reorder, boundaries={"left": lambda x: x[:, 0] == 0, "right": [[3, 2]]})
            sets = {name: np.sort(mesh.input_vertex[mesh.edges[edges]], axis=1) for name, edges in mesh.boundary_sets.items()}
            self.assertEqual(sets["left"].tolist(), [[0, 5]])
            self.assertEqual(sets["right"].tolist(), [[2, 3]])
            self.assertEqual(sorted(sets["loop-1"].tolist()), [[0, 1], [1, 2], [3, 4], [4, 5]])

    def test_water_flows_through_them(self):
        mesh = shoal.Mesh(*STRIP, boundaries={"left": lambda x: x[:, 0] == 0, "right": lambda x: x[:, 0] == 2})
        water = shoal.ShallowWater(mesh, "hllc", "ssprk3", boundaries={"left": "discharge 0.3", "right": "wall"})
        water.run(2.0)
        self.assertAlmostEqual(water.budget()["mass_source"], 1000 * 0.3 * 2.0, places=9)

    def test_errors(self):
        left = {"left": lambda x: x[:, 0] == 0}
        for boundaries, words in (({**left, "w": [[0, 5]]}, "5 and 0 belongs to 'left' and 'w'|0 and 5 belongs to 'left' and 'w'"),
                                  ({"far": lambda x: x[:, 0] == 7}, "'far': it holds for no edge"),
                                  ({"a": [[0, 4]]}, "no edge of the boundary between vertices 0 and 4"),
                                  ({"a b": [[0, 5]]}, "'a b' is no name"), ([1], "required is a dictionary")):
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.Mesh(*STRIP, boundaries=boundaries)

    def test_unused_vertices_are_dropped_when_asked(self):
        vertices = [[9, 9, 9], *STRIP[0]]
        mesh = shoal.Mesh(vertices, np.array(STRIP[1]) + 1, drop_unused=True)
        np.testing.assert_array_equal(mesh.vertices, STRIP[0])
        with self.assertRaisesRegex(shoal.Error, "vertex 0 is in no face"):
            shoal.Mesh(vertices, np.array(STRIP[1]) + 1)
        with self.assertRaisesRegex(shoal.Error, "0.5 in row 0 is not a whole number"):
            shoal.Mesh(STRIP[0], np.array(STRIP[1]) + 0.5)


class DryLand(unittest.TestCase):
    def test_rain_from_a_time_on_fills_it(self):
        rain = 1e-2
        water = shoal.ShallowWater(SQUARE, "hllc", "ssprk3", depth=0.0, rain=lambda x, t: np.full(len(x), rain * (t >= 0.5)))
        water.run(1.0, max_dt=0.01)
        self.assertLess(abs(water.budget()["mass"] - 1000 * rain * 0.5), 1000 * rain * 0.01)  # to a step
        for given in (rain, lambda x, t: np.full(len(x), rain * (t < 2))):
            water = shoal.ShallowWater(SQUARE, "hllc", "ssprk3", depth=0.0, rain=given)
            water.run(1.0)  # rain now shortens the steps by itself
            self.assertAlmostEqual(water.budget()["mass"], 1000 * rain, places=9)

    def test_has_no_stable_step(self):
        with self.assertRaisesRegex(shoal.Error, "give dt, or max_dt"):
            shoal.ShallowWater(SQUARE, "hllc", "ssprk3", depth=0.0, rain=lambda x, t: 0 * x[:, 0]).run(1.0)
        water = shoal.ShallowWater(SQUARE, "hllc", "ssprk3", depth=0.0, boundaries="left = discharge 0.1")
        water.run(1.0)
        self.assertAlmostEqual(water.budget()["mass"], 100, places=6)

    def test_a_bed_above_the_water_is_pointed_out(self):
        with self.assertWarnsRegex(UserWarning, "positive downwards"):
            shoal.ShallowWater(SQUARE, "hllc", "ssprk3", bed_depth=-0.3)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shoal.ShallowWater(SQUARE, "hllc", "ssprk3", depth=0.0, rain=1e-3)


class Failures(unittest.TestCase):
    def test_a_depth_that_is_not_finite_ends_the_step(self):
        water = shoal.ShallowWater("icosphere:2", "hllc", "ssprk3", elevation=lambda x: 0.3 * (x[:, 2] > 0.5))
        with self.assertRaisesRegex(shoal.StepFailure, "depth of cell .* is not finite at t = "):
            water.step(5.0, 10)
        water = shoal.ShallowWater("icosphere:2", "hllc", "ssprk3", rain=lambda x, t: np.full(len(x), np.nan if t > 0.1 else 0))
        water.step(0.05, 2)
        kept = water.volume.copy()
        with self.assertRaises(shoal.StepFailure):
            water.step(0.05, 2)
        np.testing.assert_array_equal(water.volume, kept)  # it calls Python, so the step is undone

    def test_forces_must_be_finite(self):
        for field, value in (("rotation", [0, 0, np.nan]), ("normal_acceleration", np.nan)):
            with self.assertRaisesRegex(shoal.Error, f"{field}: a value is not finite"):
                shoal.ShallowWater(SQUARE, **{field: value})

    def test_arguments_of_another_kind(self):
        water = shoal.ShallowWater(SQUARE)
        for call, words in ((lambda: water.step("x"), "dt is a number of seconds"), (lambda: water.step(0.01, 2.5), "count a number"),
                            (lambda: shoal.Mesh("x", [[0, 1, 2]]), r"vertices is an array \[n, 3\]"),
                            (lambda: shoal.set_threads(2.5), "threads: required"), (lambda: shoal.ShallowWater(3), "mesh: 3 is neither"),
                            (lambda: shoal.ShallowWater(SQUARE, substeps=2.5), "substeps: 2.5 is not"),
                            (lambda: shoal.ShallowWater(SQUARE, density="x"), "density: 'x' is not"),
                            (lambda: shoal.ShallowWater(SQUARE, rotation="x"), "rotation: required are numbers"),
                            (lambda: shoal.ShallowWater(SQUARE, elevation=lambda x: x[0]), "one for each row of the points"),
                            (lambda: water.run(-1.0), "before the present time"), (lambda: water.change(substeps=0), "substeps: 0"),
                            (lambda: water.change(discretization=None), "discretization = None")):
            with self.assertRaisesRegex(shoal.Error, words):
                call()
        water.step(1)  # an integer is a number

    def test_only_true_stops_a_run(self):
        water = shoal.ShallowWater(SQUARE)
        for returned, stops in ((np.zeros(3), False), (0.5, False), (True, True), (np.bool_(True), True)):
            until = water.time + 0.1
            water.run(until, lambda _: returned)
            self.assertEqual(water.time < until, stops)


class MovesAndChanges(unittest.TestCase):
    def test_a_move_is_of_the_next_step(self):
        water = shoal.ShallowWater(SQUARE, "hllc", "ssprk3")
        water.move_to(SQUARE.vertices + [0, 0, 1e-4], 1e-3)
        for call in (lambda: water.step(2e-3), lambda: water.run(1.0)):
            with self.assertRaisesRegex(shoal.Error, "move_to has moved"):
                call()
        water.step(1e-3)
        water.step(2e-3)

    def test_views_follow_through_changes_of_options(self):
        water = shoal.ShallowWater("icosphere:3", "hllc", "ssprk3", elevation=lambda x: 0.01 * x[:, 2])
        view = water.volume
        for manning in (0.01, 0.02):
            water.change(manning=manning)
            water.step(0.001)
            self.assertEqual(address(water.volume), address(view))
            np.testing.assert_array_equal(view, water.volume)
        before = view.copy()
        water.change(discretization="fefv", integrator="newmark", manning=None)
        water.step(0.001)
        np.testing.assert_array_equal(view, before)
        self.assertEqual(len(water.volume), 642)

    def test_another_integrator_takes_its_own_substeps(self):
        water = shoal.ShallowWater(SQUARE, "fefv", "explicit", substeps=5)
        water.change(sink_part=0.5)
        self.assertEqual(water.substeps, 5)
        water.change(integrator="newmark")
        self.assertEqual(water.substeps, 1)

    def test_depth_and_elevation_are_outputs(self):
        water = shoal.ShallowWater(SQUARE, elevation=0.1)
        np.testing.assert_array_equal(water["elevation"], water.elevation)
        self.assertEqual(water.snapshot("elevation")["elevation"].attrs["units"], "m")


class OthersAtWork(unittest.TestCase):
    def test_a_function_that_the_water_calls_may_not_call_it(self):
        calls = {"step": lambda w: w.step(0.001), "output": lambda w: w["velocity"], "stable_dt": lambda w: w.stable_dt(),
                 "budget": lambda w: w.budget(), "add_water": lambda w: w.add_water(np.zeros(len(w.volume))),
                 "change": lambda w: w.change(manning=0.01), "save": lambda w: w.save(),
                 "move_to": lambda w: w.move_to(SQUARE.vertices, 0.001)}
        for name, call in calls.items():
            with self.subTest(name):
                act = []
                water = shoal.ShallowWater(SQUARE, "hllc", "ssprk3", rain=lambda x, t: [call(water) for call in act] and 0 or 0 * x[:, 0])
                other = shoal.ShallowWater(SQUARE, "hllc", "ssprk3", rain=lambda x, t: 0 * x[:, 0])
                water.step(0.01)
                act.append(call)
                with self.assertRaisesRegex(shoal.Error, "in the middle of a step"):
                    water.step(0.01)
                act.clear()
                water.step(0.01)
                other.step(0.01, 2)
                np.testing.assert_array_equal(water.volume, other.volume)

    def test_a_function_that_the_water_calls_may_look_at_views(self):
        seen = []
        waters = []
        water = shoal.ShallowWater(SQUARE, rain=lambda x, t: seen.extend((w.volume.sum(), w.time) for w in waters) or 0 * x[:, 0])
        waters.append(water)
        water.step(0.01, 2)
        self.assertAlmostEqual(seen[-1][0], 1.0, places=12)

    def test_reading_in_another_thread_changes_no_bit(self):
        def stepped(read):
            water = shoal.ShallowWater("icosphere:3", "dec", "ssprk3", elevation=lambda x: 0.1 * x[:, 2] ** 2, manning=0.02)
            done = threading.Event()

            def reading():
                while not done.is_set():
                    for name in ("velocity", "vorticity", "divergence"):
                        water[name]
                    water.stable_dt(), water.budget()

            reader = threading.Thread(target=reading) if read else None
            if reader:
                reader.start()
            water.step(0.005, 200)
            done.set()
            if reader:
                reader.join()
            return water.volume.copy()

        np.testing.assert_array_equal(stepped(True), stepped(False))

    def test_water_that_calls_its_owner_is_freed(self):
        class Owner:
            def __init__(self):
                self.water = shoal.ShallowWater(SQUARE, rain=self.rain, body_acceleration=self.force)

            def rain(self, x, t):
                return 0 * x[:, 0]

            def force(self, x, t):
                return 0 * x

        owners = [weakref.ref(Owner().water) for _ in range(3)]
        gc.collect()
        self.assertEqual([one() for one in owners], [None] * 3)


class Saving(unittest.TestCase):
    def test_what_does_not_fit_is_refused(self):
        water = shoal.ShallowWater(SQUARE)
        saved = water.save()
        turned = shoal.Mesh(SQUARE.vertices[::-1], len(SQUARE.vertices) - 1 - SQUARE.faces)
        for other in (shoal.ShallowWater(turned), shoal.ShallowWater(shoal.Mesh(2 * SQUARE.vertices, SQUARE.faces))):
            with self.assertRaisesRegex(shoal.Error, "saved on another mesh"):
                other.restore(saved)
        for wrong in (None, {}, {key: value for key, value in saved.items() if key != "state"}):
            with self.assertRaisesRegex(shoal.Error, "restore: |checkpoint belongs to another model"):
                water.restore(wrong)
        water.move_to(SQUARE.vertices + [0, 0, 1e-4], 0.01)
        with self.assertRaisesRegex(shoal.Error, "save: move_to has moved"):
            water.save()

    def test_gravity_may_not_point_out_of_the_water(self):
        down = shoal.Mesh(SQUARE.vertices, SQUARE.faces[:, ::-1])
        for mesh, gravity in ((down, (0, 0, -9.81)), (SQUARE, (0, 0, 9.81))):
            with self.assertRaisesRegex(shoal.Error, "along the normals"):
                shoal.ShallowWater(mesh, gravity=gravity)
        shoal.ShallowWater(SQUARE, gravity=(9.81, 0, 0))  # along a wall


class ReadingResults(unittest.TestCase):
    def test_a_killed_sweep_and_one_at_work_can_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.h5"
            code = ("import shoal; shoal.sweep({'scene': 'sphere-bump', 'mesh': 'icosphere:2', 'dt': [0.02, 0.0001], 'end': 10}, "
                    f"output={str(path)!r}, progress=False)")
            sweep = subprocess.Popen([sys.executable, "-c", code])
            try:
                end = time.monotonic() + 60
                outcomes = []
                while outcomes != ["finished", "interrupted"] and time.monotonic() < end:
                    time.sleep(0.05)
                    try:
                        runs = shoal.open_results(path)
                    except shoal.Error:
                        continue  # not there yet
                    outcomes = [run.outcome for run in runs]
                    for run in runs:
                        self.assertGreater(run.mesh.sizes["vertex"], 0)
                        if run.outcome != "interrupted":
                            self.assertIn("mass", run.diagnostics)
            finally:
                sweep.kill()
                sweep.wait()
            self.assertEqual(outcomes, ["finished", "interrupted"])
            finished, interrupted = shoal.open_results(path)
            self.assertGreater(finished.diagnostics.sizes["time"], 1)
            self.assertGreaterEqual(interrupted.diagnostics.sizes["time"], 0)


class WrongSchemes(unittest.TestCase):
    def test_what_a_scheme_returns_is_checked(self):
        for method, returned, words in (("speed", None, "speed\\(\\) is None"), ("speed", np.nan, "speed\\(\\) returned nan"),
                                        ("speed", -1.0, "returned -1.0; required are numbers ≥ 0"), ("flux", (0, None, 0), "flux\\(\\) is None")):
            wrong = type("Wrong", (Rusanov,), {"name": "python-wrong", method: lambda self, *states: returned})
            shoal.register(wrong)
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.ShallowWater(SQUARE, "python-wrong", "ssprk2").run(0.1)
        for method, returned, words in (("rates", None, "must return two arrays"), ("stable_dt", np.nan, "returned nan; required is a number > 0"),
                                        ("stable_dt", None, "returned None")):
            wrong = type("Wrong", (Linear,), {"name": "python-wrong-p1", method: lambda self, *state: returned})
            shoal.register(wrong)
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.ShallowWater(SQUARE, "python-wrong-p1", "ssprk3").run(0.1)


class Program(unittest.TestCase):
    def test_a_plugin_that_fails_is_a_mistake_of_the_user(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "plugin.py"
            for code, words in (("def f(:", "line 1: SyntaxError: "), ("import shoal\n1 / 0", "line 2: ZeroDivisionError: division by zero"),
                                ("import nosuch", "line 1: ModuleNotFoundError: "), ("import sys; sys.exit(0)", "line 1: SystemExit: 0"),
                                ("open('/nosuch')", "line 1: FileNotFoundError: ")):
                file.write_text(code)
                done = subprocess.run([sys.executable, "-m", "shoal", "list", "scenes", "--plugin", str(file)], capture_output=True, text=True)
                self.assertEqual(done.returncode, 2, code)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(f"plugin '{file}', {words}", done.stderr)


if __name__ == "__main__":
    unittest.main()
