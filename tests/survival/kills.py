#!/usr/bin/env python3
"""Kills a command that writes results again and again, at seeded random moments or at seeded calls of the system, and
holds it to what it promises.

After each SIGKILL (of the program alone, of one of its processes, or of all of them) the results file, if it is there,
must open and every row in it must be whole, and beside it lies at most the folder of work in progress; started again
the command must go on; and in the end the results must be bit for bit those of a command that nobody disturbed, with
nothing left beside them.

    kills.py PROGRAM FOLDER [--command sweep] [--kills 20] [--jobs 1] [--seed 1] [--at random|call] [--shim LIBRARY]

--at call needs the library that kill_at_call.c makes. It finds the moments between two calls that no clock hits.
"""
import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import results_file

h5py, np = results_file.h5py, results_file.np

TABLE = '[[table]]\nfile = "table.md"\ncolumns = ["id", "outcome", "mass_drift"]\n'
SWEEP = """scene = "sphere-bump"
mesh = ["icosphere:2", "icosphere:3"]
end = 0.5
dt = 0.01
snapshots = "every:0.1"
discretization = ["fefv", "dec", "kinetic"]
integrator = ["explicit", "newmark", "ssprk2"]
substeps = "auto"
""" + TABLE
RERUN = """scene = "sphere-bump"
mesh = ["icosphere:2", "icosphere:3"]
end = 0.5
dt = 0.01
snapshots = "every:0.1"
discretization = ["fefv", "dec"]
""" + TABLE
FRONTIER = """scene = "sphere-bump"
mesh = ["icosphere:1", "icosphere:2"]
discretization = ["fefv", "dec", "kinetic"]
"""
OUTPUT = "killed.h5"
RESULTS = {OUTPUT, "killed.xdmf", "killed-paraview", "table.md"}
WORK = {name + ".work" for name in RESULTS}
PROVENANCE = {"created_utc", "command", "cpu", "threads"}  # what may differ between equal results


class Command:
    """What is killed: its arguments, and how its results are judged."""

    def __init__(self, name, folder, jobs):
        self.name = name
        self.keeps = name in ("sweep", "frontier", "rerun")  # what was finished before the kill
        quiet = ["--quiet", "--jobs", str(jobs)]
        often = ["--save-every", "0.1"]
        if name == "sweep":
            self.arguments = ["sweep", self.write(folder / "kills.toml", SWEEP), *often, *quiet]
        elif name == "frontier":
            self.arguments = ["frontier", self.write(folder / "kills.toml", FRONTIER), "--steps", "100", *quiet]
        elif name == "rerun":
            self.arguments = ["rerun", str(folder / "original.h5"), *quiet]
            self.original = ["sweep", self.write(folder / "kills.toml", RERUN), "--output", folder / "original.h5",
                             "--quiet"]
        elif name == "run":  # longer than the time after which a file is brought up to date
            self.arguments = ["run", "sphere-bump", "--mesh", "icosphere:4", "--dt", "0.002", "--end", "2.4",
                              "--diagnostics", "every:10", "--snapshots", "every:0.4", *often, "--quiet"]
        else:
            self.arguments = ["spectrum", "--mesh", "icosphere:2", "--shapes"]

    @staticmethod
    def write(path, text):
        path.write_text(text)
        return str(path)

    def finished(self, path):
        """Opens the results, reads all of them; the names of what is finished."""
        done, _ = results_file.check(path)
        with h5py.File(path) as file:
            contents(file)
            if "frontier" in file:
                done |= {name for name, item in file["frontier"].items() if "outcome" in item.attrs}
        return done


def contents(file):
    """All attributes and datasets, but for what the date, the machine and its clock have a part in."""
    found = {f"@{name}": value for name, value in file.attrs.items() if name not in PROVENANCE}

    def take(name, item):
        if "/timing/" in name or name.endswith("/timing"):
            return
        for key, value in item.attrs.items():
            if key not in ("DIMENSION_LIST", "REFERENCE_LIST") and not re.search(r"second|elapsed|wall", key):
                found[f"{name}@{key}"] = value
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    file.visititems(take)
    return found


def equal(a, b):
    try:
        return bool(np.array_equal(a, b, equal_nan=True))
    except TypeError:  # texts have no NaN
        return bool(np.array_equal(a, b))


def differences(path, other):
    """Names of all that differs between two files."""
    with h5py.File(path) as file, h5py.File(other) as file_b:
        a, b = contents(file), contents(file_b)
    return sorted(key for key in a.keys() | b.keys() if key not in a or key not in b or not equal(a[key], b[key]))


class Shim:
    """The library that counts calls, and where in an undisturbed command they are."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.counts = {}

    def environment(self, **values):
        return dict(os.environ, LD_PRELOAD=self.path, **{f"KILL_AT_CALL{key}": str(value) for key, value in
                                                         values.items()})

    def count(self, program, arguments, folder):
        """How many calls the program and the largest of its processes make."""
        path = folder / "calls"
        path.unlink(missing_ok=True)
        subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL, env=self.environment(_COUNT=path))
        for line in path.read_text().splitlines():
            who, number = line.split()
            self.counts[who] = max(self.counts.get(who, 0), int(number))

    def moment(self, chance):
        """The environment in which the program is killed at a call."""
        where = chance.choice(sorted(who for who, number in self.counts.items() if number > 0))
        return self.environment(_IN="main" if where == "main" else "children", _GROUP=int(chance.random() < 0.5),
                                **{"": chance.randint(1, self.counts[where])})


def kill_at_random(process, moment, chance):
    """Whether it was still there to be killed."""
    try:
        process.wait(moment)
        return False
    except subprocess.TimeoutExpired:
        pass
    if chance.random() < 0.5:
        os.kill(process.pid, signal.SIGKILL)
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--command", choices=["run", "sweep", "spectrum", "frontier", "rerun"], default="sweep")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at", choices=["random", "call"], default="random")
    parser.add_argument("--shim")
    options = parser.parse_args()
    program, folder = os.path.abspath(options.program), options.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    place = folder / "killed"
    place.mkdir(parents=True)
    (folder / "undisturbed").mkdir()
    undisturbed, killed = folder / "undisturbed" / OUTPUT, place / OUTPUT
    command = Command(options.command, folder, options.jobs)
    chance = random.Random(options.seed)
    wrong = []

    def report(text):
        if text not in wrong:
            print(text, flush=True)
            wrong.append(text)

    if command.name == "rerun":
        subprocess.run([program, *command.original], check=True)
    begin = time.monotonic()
    subprocess.run([program, *command.arguments, "--output", undisturbed], check=True, stdout=subprocess.DEVNULL)
    whole = time.monotonic() - begin
    shim = None
    if options.at == "call":
        if not options.shim:
            sys.exit("--at call needs --shim")
        if not os.path.exists(options.shim):
            print("SKIPPED: kill_at_call is not built")
            sys.exit(0)
        shim = Shim(options.shim)
        shim.count(program, [*command.arguments, "--output", folder / "counted.h5"], folder)

    def check_folder(allowed, when):
        if bad := sorted({path.name for path in place.iterdir()} - allowed):
            report(f"{when} there lies {bad}")
        shown = {path.name for path in (place / "killed-paraview").glob("*")}
        if bad := sorted(name for name in shown if not re.fullmatch(
                r"\d{4}\.xdmf" + (r"(\.work)?" if allowed & WORK else ""), name)):
            report(f"{when} there lies {bad} in the folder for ParaView")

    kills, opened, starts, finished = 0, 0, 0, set()
    while kills < options.kills:
        starts += 1
        # A file of the same configuration, which is computed anew, must be whole before and after.
        if not command.keeps and not killed.exists() and chance.random() < 0.5:
            shutil.copyfile(undisturbed, killed)
        old = command.name == "spectrum" and killed.exists()
        environment = shim.moment(chance) if shim else None
        process = subprocess.Popen([program, *command.arguments, "--output", str(killed)], start_new_session=True,
                                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if shim:
            said = process.communicate()[1].decode()
            # 3: the process of a run was killed, and the program says so
            was_killed = process.returncode == -signal.SIGKILL or process.returncode == 3 and "signal 9" in said
        else:
            # Most kills come early where results are kept, so that it takes several until all is done.
            share = chance.random() ** 2 if command.keeps else chance.random()
            was_killed = kill_at_random(process, share * whole, chance)
            said = process.communicate()[1].decode()
        if was_killed:
            kills += 1
            check_folder(RESULTS | WORK, "after a kill")
            if killed.exists():
                try:
                    now = command.finished(killed)
                except (AssertionError, KeyError, OSError, RuntimeError) as error:
                    shutil.copyfile(killed, folder / f"not-whole-{kills}.h5")
                    report(f"after a kill the results are not whole: {type(error).__name__}: {error}")
                    now = finished
                if not finished <= now:
                    report(f"runs {finished - now} were finished and are gone")
                finished = now
                opened += 1
                results_file.check_xdmf_files(killed)
            elif old:
                report("the file that was there is gone")
        elif process.returncode != 0:
            sys.exit(f"the command ended with {process.returncode}: {said}")
        else:  # it was done before it was killed: from the beginning
            check_folder(RESULTS, "in the end")
            killed.unlink()
            (place / "table.md").unlink(missing_ok=True)
            finished = set()
    process = subprocess.run([program, *command.arguments, "--output", str(killed)], stdout=subprocess.DEVNULL)
    if process.returncode != 0:
        sys.exit(f"started again the command ends with {process.returncode}")
    print(f"{command.name}: {kills} kills, {starts} starts, the file was there and whole after {opened}")

    check_folder(RESULTS, "in the end")
    if bad := differences(undisturbed, killed):
        report(f"{len(bad)} things differ from what nobody disturbed: {bad[:5]}")
    differ = subprocess.run([program, "diff", str(undisturbed), str(killed)], text=True, stdout=subprocess.PIPE)
    print(differ.stdout)
    sys.exit(differ.returncode or bool(wrong))


main()
