#!/usr/bin/env python3
"""Packets on cells of two sizes (scripts/adaptive_packets.py): what they keep, the order of the parabola, and that on equal cells they are
the scheme `packets` of the program.

    adaptive_packets.py PROGRAM FOLDER
"""
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "scripts")]
from skip import require

require("h5py", "numpy")
import adaptive_packets as adaptive
import h5py
import numpy as np

PROGRAM = FOLDER = None
STEPS = 100
ROUND_OFF = 1e-12  # of sides of packets at 40 m, 4e-15 m, in 100 steps
NO_WAVE = 1e-18  # round-off of 1e-15 m over waves of 1e-6 m, squared
WIDTHS = np.repeat([1.0, 2.0], [20, 10])


def after_steps(ring, depth, velocity, dt):
    for _ in range(STEPS):
        depth, velocity = ring.step(depth, velocity, dt)
    return depth, velocity


class TwoSizes(unittest.TestCase):
    def test_still_water_stays_at_rest(self):
        for smoothing in (1, 1.05, 2):
            for gradient in adaptive.GRADIENTS:
                ring = adaptive.Ring(WIDTHS, smoothing=smoothing, gradient=gradient)
                depth, velocity = after_steps(ring, np.ones(30), np.zeros(30), 0.05)
                self.assertLess(max(abs(depth - 1).max(), abs(velocity).max()), ROUND_OFF, (smoothing, gradient))

    def test_with_one_smoothing_for_all_cells_it_does_not(self):
        depth, _ = after_steps(adaptive.Ring(WIDTHS, overlap="same"), np.ones(30), np.zeros(30), 0.05)
        self.assertGreater(abs(depth - 1).max(), 1e-3)

    def test_a_uniform_flow_stays_uniform_without_overlap(self):
        depth, velocity = after_steps(adaptive.Ring(WIDTHS, smoothing=1), np.ones(30), np.full(30, 1.7), 0.05)
        self.assertLess(max(abs(depth - 1).max(), abs(velocity - 1.7).max()), ROUND_OFF)

    def test_mass_and_momentum_of_packets_are_conserved(self):
        ring = adaptive.Ring(WIDTHS)
        rng = np.random.default_rng(5)
        depth, velocity = rng.uniform(0.5, 2, 30), rng.uniform(-9, 9, 30)  # up to four cells a step
        amounts = depth * WIDTHS, depth * WIDTHS * velocity
        moved = ring.centres + 0.5 * velocity
        arrived = ring.deposit(moved - 0.4, moved + 0.4, amounts)
        for there, amount in zip(arrived, amounts):
            self.assertLess(abs(there.sum() - amount.sum()), ROUND_OFF * abs(amount).sum())
        later, _ = after_steps(ring, depth, 0.01 * velocity, 0.05)
        self.assertLess(abs((WIDTHS * later).sum() - amounts[0].sum()), ROUND_OFF * amounts[0].sum())

    def test_the_parabola_is_exact_for_quadratic_elevations_and_the_others_are_not(self):
        error = {}
        for name, gradient in adaptive.GRADIENTS.items():
            west, at, east = (0.3 + 0.7 * x + 0.9 * x**2 for x in (-1.5, 0.0, 1.0))
            error[name] = abs(gradient(1.5, 1.0, at - west, east - at) - 0.7)
        self.assertLess(error["parabola"], 1e-15)
        self.assertGreater(min(error["plain"], error["sides"]), 0.1)

    def test_equal_cells_reflect_nothing_and_the_parabola_less_than_the_plain_difference(self):
        self.assertLess(adaptive.reflected(16, (1, 1), "parabola"), NO_WAVE)
        parabola, plain = (adaptive.reflected(16, (1, 2), name) for name in ("parabola", "plain"))
        self.assertLess(parabola, 0.25 * plain)


class EqualCells(unittest.TestCase):
    def test_they_are_the_scheme_of_the_program(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        for packets, smoothing in ((2, 1.05), (3, 1), (2, 2)):
            file = FOLDER / f"{packets}-{smoothing}.h5"
            subprocess.run([PROGRAM, "run", "shear-bump", "--mesh", "rectangle:40x4:4x0.4:structured:periodic", "--discretization", "packets",
                            "--dt", "0.005", "--end", "0.5", "--snapshots", "0,0.5", "--param", "bump=along", "--param", "amplitude=0.5",
                            "--param", f"packets={packets}", "--param", f"smoothing={smoothing}", "--output", file, "--quiet"], check=True)
            with h5py.File(file) as results:
                run = results["runs/0001"]
                vertices, faces = (results["meshes"][run.attrs["mesh"]][name][()] for name in ("vertices", "faces"))
                x = np.sort(vertices[faces][:, :, 0], axis=1)
                column = np.where(np.ptp(x, axis=1) > 0.15, 39, np.floor(x.mean(axis=1) / 0.1 + 1e-6)).astype(int)
                _, first = np.unique(column, return_index=True)
                (depth, after), (velocity, velocity_after) = (run[f"snapshots/{name}"][()] for name in ("depth", "velocity"))
            self.assertEqual(len(first), 40)
            ring = adaptive.Ring(np.full(40, 0.1), packets=packets, smoothing=smoothing)
            ours = after_steps(ring, depth[first], velocity[first, 0], 0.005)
            self.assertGreater(np.ptp(ours[0]), 0.01)
            self.assertLess(abs(ours[0] - after[first]).max(), ROUND_OFF)
            self.assertLess(abs(ours[1] - velocity_after[first, 0]).max(), ROUND_OFF)


if __name__ == "__main__":
    PROGRAM, FOLDER = sys.argv[1], Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
