#!/usr/bin/env python3
"""What surrounds the program: closed descriptors, foreign files beside its own, links and permissions, damaged and forged
results, odd names, terminals that have gone, limits and signals.

Each case has a folder of its own; one that goes wrong is named, and the others still take place.

    process_limits.py PROGRAM FOLDER [CASE...]
"""
import itertools
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
import xml.etree.ElementTree as xml
from pathlib import Path

import mutations
import results_file

h5py, np = results_file.h5py, results_file.np

NOBODY = 65534
# In the midst of a long one a run is disturbed; a short one ends by itself.
BUMP = ["run", "sphere-bump", "--mesh", "icosphere:1", "--dt", "0.02", "--end", "0.1", "--snapshots", "every:0.04"]
SHORT = [*BUMP, "--quiet"]
LONG = ["run", "sphere-bump", "--mesh", "icosphere:3", "--dt", "0.01", "--end", "1000", "--snapshots", "every:0.5", "--quiet"]
SEEN = ["run", "sphere-bump", "--mesh", "icosphere:4", "--dt", "0.005", "--end", "4"]  # long enough for progress
SWEEP = """scene = "sphere-bump"
mesh = ["icosphere:0", "icosphere:1"]
dt = 0.02
end = 0.1
snapshots = "every:0.04"
[[table]]
file = "table.md"
columns = ["id", "outcome", "mass_drift"]
"""
SWEEP_OF_ONE = 'scene = "rest"\nmesh = "icosphere:0"\nend = 0.1\n'
LONG_SWEEP = 'scene = "sphere-bump"\nmesh = "icosphere:3"\ndt = 0.01\nend = [0.5, 20]\nsnapshots = "every:0.5"\n'
FRONTIER = 'scene = "sphere-bump"\nmesh = "icosphere:0"\ndiscretization = ["fefv", "kinetic"]\n'


class Shoal:
    def __init__(self, path):
        self.path = path
        self.sanitized = b"__asan_init" in Path(path).read_bytes()

    def __call__(self, *arguments, limit=60, folder=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE, before=None):
        """Runs to the end; code, out, err and seconds already computed."""
        begin = time.monotonic()
        process = self.start(*arguments, folder=folder, stdout=stdout, stderr=stderr, before=before)
        try:
            out, err = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise AssertionError(f"{short(arguments)} does not end within {limit} s") from None
        return Ending(arguments, process.returncode, out or b"", err or b"", time.monotonic() - begin)

    def start(self, *arguments, folder=None, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, before=None):
        def prepare():
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)  # whatever started these tests
            if before:
                before()

        return subprocess.Popen([self.path, *(a if isinstance(a, bytes) else str(a) for a in arguments)], cwd=folder,
                                stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, preexec_fn=prepare,
                                start_new_session=True)


class Ending:
    def __init__(self, arguments, code, out, err, seconds):
        self.arguments, self.code, self.out, self.err, self.seconds = arguments, code, out, err, seconds
        self.text = err.decode(errors="backslashreplace")

    def __repr__(self):
        return f"{short(self.arguments)} ended with {self.code}: {self.text.strip()[:300]}"

    def succeeds(self):
        assert self.code == 0, self
        return self

    def fails_with(self, *codes):
        """One sentence and one of these exit codes."""
        assert self.code in codes, self
        assert self.text.startswith("shoal: ") and self.text.count("\n") == 1 and self.text.endswith("\n"), self
        return self


def short(arguments):
    return " ".join(os.fsdecode(a) if isinstance(a, bytes) else str(a) for a in arguments)[:200]


def experiment(folder, text, name="x.toml"):
    (folder / name).write_text(text)
    return folder / name


def names(folder):
    return {os.fsencode(path.name) if b"\xff" in os.fsencode(path.name) else path.name for path in folder.iterdir()}


def state(folder):
    """Content, kind and permissions of all that lies here."""
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path.relative_to(folder))] = (oct(status.st_mode), status.st_uid, content)
    return found


def unchanged(folder, before):
    after = state(folder)
    assert before.keys() == after.keys(), f"there is now {sorted(after)}, there was {sorted(before)}"
    for name, content in before.items():
        assert after[name] == content, f"{name} has changed (mode {content[0]} to {after[name][0]})"


def nothing_else(folder, *allowed):
    assert names(folder) <= set(allowed), f"there lies {sorted(map(str, names(folder) - set(allowed)))}"


def only_saves(folder, *allowed):
    """Beside what is allowed lies at most what x.h5 goes on from."""
    nothing_else(folder, "x.h5.work", *allowed)
    work = folder / "x.h5.work"
    if work.exists():
        assert names(work) and all(re.fullmatch("save-[0-9]{4}", name) for name in names(work)), f"in x.h5.work lies {names(work)}"


def wait_until(condition, process, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, f"it ended with {process.returncode}: {process.stderr.read()}"
        assert time.monotonic() < deadline, "it does not begin"
        time.sleep(0.01)


def as_nobody():
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


# 1. Descriptors -----------------------------------------------------------------------------------------------------------


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


# 2. Results of another kind -----------------------------------------------------------------------------------------------


REST = ["run", "rest", "--discretization", "fefv", "--mesh", "icosphere:3", "--quiet"]


def spectrum_over_runs(shoal, folder):
    shoal(*REST, "--output", folder / "x.h5").succeeds()
    before = state(folder)
    shoal("spectrum", "--discretization", "fefv", "--mesh", "icosphere:3", "--output", folder / "x.h5").fails_with(2)
    unchanged(folder, before)


def runs_that_come_while_a_spectrum_is_computed(shoal, folder):
    place = folder / "place"
    place.mkdir()
    shoal(*REST, "--output", folder / "rest.h5").succeeds()
    process = shoal.start("spectrum", "--discretization", "fefv", "--mesh", "icosphere:3", "--output", place / "x.h5")
    time.sleep(0.05)
    assert process.poll() is None, "the spectrum was computed too soon for this test"
    shutil.copyfile(folder / "rest.h5", place / "x.h5")
    _, text = process.communicate(timeout=60)
    assert (place / "x.h5").read_bytes() == (folder / "rest.h5").read_bytes(), "the runs are gone"
    Ending(["spectrum"], process.returncode, b"", text, 0).fails_with(2)
    nothing_else(place, "x.h5")


# 3. What lies beside the results ------------------------------------------------------------------------------------------


def foreign_xdmf(shoal, folder):
    for text in ("<mine/>\n", '<?xml version="1.0"?>\n<Xdmf Version="3.0"><Domain/></Xdmf>\n', ""):
        (folder / "x.xdmf").write_text(text)
        before = state(folder)
        shoal(*SHORT, "--output", folder / "x.h5").fails_with(2)
        unchanged(folder, before)


def own_xdmf(shoal, folder):
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    shoal(*SHORT, "--output", folder / "x.h5", "--fresh").succeeds()
    results_file.check_xdmf(folder / "x.xdmf")
    nothing_else(folder, "x.h5", "x.xdmf")


def names_that_differ_behind_the_point(shoal, folder):
    for name in ("run.v1", "run.v2", "run.h5"):
        shoal(*SHORT, "--output", folder / name).succeeds()
    for name in ("run.v1", "run.v2", "run"):
        assert (folder / f"{name}.xdmf").exists(), f"there is no {name}.xdmf but {sorted(names(folder))}"
        results_file.check_xdmf(folder / f"{name}.xdmf")
    nothing_else(folder, "run.v1", "run.v2", "run.h5", "run.v1.xdmf", "run.v2.xdmf", "run.xdmf")


def results_whose_names_were_special_once(shoal, folder):
    """Other results, and what is no results file at all."""
    for name in ("a.h5.next", "a.h5.part-0001", "a.h5.last"):
        shoal(*SHORT, "--param", "amplitude=0.05", "--output", folder / name).succeeds()
    for name in ("a.h5.lock", "a.xdmf.next", "a.h5.part-0002", "a.h5.part-0001.next", "a.h5.part-text"):
        (folder / name).write_text("mine\n")
    before = state(folder)
    shoal(*SHORT, "--output", folder / "a.h5").succeeds()
    shoal("sweep", experiment(folder, SWEEP), "--quiet", "--fresh", "--output", folder / "a.h5").succeeds()
    after = state(folder)
    for name, content in before.items():
        assert after.get(name) == content, f"{name} is {'changed' if name in after else 'gone'}"


def output_that_is_a_link(shoal, folder):
    (folder / "far").mkdir()
    (folder / "near").mkdir()
    target, link = folder / "far" / "target.h5", folder / "near" / "x.h5"
    link.symlink_to(target)
    for options in ([], ["--fresh"]):
        shoal(*SHORT, "--output", link, *options).succeeds()
        assert link.is_symlink(), f"the link is a file now ({options})"
        results_file.check(target)
    shoal("sweep", experiment(folder, SWEEP), "--quiet", "--fresh", "--output", link).succeeds()
    assert link.is_symlink() and len(results_file.check(target)[0]) == 2


def links_where_work_is_done(shoal, folder):
    """Links that somebody laid where the program used to write, or may write now."""
    victims = folder / "victims"
    victims.mkdir()
    place = folder / "place"
    (place / "x.h5.work").mkdir(parents=True)
    path = experiment(folder, SWEEP)

    def lay(name):
        victim = victims / name.replace("/", "_")
        victim.write_text("mine\n")
        (place / name).symlink_to(victim)

    for name in ("x.xdmf.next", "x.h5.next", "x.h5.last", "x.h5.lock", "x.h5.part-0001", "x.h5.part-0001.next"):
        lay(name)
    for name in ("lock", "next", "last", "state", "part-0001", "part-0001.next", "part-0002", "xdmf", "x.xdmf", "x.h5",
                 "table.md", "x.xdmf.next", "next.h5", "table"):
        lay("x.h5.work/" + name)
    before = state(victims)
    ending = shoal("sweep", path, "--quiet", "--output", place / "x.h5")
    unchanged(victims, before)
    assert ending.code == 0 or ending.fails_with(2, 3)


def folder_of_work_that_is_a_link(shoal, folder):
    """Or a file, or a folder of somebody else: it is not followed, nor emptied."""
    victim = folder / "victim"
    victim.mkdir()
    (victim / "mine").write_text("mine\n")
    before = state(victim)
    (folder / "x.h5.work").symlink_to(victim)
    ending = shoal(*SHORT, "--output", folder / "x.h5")
    unchanged(victim, before)
    assert ending.code == 0 or ending.fails_with(2, 3)


def folder_for_paraview_of_somebody_else(shoal, folder):
    """A folder that is a link, or something else, or that holds a file of others with the name of ours."""
    path = experiment(folder, SWEEP)
    victim = folder / "victim"
    victim.mkdir()
    (victim / "0001.xdmf").write_text("mine\n")
    place = folder / "place"
    place.mkdir()
    shown = place / "x-paraview"

    def link():
        shown.symlink_to(victim)

    def file():
        shown.write_text("mine\n")

    def foreign():
        shown.mkdir()
        (shown / "0002.xdmf").write_text("mine\n")

    for lay in (link, file, foreign):
        lay()
        before = state(folder)
        shoal("sweep", path, "--quiet", "--output", place / "x.h5").fails_with(2)
        unchanged(folder, before)
        shutil.rmtree(shown) if lay is foreign else shown.unlink()
    shown.mkdir()
    for name in ("state.pvsm", "0003.xdmf", "0001.xdmf.last"):
        (shown / name).write_text("mine\n")
    (shown / "0002.xdmf.work").symlink_to(victim)
    (victim / "next").write_text("mine\n")
    before = state(victim)
    shoal("sweep", path, "--quiet", "--output", place / "x.h5").succeeds()
    unchanged(victim, before)
    for name in ("state.pvsm", "0003.xdmf", "0001.xdmf.last"):
        assert (shown / name).read_text() == "mine\n", name


def runs_that_are_no_longer_there(shoal, folder):
    """Other results under the same name: what showed the former goes, and nothing else does."""
    path = experiment(folder, SWEEP)
    shoal("sweep", path, "--quiet", "--output", folder / "x.h5").succeeds()
    shown = folder / "x-paraview"
    assert names(shown) == {"0001.xdmf", "0002.xdmf"}, names(shown)
    shutil.copyfile(shown / "0002.xdmf", shown / "0003.xdmf")
    (shown / "0004.xdmf.work").mkdir()
    (shown / "0004.xdmf.work" / "next").write_text("")  # of a killed program
    experiment(folder, "threads = 2\n" + SWEEP)
    shoal("sweep", path, "--quiet", "--output", folder / "x.h5", "--fresh").succeeds()
    assert names(shown) == {"0001.xdmf", "0002.xdmf"}, names(shown)
    (shown / "state.pvsm").write_text("mine\n")
    shoal(*SHORT, "--output", folder / "x.h5", "--fresh").succeeds()
    assert names(shown) == {"state.pvsm"}, names(shown)
    results_file.check_xdmf(folder / "x.xdmf")
    (shown / "state.pvsm").unlink()
    shoal("sweep", path, "--quiet", "--output", folder / "x.h5", "--fresh").succeeds()
    assert results_file.check_xdmf_files(folder / "x.h5") == 2
    nothing_else(folder, "x.toml", "x.h5", "x-paraview", "table.md")


def xdmf_of_earlier_versions(shoal, folder):
    """They had the mark of the results before the domain, or none, and one file for all runs of a sweep."""
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    now = (folder / "x.xdmf").read_text()
    mark = '<Information Name="shoal" Value="x.h5"/>\n'
    assert now.count("<Domain>\n" + mark) == 1
    for text in (now.replace("<Domain>\n" + mark, mark + "<Domain>\n"), now.replace(mark, "")):
        (folder / "x.xdmf").write_text(text)
        shoal(*SHORT, "--output", folder / "x.h5", "--fresh").succeeds()
        assert (folder / "x.xdmf").read_text() == now
        (folder / "y.xdmf").write_text(text.replace("x.h5", "y.h5"))
        shoal("sweep", experiment(folder, SWEEP), "--quiet", "--output", folder / "y.h5", "--fresh").succeeds()
        assert results_file.check_xdmf_files(folder / "y.h5") == 2


def xdmf_that_is_a_link(shoal, folder):
    (folder / "victim").write_text("mine\n")
    (folder / "x.xdmf").symlink_to(folder / "victim")
    shoal(*SHORT, "--output", folder / "x.h5")
    assert (folder / "victim").read_text() == "mine\n"


def permissions_stay(shoal, folder):
    path = experiment(folder, LONG_SWEEP)
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    process = shoal.start("sweep", path, "--quiet", "--output", folder / "y.h5")
    wait_until(lambda: (folder / "y.h5").exists(), process)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    kept = ("x.h5", "x.xdmf", "y.h5", "y-paraview/0001.xdmf", "y-paraview/0002.xdmf")
    for name in kept:
        if (folder / name).exists():
            (folder / name).chmod(0o600)
    shoal(*SHORT, "--output", folder / "x.h5", "--fresh").succeeds()
    path.write_text(LONG_SWEEP)
    shoal("sweep", path, "--quiet", "--output", folder / "y.h5", limit=120).succeeds()
    for name in kept:
        mode = (folder / name).stat().st_mode & 0o777
        assert mode == 0o600, f"{name} has mode {mode:o}"


def read_only_file_of_somebody_else(shoal, folder):
    if os.getuid() != 0:
        return "who is not root cannot give a file to somebody else"
    place = folder / "place"
    place.mkdir()
    shoal(*SHORT, "--output", place / "x.h5").succeeds()
    (place / "x.h5").chmod(0o444)
    place.chmod(0o777)
    before = state(place)
    try:
        ending = shoal(*SHORT, "--output", place / "x.h5", "--fresh", before=as_nobody)
    except PermissionError:
        return "who is not root cannot reach the program"
    ending.fails_with(3)
    unchanged(place, before)
    return None


# 4. Damaged results -------------------------------------------------------------------------------------------------------


def without_heaps(data):
    data = bytearray(data)
    for match in list(re.finditer(rb"HEAP|GCOL", data)):
        data[match.start():match.start() + 512] = bytes(512)
    return data


def without_heap(data, number):
    data = bytearray(data)
    start = [match.start() for match in re.finditer(rb"HEAP|GCOL", data)][number]
    data[start:start + 512] = bytes(512)
    return data


def cut_unnoticed(data):
    """Cut off, and the superblock says that this is the end."""
    data = bytearray(data[:len(data) * 7 // 10])
    data[40:48] = len(data).to_bytes(8, "little")
    return data


DAMAGES = {"cut off": lambda data: data[:len(data) * 7 // 10], "end in the midst": cut_unnoticed,
           "zeroed heaps": without_heaps, "one zeroed heap": lambda data: without_heap(data, 5),
           "another zeroed heap": lambda data: without_heap(data, -1)}


def read(_, item):
    dict(item.attrs)
    if isinstance(item, h5py.Dataset):
        item[()]


def readable(path):
    """All of it, with h5py."""
    try:
        results_file.check(path)
        with h5py.File(path) as file:
            file.visititems(read)
    except (AssertionError, OSError, KeyError, RuntimeError, ValueError) as error:
        raise AssertionError(f"exit code 0, and h5py cannot read all of it: {type(error).__name__}: {error}") from None


def damaged_results_stay(shoal, folder):
    commands = {"sweep": ["sweep", experiment(folder, SWEEP, "sweep.toml"), "--quiet"], "run": SHORT,
                "frontier": ["frontier", experiment(folder, FRONTIER, "frontier.toml"), "--steps", "20", "--quiet"],
                "spectrum": ["spectrum", "--mesh", "icosphere:0"]}
    wrong = []
    for (name, command), (what, damage) in itertools.product(commands.items(), DAMAGES.items()):
        place = folder / f"{name}, {what}"
        place.mkdir()
        output = place / "x.h5"
        shoal(*command, "--output", output).succeeds()
        output.write_bytes(damage(output.read_bytes()))
        before = state(place)
        for fresh in ([], ["--fresh"]):
            try:
                ending = shoal(*command, "--output", output, *fresh, limit=10)
                if ending.code == 0:  # it is replaced, or nothing that counts was damaged
                    readable(output)
                    continue
                ending.fails_with(2, 3)
                unchanged(place, before)
                assert "--output" in ending.text, f"does not say what to do: {ending.text}"
            except AssertionError as error:
                wrong.append(f"{name} with {what} {fresh}: {error}")
    assert not wrong, "\n        ".join(wrong)


def with_odd_numbers(file):
    """Their exponent has another bias than IEEE's, which h5py cannot read."""
    numbers = file["runs/0001/diagnostics/mass"][()]
    kind = h5py.h5t.IEEE_F64LE.copy()
    kind.set_ebias(1)
    del file["runs/0001/diagnostics/mass"]
    h5py.h5d.create(file["runs/0001/diagnostics"].id, b"mass", kind, h5py.h5s.create_simple(numbers.shape))


def with_wrong_checksum(file):
    snapshots = file["runs/0001/snapshots"]
    depth, location = snapshots["depth"][()], snapshots["depth"].attrs["location"]
    del snapshots["depth"]
    packed = snapshots.create_dataset("depth", data=depth, chunks=(1, depth.shape[1]), fletcher32=True)
    packed.attrs["location"] = location
    packed.id.write_direct_chunk((1, 0), depth[1].tobytes() + b"none")


FORGERIES = {
    "a run of no plan": lambda file: file.create_group("runs/0009"),
    "an outcome that is none": lambda file: file["runs/0001"].attrs.modify("outcome", "somehow"),
    "a text in place of a number": lambda file: file["runs/0001"].attrs.create("negative_depth_cells", "many"),
    "an attribute that is no value": lambda file: file["runs/0001"].attrs.create("dt", np.array([(1, 2)], "i4,i4")),
    "odd numbers": with_odd_numbers,
    "a checksum that does not fit": with_wrong_checksum,
    "a name that is no text": lambda file: h5py.h5g.create(file["meshes"].id, b"\xa1mesh"),
}


def forged_results_are_not_gone_on_with(shoal, folder):
    path, wrong = experiment(folder, SWEEP), []
    for what, forge in FORGERIES.items():
        place = folder / what
        place.mkdir()
        output = place / "x.h5"
        shoal("sweep", path, "--quiet", "--output", output).succeeds()
        with h5py.File(output, "a") as file:
            forge(file)
        before = state(place)
        try:
            shoal("sweep", path, "--quiet", "--output", output, limit=10).fails_with(3)
            unchanged(place, before)
        except AssertionError as error:
            wrong.append(f"{what}: {error}")
    assert not wrong, "\n        ".join(wrong)


def outputs_that_are_no_files(shoal, folder):
    os.mkfifo(folder / "pipe")
    names_of = ["/dev/stdout", "/dev/null", "/dev/full", "/proc/self/fd/1", ".", folder / "pipe", ""]
    for command in (SHORT, ["sweep", experiment(folder, SWEEP), "--quiet"], ["spectrum", "--mesh", "icosphere:0"]):
        for name in names_of:
            for fresh in ([], ["--fresh"]):
                shoal(*command, "--output", name, *fresh, folder=folder, limit=10).fails_with(2)
        shoal(*command, "--output", "long" * 63, folder=folder, limit=10).fails_with(2, 3)
    nothing_else(folder, "pipe", "x.toml")


def work_that_is_removed(shoal, folder):
    output = folder / "x.h5"
    process = shoal.start(*LONG, "--output", output)
    wait_until(output.exists, process)
    shutil.rmtree(folder / "x.h5.work")
    text = process.communicate(timeout=30)[1].decode()
    assert process.returncode == 3 and "x.h5.work" in text, (process.returncode, text)
    results_file.check(output)


def results_that_are_deleted(shoal, folder):
    for what in ("file", "folder"):
        place = folder / what
        place.mkdir()
        output = place / "x.h5"
        process = shoal.start(*LONG, "--output", output)
        wait_until(output.exists, process)
        if what == "file":
            output.unlink()
        else:
            while place.exists():
                shutil.rmtree(place, ignore_errors=True)
        try:
            _, text = process.communicate(timeout=6)
        except subprocess.TimeoutExpired:  # it goes on, and makes it anew
            process.terminate()
            _, text = process.communicate(timeout=30)
        if output.exists():
            results_file.check(output)
        else:
            text = text.decode()
            assert process.returncode == 3, f"{what} deleted: ended with {process.returncode}: {text}"
            assert "hold" not in text, f"{what} deleted, and yet: {text}"


# 7. Other files behind the results ----------------------------------------------------------------------------------------


def shows_nothing(shoal, results, clean, limit=10):
    for arguments in (["table", results, "--columns", "id,mass,energy_total@max,mesh_name,outcome"], ["table", results],
                      ["inspect", results], ["diff", results, clean], ["diff", clean, results], ["converge", results]):
        ending = shoal(*arguments, limit=limit)
        said = ending.out + ending.err
        for secret in (mutations.SECRET_WORD, b"7.391739e+37", b"7.392e+37", b"7.39174e+37", b"root:x:0"):
            assert secret not in said, f"{short(arguments)} shows {secret.decode()}: {said[:300]!r}"
        assert ending.code in (0, 1, 2, 3), ending
        if ending.code in (2, 3):
            ending.fails_with(2, 3)
        elif ending.code == 0 and arguments[0] in ("table", "diff") and b"is missing or unreadable" not in ending.out:
            raise AssertionError(f"{short(arguments)} takes it for sound: {ending.out[:200]!r}")


def with_foreign_numbers(folder, replace):
    """Results whose numbers `replace` has put elsewhere."""
    shutil.copyfile(folder / "clean.h5", folder / "x.h5")
    with h5py.File(folder / "x.h5", "r+") as file:
        for name in ("mass", "energy_total"):
            dataset = file["runs/0001/diagnostics"][name]
            length, attributes = len(dataset), {key: dataset.attrs[key] for key in ("unit", "meaning")}
            del file["runs/0001/diagnostics"][name]
            replace(file, f"runs/0001/diagnostics/{name}", length)
            try:
                file["runs/0001/diagnostics"][name].attrs.update(attributes)
            except (KeyError, OSError):
                pass


def make_secrets(shoal, folder):
    shoal(*SHORT, "--output", folder / "clean.h5").succeeds()
    (folder / "secret.txt").write_bytes(mutations.SECRET_WORD * 100)
    (folder / "secret.bin").write_bytes(np.full(100, mutations.SECRET_NUMBER).tobytes())
    with h5py.File(folder / "secret.h5", "w") as file:
        file["data"] = np.full(6, mutations.SECRET_NUMBER)
        file["config"] = mutations.SECRET_WORD.decode()
        file["run/diagnostics/mass"] = np.full(6, mutations.SECRET_NUMBER)
        file["run"].attrs["outcome"] = file["run"].attrs["mesh_name"] = mutations.SECRET_WORD.decode()


def tables_of_somebody_else(shoal, folder):
    """An experiment of somebody else replaces no file of ours, whatever its tables are called."""
    (folder / "notes.md").write_text("mine")
    text = SWEEP_OF_ONE + '\n[[table]]\nfile = "{}"\nformat = "text"\n'
    for name in ("notes.md", "authorized_keys", "x.h5.work", "z" * 249 + ".md"):
        (folder / "e.toml").write_text(text.format(name))
        shoal("sweep", folder / "e.toml", "--quiet", "--output", folder / "x.h5").fails_with(2)
        assert (folder / "notes.md").read_text() == "mine" and not (folder / "x.h5").exists(), name
    (folder / "e.toml").write_text(text.format("notes.md"))
    shoal("sweep", folder / "e.toml", "--quiet", "--fresh", "--output", folder / "x.h5").succeeds()
    shoal("sweep", folder / "e.toml", "--quiet", "--output", folder / "x.h5").succeeds()
    assert (folder / "notes.md").read_text() != "mine"


def xdmf_that_cannot_be_written(shoal, folder):
    """The results are worth more."""
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    (folder / "x.xdmf.work").write_text("mine")
    shoal(*SHORT, "--fresh", "--output", folder / "x.h5").succeeds()
    results_file.check(folder / "x.h5")
    assert (folder / "x.xdmf.work").read_text() == "mine"


def parts_that_cannot_be_read(shoal, folder):
    (folder / "e.toml").write_text('scene = "sphere-bump"\nmesh = "icosphere:2"\ndt = 0.01\nend = [0.05, 1000]\n')
    for damage in (b"", b"junk", None):
        place = folder / f"{damage}"
        place.mkdir()
        arguments = ["sweep", folder / "e.toml", "--quiet", "--output", place / "x.h5"]
        process = shoal.start(*arguments)
        part = place / "x.h5.work" / "part-0002"
        wait_until(part.exists, process)
        time.sleep(1)  # until the results link to it
        process.kill()
        process.communicate()
        part.write_bytes(part.read_bytes()[:3000] if damage is None else damage)
        ending = shoal("table", place / "x.h5").succeeds()
        assert b"part-0002" in ending.out, ending.out
        process = shoal.start(*arguments)
        wait_until(lambda: part.exists() and part.stat().st_size > 10000, process)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        finished, begun = results_file.check(place / "x.h5")
        assert finished == {"0001"} and set(begun) == {"0002"}, (finished, begun)


def files_of_others_in_the_folder_of_work(shoal, folder):
    work = folder / "x.h5.work"
    for name in ("wholesale.csv", "part-time/thesis.txt", "part-0001.work/mine"):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("mine")
    shoal(*SHORT, "--output", folder / "x.h5").succeeds()
    for name in ("wholesale.csv", "part-time/thesis.txt", "part-0001.work/mine"):
        assert (work / name).read_text() == "mine", name


def output_that_is_replaced_or_changed_meanwhile(shoal, folder):
    for what in ("replaced", "emptied"):
        output = folder / f"{what}.h5"
        process = shoal.start(*LONG, "--output", output)
        wait_until(output.exists, process)
        time.sleep(2.5)  # until both twins have been in its place
        if what == "replaced":
            output.unlink()
            output.write_text("precious")
        else:
            output.write_bytes(b"")
        time.sleep(5)
        process.send_signal(signal.SIGINT)
        text = process.communicate(timeout=30)[1].decode()
        if what == "replaced":
            assert process.returncode == 3 and "took its place" in text, (process.returncode, text)
            assert output.read_text() == "precious"
        else:
            results_file.check(output)


def pipes_in_place_of_experiments(shoal, folder):
    os.mkfifo(folder / "e.toml")
    shoal("sweep", folder / "e.toml", limit=5).fails_with(2)
    shoal("list", "experiments", "--folder", folder, limit=5).succeeds()


def external_links(shoal, folder):
    make_secrets(shoal, folder)

    def link(file, name, length):
        del length
        file[name] = h5py.ExternalLink("secret.h5", "/data")

    with_foreign_numbers(folder, link)
    shows_nothing(shoal, folder / "x.h5", folder / "clean.h5")
    for place, target in (("config", "/config"), ("runs/0001", "/run"), ("runs/0002", "/run")):
        shutil.copyfile(folder / "clean.h5", folder / "x.h5")
        with h5py.File(folder / "x.h5", "r+") as file:
            if place in file:
                del file[place]
            file[place] = h5py.ExternalLink(str(folder / "secret.h5") if place == "config" else "secret.h5", target)
        try:
            shows_nothing(shoal, folder / "x.h5", folder / "clean.h5")
        except AssertionError as error:
            if place == "config" and "for sound" in str(error):
                continue  # tables have no need of it
            raise


def raw_external_storage(shoal, folder):
    make_secrets(shoal, folder)
    with_foreign_numbers(folder, lambda file, name, length: file.create_dataset(
        name, (length,), "f8", external=[(str(folder / "secret.bin"), 0, 8 * length)]))
    shows_nothing(shoal, folder / "x.h5", folder / "clean.h5")
    shutil.copyfile(folder / "clean.h5", folder / "x.h5")
    with h5py.File(folder / "x.h5", "r+") as file:
        del file["config"]
        file.create_dataset("config", (), "S60", external=[(str(folder / "secret.txt"), 0, 60)])
    ending = shoal("inspect", folder / "x.h5", limit=10)
    assert mutations.SECRET_WORD not in ending.out + ending.err, "inspect shows another file as the configuration"


def virtual_datasets(shoal, folder):
    make_secrets(shoal, folder)

    def view(file, name, length):
        layout = h5py.VirtualLayout((length,), "f8")
        layout[...] = h5py.VirtualSource(str(folder / "secret.h5"), "data", (length,))
        file.create_virtual_dataset(name, layout)

    with_foreign_numbers(folder, view)
    shows_nothing(shoal, folder / "x.h5", folder / "clean.h5")


# 8. Names and texts -------------------------------------------------------------------------------------------------------


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


# 9. Terminals and pipes that have gone ------------------------------------------------------------------------------------


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


# 10. Sizes that are not there ---------------------------------------------------------------------------------------------


def rows_without_storage(shoal, folder):
    rows = 2_000_000_000
    shoal(*SHORT, "--output", folder / "clean.h5").succeeds()
    shutil.copyfile(folder / "clean.h5", folder / "x.h5")
    with h5py.File(folder / "x.h5", "r+") as file:
        run = file["runs/0001"]
        for group, count in (("diagnostics", rows), ("timing", rows - 1)):
            for name in list(run[group]):
                shape, unit = run[group][name].shape, run[group][name].attrs["unit"]
                del run[group][name]
                run[group].create_dataset(name, (count, *shape[1:]), "f8", chunks=(512, *shape[1:]),
                                          maxshape=(None, *shape[1:])).attrs["unit"] = unit
        run.attrs["steps"] = np.int64(rows - 1)
    before = state(folder)
    wrong = []
    for arguments in (["table", "x.h5"], ["table", "x.h5", "--columns", "id,mass@max,ms_per_step"], ["diff", "x.h5", "clean.h5"],
                      ["diff", "clean.h5", "x.h5"], ["inspect", "x.h5"], ["converge", "x.h5"],
                      [*SHORT, "--output", "x.h5"]):
        try:
            ending = shoal(*arguments, folder=folder, limit=10,
                           before=None if shoal.sanitized else limited(resource.RLIMIT_AS, 4 << 30))
            assert ending.seconds < 2, f"{ending} after {ending.seconds:.1f} s"
            # What is not read may be described, and other sizes are a difference.
            if not (arguments[0] == "inspect" and ending.code == 0 or arguments[0] == "diff" and ending.code == 1):
                ending.fails_with(2, 3)
            unchanged(folder, before)
        except AssertionError as error:
            wrong.append(str(error))
    assert not wrong, "\n        ".join(wrong)


def fields_that_unpack_to_far_more(shoal, folder):
    """A field of less than 1 MB that would take 160 MB, in few pieces, in many, and as one row of many."""
    values = 20_000_000
    for name, shape, chunks, where in (("whole", (values,), (values // 10,), "x"), ("pieces", (values,), (1 << 16,), "x"),
                                       ("rows", (2, values), (1, 1 << 20), "x[-1]")):
        path = folder / f"{name}.h5"
        with h5py.File(path, "w") as file:
            file.create_dataset("x", shape, "f8", chunks=chunks, compression="gzip", shuffle=True, fillvalue=0.0)
            file["x"][..., :1] = 1.0
            for chunk in range(0, shape[-1], chunks[-1]):  # all are stored
                file["x"][..., chunk:chunk + 1] = 1.0
        assert path.stat().st_size < 1 << 20, path.stat().st_size
        ending = shoal("run", "custom", "--mesh", "icosphere:1", "--end", "0.1", "--param", f"initial_elevation={path}:{where}",
                       "--output", folder / "x.h5", before=None if shoal.sanitized else limited(resource.RLIMIT_AS, 3 << 30))
        ending.fails_with(2)
        assert ending.seconds < 5, f"{ending} after {ending.seconds:.1f} s"
        assert str(path) in ending.err.decode() and b"unpacks to" in ending.err, ending
    with h5py.File(folder / "constant.h5", "w") as file:  # which packs as well, and is no more than its mesh asks for
        file.create_dataset("x", data=np.zeros(2562), compression="gzip")
    shoal("run", "custom", "--mesh", "icosphere:4", "--end", "0.01", "--param",
          f"initial_elevation={folder / 'constant.h5'}:x", "--output", folder / "y.h5").succeeds()


def names_that_would_be_rows(shoal, folder):
    """Of a mesh, in results that somebody else has written: it begins no row and no cell, in no table and no list."""
    shoal("sweep", experiment(folder, SWEEP), "--quiet", "--output", folder / "clean.h5").succeeds()
    commands = [["table", "x.h5", "--as", form, "--columns", "id,mesh_name,outcome"] for form in ("text", "md", "csv", "tex")]
    commands += [["inspect", "x.h5"], ["diff", "x.h5", "clean.h5"], ["table", "x.h5", "--as", "md"]]
    for name in ("x |\n| 0009 | forged by a name", "<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "x\r\n0009,a",
                 "x \\\\\n0009 & forged"):
        shutil.copyfile(folder / "clean.h5", folder / "x.h5")
        with h5py.File(folder / "x.h5", "r+") as file:
            file["runs/0001"].attrs.modify("mesh_name", name)
            for mesh in file["meshes"].values():
                mesh.attrs.modify("name", name)
        for command in commands:
            ending = shoal(*command, folder=folder)
            clean = shoal(*["clean.h5" if word == "x.h5" else word for word in command], folder=folder)
            if command[0] != "diff":
                assert ending.out.count(b"\n") == clean.out.count(b"\n"), f"{command}: {ending.out}"
            for line in ending.out.decode().splitlines():
                assert not re.match(r"\W*0009", line), f"{command}: {line}"
                assert not ("md" in command and re.search(r"(?<!\\)<script", line)), f"{command}: {line}"
                assert not ("csv" in command and re.search(r"(^|,)\"?=", line)), f"{command}: {line}"


def pipes_in_place_of_results(shoal, folder):
    os.mkfifo(folder / "pipe.h5")
    for command in (["table", "pipe.h5"], ["inspect", "pipe.h5"], ["diff", "pipe.h5", "pipe.h5"], ["rerun", "pipe.h5"],
                    ["converge", "pipe.h5"], ["run", "rest", "--output", "pipe.h5"], ["run", "rest", "--mesh", "pipe.h5"],
                    ["list", "scenes", "--plugin", "pipe.h5"]):
        shoal(*command, folder=folder, limit=10).fails_with(2)


def zeroed_heaps(shoal, folder):
    path = experiment(folder, SWEEP)
    shoal("sweep", path, "--quiet", "--output", folder / "clean.h5").succeeds()
    data = (folder / "clean.h5").read_bytes()
    heaps = [match.start() for match in re.finditer(rb"HEAP|GCOL", data)]
    wrong = []
    for index, heap in enumerate([*heaps[:6], *heaps[6::5], None]):
        damaged = bytearray(data)
        for start in heaps if heap is None else [heap]:
            damaged[start + 4 * (index % 2):start + 600] = bytes(600 - 4 * (index % 2))
        (folder / "x.h5").write_bytes(damaged)
        (folder / "x.xdmf").unlink(missing_ok=True)
        before = (folder / "x.h5").read_bytes()
        for arguments in (["table", "x.h5"], ["inspect", "x.h5"], ["diff", "x.h5", "clean.h5"], ["converge", "x.h5"],
                          ["rerun", "x.h5", "--output", "y.h5", "--quiet", "--fresh"],
                          ["sweep", "x.toml", "--quiet", "--output", "x.h5"]):
            (folder / "x.h5").write_bytes(before)
            try:
                ending = shoal(*arguments, folder=folder, limit=10)
                assert ending.code in (0, 1, 2, 3), ending
                if ending.code in (2, 3):
                    ending.fails_with(2, 3)
                    assert (folder / "x.h5").read_bytes() == before, f"{ending}; and the file is changed"
            except AssertionError as error:
                wrong.append(f"heap at {heap}: {error}")
    assert not wrong, f"{len(wrong)} wrong: " + "\n        ".join(wrong[:8])


# 13. Limits and signals ---------------------------------------------------------------------------------------------------


def limited(kind, amount):
    return lambda: resource.setrlimit(kind, (amount, amount))


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
    spectrum_over_runs, runs_that_come_while_a_spectrum_is_computed,
    foreign_xdmf, own_xdmf, names_that_differ_behind_the_point, results_whose_names_were_special_once,
    output_that_is_a_link, links_where_work_is_done, folder_of_work_that_is_a_link, folder_for_paraview_of_somebody_else,
    runs_that_are_no_longer_there, xdmf_of_earlier_versions, xdmf_that_is_a_link, permissions_stay,
    read_only_file_of_somebody_else,
    damaged_results_stay, forged_results_are_not_gone_on_with, outputs_that_are_no_files, work_that_is_removed, results_that_are_deleted,
    external_links, raw_external_storage, virtual_datasets,
    names_with_metacharacters_of_xml, names_that_paraview_cannot_read, escape_sequences_in_attributes, mesh_whose_name_is_no_text,
    progress_that_nobody_reads, tables_that_nobody_reads,
    rows_without_storage, fields_that_unpack_to_far_more, names_that_would_be_rows, pipes_in_place_of_results, zeroed_heaps,
    little_memory, threads_that_the_system_refuses, spectrum_that_may_not_grow, small_stack, stopped_by_signals,
    second_interruption, interrupted_runs_go_on,
    tables_of_somebody_else, xdmf_that_cannot_be_written, parts_that_cannot_be_read, files_of_others_in_the_folder_of_work,
    output_that_is_replaced_or_changed_meanwhile, pipes_in_place_of_experiments, little_memory_for_sweeps,
]


def main():
    shoal, folder, wanted = Shoal(os.path.abspath(sys.argv[1])), Path(sys.argv[2]).resolve(), sys.argv[3:]
    if unknown := set(wanted) - {case.__name__ for case in CASES}:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    failed, skipped = [], []
    for case in CASES:
        if wanted and case.__name__ not in wanted:
            continue
        place = folder / case.__name__
        place.mkdir()
        begin = time.monotonic()
        try:
            reason = case(shoal, place)
            print(f"{case.__name__}: {'skipped: ' + reason if reason else 'as it must be'} ({time.monotonic() - begin:.1f} s)",
                  flush=True)
            if reason:
                skipped.append(reason)
        except Exception as error:  # noqa: B902: one case does not keep the others from taking place
            failed.append(case.__name__)
            text = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
            text = text.encode("unicode_escape").decode().replace("\\n", "\n")
            print(f"{case.__name__}: WRONG ({time.monotonic() - begin:.1f} s)\n        {text[:2500]}", flush=True)
    print(f"{len(failed)} of {len(wanted or CASES)} cases go wrong" + (f": {', '.join(failed)}" if failed else ""))
    sys.exit(1 if failed else 0)


main()
