#!/usr/bin/env python3
"""Kills a sweep again and again, at seeded random moments, and holds it to what it promises.

After each SIGKILL (of the program alone, or of it with all its processes) the results file must open and every row
in it must be whole; started again the sweep must go on; and in the end the results must be bit for bit those of a
sweep that nobody disturbed.

    kills.py PROGRAM FOLDER [--kills 20] [--jobs 1] [--seed 1]
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import results_file

EXPERIMENT = """
scene = "sphere-bump"
mesh = ["icosphere:2", "icosphere:3"]
end = 0.5
dt = 0.01
snapshots = "every:0.1"
discretization = ["fefv", "dec", "kinetic"]
integrator = ["explicit", "newmark", "ssprk2"]
substeps = "auto"
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    experiment = arguments.folder / "kills.toml"
    experiment.write_text(EXPERIMENT)
    undisturbed, killed = arguments.folder / "undisturbed.h5", arguments.folder / "killed.h5"
    for left in arguments.folder.glob("*.h5*"):
        left.unlink()

    def sweep(output, jobs):
        return [arguments.program, "sweep", str(experiment), "--output", str(output), "--jobs", str(jobs), "--quiet"]

    begin = time.monotonic()
    subprocess.run(sweep(undisturbed, 1), check=True)
    whole = time.monotonic() - begin
    chance = random.Random(arguments.seed)

    kills, opened, starts, finished = 0, 0, 0, set()
    while kills < arguments.kills:
        starts += 1
        process = subprocess.Popen(sweep(killed, arguments.jobs), start_new_session=True)
        # Most kills come early, so that the sweep is not done before the last of them.
        moment = chance.random() ** 2 * whole * min(1, 6 / arguments.kills)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            pass
        if process.poll() is None:
            alone = chance.random() < 0.5
            if alone:
                os.kill(process.pid, signal.SIGKILL)
            else:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            kills += 1
            if killed.exists():
                now, _ = results_file.check(killed)
                assert finished <= now, f"runs {finished - now} were finished and are gone"
                finished = now
                opened += 1
                if killed.with_suffix(".xdmf").exists():
                    results_file.check_xdmf(killed.with_suffix(".xdmf"))
        elif process.returncode != 0:
            sys.exit(f"the sweep ended with {process.returncode}")
        else:
            killed.unlink()  # it was done before it was killed: from the beginning
            finished = set()
    subprocess.run(sweep(killed, arguments.jobs), check=True)
    print(f"{kills} kills, {starts} starts, the file was there and whole after {opened}")

    left = [str(path) for path in arguments.folder.glob("killed.h5.*")]
    assert not left, f"left behind: {left}"
    differ = subprocess.run([arguments.program, "diff", str(undisturbed), str(killed)], text=True,
                            stdout=subprocess.PIPE)
    print(differ.stdout)
    sys.exit(differ.returncode)


main()
