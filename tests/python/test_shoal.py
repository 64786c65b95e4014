"""The package for Python: views, fields, forcing, motion, saving, errors, signals, runs, sweeps, schemes."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import shoal
from schemes import Linear, Rusanov


def bump(x):
    return 0.1 * np.exp(-4 * ((x - [0, 0, 1]) ** 2).sum(axis=1))


def address(array):
    return array.__array_interface__["data"][0]


SPHERE = shoal.mesh("icosphere:3")


def square(n, size=1.0):
    """The vertices and triangles of a square in a numbering that is not local."""
    x, y = np.meshgrid(np.linspace(0, size, n + 1), np.linspace(0, size, n + 1))
    vertices = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    faces = np.concatenate([np.stack([a, a + 1, a + n + 2], 1), np.stack([a, a + n + 2, a + n + 1], 1)])
    order = np.random.default_rng(1).permutation(len(vertices))
    place = np.argsort(order)
    return vertices[order], place[faces]


class Meshes(unittest.TestCase):
    def test_arrays_keep_their_numbering(self):
        vertices, faces = square(6)
        mesh = shoal.Mesh(vertices, faces)
        np.testing.assert_array_equal(mesh.vertices, vertices)
        np.testing.assert_array_equal(np.sort(mesh.faces, axis=1), np.sort(faces, axis=1))
        self.assertFalse(mesh.closed)
        self.assertAlmostEqual(mesh.face_areas.sum(), 1.0, places=14)
        local = shoal.Mesh(vertices, faces, reorder=True)
        np.testing.assert_array_equal(local.vertices, vertices[local.input_vertex])

    def test_views_are_the_memory_of_the_mesh(self):
        self.assertEqual(address(SPHERE.vertices), address(SPHERE.vertices))
        with self.assertRaises(ValueError):
            SPHERE.vertices[0] = 0
        faces = SPHERE.faces
        np.testing.assert_allclose(SPHERE.corners.mean(axis=1), SPHERE.centroids, atol=1e-15)
        np.testing.assert_array_equal(SPHERE.corners, SPHERE.vertices[faces])

    def test_errors_name_the_element(self):
        vertices, faces = square(2)
        for wrong, words in (((vertices, faces + 1), "has vertex 9"), ((vertices[:, :2], faces), "[9, 2]"),
                             ((vertices, faces[:-1, :2]), "[n, 3]"), ((np.vstack([vertices, [[5, 5, 5]]]), faces), "vertex 9 "),
                             ((vertices * np.nan, faces), "finite"), ((vertices, np.vstack([faces, faces[:1]])), "edge")):
            with self.assertRaisesRegex(shoal.Error, words.replace("[", r"\[").replace("]", r"\]")):
                shoal.Mesh(*wrong)
        with self.assertRaisesRegex(shoal.Error, "did you mean|is not one of"):
            shoal.mesh("icosfere:2")


class Views(unittest.TestCase):
    def test_the_state_is_not_copied(self):
        for scheme, integrator in (("fefv", "explicit"), ("dec", "newmark"), ("hllc", "ssprk3"), ("kinetic", "explicit")):
            water = shoal.ShallowWater(SPHERE, scheme, integrator, elevation=bump)
            volume, state = water.volume, water.state
            before = volume.copy()
            places = [address(volume)] + [address(one) for one in state.values()]
            water.step(0.002, 5)
            self.assertEqual(places, [address(water.volume)] + [address(one) for one in water.state.values()])
            self.assertFalse(np.array_equal(before, volume))  # the view follows
            np.testing.assert_array_equal(volume, state["volume"])
            with self.assertRaises(ValueError):
                volume[0] = 1

    def test_a_view_outlives_its_water(self):
        volume = shoal.ShallowWater(SPHERE, elevation=bump).volume
        self.assertAlmostEqual(volume.sum() / SPHERE.face_areas.sum(), 1.0, delta=0.01)

    def test_outputs_have_units(self):
        water = shoal.ShallowWater(SPHERE, elevation=bump)
        self.assertEqual(water.output("velocity").shape, (len(SPHERE.faces), 3))
        self.assertEqual(water.units()["vorticity"], "1/s")
        snapshot = water.snapshot()
        self.assertEqual(snapshot["velocity"].attrs["units"], "m/s")
        np.testing.assert_array_equal(snapshot["depth"], water.depth)
        with self.assertRaisesRegex(shoal.Error, "did you mean 'velocity'"):
            water["velocty"]


class Fields(unittest.TestCase):
    def test_numbers_arrays_and_functions_are_the_same(self):
        for scheme in ("fefv", "hllc"):
            of_function = shoal.ShallowWater(SPHERE, scheme, elevation=lambda x: 0.1 * x[:, 0], bed_depth=2)
            of_array = shoal.ShallowWater(SPHERE, scheme, elevation=0.1 * SPHERE.vertices[:, 0], bed_depth=lambda x: 2)
            np.testing.assert_allclose(of_function.depth, of_array.depth, atol=1e-15)
        values = np.random.default_rng(2).uniform(0, 0.1, len(SPHERE.faces))
        np.testing.assert_allclose(shoal.ShallowWater(SPHERE, "hllc", elevation=values).elevation, values, atol=1e-15)

    def test_where_the_water_is_below_the_bed_the_land_is_dry(self):
        water = shoal.ShallowWater(SPHERE, "hllc", elevation=0.0, bed_depth=lambda x: x[:, 2])
        self.assertEqual(water.depth.min(), 0.0)
        np.testing.assert_allclose(water.depth, np.maximum(0, water.cell_points[:, 2]), atol=1e-15)

    def test_errors(self):
        for options, words in (({"elevation": [1.0, 2.0]}, "2 values"), ({"elevation": lambda x: x}, "returned"),
                               ({"elevation": np.nan}, "finite"), ({"elevation": "high"}, "elevation"),
                               ({"velocity": [1.0, 2.0]}, "velocity"), ({"limiter": "none"}, "no option 'limiter'"),
                               ({"gravity": "strong"}, "gravity: 'strong'"), ({"elevation": 0, "depth": 1}, "both"),
                               ({"boundaries": {"left": "level 0"}}, "left")):
            with self.assertRaisesRegex((shoal.Error, TypeError), words):
                shoal.ShallowWater(SPHERE, "fefv", **options)
        with self.assertRaisesRegex(ZeroDivisionError, "division"):
            shoal.ShallowWater(SPHERE, elevation=lambda x: 1 / 0)
        with self.assertRaises(shoal.Refusal):
            shoal.ShallowWater(SPHERE, "hllc", "newmark")
        for options, words in (({"substeps": -1}, "substeps"), ({"density": 0}, "density"), ({"gravity": -1}, "gravity"),
                               ({"gravity": np.nan}, "gravity"), ({"safety": 0}, "safety"), ({"depth": -1}, "below zero"),
                               ({"linear_solver": "petsc"}, "no linear system"), ({"integrator": "newmark", "substeps": 2}, "no substeps")):
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.ShallowWater(SPHERE, "fefv", **options)
        water = shoal.ShallowWater(SPHERE)
        water.step(0.01)
        for wrong, words in ((lambda: water.step(0.01, 0), "count"), (lambda: water.run(0.0), "before the present"),
                             (lambda: shoal.set_threads(0), "threads")):
            with self.assertRaisesRegex(shoal.Error, words):
                wrong()
        for dt in (0, -1, np.nan, np.inf):
            with self.assertRaisesRegex(shoal.Error, "dt"):
                water.step(dt)


class Stepping(unittest.TestCase):
    def test_steps_are_those_of_the_program(self):
        options = {"discretization": "dec", "integrator": "ssprk3", "dt": 0.01, "end": 0.3, "amplitude": 0.05}
        with tempfile.TemporaryDirectory() as folder:
            results = shoal.run("sphere-bump", mesh="icosphere:3", output=Path(folder) / "run.h5", progress=False, **options)
            simulation = shoal.Simulation("sphere-bump", mesh="icosphere:3", **options)
            simulation.run()
            recorded = results[0].snapshots["depth"].values[-1]
            mesh = simulation.mesh
        self.assertEqual(results[0].outcome, "finished")
        np.testing.assert_array_equal(recorded[mesh.input_face], simulation.depth)
        self.assertEqual(simulation.steps_done, 30)
        self.assertTrue(simulation.finished)
        self.assertIn("l2_error", simulation.diagnostics())
        with self.assertRaisesRegex(shoal.Error, "ended"):
            simulation.step()

    def test_run_ends_exactly_and_stops_when_asked(self):
        water = shoal.ShallowWater(SPHERE, "hllc", "ssprk3", elevation=bump)
        times = []
        water.run(0.2, lambda w: times.append(w.time))
        self.assertAlmostEqual(water.time, 0.2, places=14)
        self.assertEqual(len(times), len(set(times)))
        water.run(0.3, dt=0.03)
        self.assertAlmostEqual(water.time, 0.3, places=14)
        water.run(10, lambda w: w.time > 0.35)
        self.assertLess(water.time, 0.4)
        with self.assertRaisesRegex(RuntimeError, "stop here"):
            water.run(10, lambda w: (_ for _ in ()).throw(RuntimeError("stop here")))

    def test_what_blows_up_is_told(self):
        water = shoal.ShallowWater(SPHERE, "fefv", elevation=bump)
        with self.assertRaisesRegex(shoal.StepFailure, "not finite|failed"):
            water.run(1e4, dt=1.0)
        with self.assertRaisesRegex(shoal.StepFailure, "runs away|not finite|failed"):
            shoal.ShallowWater(SPHERE, "fefv", safety=5.0, elevation=bump).run(100.0)

    def test_saved_and_restored_water_goes_on_with_the_same_bits(self):
        make = lambda: shoal.ShallowWater(SPHERE, "python-rusanov", "ssprk3", elevation=bump, rain=lambda x, t: 0.1 * np.sin(t))
        water = make()
        water.step(0.005, 10)
        with tempfile.TemporaryDirectory() as folder:
            saved = water.save(Path(folder) / "saved.npz")
            water.step(0.005, 10)
            for state in (saved, Path(folder) / "saved.npz"):
                other = make()
                other.restore(state)
                other.step(0.005, 10)
                np.testing.assert_array_equal(other.volume, water.volume)
        with self.assertRaises(shoal.Error):
            shoal.ShallowWater("icosphere:2").restore(saved)

    def test_ctrl_c_ends_a_run_which_goes_on_with_the_same_bits(self):
        whole = shoal.ShallowWater("icosphere:5", "hllc", "ssprk3", elevation=bump)
        water = shoal.ShallowWater("icosphere:5", "hllc", "ssprk3", elevation=bump)

        def interrupt():
            while water.time == 0:
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            threading.Thread(target=interrupt).start()
            water.step(1e-4, 10**7)
        done = round(water.time / 1e-4)
        self.assertGreater(done, 0)
        water.step(1e-4, 3)
        whole.step(1e-4, done + 3)
        np.testing.assert_array_equal(water.volume, whole.volume)

    def test_ctrl_c_within_a_flux_undoes_the_step(self):
        calls = []

        def interrupts(x, t):
            calls.append(t)
            if len(calls) == 20:
                raise KeyboardInterrupt
            return 0 * x

        make = lambda force: shoal.ShallowWater(SPHERE, "hllc", "ssprk3", elevation=bump, body_acceleration=force)
        water, whole = make(interrupts), make(lambda x, t: 0 * x)
        with self.assertRaises(KeyboardInterrupt):
            water.step(0.002, 100)
        done = round(water.time / 0.002)
        self.assertGreater(done, 1)
        water.step(0.002, 3)
        whole.step(0.002, done + 3)
        np.testing.assert_array_equal(water.volume, whole.volume)

    def test_parts_change_in_a_run(self):
        water = shoal.ShallowWater(SPHERE, "hllc", "ssprk3", elevation=bump)
        water.step(0.002, 3)
        mass = water.budget()["mass"]
        view, before = water.volume, water.volume.copy()
        water.change(discretization="dec", integrator="ssprk3")
        water.step(0.002, 3)
        np.testing.assert_array_equal(view, before)  # whose memory the change has not freed
        view = water.volume
        with self.assertRaises(shoal.Refusal):
            water.change(discretization="hllc", integrator="newmark")
        water.step(0.002)
        np.testing.assert_array_equal(view, water.volume)  # a refused change changes nothing
        self.assertAlmostEqual(water.budget()["mass"] / mass, 1, places=13)

    def test_threads_do_not_change_bits(self):
        volumes = []
        for count in (1, 2):
            shoal.set_threads(count)
            water = shoal.ShallowWater("icosphere:4", "hllc", "ssprk3", elevation=bump)
            water.step(0.002, 5)
            volumes.append(water.volume.copy())
        shoal.set_threads(1)
        np.testing.assert_array_equal(*volumes)


class Forcing(unittest.TestCase):
    def test_functions_and_arrays_act_alike(self):
        push = np.cross([0, 0, 1.0], SPHERE.vertices)
        waters = [shoal.ShallowWater(SPHERE, "fefv", "ssprk3", elevation=bump, body_acceleration=force)
                  for force in (push, lambda x, t: np.cross([0, 0, 1.0], x), [0.0, 0.0, 0.0])]
        for water in waters:
            water.step(0.002, 50)
        np.testing.assert_allclose(waters[0].depth, waters[1].depth, atol=1e-14)
        self.assertGreater(abs(waters[0].depth - waters[2].depth).max(), 1e-5)
        self.assertAlmostEqual(waters[0].budget()["work_forces"], waters[1].budget()["work_forces"], places=8)

    def test_rain_brings_its_mass(self):
        area = SPHERE.face_areas.sum()
        for rain, volume in ((0.2, 0.2 * 0.1), (lambda x, t: 0.2 + t, 0.2 * 0.1 + 0.005), (lambda x, t: 0.3 + 0 * x[:, 0], 0.03)):
            water = shoal.ShallowWater(SPHERE, "hllc", "ssprk3", rain=rain)
            before = water.budget()["mass"]
            water.step(0.001, 100)
            budget = water.budget()
            self.assertAlmostEqual((budget["mass"] - before) / (1000 * volume * area), 1, places=3)
            self.assertAlmostEqual((budget["mass"] - before) / budget["mass_source"], 1, places=10)

    def test_added_water_is_booked(self):
        water = shoal.ShallowWater(SPHERE, "hllc")
        volume = np.zeros(len(water.volume))
        volume[5] = 0.01
        water.add_water(volume)
        self.assertAlmostEqual(water.budget()["mass_source"], 10.0, places=10)

    def test_boundaries(self):
        for given in ("left = discharge 0.5", {"left": "discharge 0.5"}):
            water = shoal.ShallowWater("rectangle:10x4:5x1", "hllc", boundaries=given)
            before = water.volume.sum()
            water.run(1.0)
            self.assertAlmostEqual(water.volume.sum() - before, 0.5, places=10)


class MovingSurfaces(unittest.TestCase):
    def test_a_motion_is_that_of_the_program(self):
        rest = SPHERE.vertices.copy()
        breathing = lambda t: (1 + 0.1 * np.sin(2 * np.pi * t)) * rest
        water = shoal.ShallowWater(SPHERE, "fefv", "ssprk3", elevation=bump, motion=breathing, advection="vector-invariant")
        before = water.budget()
        water.step(0.005, 50)
        after = water.budget()
        np.testing.assert_allclose(water.positions, breathing(0.25), atol=1e-14)
        self.assertAlmostEqual(after["mass"] / before["mass"], 1, places=13)
        gained = after["energy_total"] - before["energy_total"]
        self.assertAlmostEqual(gained / after["work"], 1, places=3)
        self.assertGreater(abs(gained / before["energy_total"]), 0.1)
        with self.assertRaisesRegex(shoal.Error, "t = 0"):
            shoal.ShallowWater(SPHERE, motion=lambda t: 2 * rest)
        with self.assertRaisesRegex(shoal.Error, "positions"):
            shoal.ShallowWater(SPHERE, motion=lambda t: rest[1:])

    def test_the_caller_moves_the_surface(self):
        water = shoal.ShallowWater(SPHERE, "hllc", elevation=bump)
        for step in range(1, 11):
            water.move_to((1 + 0.01 * step) * SPHERE.vertices, 0.01)
            water.step(0.01)
        np.testing.assert_allclose(np.linalg.norm(water.positions, axis=1), 1.1, atol=1e-12)


class Experiments(unittest.TestCase):
    def test_a_sweep_with_a_flux_in_python(self):
        with tempfile.TemporaryDirectory() as folder:
            results = shoal.sweep({"scene": "dam-wet", "discretization": ["rusanov", "python-rusanov"],
                                   "mesh": "rectangle:40x4:10x1", "dt": [0.02, "1/100"], "end": 0.5},
                                  output=Path(folder) / "dams.h5", jobs=2, progress=False)
            self.assertEqual([run["discretization"] for run in results], ["rusanov", "rusanov", "python-rusanov", "python-rusanov"])
            one, two = results[0], results["0003"]
            np.testing.assert_array_equal(one.snapshots["depth"], two.snapshots["depth"])
            self.assertEqual(one.diagnostics["mass"].attrs["units"], "kg")
            table = results.table("id", "discretization", "dt", "l1_error")
            self.assertEqual(list(table["dt"].round(3)), [0.02, 0.01, 0.02, 0.01])
            self.assertEqual(list(table["l1_error"][:2]), list(table["l1_error"][2:]))
            with self.assertRaises(shoal.Error):
                results["0009"]
        with self.assertRaisesRegex(shoal.Error, "discretisation"):
            shoal.sweep({"scene": "dam-wet", "discretisation": "hllc"}, output="never.h5")

    def test_orders_and_waves(self):
        with tempfile.TemporaryDirectory() as folder:
            orders = shoal.converge("sphere-mode", discretization="python-p1", integrator="ssprk3", mesh="icosphere:2,3,4", dt="auto",
                                    end=0.3, output=Path(folder) / "orders.h5", orders="space", errors="l2_error_elevation",
                                    progress=False)
        self.assertGreater(orders["order"].iloc[-1], 1.8)
        waves = shoal.spectrum("dec", "icosphere:1")
        self.assertEqual(waves["angular_frequency"].dims, ("mode",))
        self.assertEqual(waves["angular_frequency"].attrs["units"], "1/s")

    def test_ctrl_c_stops_a_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            for delay in (0.02, 0.5):  # before and within the computation, unless the machine is slow
                with self.assertRaises(KeyboardInterrupt):  # after 100 000 steps it would be too late for ctest
                    threading.Timer(delay, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
                    shoal.sweep({"scene": "sphere-bump", "mesh": "icosphere:5", "dt": 1e-4, "end": 10.0, "discretization": ["hllc", "dec"]},
                                output=Path(folder) / "long.h5", progress=False)

    def test_lists(self):
        self.assertIn("hllc", shoal.discretizations())
        self.assertIn("python-p1", shoal.discretizations())
        self.assertIn("limiter", shoal.discretizations().parameters("hllc"))
        self.assertIn("hllc", repr(shoal.discretizations()))


class Schemes(unittest.TestCase):
    def test_a_flux_gives_the_bits_of_the_same_flux_in_cpp(self):
        for mesh in ("icosphere:3", "rectangle:12x8:3x2"):
            mesh = shoal.mesh(mesh)
            for options in ({}, {"reconstruction": "linear"}):
                waters = [shoal.ShallowWater(mesh, name, "ssprk2", elevation=lambda x: 0.2 * np.sin(3 * x[:, 0]),
                                             bed_depth=lambda x: 0.5 + 0.5 * x[:, 1], **options)
                          for name in ("rusanov", "python-rusanov")]
                for water in waters:
                    water.step(0.002, 10)
                self.assertEqual(waters[0].stable_dt(), waters[1].stable_dt())
                np.testing.assert_array_equal(waters[0].state["momentum"], waters[1].state["momentum"])

    def test_parameters_reach_the_flux(self):
        one, two = (shoal.ShallowWater(SPHERE, "python-rusanov", elevation=bump, damping=damping) for damping in (1.0, 2.0))
        for water in (one, two):
            water.step(0.002, 5)
        self.assertGreater(abs(one.volume - two.volume).max(), 1e-9)
        with self.assertRaisesRegex(shoal.Error, "damping"):
            shoal.ShallowWater(SPHERE, "python-rusanov", damping=3.0)

    def test_wrong_schemes_are_told(self):
        class Nameless(shoal.Flux):
            pass

        class Taken(Rusanov):
            name = "hllc"

        class Short(Rusanov):
            name = "python-short"

            def flux(self, left, right, gravity):
                return left.depth[:-1], 0, 0

        for scheme, words in ((Nameless, "name"), (Taken, "exists already"), (int, "required is a class")):
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.register(scheme)
        shoal.register(Short)
        with self.assertRaisesRegex(shoal.Error, "python-short: a result of flux.*shape"):
            shoal.ShallowWater(SPHERE, "python-short").step(0.001)

    def test_the_discretization_conserves_mass_and_energy(self):
        water = shoal.ShallowWater(SPHERE, "python-p1", "rk4", elevation=bump)
        before = water.budget()
        water.step(0.005, 100)
        after = water.budget()
        self.assertAlmostEqual(after["mass"] / before["mass"], 1, places=14)
        drift = (after["energy_total"] - before["energy_total"]) / before["energy_potential"]
        self.assertLess(abs(drift), 0.05)  # the equations without v·∇v conserve it to first order in the amplitude


class NewcomersPackage(unittest.TestCase):
    """What the functions of the package say and return, as newcomers called them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def silently(self, call):
        """What the call returns and what it printed."""
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            return call(), text.getvalue()

    def test_tables_do_not_depend_on_progress(self):
        options = {"discretization": "hllc", "mesh": ["rectangle:20x2:10x1", "rectangle:40x4:10x1"], "errors": "l1_error", "end": 0.1}
        tables = [self.silently(lambda: shoal.converge("dam-wet", output="c.h5", progress=progress, fresh=fresh, **options))[0]
                  for progress, fresh in ((True, True), (True, False), (False, False))]
        for table in tables:
            self.assertEqual(list(table["mesh"]), list(tables[0]["mesh"]))
            self.assertEqual(len(table), 2)
        Path("f.toml").write_text('scene = "sphere-bump"\nmesh = "icosphere:1"\ndiscretization = "hllc"\n')
        for progress in (True, False):
            frontier, _ = self.silently(lambda: shoal.frontier("f.toml", output="f.h5", progress=progress))
            self.assertEqual(list(frontier["outcome"]), ["found"])

    def test_a_sweep_of_a_file_opens_what_the_program_wrote(self):
        Path("ex.toml").write_text('scene = "rest"\nmesh = "icosphere:1"\nend = 0.01\n')
        first = shoal.sweep("ex.toml", progress=False)
        Path("ex.toml").write_text('scene = "rest"\nmesh = "icosphere:1"\nend = 0.02\n')
        second = shoal.sweep("ex.toml", progress=False)
        self.assertEqual([first.path.name, second.path.name], ["ex.h5", "ex-2.h5"])
        self.assertEqual([round(one[0]["t_reached"], 12) for one in (first, second)], [0.01, 0.02])
        Path("named.toml").write_text('scene = "rest"\nmesh = "icosphere:1"\nend = 0.01\noutput = "other.h5"\n')
        self.assertEqual(shoal.sweep("named.toml", progress=False).path.name, "other.h5")

    def test_conformance_is_interrupted_and_runs_again(self):
        with self.assertRaises(KeyboardInterrupt):
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            self.silently(lambda: shoal.conformance("hllc"))
        passed, text = self.silently(lambda: shoal.conformance("hllc", "a flux between*"))
        self.assertTrue(passed)
        self.assertRegex(text, r"[0-9.]+ s  a flux between equal states")
        _, text = self.silently(lambda: shoal.conformance("hllc", "a flux between*", progress=False))
        self.assertNotRegex(text, r" s  a flux between")

    def test_processes_have_threads_of_their_own(self):
        self.addCleanup(shoal.set_threads, shoal.threads())
        shoal.set_threads(2)
        shoal.ShallowWater("icosphere:4", "hllc").step(0.001)
        self.assertTrue(self.silently(lambda: shoal.conformance("hllc", "the number of threads does not change a bit"))[0])
        options = {"scene": "sphere-bump", "mesh": "icosphere:4", "discretization": "hllc", "threads": 2, "dt": 0.005, "end": 0.01}
        self.assertEqual(shoal.sweep(options, output="t.h5", progress=False)[0].outcome, "finished")

    def test_conformance_ends_with_its_process(self):
        process = subprocess.Popen([sys.executable, "-c", "import shoal; shoal.conformance('hllc')"], stdout=subprocess.PIPE)
        process.stdout.readline()  # it runs
        process.terminate()
        self.assertEqual(process.wait(timeout=60), -signal.SIGTERM)
        process.communicate()  # returns when the process of the tests has ended, too

    def test_conformance_needs_a_test_and_a_scheme(self):
        for scheme, test in (("hllc", "[nothing]"), ("dec", "a flux between*")):  # which tests nothing of dec
            with self.assertRaisesRegex(shoal.Error, f"selects no test of '{scheme}'"):
                self.silently(lambda: shoal.conformance(scheme, test))
        with self.assertRaisesRegex(shoal.Error, "'hlcc'; did you mean 'hllc'"):
            shoal.conformance("hlcc")

    def test_failures_of_conformance_are_told_in_words(self):
        class Slow(Rusanov):
            name = "python-slow"

            def speed(self, own, other, gravity):
                return 0.5 * super().speed(own, other, gravity)

        passed, text = self.silently(lambda: shoal.conformance(Slow, "no more leaves*"))
        self.assertFalse(passed)
        self.assertIn("the speed is below |u|", text)

    def test_a_reason_is_one_sentence_with_the_line(self):
        class Raises(Rusanov):
            name = "python-raises"

            def flux(self, left, right, gravity):
                raise TypeError("two\nlines")

        shoal.register(Raises)
        line = Raises.flux.__code__.co_firstlineno + 1
        for compute in (lambda: shoal.run("sphere-bump", discretization="python-raises", mesh="icosphere:1", output="r.h5", progress=False),
                        lambda: shoal.sweep({"scene": "sphere-bump", "discretization": "python-raises", "mesh": "icosphere:1"},
                                            output="s.h5", progress=False)):
            run = self.silently(compute)[0][0]
            self.assertEqual(run["reason"], f"TypeError: two lines ({Path(__file__).name}, line {line})")
        with self.assertRaises(TypeError):  # outside of the program it stays what it is
            shoal.ShallowWater("icosphere:1", "python-raises").step(0.001)

    def test_results_name_the_file_of_a_scheme(self):
        Path("mine.py").write_text("import shoal\nfrom schemes import Rusanov\n\n@shoal.register\nclass Mine(Rusanov):\n"
                                   "    name = 'mine'\n    def flux(self, *states):\n        return super().flux(*states)\n")

        def program(*words):
            return subprocess.run([sys.executable, "-m", "shoal", *words], text=True, capture_output=True,
                                  env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))})

        done = program("run", "sphere-bump", "--mesh", "icosphere:1", "--discretization", "mine", "--end", "0.05", "--plugin", "mine.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        file = "results/sphere-bump/sphere-bump.h5"
        without = program("rerun", file)
        self.assertEqual(without.returncode, 2)
        self.assertIn(f"--plugin {os.getcwd()}/mine.py", without.stderr)
        self.assertEqual(program("rerun", file, "--plugin", "mine.py").returncode, 0)

    def test_register_refuses_at_once(self):
        def scheme(base=Rusanov, **members):
            return type("Scheme", (base,), {"name": "python-wrong", **members})

        linear = {"name": "python-wrong", "rates": Linear.rates}
        for wrong, words in ((scheme(shoal.Flux, speed=Rusanov.speed), r"python-wrong has no method flux\(left, right, gravity\)"),
                             (scheme(shoal.Flux, flux=Rusanov.flux), r"no method speed\(own, other, gravity\)"),
                             (type("Scheme", (shoal.Discretization,), linear), r"no method stable_dt\(depth"),
                             (Rusanov(), "required is a class"), (int, "required is a class"), (scheme(name="my flux"), "letters"),
                             (scheme(name="mine/2"), "letters"), (scheme(name=3), "letters"),
                             (scheme(gravity=shoal.Parameter(1.0)), "'gravity' has the name of an argument"),
                             (scheme(seed=shoal.Parameter(1.0)), "'seed' has the name"),
                             (scheme(reconstruction=shoal.Parameter(1.0)), "'reconstruction' has the name of an option"),
                             (scheme(width=shoal.Parameter(2.0, max=1.0)), "'width' is 2.0 by default"),
                             (scheme(width=shoal.Parameter("wide")), "'width': default, min and max are not numbers")):
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.register(wrong)
        self.assertNotIn("python-wrong", shoal.discretizations())
        shoal.register(scheme(name="python-complex", flux=lambda self, left, right, gravity: (1j * left.depth,) * 3))
        with self.assertRaisesRegex(shoal.Error, "result of flux.* is complex"):
            shoal.ShallowWater(SPHERE, "python-complex").step(0.001)

    def test_meshes_in_memory_are_computed_and_recorded(self):
        meshes = [shoal.Mesh(*square(n), name=f"mine:{n}") for n in (4, 8)]
        options = {"integrator": "ssprk3", "dt": 0.01, "end": 0.05, "center": "0.5,0.5,0"}
        run = shoal.run("bump", mesh=meshes[0], output="own.h5", progress=False, **options)[0]
        self.assertEqual((run.outcome, run["mesh_name"]), ("finished", "mine:4"))
        np.testing.assert_array_equal(run.mesh["vertices"], meshes[0].vertices)
        simulation = shoal.Simulation("bump", mesh=meshes[0], **options).run()
        np.testing.assert_array_equal(run.snapshots["depth_at_vertices"][-1], simulation["depth_at_vertices"])
        other = shoal.Mesh(*square(5), name="mine:4")
        with self.assertRaisesRegex(shoal.Error, "'mine:4' has changed.*use fresh=True"):
            shoal.run("bump", mesh=other, output="own.h5", progress=False, **options)
        swept = shoal.sweep({"scene": "rest", "mesh": meshes + ["icosphere:1"], "end": 0.02}, output="swept.h5", jobs=2, progress=False)
        self.assertEqual([run["mesh_name"] for run in swept], ["mine:4", "mine:8", "icosphere:1"])
        self.assertEqual(len(shoal.spectrum("fefv", meshes[0])["wavenumber"]), len(meshes[0].vertices))
        for wrong, words in (([meshes[0], other], "two meshes are called 'mine:4'"),
                             (shoal.Mesh(*square(2), name="a,b"), "'a,b' is none")):
            with self.assertRaisesRegex(shoal.Error, words):
                shoal.sweep({"scene": "rest", "mesh": wrong}, output="never.h5")

    def test_snapshots_are_times(self):
        options = {"scene": "sphere-bump", "mesh": "icosphere:1", "dt": 0.05, "end": 0.2, "seed": None}
        for snapshots, runs in (([0.1, 0.2], 1), (np.array([0.1, 0.2]), 1), (["0.1,0.2"], 1), (["0.1", "0.1,0.2"], 2), (0.1, 1),
                                ([[0.1], [0.1, 0.2]], 2)):
            results = shoal.sweep({**options, "snapshots": snapshots}, output="s.h5", fresh=True, progress=False)
            self.assertEqual(len(results), runs, snapshots)
        self.assertEqual(list(results[-1].snapshots["time"].values.round(9)), [0, 0.1, 0.2])
        with self.assertRaisesRegex(shoal.Error, "end: required is a number"):
            shoal.sweep({**options, "end": [0.1, None]}, output="s.h5", fresh=True, progress=False)

    def test_sentences_say_what_to_do_in_python(self):
        shoal.run("rest", mesh="icosphere:1", end=0.01, output="r.h5", progress=False)
        for wrong, words in ((lambda: shoal.run("rest", mesh="icosphere:1", end=0.02, output="r.h5"), "use fresh=True to replace it, or output"),
                             (lambda: shoal.sweep({"scene": "rest", "ends": 1}, output="x.h5"), "^sweep: ends: no such key"),
                             (lambda: shoal.converge("rest", mesh="icosphere:1", orders="space"), 'e.g. mesh="icosphere:2,3"$'),
                             (lambda: shoal.converge("dam-wet", mesh=["rectangle:8x2:10x2", "rectangle:16x4:10x1"], orders="space"),
                              "'rectangle:16x4:10x1' and 'rectangle:8x2:10x2' differ in more than their resolution"),
                             (lambda: shoal.discretizations().parameters("hlcc"), "'hlcc'; did you mean 'hllc'")):
            with self.assertRaisesRegex(shoal.Error, words) as caught:
                wrong()
            self.assertNotRegex(str(caught.exception), "--|/tmp")
        _, said = self.silently(lambda: shoal.run("rest", mesh="icosphere:1", end=0.01, output="r.h5"))
        self.assertIn("use fresh=True to recompute", said)

    def test_results_are_found_by_number_slice_and_name(self):
        results = shoal.sweep({"scene": "rest", "mesh": "icosphere:1", "end": [0.01, 0.02]}, output="r.h5", progress=False)
        self.assertEqual(results[np.int64(1)].id, "0002")
        self.assertEqual([run.id for run in results[:1]], ["0001"])
        for wrong, words in ((lambda: results[0]["mesh_nam"], "did you mean 'mesh_name'"), (lambda: results.table("outcom"), "did you mean"),
                             (lambda: results[0].plot("depht"), "did you mean 'depth'"), (lambda: results[0].plot(time=9), "none with the number 9")):
            with self.assertRaisesRegex(shoal.Error, words):
                wrong()
        for read in (shoal.open_results, shoal.table, shoal.converge):
            with self.assertRaisesRegex(shoal.Error, "^there is no results file 'none.h5'$"):
                read("none.h5")
        whole = results.path.read_bytes()
        results.path.write_bytes(whole[:len(whole) // 2])
        with self.assertRaisesRegex(shoal.MachineError, "r.h5"):
            shoal.open_results("r.h5")
        results.path.unlink()
        with self.assertRaisesRegex(shoal.Error, "there is no results file"):
            results[0].diagnostics

    def test_pictures(self):
        import matplotlib
        import matplotlib.pyplot as plt

        matplotlib.use("Agg")
        self.addCleanup(plt.close, "all")
        periodic = shoal.ShallowWater("rectangle:8x6:2x1:periodic", "hllc")
        triangles, outline = periodic.plot().collections
        self.assertLess(max(np.ptp(path.vertices[:, 0]) for path in triangles.get_paths()), 0.5)  # none across the seam
        self.assertEqual(len(outline.get_segments()), 0)
        flat = shoal.ShallowWater(shoal.Mesh(*square(4)), "hllc").plot("depth")
        self.assertEqual(len(flat.collections[1].get_segments()), 16)
        curved = shoal.ShallowWater(SPHERE, elevation=bump)
        colours = curved.plot().collections[0].get_facecolor()
        self.assertGreater(len(np.unique(colours, axis=0)), 100)
        with self.assertRaisesRegex(shoal.Error, "projection='3d'"):
            curved.plot(ax=plt.figure().add_subplot())
        run = shoal.run("sphere-bump", mesh="icosphere:2", motion="breathing", dt=0.05, end=0.1, output="p.h5", progress=False)[0]
        sizes = [np.ptp(run.plot(time=at).get_zlim()) for at in (0, -1)]
        self.assertNotAlmostEqual(*sizes, places=3)
        self.assertEqual(run.plot("velocity").get_title(), "t = 0.1 s")
        plt.figure().canvas.draw()

    def test_lists_say_their_names(self):
        for name in ("discretizations", "scenes", "splittings"):
            self.assertEqual((getattr(shoal, name).__name__, getattr(shoal, name).__qualname__), (name, name))
        self.assertRegex(shoal.boundary_kinds()["inflow"]["summary"], "SET = inflow DEPTH.* m/s")


if __name__ == "__main__":
    unittest.main()
