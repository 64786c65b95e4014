#!/usr/bin/env python3
"""Lets the n-th call of a command that changes a file fail, once or from then on, for many n.

Whatever fails, the command ends with exit code 3 and one sentence, or does its work all the same; the results file, if there is
one, is whole; and started again the command comes to the results of one that nobody disturbed, with nothing left beside them.

    faults.py PROGRAM FOLDER SHIM [--command sweep] [--in main|children] [--count 25] [--seed 1]

SHIM is the library that kill_at_call.c makes. --count 0: every call.
"""
import argparse
import errno
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import results_file

OUTPUT = "faults.h5"
SWEEP = """scene = "sphere-bump"
mesh = "icosphere:1"
end = 0.4
dt = 0.1
snapshots = "every:0.2"
discretization = ["fefv", "kinetic"]
integrator = ["explicit", "newmark"]
"""
TABLE = '[[table]]\nfile = "table.md"\ncolumns = ["id", "outcome"]\n'
FRONTIER = """scene = "sphere-bump"
mesh = "icosphere:0"
discretization = ["fefv", "dec"]
"""
RUN = ["run", "sphere-bump", "--mesh", "icosphere:1", "--dt", "0.1", "--end", "0.4", "--snapshots", "every:0.2", "--quiet",
       "--save-every", "0"]


def arguments_of(command, folder):
    file = folder / "faults.toml"
    file.write_text(FRONTIER if command == "frontier" else SWEEP + TABLE)
    return {"run": RUN, "sweep": ["sweep", file, "--quiet", "--jobs", "2", "--save-every", "0"],
            "frontier": ["frontier", file, "--steps", "20", "--quiet"],
            "spectrum": ["spectrum", "--mesh", "icosphere:1", "--shapes"]}[command]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("shim")
    parser.add_argument("--command", choices=["run", "sweep", "frontier", "spectrum"], default="sweep")
    parser.add_argument("--in", dest="place", choices=["main", "children"], default="main")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not os.path.exists(options.shim):
        print("SKIPPED: kill_at_call is not built")
        return 0
    program, shim, folder = os.path.abspath(options.program), os.path.abspath(options.shim), options.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    arguments = arguments_of(options.command, folder)

    def start(place, **values):
        environment = dict(os.environ, LD_PRELOAD=shim, **{f"KILL_AT_CALL{key}": str(value) for key, value in values.items()})
        return subprocess.run([program, *map(str, arguments), "--output", str(place / OUTPUT)], env=environment, timeout=120,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    undisturbed = folder / "undisturbed"
    undisturbed.mkdir()
    counts = folder / "counts"
    assert start(undisturbed, _COUNT=counts).returncode == 0
    kind = "main" if options.place == "main" else "child"
    calls = max(int(line.split()[1]) for line in counts.read_text().splitlines() if line.startswith(kind))
    kept = {path.name for path in undisturbed.iterdir()}
    cases = [(n, on, error) for n in range(1, calls + 1) for on in (0, 1) for error in (errno.ENOSPC, errno.EIO)]
    if options.count:
        cases = random.Random(options.seed).sample(cases, min(options.count, len(cases)))
    wrong, codes = [], {}
    place = folder / "place"
    for n, on, error in cases:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        what = f"call {n} of {calls} with {errno.errorcode[error]}{', and all after it' if on else ''}"
        try:
            done = start(place, **{"": n, "_ERROR": error, "_ERROR_ON": on, "_IN": options.place})
            said = done.stderr.decode()
            codes[done.returncode] = codes.get(done.returncode, 0) + 1
            assert done.returncode in (0, 3), f"exit code {done.returncode}: {said}"
            assert done.returncode == 0 or said.startswith("shoal: ") and said.count("\n") == 1, f"it says {said}"
            for word in ("H5", "sec2", "errno", "EOA", "terminate"):
                assert word not in said, said
            if (place / OUTPUT).exists():
                results_file.check(place / OUTPUT)
            again = start(place)
            assert again.returncode == 0, f"started again: exit code {again.returncode}: {again.stderr.decode()}"
            left = {path.name for path in place.iterdir()}
            assert left == kept, f"there lies {sorted(left)}, not {sorted(kept)}"
            if options.command != "spectrum":
                differ = subprocess.run([program, "diff", place / OUTPUT, undisturbed / OUTPUT], capture_output=True, text=True)
                assert differ.returncode == 0 or options.command == "frontier", differ.stdout + differ.stderr
        except (AssertionError, subprocess.TimeoutExpired, OSError, KeyError) as failure:
            wrong.append(what)
            print(f"{what}: {failure}", flush=True)
    print(f"{options.command}: {calls} calls, {len(cases)} faults, {len(wrong)} wrong; exit codes {codes}")
    return 1 if wrong else 0


sys.exit(main())
