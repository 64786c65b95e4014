"""scaling.py SHOAL [--quick]: times of a step on 1 and 2 processes, called by scaling.sh; scaling.py --measured FILE COMMAND…: its peak memory."""

import concurrent.futures
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy

# name, options, layers of ghosts, seconds per triangle and step of one process (only for the number of steps)
METHODS = [
    ("fefv explicit", "--discretization fefv --integrator explicit --substeps 3 --advection none", 40e-9),
    ("dec ssprk3", "--discretization dec --integrator ssprk3 --advection none --param dual=barycentric", 60e-9),
    ("hllc ssprk2", "--discretization hllc --integrator ssprk2", 60e-9),
]
SPHERES = {4: 5120, 5: 20480, 6: 81920, 7: 327680, 8: 1310720}
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
DT = 1e-5


def measured(file, command):
    """Runs the command and appends its peak memory in bytes to the file."""
    code = subprocess.run(command).returncode
    with open(file, "a") as out:
        out.write(f"{1024 * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}\n")
    sys.exit(code)


class Case:
    """The seconds of a step and of its exchange, and the memory of all processes."""

    def __init__(self, shoal, options, mesh, triangles, seconds, ranks, threads=1):
        steps = max(20, int(2 / (seconds * triangles)))
        with tempfile.TemporaryDirectory() as folder:
            file, memory = pathlib.Path(folder) / "run.h5", pathlib.Path(folder) / "memory"
            scene = "sphere-bump" if mesh.startswith("icosphere") else "bump"
            command = [sys.executable, __file__, "--measured", str(memory), shoal, "run", scene, "--mesh", mesh, *options.split(),
                       "--dt", str(DT), "--end", str(DT * steps), "--diagnostics", f"every:{steps}", "--snapshots", "0", "--threads",
                       str(threads), "--output", str(file), "--quiet", "--save-every", "1e6"]
            if ranks > 1:
                command = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks), *command]
            subprocess.run(command, env=ENVIRONMENT, check=True)
            self.memory = sum(int(line) for line in memory.read_text().split())
            with h5py.File(file) as results:
                run = results["runs/0001"]
                timing = run["timing"]
                tail = slice(steps // 5, None)
                self.step = statistics.median(timing["total"][tail])
                self.exchange = statistics.median(timing["exchange"][tail]) if "exchange" in timing else 0.0
                self.layers = int(run.attrs.get("layers", 0))


def best(cases):
    return min(cases, key=lambda case: case.step)


def at_once(*arguments):
    """The slower of two runs on one process each at the same time, which share nothing but the machine."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return max(pool.map(lambda _: Case(*arguments), range(2)), key=lambda case: case.step)


def strong(shoal, levels, repeats):
    print("| method | triangles | ms a step, 1 process | 2 processes | times faster | two runs at once | exchange | bytes per triangle, 1 | 2 |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    found = []
    for name, options, seconds in METHODS:
        for level in levels:
            triangles = SPHERES[level]
            pairs = [[Case(shoal, options, f"icosphere:{level}", triangles, seconds, ranks) for ranks in (1, 2)] for _ in range(repeats)]
            one, two = best([pair[0] for pair in pairs]), best([pair[1] for pair in pairs])
            apart = best([at_once(shoal, options, f"icosphere:{level}", triangles, seconds, 1) for _ in range(2)])
            print(f"| {name} | {triangles} | {1e3 * one.step:.3f} | {1e3 * two.step:.3f} | {one.step / two.step:.2f} | "
                  f"{2 * one.step / apart.step:.2f} | {100 * two.exchange / two.step:.0f} % | {one.memory / triangles:.0f} | {two.memory / triangles:.0f} |", flush=True)
            found.append((name, triangles, one, two))
    return found


def weak(shoal, sizes, repeats):
    print("| method | triangles a process | ms a step, 1 process | 2 processes, twice the triangles | efficiency |")
    print("|---|--:|--:|--:|--:|")
    for name, options, seconds in METHODS:
        for around, along in sizes:
            triangles = 2 * around * along
            pairs = [[Case(shoal, options, f"torus:{around}x{along * ranks}", triangles * ranks, seconds, ranks) for ranks in (1, 2)]
                     for _ in range(repeats)]
            one, two = best([pair[0] for pair in pairs]), best([pair[1] for pair in pairs])
            print(f"| {name} | {triangles} | {1e3 * one.step:.3f} | {1e3 * two.step:.3f} | {100 * one.step / two.step:.0f} % |", flush=True)


def threads(shoal, level, repeats):
    print("| method | 1 process, 1 thread | 1 process, 2 threads | 2 processes, 1 thread each |")
    print("|---|--:|--:|--:|")
    for name, options, seconds in METHODS:
        times = [best([Case(shoal, options, f"icosphere:{level}", SPHERES[level], seconds, *kind) for _ in range(repeats)]).step
                 for kind in ((1, 1), (1, 2), (2, 1))]
        print(f"| {name} | " + " | ".join(f"{1e3 * time:.3f}" for time in times) + " |", flush=True)


def borders(shoal, meshes, counts):
    """How much larger the largest part is than the average of own triangles: its ghosts, along the curve and with compact parts."""
    print("| mesh | triangles | order | " + " | ".join(f"{count} processes" for count in counts) + " |")
    print("|---|--:|---|" + "--:|" * len(counts))
    for mesh in meshes:
        for order in ("along a curve", "`parts`"):
            cells = []
            for count in counts:
                with tempfile.TemporaryDirectory() as folder:
                    file = pathlib.Path(folder) / "run.h5"
                    parts = ["--param", f"parts={count}"] if order == "`parts`" else []
                    subprocess.run(["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(count), shoal, "run", "bump", "--mesh", mesh,
                                    *METHODS[0][1].split(), *parts, "--dt", str(DT), "--end", str(DT), "--snapshots", "0", "--threads", "1",
                                    "--output", str(file), "--quiet"], env=ENVIRONMENT, check=True)
                    with h5py.File(file) as results:
                        run = results["runs/0001"]
                        triangles = len(next(iter(results["meshes"].values()))["faces"])
                        cells.append(f"{100 * (run.attrs['largest_part'] * count / triangles - 1):.0f} %")
            print(f"| {mesh} | {triangles} | {order} | " + " | ".join(cells) + " |", flush=True)


def model(found):
    """A step takes a + c (own + ghosts) and its exchange b + d ghosts; the rim of a part is 1.7 times that of a disc."""
    latency, neighbours, bandwidth, reduction = 2e-6, 6, 25e9 / 64, 2e-6
    print("| method | ns a triangle, 1 process | µs + ns a ghost of an exchange | 10⁸ triangles on 1024 | on 10 240 | 10⁹ on 10 240 | on 102 400 |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, _, _ in METHODS:
        rows = [row for row in found if row[0] == name]
        largest = rows[-1]
        per_triangle = largest[2].step / largest[1]
        layers = rows[0][3].layers

        def ghosts_of(own):
            rim = 1.7 * math.sqrt(4 * math.pi * own * math.sqrt(3) / 4)  # in edges
            return 2 * layers * rim

        # of two halves of a sphere: a great circle
        halves = numpy.array([2 * layers * math.sqrt(math.pi * triangles * math.sqrt(3) / 4) for _, triangles, _, _ in rows])
        exchanges = numpy.array([row[3].exchange for row in rows])
        slope, start = numpy.polyfit(halves, exchanges, 1) if len(rows) > 1 else (0, exchanges[0])
        cells = []
        for triangles, ranks in ((1e8, 1024), (1e8, 10240), (1e9, 10240), (1e9, 102400)):
            own = triangles / ranks
            ghosts = ghosts_of(own)
            step = per_triangle * (own + ghosts) + neighbours * latency + 8 * 3 * ghosts / bandwidth + reduction * math.log2(ranks)
            cells.append(f"{1e3 * step:.2f} ms, {100 * per_triangle * own / step:.0f} %")
        print(f"| {name} | {1e9 * per_triangle:.1f} | {1e6 * max(start, 0):.0f} + {1e9 * slope:.0f} | " + " | ".join(cells) + " |")


def main(shoal, quick):
    levels, sizes, repeats = ((4, 5), ((64, 32),), 1) if quick else ((5, 6, 7, 8), ((128, 80), (256, 160), (512, 320)), 5)
    meshes, counts = (("figure:4000",), (2, 4)) if quick else (("icosphere:6", "torus:256x160", "letters:40000", "figure:40000"), (2, 4, 8, 16))
    print("Strong scaling on a sphere:\n")
    found = strong(shoal, levels, repeats)
    print("\nWeak scaling on a torus:\n")
    weak(shoal, sizes, repeats)
    print(f"\nThreads and processes on {SPHERES[levels[-2]]} triangles, ms a step:\n")
    threads(shoal, levels[-2], repeats)
    print(f"\nGhosts of the largest part, {METHODS[0][0]}, over the triangles of a process:\n")
    borders(shoal, meshes, counts)
    print("\nThe model, fitted to the first table, and what it gives for more processes (a step, and the share of it spent on own triangles):\n")
    model(found)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measured"]:
        measured(sys.argv[2], sys.argv[3:])
    else:
        main(sys.argv[1], "--quick" in sys.argv)
