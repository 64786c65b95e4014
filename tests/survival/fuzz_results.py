#!/usr/bin/env python3
"""Gives the program damaged and forged results files, and holds it to what it promises about them.

Whatever a file holds: no command crashes, hangs, shows what stands in other files, changes what it only reads, or
leaves something lying about. Where it cannot go on there is one sentence that names the file, exit code 2 or 3, and
the file is byte for byte what it was; where it goes on, with results that were there, all runs in them are whole in
the end.

    fuzz_results.py PROGRAM FOLDER [--count 300] [--seed 1] [--jobs 2] [--all] [--sanitized] [--only INDEX]

What is done to file INDEX depends on the seed and the index alone (and on the files that PROGRAM writes). First come
the files of fuzz_results_seeds.txt, with all commands. Files that show a mistake are kept in FOLDER/failures.
"""
import argparse
import hashlib
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
import unicodedata
from pathlib import Path

import results_file
import mutations

h5py, np = results_file.h5py, results_file.np

REGRESSIONS = Path(__file__).with_name("fuzz_results_seeds.txt")
FILE, CLEAN = "x.h5", "clean.h5"
COMMANDS = ["table", "table-csv", "table-columns", "inspect", "diff", "diff-from", "rerun", "converge", "continue"]
MEMORY = 3 << 30
LONG_ENOUGH = 3.0  # s: what writes by then is at work, and is stopped
KILLED_LONG_ENOUGH = 0.4  # that sweep always is

# Complaints about what was asked of a sound file, which need not name it.
ASKED = re.compile(r"shoal: (column '|no order|there is no run|--)")
SANITIZERS = re.compile(r"ERROR: (Address|Leak)Sanitizer|runtime error:|AddressSanitizer:DEADLYSIGNAL")

SWEEP = """scene = "sphere-mode"
parameters.l = 2
mesh = ["icosphere:0", "icosphere:1"]
dt = 0.02
end = 0.06
snapshots = "every:0.04"
[[case]]
discretization = "fefv"
[[case]]
discretization = "kinetic"
integrator = "newmark"
[[table]]
file = "table.md"
columns = ["id", "outcome", "mass_drift"]
"""
# The second run is computed for longer than it takes until it is first seen in the results.
KILLED = """scene = "sphere-bump"
dt = 0.02
end = 0.08
[[case]]
mesh = "icosphere:0"
snapshots = "every:0.04"
[[case]]
mesh = "icosphere:3"
dt = 1e-6
end = 1
diagnostics = "every:1000"
"""
FRONTIER = 'scene = "sphere-bump"\nmesh = "icosphere:0"\ndiscretization = ["fefv", "kinetic"]\n'

SHORT = ["--dt", "0.02", "--end", "0.08", "--snapshots", "every:0.04"]
SEEDS = {  # name: what makes x.h5, and goes on with it
    "run": ["run", "sphere-bump", "--mesh", "icosphere:0", *SHORT],
    "moving": ["run", "sphere-bump", "--mesh", "icosphere:0", "--motion", "breathing", *SHORT],
    "periodic": ["run", "bump", "--mesh", "rectangle:4x4:periodic", *SHORT],
    "intrinsic": ["run", "sphere-bump", "--mesh", "icosphere:0", "--discretization", "dec", "--param", "dual=intrinsic",
                  *SHORT],
    "sweep": ["sweep", "x.toml"],
    "killed": ["sweep", "x.toml"],
    "spectrum": ["spectrum", "--mesh", "icosphere:0", "--shapes"],
    "frontier": ["frontier", "x.toml", "--steps", "20"],
}
EXPERIMENTS = {"sweep": SWEEP, "killed": KILLED, "frontier": FRONTIER}


def arguments_of(name):
    quiet = [] if SEEDS[name][0] == "spectrum" else ["--quiet"]
    return [*SEEDS[name], "--output", FILE, *quiet]


class Program:
    def __init__(self, path, sanitized):
        self.path, self.sanitized = path, sanitized
        self.limit = 30 if sanitized else 10
        self.environment = dict(os.environ, LC_ALL="C.UTF-8")
        if sanitized:
            # HDF5 loses memory where a file is damaged; a size that no machine has is one more bad_alloc.
            self.environment["ASAN_OPTIONS"] = "halt_on_error=1:detect_leaks=0:allocator_may_return_null=1"
            self.environment["UBSAN_OPTIONS"] = "halt_on_error=1:print_stacktrace=1"

    def start(self, arguments, folder, out, err):
        def limit():
            if not self.sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        # The name in front is recorded in the results: the same wherever the program lies.
        return subprocess.Popen(["shoal", *arguments], executable=self.path, cwd=folder, stdin=subprocess.DEVNULL,
                                stdout=out, stderr=err, env=self.environment, preexec_fn=limit, start_new_session=True)


class Said:
    """What a command said and how it ended."""

    def __init__(self, code, out, err, seconds, stopped, hung):
        self.code, self.out, self.err, self.seconds = code, out, err, seconds
        self.stopped, self.hung = stopped, hung


def times(folder):
    """Of all files; they come and go while the program is at work."""
    found = {}
    for path in folder.rglob("*"):
        try:
            found[path] = path.lstat().st_mtime_ns
        except FileNotFoundError:
            pass
    return found


def kill_all(process):
    """The program and what it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def run(program, arguments, folder, patience=None):
    """Runs a command. One that computes may take long, if that is what the file asks for: once it has written something,
    and `patience` seconds have passed, it is asked to stop."""
    written = times(folder)
    out, err = folder.parent / "out", folder.parent / "err"
    begin, stopped, hung = time.monotonic(), False, False
    with open(out, "wb") as out_file, open(err, "wb") as err_file:
        process = program.start(arguments, folder, out_file, err_file)
    deadline = begin + program.limit
    while patience is not None and not stopped and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
        if time.monotonic() - begin > patience and times(folder) != written:
            stopped, deadline = True, time.monotonic() + program.limit
            process.terminate()
    try:
        process.wait(max(0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        hung = True
    kill_all(process)
    return Said(process.returncode, out.read_bytes(), err.read_bytes(), time.monotonic() - begin, stopped, hung)


def digest(folder):
    """Names and content of all that lies in a folder; links and pipes by what they are."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = "link " + os.readlink(path)
        elif path.is_file():
            found[name] = hashlib.blake2b(path.read_bytes()).hexdigest()
        else:
            found[name] = "folder" if path.is_dir() else "pipe"
    return found


def bad_characters(data):
    """The first character that a terminal would obey, or that is none."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return f"byte {data[error.start]:#04x} is not UTF-8, after {data[max(0, error.start - 30):error.start]!r}"
    for match in re.finditer(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text):
        return f"control character {match[0]!r} after {text[max(0, match.start() - 30):match.start()]!r}"
    assert not any(unicodedata.category(c) == "Cc" and c != "\n" for c in set(text))
    return None


SECRETS = [mutations.SECRET_WORD, b"root:x:0:", b"7.391739e+37", b"7.39174e+37", b"7.3917e+37", b"7.392e+37", b"7.39e+37",
           b"7.391739e37"]
SECRET_BYTES = np.float64(mutations.SECRET_NUMBER).tobytes() * 2


def make_secrets(folder):
    """Files whose content nobody asked for, in the forms that results have."""
    number, word = mutations.SECRET_NUMBER, mutations.SECRET_WORD
    (folder / mutations.SECRET_TEXT).write_bytes(word * 200)
    (folder / mutations.SECRET_RAW).write_bytes(np.full(4000, number).tobytes())
    os.mkfifo(folder / mutations.PIPE)


def make_secret_file(path, source):
    """Results like `source`, whose numbers and words are secret; and plain arrays to be seen through virtual ones."""
    shutil.copyfile(source, path)
    with h5py.File(path, "r+") as file:
        for rank, shape in enumerate([(), (4000,), (50, 40), (10, 40, 3)]):
            file[f"data{rank}"] = np.full(shape, mutations.SECRET_NUMBER)
        file["data"] = np.full(4000, mutations.SECRET_NUMBER)
        file["text"] = np.full((12, 3, 1), mutations.SECRET_WORD.decode() * 3, dtype="S40")[:, 0, 0]
        names = []
        file.visit(names.append)
        for name in names:
            item = file[name]
            if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and item.size and not item.is_virtual \
                    and "CLASS" not in item.attrs:
                item[...] = mutations.SECRET_NUMBER
            for key in item.attrs:
                if isinstance(item.attrs[key], str):
                    item.attrs[key] = mutations.SECRET_WORD.decode()
        if "config" in file:
            del file["config"]
            file["config"] = f'name = "{mutations.SECRET_WORD.decode()}"\nscene = "rest"\n'


def wait_for_link(path, process):
    """Until the first run is in the results and the second is computed; whether that came about."""
    while process.poll() is None:
        try:
            with h5py.File(path, "r") as file:
                if isinstance(file["runs"].get("0002", getlink=True), h5py.ExternalLink):
                    return True
        except (OSError, KeyError):
            pass
        time.sleep(0.001)
    return False


def make_seeds(program, folder):
    """One folder for each kind of results; returns the columns that its runs have."""
    folder.mkdir(parents=True)
    columns_of_any = {"id", "ms_per_step", "energy_left", "energy_drift", "mass_drift", "enstrophy_drift", "elevation_error",
               "angular_momentum_drift", "negative_depth_time", "ms_per_step@max", "mass@min"}
    columns = {name: set(columns_of_any) for name in SEEDS}
    for name in SEEDS:
        place = folder / name
        place.mkdir()
        make_secrets(place)
        if name in EXPERIMENTS:
            (place / "x.toml").write_text(EXPERIMENTS[name])
        for attempt in range(20):
            with open(os.devnull, "wb") as nothing:
                process = program.start(arguments_of(name), place, nothing, None)
            if name != "killed":
                if process.wait(60) != 0:
                    sys.exit(f"shoal {' '.join(arguments_of(name))} ends with {process.returncode}")
                break
            there = wait_for_link(place / FILE, process)
            kill_all(process)
            if there:
                break
            for left in place.glob("x.h5*"):
                shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink()
        else:
            print("no run was killed in the midst of it: this machine is too fast or too slow")
        # Sizes and places in the file are the same each time, where its date and the times of its steps are.
        if name != "killed":
            shutil.copyfile(place / FILE, folder / f"{name}-clean.h5")
        else:
            shutil.copyfile(folder / "run-clean.h5", folder / "killed-clean.h5")
        make_secret_file(place / mutations.SECRET_FILE, folder / f"{name}-clean.h5")
        shutil.copyfile(folder / f"{name}-clean.h5", place / CLEAN)
        with h5py.File(place / FILE, "r") as file:
            for run_name in file.get("runs", {}):
                item = file["runs"].get(run_name)
                if item is None:
                    continue
                columns[name] |= set(item.attrs) | set(item.get("diagnostics", ()))
                if "l2_error" in item.get("diagnostics", ()):
                    columns[name].add("l2_error@0.04")
                columns[name] |= {f"ms_{stage}" for stage in item.get("timing", ()) if stage != "total"}
    return {name: sorted(column for column in names if re.fullmatch(r"[\w@.]+", column))
            for name, names in columns.items()}


def command_line(command, name, columns):
    return {
        "table": ["table", FILE],
        "table-csv": ["table", FILE, "--as", "csv"],
        "table-columns": ["table", FILE, "--columns", ",".join(columns[name])],
        "inspect": ["inspect", FILE],
        "diff": ["diff", FILE, CLEAN],
        "diff-from": ["diff", CLEAN, FILE],
        "rerun": ["rerun", FILE, "--output", "again.h5", "--quiet"],
        "converge": ["converge", FILE],
        "continue": arguments_of(name),
    }[command]


def whole(path, plan):
    """Whether results that a command went on with are what it says, as far as their form tells."""
    said = []
    with h5py.File(path, "r") as file:
        if file.attrs["format"] not in ("shoal", b"shoal"):
            said.append("the format is not shoal's")
        if plan:  # of runs, there is one of each with an outcome
            missing = [f"{n:04}" for n in range(1, plan + 1) if f"{n:04}" not in file["runs"]]
            if missing:
                said.append(f"runs {missing} are missing")
            for name in file["runs"]:  # what else is there is nobody's business
                if re.fullmatch(r"\d{4,}", name):
                    said += check_run(file, name)
    return said


def check_run(file, name):
    said, where = [], f"run {name[:20]!r}"
    link = file["runs"].get(name, getlink=True)
    if not isinstance(link, h5py.HardLink):
        return [f"{where} is a link"]
    run = file["runs"][name]
    if not isinstance(run, h5py.Group):
        return [f"{where} is no group"]
    outcome = run.attrs.get("outcome")
    if isinstance(outcome, bytes):
        outcome = outcome.decode(errors="replace")
    if not isinstance(outcome, str) or outcome not in ("finished", "unstable", "solver-failed", "input-refused", "refused"):
        return [f"{where} has the outcome {outcome!r}"]
    if outcome == "refused" or (outcome == "solver-failed" and "timing" not in run):
        return said
    for group, more in (("diagnostics", 1), ("timing", 0), ("snapshots", None)):
        if not isinstance(run.get(group), h5py.Group):
            said.append(f"{where} has no {group}")
            continue
        rows = set()
        for key in run[group]:
            if not isinstance(run[group].get(key, getlink=True), h5py.HardLink):
                said.append(f"{where}: {group}/{key[:20]!r} is a link")
                continue
            item = run[group][key]
            if not isinstance(item, h5py.Dataset) or not item.shape:
                said.append(f"{where}: {group}/{key[:20]!r} is no array")
                continue
            if item.is_virtual or item.external:
                said.append(f"{where}: {group}/{key[:20]!r} shows another file")
                continue
            rows.add(len(item))
            try:
                if item.dtype.kind not in "fiu":
                    said.append(f"{where}: {group}/{key[:20]!r} holds no numbers")
                elif item.size < 1_000_000:
                    item[()]
            except ValueError:  # numbers that HDF5 knows, and numpy does not
                pass
        if len(rows) != 1:
            said.append(f"{where}: {group} have {sorted(rows)} rows")
        elif more is not None and run.attrs.get("diagnostics_every", 1) in (1, "every:1") \
                and rows != {int(run.attrs["steps"]) + more}:
            said.append(f"{where}: {group} have {sorted(rows)} rows after {run.attrs['steps']} steps")
    return said


def in_a_process(work):
    """What `work` returns as text, computed apart from this process: HDF5 may crash or hang where a file is damaged, and
    it remembers what it failed to close."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(read_end)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(20)
        try:
            text = work()
        except BaseException as error:  # noqa: B902: whatever it is, it is what is said
            text = f"h5py cannot read it ({type(error).__name__}: {error})"
        os.write(write_end, text.encode(errors="replace")[:4000])
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    _, status = os.waitpid(pid, 0)
    return text if status == 0 else f"h5py crashes on it (status {status})"


def plan_size(name):
    return {"sweep": 4, "killed": 2, "spectrum": 0, "frontier": 0}.get(name, 1)


def without_contained_crash(said):
    """What was said, less what the sanitizers say of a crash of HDF5's own, in a process that may die of it."""
    text = re.sub(r"^==\d+==WARNING: AddressSanitizer.*\n", "", said.err.decode(errors="replace"), flags=re.M)
    if said.code != 3 or "the file is damaged (reading crashes)" not in text or "runtime error:" in text:
        return text
    frames = [line for line in text.splitlines() if re.match(r" +#\d+ ", line) and not re.search(r"libsanitizer|/sysdeps/", line)]
    if frames and ".so" not in frames[0] and "<unknown module>" not in frames[0]:
        return text  # ours
    return "".join(line + "\n" for line in text.splitlines() if line.startswith("shoal: "))


def judge(program, case, command, name, said, before, after, same_as=None):
    """What is wrong with how a command ended; nothing, if all is well."""
    wrong = []
    text = without_contained_crash(said)
    if said.hung:
        wrong.append("hangs" + (" when it is asked to stop" if said.stopped else ""))
    elif SANITIZERS.search(text):
        report = SANITIZERS.search(text)
        frame = re.search(r" in (shoal::[\w:]+|H5\w+)", text[report.start():])
        wrong.append(f"sanitizer: {text[report.start():].splitlines()[0][:120]} in {frame[1] if frame else '?'}")
    elif said.code < 0 and not said.stopped:
        wrong.append(f"crashes (signal {-said.code})")
    elif said.seconds > program.limit and not said.stopped:
        wrong.append(f"takes {said.seconds:.1f} s")
    allowed = {"table": (0, 2, 3), "table-csv": (0, 2, 3), "table-columns": (0, 2, 3), "inspect": (0, 2, 3),
               "converge": (0, 2, 3)}.get(command, (0, 1, 2, 3))
    if said.stopped:  # by the signal itself where it comes at the very end
        allowed = (128 + signal.SIGTERM, -signal.SIGTERM, *allowed)
    if not wrong and said.code not in allowed:
        wrong.append(f"exit code {said.code}: {text.strip()[:200]}")
    if not wrong and said.code in (2, 3):
        lines = [line for line in text.split("\n") if not line.startswith("note: ")]
        if len(lines) != 2 or lines[1] or not lines[0].startswith("shoal: "):
            wrong.append(f"not one sentence: {text[:300]!r}")
        elif FILE not in text and not ASKED.match(text):
            wrong.append(f"the file is not named: {text.strip()[:200]!r}")
        elif "H5" in text.replace(FILE, "") and re.search(r"\bH5[A-Z]+_|H5[A-Z][a-z]+\(", text):
            wrong.append(f"HDF5's own words: {text.strip()[:200]!r}")
        if len(text) > 2000:
            wrong.append(f"a sentence of {len(text)} characters")
    for stream, data in (("stdout", said.out), ("stderr", said.err)):
        if bad := bad_characters(data):
            wrong.append(f"{stream}: {bad}")
        for secret in SECRETS:
            if secret in data:
                wrong.append(f"{stream} shows another file ({secret.decode()})")
                break
    wrong += judge_folder(case, command, name, said, before, after)
    if same_as is not None and not wrong and (said.code, said.out) != same_as:
        wrong.append(f"not read as before: exit code {said.code} {text.strip()[:200]}")
    return wrong


def judge_folder(case, command, name, said, before, after):
    wrong = []
    changed = {key for key in before.keys() & after.keys() if before[key] != after[key]}
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    for key in (changed | new):
        path = case / key
        if path.is_file() and not path.is_symlink() and key not in (mutations.SECRET_FILE, mutations.SECRET_RAW):
            data = path.read_bytes()
            if SECRET_BYTES in data or mutations.SECRET_WORD in data:
                wrong.append(f"{key} has what stands in another file")
    leftovers = {key for key in before if key.startswith(FILE + ".")}  # of the sweep that was killed
    if command == "continue":
        if said.code in (0, 1) and not said.hung:
            shown = {key for key in before.keys() | after.keys() if re.fullmatch(r"x-paraview(/\d{4}\.xdmf)?", key)}
            may_change = {FILE, "x.xdmf", "table.md"} | shown
            if bad := (changed | new) - may_change:
                wrong.append(f"also wrote {sorted(bad)}")
            if bad := gone - leftovers - {"x.xdmf"} - shown:  # where no run has snapshots there is none
                wrong.append(f"removed {sorted(bad)}")
            if bad := leftovers & after.keys():
                wrong.append(f"left lying: {sorted(bad)}")
            if FILE in after and not said.stopped and said.code == 0:
                if text := in_a_process(lambda: "; ".join(whole(case / FILE, plan_size(name)))):
                    wrong.append(f"goes on, but {text[:300]}")
        elif not said.stopped:
            if FILE in changed | gone:
                wrong.append(f"exit code {said.code}, and the file is {'gone' if FILE in gone else 'changed'}: "
                             f"{said.err.decode(errors='replace').strip()[:200]}")
            if bad := (changed | new | (gone - leftovers)) - {FILE}:
                wrong.append(f"exit code {said.code}, and {sorted(bad)} changed")
    else:
        ours = r"again(\.h5|\.xdmf|-paraview(/\d{4}\.xdmf)?)|table\.md"
        if said.stopped:  # and it may go on later
            ours += r"|again\.h5\.work(/save-\d{4})?"
        output = {key for key in after if re.fullmatch(ours, key)} if command == "rerun" else set()
        if bad := sorted((changed | gone | new) - output):
            wrong.append(f"changed what it only reads: {[short(name) for name in bad[:5]]}")
    return wrong


def short(name):
    return name if len(name) < 60 else name[:57] + "…"


class Fuzzer:
    """Works in a folder of its own."""

    def __init__(self, program, folder, columns, every):
        self.program, self.folder, self.columns, self.every = program, folder, columns, every
        self.clean_tables = {}

    def commands(self, chance, harmless):
        if harmless:
            return ["table-csv", "inspect", "diff"]
        if self.every:
            return COMMANDS
        return chance.sample(COMMANDS[:-1], 2) + ["continue"] if chance.random() < 0.6 else chance.sample(COMMANDS[:-1], 3)

    def run(self, seed, index, every=False):
        """Returns what was done to the file, and the lines about what went wrong."""
        chance = random.Random(f"{seed} {index}")
        name = chance.choice(sorted(SEEDS))
        origin = self.folder.parent / "seeds" / name
        place = self.folder / "work" / f"{seed}-{index}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(origin, place / "case", symlinks=True, copy_function=copy)
        target = place / "case" / FILE
        parts = sorted(path for path in (place / "case").rglob("*part-*") if path.is_file())
        if parts and chance.random() < 0.4:
            target = parts[0]
        harmless = chance.random() < 0.04
        what = in_a_process(lambda: mutations.mutate(target, chance, harmless))
        what = f"{name}{' (part)' if target.name != FILE else ''}: {what}"
        chance, failures = random.Random(f"{seed} {index} commands"), []
        for command in (COMMANDS if every and not harmless else self.commands(chance, harmless)):
            case = place / "case"
            kept = None
            if command == "continue" or command == "rerun":  # these write
                case = place / "copy" / "case"
                shutil.copytree(place / "case", case, symlinks=True, copy_function=copy)
                kept = place / "copy"
            before = digest(case)
            same_as = None
            if harmless and command == "table-csv" and name != "killed":
                same_as = self.clean_table(name)
            patience = None
            if command in ("continue", "rerun"):
                patience = KILLED_LONG_ENOUGH if name == "killed" else LONG_ENOUGH
            said = run(self.program, command_line(command, name, self.columns), case, patience)
            after = digest(case)
            # diff of a file with itself in another form: the numbers are equal
            wrong = judge(self.program, case, command, name, said, before, after, same_as)
            if harmless and command == "diff" and name != "killed" and said.code != 0 and not wrong:
                wrong.append(f"differs from itself in another form: {said.out[:200]!r}")
            outside = {path.name for path in case.parent.iterdir()} - {"case", "copy", "out", "err"}
            if outside:
                wrong.append(f"wrote elsewhere: {sorted(outside)}")
            failures += [(command, text) for text in wrong]
            if kept:
                shutil.rmtree(kept)
        if failures:
            keep = self.folder.parent / "failures"
            keep.mkdir(exist_ok=True)
            shutil.copyfile(target, keep / f"{seed}-{index}-{name}{'' if target.name == FILE else '-part'}.h5")
        shutil.rmtree(place)
        return what, failures

    def clean_table(self, name):
        if name not in self.clean_tables:
            said = run(self.program, command_line("table-csv", name, self.columns),
                       self.folder.parent / "seeds" / name)
            self.clean_tables[name] = (said.code, said.out)
        return self.clean_tables[name]


def copy(source, target, **options):
    """A pipe stays a pipe."""
    if os.path.isfile(source) or os.path.islink(source):
        return shutil.copyfile(source, target, **options)
    os.mkfifo(target)
    return target


def worker(program, folder, columns, every, tasks, results):
    fuzzer = Fuzzer(program, folder, columns, every)
    for seed, index, all_commands in tasks:
        results.send(("begin", seed, index))
        what, failures = fuzzer.run(seed, index, all_commands)
        results.send((what, failures))
    results.send(None)


def kind_of(text):
    """Failures that are alike, for the summary."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\[[^]]*\]|b'.*", "…", text)
    return re.sub(r"[\d.e+-]*\d", "N", text)[:70]


def describe(text):
    return text.encode("unicode_escape").decode()[:500]


def read_regressions():
    """Lines of seed, index and what is done, behind a # why."""
    found = []
    if REGRESSIONS.exists():
        for line in REGRESSIONS.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                seed, index = line.split()[:2]
                found.append((int(seed), int(index), True))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="index of the first file")
    parser.add_argument("--only", type=int, help="this index alone, with all commands")
    parser.add_argument("--all", action="store_true", help="all commands with each file; else three of them")
    parser.add_argument("--sanitized", action="store_true", help="PROGRAM is built with sanitizers: 30 s instead of 10")
    parser.add_argument("--no-regressions", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    program = Program(os.path.abspath(arguments.program), arguments.sanitized)
    columns = make_seeds(program, folder / "seeds")

    if arguments.only is not None:
        tasks = [(arguments.seed, arguments.only, True)]
    else:
        tasks = [] if arguments.no_regressions else read_regressions()
        tasks += [(arguments.seed, index, arguments.all)
                  for index in range(arguments.first, arguments.first + arguments.count)]
    print_lock, start_lock, counts, failed, done = threading.Lock(), threading.Lock(), {}, set(), [0]
    begin = time.monotonic()

    def report(seed, index, what, failures):
        with print_lock:
            done[0] += 1
            for command, text in failures:
                print(f"seed {seed} index {index}: {describe(what)}: {command}: {describe(text)}", flush=True)
                key = f"{command}: {kind_of(text)}"
                counts.setdefault(key, []).append(f"{seed} {index}")
                failed.add((seed, index))
            if done[0] % 1000 == 0:
                print(f"{done[0]} files, {time.monotonic() - begin:.0f} s", flush=True)

    def drive(number):
        """One process at a time; HDF5 may crash the one that changes files."""
        mine = tasks[number::arguments.jobs]
        while mine:
            with start_lock:  # so that no other process holds the end that this one writes to
                ours, theirs = multiprocessing.Pipe(duplex=False)
                process = multiprocessing.Process(
                    target=worker, args=(program, folder / f"worker-{number}", columns, arguments.all, mine, theirs))
                process.start()
                theirs.close()
            finished = 0
            try:
                while True:
                    message = ours.recv()
                    if message is None:
                        break
                    if message[0] != "begin":
                        report(*mine[finished][:2], *message)
                        finished += 1
            except EOFError:
                report(*mine[finished][:2], "?", [("fuzzer", f"ends with {process.exitcode}")])
                finished += 1
            process.join()
            mine = mine[finished:]

    threads = [threading.Thread(target=drive, args=(number,)) for number in range(arguments.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - begin
    for key, where in sorted(counts.items(), key=lambda item: -len(item[1])):
        print(f"{len(where):5}  {key}    e.g. {', '.join(where[:3])}")
    print(f"{len(failed)} of {len(tasks)} files show mistakes; {seconds:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
