#!/usr/bin/env python3
"""Damaged and forged results, results that point to other files, and sizes that the data do not have.

    damaged_results.py PROGRAM FOLDER [CASE...]
"""
import itertools
import os
import re
import resource
import shutil

import mutations
import results_file
from cases import (FRONTIER, SHORT, SWEEP, experiment, limited, run, short, state, unchanged)

h5py, np = results_file.h5py, results_file.np


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


CASES = [
    damaged_results_stay, forged_results_are_not_gone_on_with, external_links, raw_external_storage, virtual_datasets,
    rows_without_storage, fields_that_unpack_to_far_more, names_that_would_be_rows, pipes_in_place_of_results, zeroed_heaps,
]

run(CASES)
