#!/usr/bin/env python3
"""The surroundings of a process: closed descriptors, odd names, terminals that have gone, limits and signals.

    process_limits.py PROGRAM FOLDER [CASE...]
"""
import itertools
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as xml
from pathlib import Path

import results_file
from cases import (BUMP, LONG, LONG_SWEEP, SEEN, SHORT, SWEEP, SWEEP_OF_ONE, as_nobody, experiment, limited,
                   nothing_else, only_saves, run, short, state, unchanged, wait_until)

h5py, np = results_file.h5py, results_file.np


def closed(numbers):
    """Closes standard descriptors between fork and exec."""
    def close():
        for number in numbers:
            os.close(number)
    return close


COMBINATIONS = [c for n in range(4) for c in itertools.combinations((0, 1, 2), n)]


def sweeps_with_closed_descriptors(shoal, folder):
    for numbers in COMBINATIONS:
        place = folder / ("closed" + "".join(map(str, numbers)))
        place.mkdir()
        path = experiment(place, SWEEP)
        ending = shoal("sweep", path, "--output", place / "x.h5", "--jobs", "2", before=closed(numbers),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert ending.code == 0, f"closed {numbers}: {ending}"
        finished, begun = results_file.check(place / "x.h5")
        assert len(finished) == 2 and not begun, f"closed {numbers}: {finished} {begun}"
        assert results_file.check_xdmf_files(place / "x.h5") == 2
        nothing_else(place, "x.toml", "x.h5", "x-paraview", "table.md")
        assert shoal("diff", place / "x.h5", folder / "closed" / "x.h5").code == 0, f"closed {numbers}"


def runs_with_closed_descriptors(shoal, folder):
    for numbers in COMBINATIONS:
        output = folder / ("closed" + "".join(map(str, numbers)) + ".h5")
        ending = shoal(*BUMP, "--output", output, before=closed(numbers), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        assert ending.code == 0, f"closed {numbers}: {ending}"
        finished, _ = results_file.check(output)
        assert finished == {"0001"}, f"closed {numbers}: {finished}"
        results_file.check_xdmf(output.with_suffix(".xdmf"))


def tables_with_closed_descriptors(shoal, folder):
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    before = state(folder)
    for numbers in COMBINATIONS:
        ending = shoal("table", folder / "x.h5", before=closed(numbers), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        assert ending.code in ((0, 3) if 1 in numbers else (0,)), f"closed {numbers}: {ending}"
        unchanged(folder, before)


def names_with_metacharacters_of_xml(shoal, folder):
    for name in ('a&b<c>".h5', "it's 100 % ]]>.h5", "Größe €.h5", "a b.h5"):
        shoal(*SHORT, "--output", folder / name).succeeds()
        path = folder / (name[:-3] + ".xdmf")
        assert path.exists(), f"there is no .xdmf of {name}"
        items = [item for item in xml.parse(path).iter("DataItem") if item.get("Format") == "HDF"]
        assert items, f"{path} refers to nothing"
        for item in items:
            file, place = item.text.strip().rsplit(":", 1)
            assert file == name, f"{path} refers to {file}"
            with h5py.File(folder / file) as results:
                assert " ".join(map(str, results[place].shape)) == item.get("Dimensions")


def names_that_paraview_cannot_read(shoal, folder):
    for name in (b"a:b.h5", b"a|b.h5", b"a\x01b.h5", b"a\nb.h5", b"a\xffb.h5", b"a\x1b[31mb.h5", b"a\xc3.h5", b"a\xef\xbf\xbfb.h5"):
        place = folder / name.hex()
        place.mkdir()
        arguments = [word for word in SHORT if word != "--quiet"]
        ending = shoal(*arguments, "--output", os.fsencode(place) + b"/" + name).succeeds()
        left = {os.fsencode(path.name) for path in place.iterdir()}
        assert left == {name}, f"{name!r}: there lies {left}"
        assert ending.err.count(b"ParaView") == 1, f"{name!r}: nothing, or too much, is said of it: {ending.err!r}"
        harmless(ending)


def harmless(ending):
    """What goes to the terminal is text."""
    for stream in (ending.out, ending.err):
        text = stream.decode()  # UTF-8
        bad = re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
        assert not bad, f"{short(ending.arguments)} says {bad[0]!r}"


def escape_sequences_in_attributes(shoal, folder):
    shoal(*SHORT, "--output", folder / "clean.h5").succeeds()
    texts = [b"\x1b[2J\x1b[31mred", b"a\x07b\x08\r", b"\xff\xfe", "\x9b31m".encode(), b"two\nlines"]
    for text, place in itertools.product(texts, ("root", "run", "mesh", "config", "name", "unit")):
        shutil.copyfile(folder / "clean.h5", folder / "x.h5")
        with h5py.File(folder / "x.h5", "r+") as file:
            value = np.array(text, dtype=h5py.string_dtype("utf-8"))
            mesh = list(file["meshes"])[0]
            if place == "root":
                for key in ("command", "compiler", "cpu", "git_commit", "created_utc"):
                    file.attrs.create(key, value)
            elif place == "run":
                for key in ("outcome", "reason", "scene", "mesh_name", "integrator"):
                    file["runs/0001"].attrs.create(key, value)
            elif place == "mesh":
                for key in ("name", "source"):
                    file["meshes"][mesh].attrs.create(key, value)
            elif place == "config":
                del file["config"]
                file.create_dataset("config", data=value)
            elif place == "name":
                file["runs"].move("0001", text)
            else:
                for dataset in file["runs/0001/diagnostics"].values():
                    dataset.attrs.create("unit", value)
        for arguments in (["table", "x.h5"], ["table", "x.h5", "--as", "csv", "--columns", "id,outcome,reason,scene,mesh_name"],
                          ["inspect", "x.h5"], ["diff", "x.h5", "clean.h5"], ["diff", "clean.h5", "x.h5"],
                          ["rerun", "x.h5", "--output", "y.h5", "--quiet", "--fresh"]):
            ending = shoal(*arguments, folder=folder, limit=10)
            assert ending.code in (0, 1, 2, 3), ending
            try:
                harmless(ending)
            except (AssertionError, UnicodeDecodeError) as error:
                raise AssertionError(f"{text!r} in {place}: {short(arguments)}: {error}") from None


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def mesh_whose_name_is_no_text(shoal, folder):
    path = os.fsencode(folder) + b"/m\xff.obj"
    with open(path, "w") as file:
        file.write(TETRAHEDRON)
    ending = shoal("run", "bump", "--mesh", path, "--dt", "0.01", "--end", "0.02", "--quiet", "--output", folder / "x.h5")
    ending.fails_with(2)
    harmless(ending)
    nothing_else(folder, b"m\xff.obj")


def gone_pipe():
    read_end, write_end = os.pipe()
    os.close(read_end)
    return write_end


def gone_terminal():
    master, slave = os.openpty()
    os.close(master)
    return slave


def full_device():
    return os.open("/dev/full", os.O_WRONLY)


def progress_that_nobody_reads(shoal, folder):
    path = experiment(folder, LONG_SWEEP.replace("20]", "2]") + TABLE_OF_SWEEP)
    wrong = []
    for make, stream in itertools.product((full_device, gone_pipe, gone_terminal), ("stderr", "stdout", "both")):
        for name, command in (("run", SEEN), ("sweep", ["sweep", path])):
            place = folder / f"{make.__name__}-{stream}-{name}"
            place.mkdir()
            output = place / "x.h5"
            descriptor = make()
            streams = {"stderr": descriptor if stream != "stdout" else subprocess.DEVNULL,
                       "stdout": descriptor if stream != "stderr" else subprocess.DEVNULL}
            ending = shoal(*command, "--output", output, **streams)
            os.close(descriptor)
            if ending.code != 0:
                wrong.append(f"{make.__name__} at {stream}, {name}: exit code {ending.code}")
                continue
            finished, begun = results_file.check(output)
            if not finished or begun:
                wrong.append(f"{make.__name__} at {stream}, {name}: {finished} finished, {begun} begun")
    assert not wrong, "; ".join(wrong)


TABLE_OF_SWEEP = '[[table]]\nfile = "table.md"\ncolumns = ["id", "outcome"]\n'


def tables_that_nobody_reads(shoal, folder):
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    for arguments in (["table", folder / "x.h5"], ["inspect", folder / "x.h5"], ["list", "scenes"]):
        full = full_device()
        shoal(*arguments, stdout=full).fails_with(3)
        os.close(full)
        pipe = gone_pipe()
        ending = shoal(*arguments, stdout=pipe)
        os.close(pipe)
        assert ending.code == 0 and not ending.err, f"with a closed pipe {ending}"
    line = subprocess.run(["bash", "-c", '"$0" table "$1" | head -1; echo "${PIPESTATUS[0]}"', shoal.path, folder / "x.h5"],
                          capture_output=True, text=True)
    assert line.stdout.splitlines()[-1] == "0" and not line.stderr, (line.stdout, line.stderr)


def little_memory(shoal, folder):
    """The libraries have threads of their own that want memory; whatever it is, the program ends."""
    if shoal.sanitized:
        return "sanitizers want all addresses there are"
    for megabytes in (1000, 500, 300, 200):
        place = folder / str(megabytes)
        place.mkdir()
        implicit = ["run", "sphere-bump", "--mesh", "icosphere:5", "--integrator", "newmark", "--dt", "0.01", "--end",
                    "0.05", "--quiet"]
        for index, command in enumerate((SHORT, implicit)):
            ending = shoal(*command, "--output", place / f"{index}.h5", before=limited(resource.RLIMIT_AS, megabytes << 20),
                           limit=20)
            if megabytes == 1000:
                ending.succeeds()
            elif ending.code != 0 and not (megabytes == 200 and ending.code == 127):  # 127: its libraries do not fit
                ending.fails_with(3)
    return None


def little_memory_for_sweeps(shoal, folder):
    """OpenBLAS's threads, where they get no memory, must not hold up a fork."""
    (folder / "e.toml").write_text(SWEEP_OF_ONE)
    for kind, size in itertools.product((resource.RLIMIT_AS, resource.RLIMIT_DATA), (100, 200, 300, 500, 1000)):
        output = folder / f"{kind}-{size}.h5"
        process = shoal.start("sweep", folder / "e.toml", "--quiet", "--output", output,
                              before=lambda: resource.setrlimit(kind, (size << 20, size << 20)))
        text = process.communicate(timeout=20)[1].decode()
        assert process.returncode in (0, 3, 127), (kind, size, process.returncode, text)  # 127: the loader, before the program
        if process.returncode == 0:
            results_file.check(output)


def threads_that_the_system_refuses(shoal, folder):
    place = folder / "place"
    place.mkdir()
    place.chmod(0o777)
    command = ["run", "sphere-bump", "--mesh", "icosphere:4", "--dt", "0.002", "--end", "0.01", "--quiet", "--threads", "64"]

    def few_processes():
        as_nobody()
        resource.setrlimit(resource.RLIMIT_NPROC, (4, 4))

    try:
        shoal(*command, "--output", place / "processes.h5", before=few_processes).fails_with(3)
    except (PermissionError, subprocess.SubprocessError):
        print("    who is not root cannot reach the program")
    if shoal.sanitized:
        return
    ending = shoal(*command, "--output", place / "memory.h5", before=limited(resource.RLIMIT_AS, 450 << 20))
    assert ending.code == 0 or ending.fails_with(3)


def spectrum_that_may_not_grow(shoal, folder):
    for size in (0, 1000, 8 << 10, 64 << 10):
        place = folder / str(size)
        place.mkdir()
        shoal("spectrum", "--mesh", "icosphere:2", "--shapes", "--output", place / "x.h5",
              before=limited(resource.RLIMIT_FSIZE, size)).fails_with(3)
        nothing_else(place)


def small_stack(shoal, folder):
    """With 16 kB the system's loader itself ends many a program before it begins (head, too): who begins must end well."""
    wrong = []
    for limit, threads in itertools.product(("ulimit -s 64", "ulimit -S -s 64", "ulimit -s 16"), (1, 2)):
        output = folder / f"{len(limit)}-{limit[-2:]}-{threads}.h5"
        arguments = ["run", "sphere-bump", "--mesh", "icosphere:3", "--dt", "0.01", "--end", "0.1", "--quiet", "--threads",
                     str(threads), "--output", output]
        for _ in range(30 if limit.endswith("16") else 1):
            done = subprocess.run(["bash", "-c", f'{limit}; exec "$0" "$@"', shoal.path, *arguments], capture_output=True,
                                  text=True, timeout=60, env={"PATH": os.environ["PATH"]})
            began = done.returncode != -signal.SIGSEGV or Path(f"{output}.work").exists()
            if began:
                break
        if done.returncode != 0:
            wrong.append(f"{limit}, {threads} threads: ended with {done.returncode}: {done.stderr.strip()[:200]}")
        else:
            results_file.check(output)
    assert not wrong, "\n        ".join(wrong)


def stopped_by_signals(shoal, folder):
    path = experiment(folder, LONG_SWEEP.replace("20]", "1000]"))
    wrong = []
    for number, (name, command) in itertools.product((signal.SIGHUP, signal.SIGTERM, signal.SIGINT),
                                                     (("run", LONG), ("sweep", ["sweep", path, "--quiet"]))):
        place = folder / f"{name}-{number.name}"
        place.mkdir()
        process = shoal.start(*command, "--output", place / "x.h5")
        wait_until((place / ("x.h5" if name == "run" else "x.h5.work/part-0002")).exists, process)  # the long one
        time.sleep(0.3)
        process.send_signal(number)
        try:
            try:
                _, text = process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise AssertionError("it goes on") from None
            assert process.returncode == 128 + number, f"ended with {process.returncode}: {text.decode().strip()}"
            only_saves(place, "x.h5", "x.xdmf", "x-paraview")
            _, begun = results_file.check(place / "x.h5")
            assert begun, "no run was interrupted"
            results_file.check_xdmf_files(place / "x.h5")
        except AssertionError as error:
            wrong.append(f"{name}, {number.name}: {error}")
    assert not wrong, "\n        ".join(wrong)


def interrupted_runs_go_on(shoal, folder):
    """From where they were, to the same bits, with nothing left."""
    alone = ["run", "sphere-bump", "--mesh", "icosphere:3", "--dt", "0.005", "--end", "5", "--diagnostics", "every:7"]
    path = experiment(folder, LONG_SWEEP.replace("20]", "5]").replace("0.01", "0.005"))
    for name, command in (("run", alone), ("sweep", ["sweep", path, "--jobs", "2"])):
        place = folder / name
        place.mkdir()
        shoal(*command, "--quiet", "--output", folder / f"{name}.h5").succeeds()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = shoal.start(*command, "--save-every", "0.1", "--output", place / "x.h5")
            wait_until((place / "x.h5").exists, process)
            time.sleep(0.5)
            os.killpg(process.pid, number)
            process.communicate(timeout=30)
            if not (place / "x.h5.work").exists():
                break  # it was done before
            if number != signal.SIGKILL:
                only_saves(place, "x.h5", "x.xdmf", "x-paraview")
        said = shoal(*command, "--output", place / "x.h5").succeeds().text
        assert name == "sweep" or "resuming from the checkpoint at t = " in said or "already computed" in said, said
        nothing_else(place, "x.h5", "x.xdmf", "x-paraview")
        shoal("diff", folder / f"{name}.h5", place / "x.h5").succeeds()


def second_interruption(shoal, folder):
    """Ctrl-C goes to all processes of the terminal; the second comes at once, or while the first is obeyed."""
    path = experiment(folder, LONG_SWEEP.replace("20]", "1000]"))
    wrong = []
    for pause, (name, command) in itertools.product((0, 0.0003, 0.001, 0.003, 0.01, 0.03),
                                                    (("run", LONG), ("sweep", ["sweep", path, "--quiet", "--jobs", "2"]))):
        place = folder / f"{name}-{pause}"
        place.mkdir()
        process = shoal.start(*command, "--output", place / "x.h5")
        wait_until((place / "x.h5").exists, process)
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(pause)
        try:
            os.killpg(process.pid, signal.SIGINT)
        except ProcessLookupError:
            pass
        process.communicate(timeout=30)
        try:
            assert process.returncode in (128 + signal.SIGINT, -signal.SIGINT), f"ended with {process.returncode}"
            only_saves(place, "x.h5", "x.xdmf", "x-paraview")
            results_file.check(place / "x.h5")
        except (AssertionError, OSError, KeyError) as error:
            wrong.append(f"{name}, {pause} s later: {error}")
    assert not wrong, "\n        ".join(wrong)


CASES = [
    sweeps_with_closed_descriptors, runs_with_closed_descriptors, tables_with_closed_descriptors,
    names_with_metacharacters_of_xml, names_that_paraview_cannot_read, escape_sequences_in_attributes,
    mesh_whose_name_is_no_text, progress_that_nobody_reads, tables_that_nobody_reads, little_memory,
    threads_that_the_system_refuses, spectrum_that_may_not_grow, small_stack, stopped_by_signals, second_interruption,
    interrupted_runs_go_on, little_memory_for_sweeps,
]

run(CASES)
