"""ranks.py SHOAL FOLDER [--kills N]: runs that mpirun starts have the results of one process, whatever their number, and end in good order.

With --kills, only that: one of 2 to 4 processes, their launcher, or all are killed at N random moments; the results open each time, no
process is left behind, the run goes on with another number of processes, and ends with the bits of a run that nobody disturbed."""

import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from skip import skip

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}
RUNS = {
    "flips": "sphere-bump --mesh jittered-sphere:4 --discretization dec --integrator ssprk3 --advection vector-invariant "
             "--param dual=intrinsic vorticity=linear --dt auto --end 0.05",
    "hills": "williamson-5 --mesh icosphere:4 --dt auto --end 20000 --discretization hllc --integrator ssprk2 --param reconstruction=linear",
    "vortices": "williamson-5 --mesh icosphere:4 --dt auto --end 20000 --integrator ssprk3 --advection vector-invariant --param rotation=plain",
    "edges": "galewsky --mesh icosphere:4 --dt auto --end 20000 --discretization dec --integrator ssprk3 --param dual=barycentric",
    "dam": "dam-wet --mesh rectangle:80x20:30x5 --dt auto --discretization kinetic --end 1",
    "triangles": "sphere-bump --mesh icosphere:4 --end 1",
    "waves": "sphere-bump --mesh icosphere:3 --integrator newmark --end 0.5",
    "iterations": "sphere-bump --mesh icosphere:3 --integrator semi-implicit --linear-solver eigen-cg --end 0.5",
    "file": "bump --mesh sphere.obj --dt auto --end 0.2 --discretization dec --integrator ssprk3 --param dual=barycentric",
    "figure": "bump --mesh figure:2000 --end 0.02 --dt auto --param parts=3",
    "ball": "ball-drop --mesh icosphere:3 --end 0.5",
    "films": "bump --mesh icosphere:3 --motion drag --end 0.3 --dt auto --integrator ssprk3 --advection vector-invariant --param "
             "drag_duration=0.2 depth=0.1 amplitude=-0.0999 dry_outflow=closed advection_depth=0.01",
    "pushed": "bump --mesh icosphere:3 --motion drag --end 0.3 --dt auto --integrator ssprk3 --advection vector-invariant --param "
              "drag_duration=0.2 depth=0.1 amplitude=-0.0999 --inputs '0 push at=0,1,0 acceleration=3,1,2 lasting=0.3'",
    "squashed": "squash --mesh icosphere:3 --end 0.3 --dt auto --discretization dec --integrator ssprk3 --advection vector-invariant",
}
SWEEP = """title = 'a sweep on several processes'
scene = 'williamson-5'
mesh = 'icosphere:4'
dt = 'auto'
end = 400000
discretization = ['hllc', 'fefv']
integrator = 'ssprk3'

[parameters]
parts = 3
"""


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


class Program:
    def __init__(self, shoal, folder):
        self.shoal, self.folder = shoal, folder

    def command(self, count, words):
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(count)] if count > 1 else []
        return [*launcher, self.shoal, *words]

    def run(self, count, *words):
        return subprocess.run(self.command(count, words), cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)

    def same(self, one, other):
        found = self.run(1, "diff", one, other)
        expect(found.returncode == 0, f"{one} and {other} differ:\n{found.stdout}{found.stderr}")


def compare(program):
    made = program.run(1, "remesh", "icosphere:3", "sphere.obj", "--vertices", "500")
    expect(made.returncode == 0, made.stderr)
    for name, text in RUNS.items():
        for count in (1, 2, 3) if name == "vortices" else (1, 3):
            ended = program.run(count, "run", *shlex.split(text), "--output", f"{name}-{count}.h5", "--fresh", "--quiet")
            expect(ended.returncode == 0, f"{name} on {count}: {ended.returncode}\n{ended.stdout}{ended.stderr}")
            if count > 1:
                program.same(f"{name}-1.h5", f"{name}-{count}.h5")
    for name, solver in (("icc", []), ("gamg", ["--param", "preconditioner=gamg"])):
        for count in (1, 2):
            ended = program.run(count, "run", "sphere-bump", "--mesh", "icosphere:3", "--integrator", "semi-implicit", "--linear-solver",
                                "petsc", *solver, "--end", "0.5", "--output", f"{name}-{count}.h5", "--fresh", "--quiet")
            expect(ended.returncode == 0, f"petsc {name} on {count}: {ended.stderr}")
        found = program.run(1, "diff", f"{name}-1.h5", f"{name}-2.h5", "--rtol", "1e-6", "--numbers")
        for quantity in ("depth", "energy", "mass", "snapshots/velocity"):  # others are round-off
            expect(found.returncode < 2 and f"{quantity}:" not in found.stdout, f"petsc {name}: {found.stdout}{found.stderr}")
    again = program.run(2, "run", *RUNS["dam"].split(), "--output", "dam-1.h5")
    expect(again.returncode == 0 and "1 finished" in again.stdout + again.stderr, f"a complete run is not kept: {again}")


def read_once(program):
    """The first process alone reads the mesh; a sequence of meshes is missing for the second one."""
    (program.folder / "elsewhere").mkdir()
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    mesh = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (program.folder / "frames").mkdir()
    for name in ("four.obj", "frames/0.obj", "frames/1.obj"):
        (program.folder / name).write_text(mesh)
    corners = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    (program.folder / "eight.obj").write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(
        f"f {a} {b} {c}\n" for a, b, c in ((1, 3, 5), (3, 2, 5), (2, 4, 5), (4, 1, 5), (3, 1, 6), (2, 3, 6), (4, 2, 6), (1, 4, 6))))

    def run(output, *words, mesh="four.obj", scene="bump"):
        words = [program.shoal, "run", scene, "--mesh", mesh, "--dt", "1e-3", "--end", "0.01", *words, "--quiet", "--output", output]
        launcher = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", "1", *words, ":", "-n", "1", "--wdir", str(program.folder / "elsewhere"), *words]
        return subprocess.run(launcher, cwd=program.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)

    ended = run("once.h5")
    expect(ended.returncode == 0, f"the second process reads the mesh: {ended.stderr}")
    ended = run("eight-2.h5", mesh="eight.obj", scene="sphere-bump")  # of which the processes get no edges
    expect(ended.returncode == 0, ended.stderr)
    alone = program.run(1, "run", "sphere-bump", "--mesh", "eight.obj", "--dt", "1e-3", "--end", "0.01", "--quiet", "--output", "eight-1.h5")
    expect(alone.returncode == 0, alone.stderr)
    program.same("eight-1.h5", "eight-2.h5")
    expect(not list((program.folder / "elsewhere").iterdir()), "the second process writes")
    ended = run("missing.h5", "--motion", "sequence", "--param", "sequence=frames/*.obj", "frame_rate=100")
    expect(ended.returncode == 2 and ended.stderr.count("process 1: parameter 'sequence': there is no folder 'frames'") == 1, f"{ended.returncode} {ended.stderr}")
    expect(not (program.folder / "missing.h5").exists(), "it leaves a file")


def wait_for_all(name):
    """Until no process works on this file; a few seconds at most."""
    for _ in range(100):
        left = subprocess.run(["pgrep", "-f", name], capture_output=True, text=True).stdout.split()
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"processes are left behind: {left}")


def stop_and_resume(program):
    """Stopped on two ranks, resumed on three, stopped by a signal that kills, and resumed on one."""
    words = ["run", *RUNS["hills"].replace("20000", "200000").split(), "--save-every", "0", "--output", "stopped.h5"]
    whole = program.run(1, *words[:-1], "whole.h5", "--quiet")
    expect(whole.returncode == 0, whole.stderr)
    for count, number in ((2, signal.SIGTERM), (3, signal.SIGKILL)):
        process = subprocess.Popen(program.command(count, words), cwd=program.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        saved = program.folder / "stopped.h5.work" / "save-0001"
        before = saved.stat().st_mtime if saved.exists() else 0
        for _ in range(600):
            time.sleep(0.05)
            if process.poll() is not None or (saved.exists() and saved.stat().st_mtime > before):
                break
        if process.poll() is not None:
            raise AssertionError(f"it ended before it was stopped: {process.stderr.read()}")
        time.sleep(0.3)
        if number == signal.SIGKILL:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        process.wait(timeout=60)
        wait_for_all("stopped.h5")
        expect(program.run(1, "inspect", "stopped.h5").returncode == 0, "the results do not open")
    resumed = program.run(1, *words)
    expect(resumed.returncode == 0, f"{resumed.stdout}{resumed.stderr}")
    expect("resuming" in resumed.stdout + resumed.stderr, f"it began again: {resumed.stdout}{resumed.stderr}")
    program.same("whole.h5", "stopped.h5")


def start_sweep(program, words):
    """Until its first run has saved, and a little more."""
    process = subprocess.Popen([program.shoal, *words, "--quiet"], cwd=program.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    saved = program.folder / "killed.h5.work" / "save-0001"
    for _ in range(600):
        time.sleep(0.05)
        if process.poll() is not None or saved.exists():
            break
    if process.poll() is not None:
        raise AssertionError(f"it ended before it was killed: {process.stderr.read()}")
    time.sleep(0.3)
    return process


def sweep(program):
    """A process of a run is killed, then the sweep with all of its processes; it goes on with another number of them."""
    (program.folder / "sweep.toml").write_text(SWEEP)
    whole = program.run(1, "sweep", "sweep.toml", "--output", "sweep.h5", "--quiet")
    expect(whole.returncode == 0, whole.stderr)
    words = ["sweep", "sweep.toml", "--output", "killed.h5", "--save-every", "0", "--ranks"]

    process = start_sweep(program, [*words, "2"])
    launchers = [launcher for task in children_of(process.pid) for launcher in children_of(task)]
    ranks = [rank for launcher in launchers for rank in children_of(launcher)]
    os.kill(ranks[-1], signal.SIGKILL)
    said = process.communicate(timeout=60)[1]
    expect(process.returncode == 3 and "by signal 9" in said, f"a process of a run is killed: {process.returncode} {said}")
    wait_for_all("killed.h5")
    listed = program.run(1, "inspect", "killed.h5").stdout
    expect("interrupted" in listed and "solver-failed" not in listed, listed)

    process = start_sweep(program, [*words, "2", "--jobs", "2"])
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=60)
    wait_for_all("killed.h5")
    resumed = program.run(1, *words, "3", "--jobs", "2")
    expect(resumed.returncode == 0, f"{resumed.stdout}{resumed.stderr}")
    program.same("sweep.h5", "killed.h5")


def refuse(program):
    """One sentence and the right exit code, and no file."""
    for words, sentence in {
        ("run", "sphere-bump", "--discretization", "height-map"): "the whole surface in pairs",
        ("run", "squash", "--mesh", "jittered-sphere:3", "--integrator", "newmark", "--param", "laplacian=intrinsic"): "laplacian = intrinsic",
        ("run", "sphere-bump", "--mesh", "nowhere.obj"): "nowhere.obj",
        ("run", "no-scene"): "no-scene",
        ("run", "sphere-bump", "--mesh", "icosphere:1", "--param", "parts=81"): "81 parts are more than the 80 triangles",
        ("run", "custom", "--mesh", "rectangle:20x6:5x1", "--discretization", "hllc", "--boundaries", "right = level -2"): "--boundaries: the level",
        ("sweep", "no-file.toml"): "a sweep starts its own processes",
        ("run", "dam-wet", "--mesh", "rectangle:1x1:1x1:structured", "--param", "dam=0.5", "--discretization", "hllc"): "fewer than the 3 processes",
    }.items():
        ended = program.run(3, *words, *(["--output", "refused.h5"] if words[0] == "run" else []))
        said = [line for line in ended.stderr.splitlines() if line.startswith("shoal")]
        expect(ended.returncode == 2, f"{words}: {ended.returncode}\n{ended.stderr}")
        expect(len(said) == 1 and sentence in said[0], f"{words}: {ended.stderr}")
        expect(not (program.folder / "refused.h5").exists(), f"{words} leaves a file")


def children_of(process):
    return [int(word) for word in subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout.split()]


def kill_often(program, kills):
    random.seed(1)
    words = ["run", *RUNS["hills"].replace("20000", "400000").split(), "--save-every", "0.05", "--diagnostics", "every:20", "--quiet", "--output"]
    whole = program.run(1, *words, "whole.h5")
    expect(whole.returncode == 0, whole.stderr)
    killed = ended = 0
    while killed < kills:
        count = random.choice((2, 3, 4))
        process = subprocess.Popen(program.command(count, [*words, "killed.h5"]), cwd=program.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        moment = time.monotonic() + random.uniform(0.2, 4)
        while time.monotonic() < moment and process.poll() is None:
            time.sleep(0.005)
        if process.poll() is None:
            kind = random.choice(("rank", "launcher", "all"))
            ranks = children_of(process.pid)
            try:
                if kind == "all":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    os.kill(random.choice(ranks) if kind == "rank" and ranks else process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            expect(process.wait(timeout=60) != 0 or kind == "rank", f"killed: {kind}, {process.returncode}")
            killed += process.returncode != 0
        wait_for_all("killed.h5")
        if (program.folder / "killed.h5").exists():
            found = program.run(1, "inspect", "killed.h5")
            expect(found.returncode == 0, f"after kill {killed} the results do not open: {found.stderr}")
        if process.returncode == 0:  # it was complete: the next begins
            program.same("whole.h5", "killed.h5")
            (program.folder / "killed.h5").unlink()
            ended += 1
    last = program.run(2, *words, "killed.h5")
    expect(last.returncode == 0, last.stderr)
    program.same("whole.h5", "killed.h5")
    print(f"{killed} kills, {ended + 1} runs came to their end")


def main(shoal, folder, *kills):
    if not shutil.which("mpirun"):
        skip("there is no mpirun")
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    program = Program(shoal, folder)
    if kills:
        return kill_often(program, int(kills[1]))
    compare(program)
    read_once(program)
    stop_and_resume(program)
    sweep(program)
    refuse(program)


if __name__ == "__main__":
    main(*sys.argv[1:])
