"""What stepping costs from Python, on 5120 triangles: python_steps.py BENCHMARKS prints microseconds per step from C++ (the benchmarks
water_step/...) and from Python, measured by turns, and what a flux in Python costs.

    PYTHONPATH=build/release/python /usr/bin/python3 tests/benchmark/python_steps.py build/release/benchmarks
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import shoal

sys.path.insert(0, str(Path(__file__).parent.parent / "python"))
import schemes  # noqa: E402,F401

ROUNDS, STEPS = 60, 600


def bump(x):
    return 0.1 * np.exp(-4 * ((x - [0, 0, 1]) ** 2).sum(axis=1))


def microseconds(water, dt, steps, count=1):
    begin = time.perf_counter()
    for _ in range(steps // count):
        water.step(dt, count=count) if count > 1 else water.step(dt)
    return 1e6 * (time.perf_counter() - begin) / steps


def from_cpp(program, name):
    text = subprocess.run([program, f"--benchmark_filter=^water_step/{name}$", "--benchmark_format=json", "--benchmark_min_time=0.05"],
                          check=True, capture_output=True, text=True).stdout
    return json.loads(text)["benchmarks"][0]["real_time"]


water = shoal.ShallowWater("icosphere:2", "fefv", elevation=bump)  # short steps, so that the call shows
dt = 0.4 * water.stable_dt()
calls = [microseconds(water, dt, 2000) - microseconds(water, dt, 2000, count=2000) for _ in range(ROUNDS)]
print(f"A call of step costs {np.median(calls):.2f} µs: steps by a call each against 2000 steps by one call, median of {ROUNDS} pairs\n")

print("| step | C++, µs | Python, µs | ratio | of medians |\n|---|--:|--:|--:|--:|")
for scheme, integrator in (("fefv", "explicit"), ("fefv", "newmark"), ("dec", "explicit"), ("hllc", "ssprk3")):
    rounds = []
    for _ in range(ROUNDS):
        cpp = from_cpp(sys.argv[1], f"{scheme}_{integrator}")
        water = shoal.ShallowWater("icosphere:4", scheme, integrator, elevation=bump)  # in memory of its own each time, as in C++
        dt = 0.4 * water.stable_dt()
        microseconds(water, dt, 50)
        rounds.append((cpp, microseconds(water, dt, STEPS)))
    cpp, python = np.quantile(rounds, 0.1, axis=0)  # the tenth of the rounds that other work on the machine disturbs least
    medians = np.median(rounds, axis=0)
    print(f"| {scheme} {integrator} | {cpp:.1f} | {python:.1f} | {python / cpp:.3f} | {medians[1] / medians[0]:.3f} |")

print("\n| triangles | rusanov in C++, µs | in Python, µs | ratio |\n|--:|--:|--:|--:|")
for level in (3, 4, 5, 6):
    waters = [shoal.ShallowWater(f"icosphere:{level}", name, "ssprk2", elevation=bump) for name in ("rusanov", "python-rusanov")]
    dt = 0.4 * waters[0].stable_dt()
    cpp, python = (min(microseconds(water, dt, max(4, 4 ** (6 - level))) for _ in range(5)) for water in waters)
    print(f"| {20 * 4 ** level} | {cpp:.0f} | {python:.0f} | {python / cpp:.1f} |")
