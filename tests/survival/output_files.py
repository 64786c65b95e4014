#!/usr/bin/env python3
"""What lies where the program writes: foreign files beside its own, links, permissions, and files that are removed or replaced
during a run.

    output_files.py PROGRAM FOLDER [CASE...]
"""
import os
import shutil
import signal
import subprocess
import time

import results_file
from cases import (LONG, LONG_SWEEP, SHORT, SWEEP, SWEEP_OF_ONE, Ending, as_nobody, experiment, names, nothing_else,
                   run, state, unchanged, wait_until)

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


CASES = [
    spectrum_over_runs, runs_that_come_while_a_spectrum_is_computed, foreign_xdmf, own_xdmf,
    names_that_differ_behind_the_point, results_whose_names_were_special_once, output_that_is_a_link,
    links_where_work_is_done, folder_of_work_that_is_a_link, folder_for_paraview_of_somebody_else,
    runs_that_are_no_longer_there, xdmf_of_earlier_versions, xdmf_that_is_a_link, permissions_stay,
    read_only_file_of_somebody_else, outputs_that_are_no_files, work_that_is_removed, results_that_are_deleted,
    tables_of_somebody_else, xdmf_that_cannot_be_written, parts_that_cannot_be_read, files_of_others_in_the_folder_of_work,
    output_that_is_replaced_or_changed_meanwhile, pipes_in_place_of_experiments,
]

run(CASES)
