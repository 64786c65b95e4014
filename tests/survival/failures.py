#!/usr/bin/env python3
"""What the machine does wrong: a full disk, a file that may not grow, a folder that is read-only or vanishes, and runs
whose processes crash or are killed.

Where it cannot go on the program must end with exit code 3 and one sentence, and what it says is in the file must be
there. A crash is the outcome of one run.

    failures.py PROGRAM FOLDER
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import results_file

NOBODY = 65534
LONG = ["sphere-bump", "--mesh", "icosphere:3", "--dt", "0.01", "--end", "1000", "--snapshots", "every:0.5", "--quiet"]
SWEEP = 'scene = "sphere-bump"\nmesh = "icosphere:3"\ndt = 0.01\nend = [1000, 2000]\nsnapshots = "every:0.5"\n'


def ends_with_3(process, *words):
    """One sentence on stderr; returns it."""
    try:
        _, text = process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("the program does not end") from None
    text = text.decode()
    assert process.returncode == 3, f"exit code {process.returncode}: {text}"
    assert text.startswith("shoal: ") and text.count("\n") == 1, text
    for word in words:
        assert word in text, f"'{word}' is not in: {text}"
    for word in ("H5", "sec2", "errno", "eof", "EOA"):  # HDF5's own words
        assert word not in text, text
    print("   ", text.strip())
    return text


def start(program, arguments, **options):
    return subprocess.Popen([program, *map(str, arguments)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                            **options)


def holds_what_it_says(path, sentence):
    said = re.search(r"the results contain run (\d+) up to t = (\S+) s", sentence)
    assert said, sentence
    _, begun = results_file.check(path)
    with results_file.h5py.File(path) as file:
        reached = file["runs"][said[1]].attrs["t_reached"]
    assert abs(reached - float(said[2])) <= 1e-5 * reached, f"{sentence}: the file goes to {reached}"
    assert said[1] in begun, sentence


def full_disk(program, folder):
    """Here `folder` is a file system of 4 MB."""
    sentence = ends_with_3(start(program, ["run", *LONG, "--output", folder / "full.h5"]), "No space left on device")
    holds_what_it_says(folder / "full.h5", sentence)
    for left in folder.iterdir():
        left.unlink()
    (folder / "full.toml").write_text(SWEEP)
    arguments = ["sweep", folder / "full.toml", "--jobs", "2", "--quiet", "--output", folder / "sweep.h5"]
    sentence = ends_with_3(start(program, arguments), "No space left on device")
    results_file.check(folder / "sweep.h5")


def in_a_small_file_system(program, folder):
    """Runs full_disk where a file system can be mounted for it alone."""
    mount = f'mount -t tmpfs -o size=4m tmpfs "{folder}" && exec "$0" "$@"'
    unshare = ["unshare", "--mount"] + ([] if os.getuid() == 0 else ["--map-root-user"])
    probe = subprocess.run([*unshare, "sh", "-c", mount, "true"], capture_output=True)
    if probe.returncode != 0:
        return f"full disk: no file system can be mounted here ({probe.stderr.decode().strip()})"
    inside = [sys.executable, __file__, program, str(folder), "--full-disk"]
    subprocess.run([*unshare, "sh", "-c", mount, *inside], check=True)
    return None


def file_that_may_not_grow(program, folder):
    limit = 2 << 20
    process = start(program, ["run", *LONG, "--output", folder / "large.h5"],
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    holds_what_it_says(folder / "large.h5", ends_with_3(process, "File too large"))


def read_only_folder(program, folder):
    place = folder / "read-only"
    place.mkdir()
    place.chmod(0o555)
    as_nobody = (lambda: os.setuid(NOBODY)) if os.getuid() == 0 else None
    try:
        process = start(program, ["run", *LONG, "--output", place / "run.h5"], preexec_fn=as_nobody)
    except PermissionError:
        return "read-only folder: this is root, and who is not root cannot reach the program"
    ends_with_3(process, "read-only", "Permission denied")
    assert not list(place.iterdir())
    return None


def folder_that_vanishes(program, folder):
    place = folder / "vanishing"
    place.mkdir()
    process = start(program, ["run", *LONG, "--output", place / "run.h5"])
    deadline = time.monotonic() + 60
    while not (place / "run.h5").exists():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.01)
    shutil.rmtree(place, ignore_errors=True)
    ends_with_3(process, "No such file or directory")


def process_of_a_run(sweep):
    """The pid of the process that computes, once its part is there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        pids = Path(f"/proc/{sweep.pid}/task/{sweep.pid}/children").read_text().split()
        if pids:
            return int(pids[0])
        time.sleep(0.01)
    raise AssertionError("no run is computed")


def runs_that_die(program, folder):
    """The first of two runs crashes, and once more is killed from outside."""
    text = 'scene = "rest"\nmesh = "icosphere:3"\ndt = 0.01\nend = [1000, 0.1]\n'
    for sign, outcome, code in ((signal.SIGABRT, "solver-failed", 0), (signal.SIGKILL, "interrupted", 3)):
        (folder / "die.toml").write_text(text)
        results = folder / f"die-{sign}.h5"
        sweep = start(program, ["sweep", folder / "die.toml", "--quiet", "--output", results])
        while not any(folder.rglob("*part-0001")):
            assert sweep.poll() is None
            time.sleep(0.01)
        os.kill(process_of_a_run(sweep), sign)
        if code == 3:
            ends_with_3(sweep, "run 0001: the process of this run ended by signal 9 (Killed)")
        else:
            assert sweep.wait(60) == code, sweep.stderr.read()
        with results_file.h5py.File(results) as file:
            first, second = file["runs/0001"].attrs, file["runs/0002"].attrs
            assert first["outcome"] == outcome and f"signal {int(sign)}" in first["reason"], dict(first)
            assert second["outcome"] == "finished"
        results_file.check(results)


def main():
    program, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
    if sys.argv[3:] == ["--full-disk"]:
        return full_disk(program, folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    skipped = []
    for case in (in_a_small_file_system, file_that_may_not_grow, read_only_folder, folder_that_vanishes,
                 runs_that_die):
        print(case.__name__, flush=True)
        reason = case(program, folder)
        if reason:
            print("    skipped:", reason)
            skipped.append(reason)
    print("SKIPPED: " + "; ".join(skipped) if skipped else "all as it must be")


main()
