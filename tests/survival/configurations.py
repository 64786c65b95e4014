#!/usr/bin/env python3
"""Random configurations: whatever is asked for, a run ends in time, with finite numbers or a reason.

    configurations.py PROGRAM FOLDER [--count N] [--seed S] [--jobs J] [--only I]

Draws N configurations from what `list --json` declares: every kind, parameters at their defaults, at the ends of their
ranges, near them and anywhere between, small meshes of every family, steps from the shortest to the longest. Before
them come the command lines in configurations.txt that once went wrong. Some runs are interrupted at a random moment,
and all that ask for more than a few steps. A run must have ended

    with 0, finished: every number recorded is finite, and depths below zero are said
    with 1, unstable or solver-failed: with a reason
    with 2: one sentence that names what was given, and no file
    with 3: one sentence, where memory is short
    with 130: within 2 s of Ctrl-C

Every failure prints the command line that repeats it. The same seed draws the same configurations.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from results_file import h5py, np

ADDRESS_SPACE = 4 << 30
MEMORY = 2 << 30
PATIENCE = 20  # s; for runs of few steps, and before a run without progress is stopped
ANSWER = 2  # s, to Ctrl-C
MAX_STEPS = 50
SEAMS = ["", "", "", ":periodic", ":periodic-x", ":periodic-y"]
LARGE_MESHES = ["icosphere:9", "random-sphere:7", "torus:3000x3000", "rectangle:1000000x10", "blob:8",
                "icosphere:20", "torus:100000x100000", "rectangle:1000001x1", "random-sphere:8"]
# Columns of a solution, which need not be known at all times: NaN, but never an infinity. So do those whose meaning says NaN.
BLANKS = re.compile(r"(l1|l2|linf)_error.*|reference_depth_at_vertices.*")


# ---- what may be asked for --------------------------------------------------------------------------------


class Catalogue:
    def __init__(self, program):
        def read(kind):
            text = subprocess.run([program, "list", kind, "--json"], capture_output=True, check=True).stdout
            return json.loads(text)

        self.scenes = read("scenes")
        self.discretizations = read("discretizations")
        self.integrators = read("integrators")
        self.solvers = read("linear-solvers")
        self.advections = read("advections")
        self.splittings = [entry["name"] for entry in read("splittings")]
        self.motions = [entry for entry in read("motions") if entry["name"] != "sequence"]
        self.boundaries = [entry["name"] for entry in read("boundaries")]
        self.meshes = [entry["name"] for entry in read("meshes")]
        self.possible = {(entry["discretization"], entry["integrator"]) for entry in read("compatibility")
                         if entry["possible"]}


NEED_SPHERES = ("solid-rotation", "pulsating-ellipsoid", "pulsating-ellipsoid-2007")


def names_of(entry):
    return {parameter["name"] for parameter in entry["parameters"]}


def fit(catalogue, scene, scheme, integrator):
    has_velocity = "friction" in names_of(integrator)
    if scene["name"] == "solid-rotation":
        return scheme["name"] == "fefv" and has_velocity
    if "mode" in names_of(scene) and "wave operators" not in scheme["offers"]:
        return False
    return (scheme["name"], integrator["name"]) in catalogue.possible


class Draw:
    """One configuration from its own random numbers."""

    def __init__(self, seed, catalogue, meshes):
        self.random, self.catalogue, self.mesh_files = random.Random(seed), catalogue, meshes
        self.chance = lambda p: self.random.random() < p
        self.wild = self.chance(0.3)
        self.arguments, bounded = self.draw()
        # Runs of unknown length are stopped after a while, some of the others at any time.
        self.interrupt_after = None
        if not bounded:
            self.interrupt_after = PATIENCE if self.chance(0.02) else self.random.uniform(0.2, 1.5)
        elif self.chance(0.05):
            self.interrupt_after = self.random.uniform(0, 0.3)

    def draw(self):
        scene = self.random.choice(self.catalogue.scenes)
        arguments, declared = [scene["name"]], list(scene["parameters"])

        def choose(option, entries):
            entry = self.random.choice(entries)
            arguments.extend([option, entry["name"]])
            declared.extend(entry["parameters"])
            return entry["name"]

        # What does not fit together is refused at once: seldom, so that most runs get further.
        careless = self.chance(0.06)
        possible = [(scheme, integrator) for scheme in self.catalogue.discretizations
                    for integrator in self.catalogue.integrators
                    if careless or fit(self.catalogue, scene, scheme, integrator)]
        scheme, integrator = self.random.choice(possible)
        has_velocity = "friction" in names_of(integrator)
        arguments += ["--discretization", scheme["name"], "--integrator", integrator["name"]]
        declared += scheme["parameters"] + integrator["parameters"]
        if integrator["linear_solver"] != "none" and self.chance(0.7):
            choose("--linear-solver", self.catalogue.solvers)
        advections = [advection for advection in self.catalogue.advections
                      if careless or advection["name"] == "none" or scheme["name"] == "fefv"
                      or advection["name"] == "vector-invariant"]
        if scene["name"] == "solid-rotation" and not careless:
            advections = [advection for advection in advections if "carries" in names_of(advection)]
        if "advection" not in scheme["inseparable_terms"] and (has_velocity or careless) and \
                (self.chance(0.6) or scene["name"] == "solid-rotation"):
            choose("--advection", advections)
            if self.chance(0.2):
                arguments += ["--splitting", self.random.choice(self.catalogue.splittings)]
        moves_itself = scene["motion"] == "none" and "carried_velocity" in names_of(scene)
        if self.chance(0.3) and (careless or not moves_itself):
            choose("--motion", self.catalogue.motions)
        if not has_velocity and not careless:
            declared = [one for one in declared if one["name"] != "carried_velocity"]
        mesh = self.mesh(scene, careless)
        arguments += ["--mesh", mesh]
        if self.chance(0.4 if "rectangle" in mesh else 0.01):
            arguments += ["--boundaries", self.boundaries()]
        steps, bounded = self.steps(scene, integrator)
        arguments += steps
        names = {"sequence", "options"}  # which read files, and PETSc's own
        if not mesh.startswith("rectangle") and ":" in mesh:
            declared.append({"name": "radius", "default": 1.0, "min": 1e-12, "max": None})
        if "auto" in steps:
            declared.append({"name": "safety", "default": 1.0, "min": 1e-6, "max": 100})
        for parameter in self.random.sample(declared, min(len(declared), self.count())):
            if parameter["name"] not in names:
                names.add(parameter["name"])
                arguments += ["--param", f"{parameter['name']}={self.value(parameter)}"]
        return arguments, bounded and mesh not in LARGE_MESHES

    def count(self):
        """Of parameters that are given: often few, so that what is wrong is not refused for something else."""
        return self.random.choice([0, 1, 1, 2, 2, 3, 4, 6])

    def logarithmic(self, low, high):
        return 10 ** self.random.uniform(math.log10(low), math.log10(high))

    def number(self, low=None, high=None, default=1.0):
        """Anywhere in [low, high], None: unlimited; now and then outside."""
        kind = self.random.uniform(0.4, 1) if self.wild else self.random.random()
        scale = abs(default) if default else 1.0
        if kind < 0.5:
            value = scale * self.logarithmic(1e-2, 1e2) * (-1 if low is None and self.chance(0.3) else 1)
        elif kind < 0.65:
            value = low if low is not None else self.random.choice([-1e308, -1e300, -1e30])
            if self.chance(0.4):
                value = value * (1 + 1e-9) if value > 0 else value * 0.999 + 1e-9
        elif kind < 0.8:
            value = high if high is not None else self.random.choice([1e308, 1e300, 1e200, 1e154, 1e100, 1e30])
            if self.chance(0.4):
                value *= 1 - 1e-9
        elif kind < 0.98:
            value = scale * self.logarithmic(1e-20, 1e20) * (-1 if low is None and self.chance(0.5) else 1)
        else:
            return self.random.choice(["0", "-0.0", "1/3", "1/0", "nan", "inf", "-inf", "1e400", "5e-324", "", "x",
                                       "0x10", "1,5", "-1", "1e-310"])
        if low is not None:
            value = max(value, low)
        if high is not None:
            value = min(value, high)
        return repr(value)

    def vector(self):
        if self.chance(0.03):
            return self.random.choice(["", "1,2", "1,2,3,4", "a,b,c", "nan,0,0", "inf,1,1", "0,0,0"])
        scale = self.random.choice([1, 1, 1, 1e-200, 1e-30, 1e30, 1e154, 1e200, 1e308])
        return ",".join(repr(scale * self.random.uniform(-1, 1)) for _ in range(3))

    def value(self, parameter):
        default = parameter["default"]
        if parameter.get("choices"):
            return self.random.choice(parameter["choices"] + (["nonsense"] if self.chance(0.02) else []))
        if isinstance(default, str):
            if default.count(",") == 2 or parameter["name"] == "center":
                return self.vector()
            if parameter["name"] == "normal_acceleration_max" and self.chance(0.95):
                return self.random.choice(["auto", "none", "-" + self.number(0).lstrip("-")])
            if parameter["name"] == "mode":
                return self.random.choice(["1", "2", "7", "40", "100000", "1e300", "1.5", "-1", "highest"])
            words = [default, "auto", "none", "mean", "local", "initial"]
            return self.random.choice(words) if self.chance(0.3) else self.number(0)
        low, high = parameter["min"], parameter["max"]
        if low is not None and high is not None and float(low).is_integer() and float(default).is_integer():
            if self.chance(0.5):
                return str(self.random.randint(int(low), int(min(high, 10**9))))
        return self.number(low, high, default)

    def mesh(self, scene, careless):
        if self.chance(0.002):
            return self.random.choice(LARGE_MESHES)
        kind = self.random.random()
        family = scene["mesh"].split(":")[0]
        needs_it = "radius" in names_of(scene) or family == "rectangle" or scene["name"] in NEED_SPHERES
        if not needs_it or careless:
            if kind < 0.1:
                return self.random.choice(self.mesh_files)
            if kind < 0.6:
                family = self.random.choice(self.catalogue.meshes)
        if family == "icosphere" and self.chance(0.4):
            family = self.random.choice(["random-sphere", "jittered-sphere", "uv-sphere", "refined-sphere"])
        level = self.random.choice([0, 1, 1, 2, 2, 2, 3]) if family != "refined-sphere" else self.random.randint(0, 1)
        if family == "torus":
            n, m = self.random.randint(2, 14), self.random.randint(2, 12)
            return f"torus:{n}x{m - m % 2}" if self.chance(0.6) else f"torus:{n}x{m}:structured"
        if family == "rectangle":
            return self.rectangle([":periodic"] if scene["mesh"].endswith(":periodic") else SEAMS)
        if family == "ellipsoid":
            axes = ",".join(self.number(0) for _ in range(3)) if self.chance(0.5) else "3,1,0.2"
            return f"ellipsoid:{level}:{axes}"
        if family == "jittered-sphere":
            return f"jittered-sphere:{level}:jitter={self.random.uniform(0, 0.3):.3g}:seed={self.random.randint(0, 99)}"
        if family == "random-sphere":
            return f"random-sphere:{level}:seed={self.random.randint(0, 999)}"
        if family == "blob":
            return f"blob:{level}" + (":slivers" if self.chance(0.5) else "")
        if family in ("figure", "letters"):
            return self.random.choice([family, f"{family}:700", f"{family}:{level}"])
        return f"{family}:{level}"

    def rectangle(self, seams):
        n, m = self.random.choice([1, 2, 3, 4, 8, 20, 60]), self.random.choice([1, 2, 3, 4, 6])
        text = f"rectangle:{n}x{m}"
        if self.chance(0.5):
            text += f":{self.logarithmic(1e-3, 1e3):.4g}x{self.logarithmic(1e-3, 1e3):.4g}"
        elif self.chance(0.05):
            text += self.random.choice([":1e90x1", ":1e-90x1e-90", ":1e99x1e99", ":0x1", ":nanx1"])
        elif self.chance(0.5):
            text += ":10x2"
        text += self.random.choice(["", ":structured", ":jittered"])
        return text + self.random.choice(seams)

    def boundaries(self):
        parts = []
        for name in self.random.sample(["left", "right", "bottom", "top", "nowhere"], self.random.randint(1, 3)):
            kind = self.random.choice(self.catalogue.boundaries)
            value = ""
            if kind in ("discharge", "level"):
                value = " " + self.number(None, None, 0.01)
                if self.chance(0.3):
                    value = " 0:" + self.number(None, None, 0.01) + ",1:" + self.number(None, None, 0.01)
            parts.append(f"{name} = {kind}{value}")
        return "; ".join(parts)

    def steps(self, scene, integrator):
        """dt, end, substeps and what is recorded when; and whether these are few steps for certain."""
        arguments, bounded = [], False
        kind = self.random.random()
        scale = float(scene["dt"].split()[0]) if scene["dt"] != "auto" else 1e-2
        if kind < 0.6:
            dt = scale * self.logarithmic(0.01, 30)
            if self.chance(0.2):
                dt = self.random.choice([1e-300, 1e-12, 1e-6, 1e3, 1e6, 1e30, 1e300, 5e-324, 1.7e308])
            steps = self.random.uniform(0.3, self.random.choice([3, MAX_STEPS]))
            if self.chance(0.03):
                steps = self.random.choice([1e5, 1e9, 1e13])
            bounded = steps <= MAX_STEPS
            arguments += ["--dt", repr(dt), "--end", repr(steps * dt)]
        elif kind < 0.65:
            arguments += ["--dt", "1/" + str(self.random.randint(1, 500)), "--end", "1/60"]
        elif kind < 0.68:
            arguments += ["--dt", self.number(0), "--end", self.number(0)]
        else:
            arguments += ["--end", repr(scale * self.logarithmic(0.1, 30))]
            if self.chance(0.8):
                arguments += ["--dt", "auto"]
        if self.chance(0.3) and integrator["substeps"] != "none":
            substeps = self.random.choice(["auto", "1", "2", "3", "7", "20"])
            arguments += ["--substeps", substeps]
            bounded = bounded and substeps != "auto"
        end = arguments[arguments.index("--end") + 1]
        if self.chance(0.3):
            try:
                interval = float(end) * self.random.choice([0.1, 0.3, 0.7, 2])
            except ValueError:
                interval = 0.01
            arguments += ["--snapshots", self.random.choice([f"every:{interval!r}", f"0,{interval!r}", f"0,{interval!r}"])]
        if self.chance(0.3):
            arguments += ["--diagnostics", f"every:{self.random.choice([1, 2, 5, 1000])}"]
        if self.chance(0.05):
            arguments += ["--threads", "2"]
        return arguments, bounded


# ---- meshes from files -----------------------------------------------------------------------------------


def write_meshes(folder):
    """Shapes that no generator gives: a vertex of many triangles, several parts, thin and single triangles."""
    folder.mkdir()

    def write(name, vertices, faces):
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices] + ["f " + " ".join(str(i + 1) for i in f) for f in faces]
        (folder / name).write_text("\n".join(lines) + "\n")
        return str(folder / name)

    n = 120
    ring = [(math.cos(2 * math.pi * i / n), math.sin(2 * math.pi * i / n), 0.0) for i in range(n)]
    fan = [(0, 1 + i, 1 + (i + 1) % n) for i in range(n)]
    tetrahedron = [(0.0, 0.0, 1.0), (0.9, 0.0, -0.3), (-0.45, 0.8, -0.3), (-0.45, -0.8, -0.3)]
    sides = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]
    thin = [(i * 0.5, (i % 2) * 1e-4, 0.0) for i in range(30)]
    strip = [(i, i + 1, i + 2) if i % 2 == 0 else (i + 1, i, i + 2) for i in range(28)]
    return [
        write("fan.obj", [(0.0, 0.0, 0.3)] + ring, fan),
        write("bipyramid.obj", [(0.0, 0.0, 0.6)] + ring + [(0.0, 0.0, -0.6)],
              fan + [(n + 1, 1 + (i + 1) % n, 1 + i) for i in range(n)]),
        write("two-parts.obj", tetrahedron + [(x + 5, y, z) for x, y, z in tetrahedron],
              sides + [tuple(i + 4 for i in f) for f in sides]),
        write("tetrahedron.obj", tetrahedron, sides),
        write("triangle.obj", tetrahedron[:3], sides[:1]),
        write("thin.obj", thin, strip),
        write("far.obj", [(x + 1e8, y, z) for x, y, z in tetrahedron], sides),
        write("tiny.obj", [(x * 1e-150, y * 1e-150, z * 1e-150) for x, y, z in tetrahedron], sides),
        write("huge.obj", [(x * 1e160, y * 1e160, z * 1e160) for x, y, z in tetrahedron], sides),
        write("not-finite.obj", [(math.nan, 0.0, 0.0)] + tetrahedron[1:], sides),
    ]


# ---- one run ---------------------------------------------------------------------------------------------


class Failure(Exception):
    pass


def demand(condition, message):
    if not condition:
        raise Failure(message)


def execute(program, arguments, folder, interrupt_after):
    """Exit code, what stderr says, seconds from Ctrl-C to the end or None, bytes of memory."""
    command = [program, "run", *arguments, "--output", str(folder / "run.h5")]
    with open(folder / "stderr", "wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
        begin, stopped = time.monotonic(), None
        pause = 0.001
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            now = time.monotonic()
            if pid:
                break
            if stopped is None and now - begin > (PATIENCE if interrupt_after is None else interrupt_after):
                process.send_signal(signal.SIGINT)
                stopped = now
            if stopped is not None and now - stopped > 2 * ANSWER:
                process.kill()
                os.waitpid(process.pid, 0)
                process.returncode = -signal.SIGKILL
                raise Failure(f"does not end within {2 * ANSWER} s of Ctrl-C after {stopped - begin:.3g} s")
            time.sleep(pause)
            pause = min(0.02, 1.3 * pause)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = (folder / "stderr").read_text(errors="replace")
    return process.returncode, text, None if stopped is None else now - stopped, usage.ru_maxrss << 10


def is_negative(run, least, depths):
    """Whether a depth is below zero by more than the recorded round-off, relative to the largest of them."""
    return least < -run.attrs["negative_depth_rounding"] * depths.max(initial=0, where=np.isfinite(depths))


def check_numbers(run, outcome, reason):
    """Of a run that finished; or what must be so in any."""
    negative = False
    for group in ("diagnostics", "timing", "snapshots"):
        for name, dataset in run[group].items():
            values = dataset[()]
            if values.dtype.kind != "f":
                continue
            if outcome == "finished":
                blank = BLANKS.fullmatch(name) or "NaN" in dataset.attrs.get("meaning", "")
                allowed = np.isfinite(values) | (np.isnan(values) if blank else False)
                if not allowed.all():
                    raise Failure(f"finished, and {group}/{name} holds {values[~allowed][0]}")
            if name == "depth":
                negative = negative or any(is_negative(run, row.min(initial=0, where=np.isfinite(row)), row) for row in values)
            if name == "min_depth":
                depths = zip(values, run["diagnostics/max_depth"][()])
                negative = negative or any(is_negative(run, least, np.array([most])) for least, most in depths)
    if negative:
        demand(run.attrs["negative_depth_cells"] > 0, "a depth is below zero, and negative_depth_cells is 0")
        demand(np.isfinite(run.attrs["negative_depth_time"]), "a depth is below zero, and negative_depth_time is NaN")
        if outcome == "finished":
            demand("negative depths" in reason, f"a depth is below zero, and the reason is '{reason}'")


def check_file(path, code):
    with h5py.File(path) as file:
        demand(list(file["runs"]) == ["0001"], f"runs {list(file['runs'])}")
        run = file["runs/0001"]
        outcome, reason = run.attrs["outcome"], run.attrs["reason"]
        # Ctrl-C may come when the last step is done.
        expected = {0: ["finished"], 1: ["unstable", "solver-failed", "input-refused"], 130: ["interrupted", "finished", "unstable", "solver-failed", "input-refused"]}[code]
        demand(outcome in expected, f"exit code {code}, and the outcome is {outcome}")
        demand(outcome == "finished" or reason, f"{outcome} without a reason")
        check_numbers(run, outcome, reason)
        rows = {len(dataset) for dataset in run["diagnostics"].values()}
        demand(len(rows) == 1 and rows != {0}, f"columns of {rows} rows")
        return outcome, int(run.attrs["steps"])


def names_what_was_given(sentence, arguments):
    words = {"dt or substeps = auto"}  # which is chosen where nothing is given
    for argument in arguments:
        words.update(word.strip() for part in argument.split("=", 1) for word in part.split(";"))
        words.add(argument.removeprefix("--"))
    return any(len(word) > 1 and word in sentence for word in words)


def examine(program, arguments, folder, interrupt_after):
    """One word for what came of it; raises Failure."""
    code, text, answer, memory = execute(program, arguments, folder, interrupt_after)
    lines = text.splitlines()
    demand(memory <= MEMORY or set(arguments) & set(LARGE_MESHES), f"takes {memory >> 20} MiB")
    demand(answer is None or answer <= ANSWER, f"ends {answer or 0:.3g} s after Ctrl-C" + (" only" if answer else ""))
    if code == -signal.SIGINT and answer is not None:  # before the program listens
        demand(not (folder / "run.h5.lock").exists(), "leaves a .lock")
        return "stopped in setup"
    demand(code in (0, 1, 2, 3, 130), f"exit code {code}: {text[-500:]}")
    demand(len(lines) <= 6, f"says {len(lines)} lines: {text[:800]}")
    demand("\ufffd" not in text, "writes what is no text")
    left = {path.name for path in folder.iterdir()} - {"stderr"}
    if code in (2, 3):
        demand(len(lines) == 1 and lines[0].startswith("shoal: "), f"exit code {code} with: {text}")
        demand(len(lines[0]) < 700, f"a sentence of {len(lines[0])} letters")
        if code == 3:
            demand("memory" in text, text)
            return "out of memory"
        demand(not left, f"refused, and leaves {left}")
        demand(names_what_was_given(lines[0], arguments), f"names nothing that was given: {lines[0]}")
        return "refused"
    demand(code != 130 or answer is not None, "interrupted by nobody")
    work = folder / "run.h5.work"
    if code == 130 and work.exists():  # from which it goes on
        demand({path.name for path in work.iterdir()} == {"save-0001"}, f"leaves {sorted(work.iterdir())}")
        left.remove("run.h5.work")
    demand(left == {"run.h5", "run.xdmf"}, f"leaves {left}")
    outcome, steps = check_file(folder / "run.h5", code)
    if outcome == "interrupted" and interrupt_after in (None, PATIENCE):
        demand(steps > 0, f"no step in {PATIENCE} s")
    return outcome


def run_one(program, folder, arguments, interrupt_after=None):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        return examine(program, arguments, folder, interrupt_after), None
    except Failure as failure:
        return "FAILED", str(failure)
    except (OSError, KeyError) as failure:
        return "FAILED", f"the file cannot be read: {failure}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def command_line(arguments, interrupt_after=None):
    text = "shoal run " + shlex.join(arguments)
    return text if interrupt_after is None else f"timeout -s INT {interrupt_after:.2f} {text}"


def regressions(path):
    """Lines 'OUTCOME: ARGUMENTS' of command lines that once went wrong; several outcomes with | between."""
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            outcomes, arguments = line.split(": ", 1)
            yield outcomes.split("|"), shlex.split(arguments)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="this configuration alone")
    options = parser.parse_args()
    program, folder = os.path.abspath(options.program), Path(options.folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    catalogue = Catalogue(program)
    meshes = write_meshes(folder / "meshes")
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    os.chdir(folder)

    counts, failures = collections.Counter(), []

    def report(what, outcome, why, command):
        counts[outcome] += 1
        if why:
            failures.append(what)
            print(f"{what}: {why}\n    {command}", flush=True)

    def known(number, outcomes, arguments):
        outcome, why = run_one(program, folder / f"known-{number}", arguments)
        if not why and outcome not in outcomes:
            why = f"{outcome}, not {' or '.join(outcomes)}"
        return f"known {number}", outcome, why, command_line(arguments)

    def drawn(number):
        one = Draw(f"{options.seed}/{number}", catalogue, meshes)
        outcome, why = run_one(program, folder / f"run-{number}", one.arguments, one.interrupt_after)
        return f"seed {options.seed} number {number}", outcome, why, command_line(one.arguments, one.interrupt_after)

    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = []
        if options.only is None:
            list_of_known = regressions(Path(__file__).with_suffix(".txt"))
            work += [pool.submit(known, i, *line) for i, line in enumerate(list_of_known)]
        numbers = range(options.count) if options.only is None else [options.only]
        work += [pool.submit(drawn, number) for number in numbers]
        for future in concurrent.futures.as_completed(work):
            report(*future.result())
    total = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    print(f"{len(work)} runs in {time.monotonic() - begin:.0f} s: {total}")
    return 1 if failures else 0


sys.exit(main())
