"""The program as a child process, and cases that tests of it consist of: each has a folder of its own; one that fails is
named, and the others still run.
"""
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

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


def limited(kind, amount):
    return lambda: resource.setrlimit(kind, (amount, amount))


def run(cases):
    """Runs the cases that the command line names, else all."""
    shoal, folder, wanted = Shoal(os.path.abspath(sys.argv[1])), Path(sys.argv[2]).resolve(), sys.argv[3:]
    if unknown := set(wanted) - {case.__name__ for case in cases}:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    failed, skipped = [], []
    for case in cases:
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
    print(f"{len(failed)} of {len(wanted or cases)} cases go wrong" + (f": {', '.join(failed)}" if failed else ""))
    sys.exit(1 if failed else 0)
