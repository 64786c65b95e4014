"""Ways to damage a results file, or to make it hold what no program of ours would write: its bytes, and its structure
through h5py. Each takes a random.Random and says what it did; in the same state it does the same.
"""
import re
import struct

import h5py
import numpy as np
from mutated_bytes import Impossible, change_bytes

# What lies beside the results and must never be seen through them.
SECRET_WORD = b"SECRETMARKER"
SECRET_NUMBER = 7.391739e+37
SECRET_FILE, SECRET_RAW, SECRET_TEXT, PIPE = "secret.h5", "secret.bin", "secret.txt", "pipe"

TEXTS = {
    "nothing": b"",
    "an escape sequence": b"\x1b[2J\x1b[31mred\x1b]0;title\x07",
    "newlines": b"first\nshoal: second\r\nthird",
    "control characters": bytes(range(1, 32)) + b"\x7f",
    "control characters of Latin 1": "\x85 \x9b31m \x90".encode(),
    "bytes that are not UTF-8": b"\xff\xfe\x80 \xc3(",
    "a character that ends too early": "Δ".encode()[:1],
    "metacharacters of XML": b"<&\">']]>",
    "marks of right-to-left": "\u202eright\u200f\u2066".encode(),
    "1 MB": b"x" * 1_000_000,
    "1 MB of lines": b"line\n" * 200_000,
    "a format": b"%s%n{}{0:>99999999}",
    "a path": b"../../elsewhere",
    "an absolute path": b"/etc/passwd",
    "an unknown word": b"splendid",
    "interrupted": b"interrupted",
    "finished": b"finished",
    "unstable": b"unstable",
    "refused": b"refused",
    "solver-failed": b"solver-failed",
    "a zero inside": b"fin\0ished",
    "auto": b"auto",
}

NUMBERS = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, -1.0, 1.0, 1e-300, 5e-324, 1e300, -1e300, 1e18, 2.0**31,
           2.0**62, 0.5, 99.0]
INTEGERS = [0, -1, 1, 2, 99, 2**31 - 1, 2**31, -2**31, 2**53, 2**62, 2**63 - 1, -2**63]

# An @ becomes a slash afterwards, in the bytes of the heap: h5py would make groups of it.
NAMES = ["..", ".", "0001..", "-1", "0", "1", "00001", "10000", "99999999999999999999", "0x1", " 0001", "0001 ", "0001\n",
         "a\x1b[31mb", "<&\">", "\u202ename", "n" * 65_000, "0001@..", "..@..@x", "format", "runs", "time", "total", "%s", "\x85"]

# Lines for /config that ask for something else, too much, or something elsewhere.
CONFIGURATIONS = [
    b"", b"\0", b"=", b"[" * 20_000, b"a = {b = " * 5_000, b'scene = "sphere-bump"\n', b'scene = "nowhere"\n',
    b'"""', b"\xff\xfe", b"name = '\x1b[31m'\n", b'name = "../../elsewhere"\n', b"dt = nan\n", b"dt = -1\n", b'dt = "1/0"\n',
    b'dt = "arithmetic:1:2:2000000000"\n', b'dt = "geometric:1:2:99999999999999999999"\n', b"dt = 1e-300\n",
    b"seed = 9223372036854775807\nthreads = 1000000\n", b"threads = 0\n", b"jobs = 1000000\n", b"substeps = 2000000000\n",
    b'snapshots = "every:1e-300"\n', b'snapshots = "every:0"\n', b'diagnostics = "every:99999999999999999999"\n',
    b'mesh = "icosphere:9999"\n', b'mesh = "secret.txt"\n', b'mesh = "/dev/zero"\n', b'mesh = "pipe"\n', b'mesh = "."\n',
    b'mesh = "x.h5"\n', b'[[table]]\nfile = "../elsewhere.md"\ncolumns = ["id"]\n',
    b'[[figure]]\nfile = "../elsewhere.png"\nscript = "../elsewhere.py"\n', b'together = ["mesh", "mesh"]\n',
    b"[[case]]\n" * 3_000, b"end = [" + b"0.1, " * 20_000 + b"]\n",
    b"".join(b"parameters.a%d = [1, 2, 3, 4, 5, 6, 7, 8, 9]\n" % i for i in range(30)),
]


# Structure --------------------------------------------------------------------------------------------------------------


def objects(file, kind=object):
    """Paths of what is in the file; the interesting ones more than once."""
    found = []
    file.visititems(lambda name, item: found.append(name) if isinstance(item, kind) else None)
    some = [name for name in found if not name.startswith("xdmf/")]
    return sorted(found) + sorted(some) * 3 + [name for name in ("config", "runs", "meshes", "runs/0001",
                                                                 "runs/0001/diagnostics/time", "spectrum", "frontier")
                                               if name in found] * 8


def some_object(file, chance, kind=object):
    found = objects(file, kind)
    if not found:
        raise Impossible
    return chance.choice(found)


def some_attribute(file, chance):
    """An object and the name of one of its attributes; most often of a run."""
    holders = [name for name in objects(file) if not isinstance(file[name], h5py.Datatype) and len(file[name].attrs)]
    chosen = "/" if not holders or chance.random() < 0.15 else chance.choice(holders)
    runs = [name for name in holders if re.fullmatch(r"runs/\d+|spectrum|frontier/\d+", name)]
    if runs and chance.random() < 0.7:
        chosen = chance.choice(runs)
    names = sorted(file[chosen].attrs)
    if not names:
        raise Impossible
    important = [name for name in names if name in ("outcome", "reason", "dt", "t_end", "t_reached", "steps", "mesh",
                                                    "scene", "parameters", "format", "format_version", "substeps")]
    return chosen, chance.choice(important if important and chance.random() < 0.5 else names)


def text_value(chance):
    name = chance.choice(sorted(TEXTS))
    return name, TEXTS[name]


def variable_text(data):
    return np.array(data.replace(b"\0", b""), dtype=h5py.string_dtype("utf-8"))


def shape_of(chance, allow_huge):
    plain = [(), (0,), (1,), (2,), (5,), (12, 3), (3, 12, 3), (2, 1, 2, 1), (0, 3)]
    huge = [(2_000_000_000,), (2**62,), (2**31, 2**31), (100_000_000, 3)]
    return chance.choice(plain + huge) if allow_huge else chance.choice(plain)


ENUM = h5py.enum_dtype({"finished": 0, "unstable": 1}, basetype="i4")
TYPES = {
    "int8": "i1", "uint64": "u8", "int32": "i4", "float32": "f4", "float16": "f2", "big-endian": ">f8", "float64": "f8",
    "complex": "c16", "fixed text": "S7", "text": h5py.string_dtype("utf-8"), "enum": ENUM, "opaque": "V5",
    "compound": np.dtype([("finished", "f8"), ("b", "S3")]), "truth": "?", "reference": h5py.ref_dtype,
    "region": h5py.regionref_dtype, "vlen of float": h5py.vlen_dtype(np.dtype("f8")), "array": np.dtype(("f8", (3,))),
    "vlen of text": h5py.vlen_dtype(np.dtype("S3")), "long text": "S60000",
}


def value_of(kind, shape, chance):
    """Something of this type and shape, or None where zeros will do."""
    if kind in ("text", "fixed text", "long text"):
        text = text_value(chance)[1].replace(b"\0", b"")
        return np.full(shape, text[:60000], dtype="S60000" if kind == "long text" else TYPES[kind]) if kind != "text" \
            else np.full(shape, text, dtype=object).astype(TYPES["text"])
    if kind in ("int8", "uint64", "int32"):
        bounds = np.iinfo(TYPES[kind])
        return np.full(shape, min(max(chance.choice(INTEGERS), bounds.min), bounds.max), TYPES[kind])
    if kind in ("float32", "float16", "big-endian", "float64"):
        with np.errstate(all="ignore"):
            return np.full(shape, chance.choice(NUMBERS)).astype(TYPES[kind])
    return None


def delete_object(file, chance):
    name = some_object(file, chance)
    del file[name]
    return f"{name} deleted"


def delete_attribute(file, chance):
    holder, name = some_attribute(file, chance)
    del file[holder].attrs[name]
    return f"attribute {name} of {holder} deleted"


def rename_object(file, chance):
    name = some_object(file, chance)
    new = chance.choice([*NAMES, chance.choice(objects(file)).split("/")[-1]])
    parent = file[name].parent
    if new in (".", "..") or new in parent:
        new += "x"
    parent.move(name.split("/")[-1], new)
    return f"{name} is called {short(new)}"


def rename_attribute(file, chance):
    holder, name = some_attribute(file, chance)
    new = chance.choice(NAMES + ["outcome", "dt", "reason", "mesh"])[:30_000]
    if new in file[holder].attrs:
        raise Impossible
    file[holder].attrs.rename(name, new)
    return f"attribute {name} of {holder} is called {short(new)}"


def replace_dataset(file, chance):
    name = some_object(file, chance, h5py.Dataset)
    old, attributes = file[name].shape, plain_attributes(file[name])
    kind = chance.choice(sorted(TYPES))
    how = chance.random()
    del file[name]
    if how < 0.1:
        file.create_dataset(name, dtype=TYPES[kind] if kind != "text" else "S3", data=h5py.Empty("f8"))
        what = "null"
    else:
        shape = old if how < 0.5 and old is not None else shape_of(chance, kind not in ("array",))
        huge = int(np.prod([float(n) for n in shape])) > 10_000
        value = None if huge else value_of(kind, shape, chance)
        if value is not None:
            file.create_dataset(name, data=value, dtype=TYPES[kind])
            what = f"{kind} {shape}"
        elif shape and chance.random() < 0.5:
            file.create_dataset(name, shape, TYPES[kind], chunks=tuple(min(max(n, 1), 64) for n in shape),
                                maxshape=(None,) * len(shape))
            what = f"unlimited {kind} {shape}"
        else:
            file.create_dataset(name, shape, TYPES[kind])
            what = f"{kind} {shape}"
    give_attributes(file[name], attributes, chance)
    return f"{name} is {what}"


def resize_dataset(file, chance):
    """More or fewer rows than the others of its run."""
    name = some_object(file, chance, h5py.Dataset)
    dataset = file[name]
    if dataset.chunks is None or not dataset.shape:
        raise Impossible
    rows = chance.choice([0, 1, dataset.shape[0] + 1, dataset.shape[0] - 1, 2_000_000_000, 2**40, 2**62])
    try:
        dataset.resize(max(rows, 0), axis=0)
    except (ValueError, RuntimeError) as no:
        raise Impossible from no
    return f"{name} has {rows} rows"


def change_numbers(file, chance):
    name = some_object(file, chance, h5py.Dataset)
    dataset = file[name]
    if dataset.dtype.kind not in "fiu" or not dataset.size:
        raise Impossible
    data = dataset[()]
    flat = data.reshape(-1) if data.shape else data.reshape(1)
    values = NUMBERS if dataset.dtype.kind == "f" else INTEGERS
    for _ in range(chance.choice([1, 3, flat.size])):
        value = chance.choice(values)
        if dataset.dtype.kind != "f":
            bounds = np.iinfo(dataset.dtype)
            value = min(max(value, bounds.min), bounds.max)
        with np.errstate(all="ignore"):
            flat[chance.randrange(flat.size)] = value
    dataset[...] = flat.reshape(dataset.shape)
    return f"numbers of {name}"


def plain_attributes(item):
    return {name: item.attrs[name] for name in item.attrs
            if name not in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME")}


def give_attributes(item, attributes, chance):
    if chance.random() < 0.8:
        for name, value in attributes.items():
            item.attrs[name] = value


def replace_attribute(file, chance):
    holder, name = some_attribute(file, chance)
    attributes = file[holder].attrs
    kind = chance.choice(sorted(TYPES))
    if kind == "long text":
        kind = "text"
    shape = () if chance.random() < 0.5 else shape_of(chance, False)
    del attributes[name]
    if chance.random() < 0.1:
        attributes[name] = h5py.Empty("f8")
        return f"attribute {name} of {holder} is null"
    value = value_of(kind, shape, chance)
    if value is not None:
        attributes.create(name, value, dtype=TYPES[kind])
    else:  # h5py writes no zeros of these by itself
        space = h5py.h5s.create_simple(shape) if shape else h5py.h5s.create(h5py.h5s.SCALAR)
        h5py.h5a.create(file[holder].id, name.encode(), h5py.h5t.py_create(np.dtype(TYPES[kind]), logical=True), space)
    return f"attribute {name} of {holder} is {kind} {shape}"


def change_text(file, chance):
    holder, name = some_attribute(file, chance)
    kind, text = text_value(chance)
    fixed = len(text) < 60_000 and text and chance.random() < 0.4
    file[holder].attrs.create(name, np.bytes_(text) if fixed else variable_text(text))
    return f"attribute {name} of {holder} is {kind}{', fixed' if fixed else ''}"


def change_number(file, chance):
    holder, name = some_attribute(file, chance)
    value = file[holder].attrs[name]
    if isinstance(value, (float, np.floating)):
        value = np.float64(chance.choice(NUMBERS))
    elif isinstance(value, (int, np.integer)):
        value = np.int64(chance.choice(INTEGERS))
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        value = np.full(value.shape, chance.choice(NUMBERS))
    else:
        raise Impossible
    file[holder].attrs.create(name, value)
    return f"attribute {name} of {holder} is {value}"


def change_format(file, chance):
    name = chance.choice(["format", "format_version", "format_version"])
    value = chance.choice([99, -1, 0, "text", "1", 2**62, float("nan"), "shoal2", [1, 1], ["shoal", "shoal"]])
    file.attrs[name] = value
    return f"{name} is {value}"


def change_configuration(file, chance):
    old = file["config"][()]
    kind = chance.choice(["array", "added", "added", "instead", "word", "text", "attribute"])
    del file["config"]
    if kind == "array":
        file.create_dataset("config", data=[old, old], dtype=TYPES["text"])
        return "config is an array of texts"
    line = chance.choice(CONFIGURATIONS)
    if kind == "attribute":
        file.attrs["config"] = old
        return "config is an attribute"
    if kind == "added":  # what is said twice is a mistake, so the old line goes
        key = line.split(b"=")[0].strip()
        lines = [other for other in old.split(b"\n") if not key or other.split(b"=")[0].strip() != key]
        text = b"\n".join(lines)
        text = text + line if line.startswith(b"[[") else line + text
    elif kind == "instead":
        text = line
    elif kind == "text":
        text = text_value(chance)[1]
    else:
        word = chance.choice(re.findall(rb"[\w.:-]+", old))
        text = old.replace(word, chance.choice([b"nan", b"1e-300", b"1e300", b"-1", b"x" * 100_000, b"\x1b[31m", b"0"]), 1)
    file.create_dataset("config", data=variable_text(text))
    return f"config {kind}: {short(text if kind != 'added' else line)}"


def exchange_kinds(file, chance):
    """A group where a dataset was, a dataset where a group was, a type where either was."""
    name = some_object(file, chance)
    was_group = isinstance(file[name], h5py.Group)
    attributes = plain_attributes(file[name])
    del file[name]
    if chance.random() < 0.2:
        file[name] = np.dtype("f8")
        return f"{name} is a type"
    if was_group:
        file.create_dataset(name, data=np.zeros(3))
    else:
        file.create_group(name)
    give_attributes(file[name], attributes, chance)
    return f"{name} is a {'dataset' if was_group else 'group'}"


def committed_type(file, chance):
    name = some_object(file, chance, h5py.Dataset)
    dataset = file[name]
    if dataset.dtype.kind not in "fiu" or not dataset.size:
        raise Impossible
    data, attributes = dataset[()], plain_attributes(dataset)
    file["named_type"] = data.dtype
    del file[name]
    file.create_dataset(name, data=data, dtype=file["named_type"])
    give_attributes(file[name], attributes, chance)
    return f"type of {name} is committed"


def soft_link(file, chance):
    name = some_object(file, chance)
    target = chance.choice(["/nowhere", f"/{name}", "/", "/runs", ".", "/runs/0001", f"/{some_object(file, chance)}"])
    del file[name]
    file[name] = h5py.SoftLink(target)
    if chance.random() < 0.2:
        file["runs/circle"] = h5py.SoftLink("/runs/square")
        file["runs/square"] = h5py.SoftLink("/runs/circle")
    return f"{name} is a soft link to {target}"


def hard_link(file, chance):
    """Cycles: a group in itself, or among its own members."""
    name, target = some_object(file, chance), some_object(file, chance)
    if chance.random() < 0.5:
        target = chance.choice(["/", "/runs", "/meshes", "/".join(name.split("/")[:-1]) or "/"])
    if target not in file:
        raise Impossible
    item = file[target]
    if chance.random() < 0.5:
        group = file[name] if isinstance(file[name], h5py.Group) else file[name].parent
        new = chance.choice(["0002", "0009", "again", "diagnostics"])
        if new in group:
            del group[new]
        group[new] = item
        return f"{new} in {group.name} is {target}"
    del file[name]
    file[name] = item
    return f"{name} is {target}"


def external_link(file, chance):
    name = some_object(file, chance)
    target = chance.choice([(SECRET_FILE, f"/{name}"), (SECRET_FILE, "/runs/0001"), (SECRET_FILE, "/config"),
                            (SECRET_FILE, "/data"), (f"../{chance.choice(['', 'case/'])}{SECRET_FILE}", f"/{name}"),
                            ("x.h5", f"/{name}"), ("x.h5", "/"), ("/etc/passwd", "/"), ("missing.h5", "/runs/0001"),
                            (PIPE, "/"), (".", "/"), ("", "/runs"), ("x.h5.work/part-0001", f"/{name}"),
                            ("x.h5.work/../" + SECRET_FILE, f"/{name}"), ("/dev/zero", "/"), ("x" * 10_000, "/")])
    if chance.random() < 0.3 and "runs" in file and isinstance(file["runs"], h5py.Group):
        name = chance.choice(["runs/0002", "runs/0001", "runs/0009"])
        if name.split("/")[1] in file["runs"]:
            del file[name]
    else:
        del file[name]
    file[name] = h5py.ExternalLink(*target)
    return f"{name} is a link to {short(target[0])}:{target[1]}"


def external_storage(file, chance):
    """Raw data in another file, of the type that was expected here."""
    name = some_object(file, chance, h5py.Dataset)
    shape, attributes = file[name].shape, plain_attributes(file[name])
    text = file[name].dtype.kind in "OS"
    del file[name]
    source = chance.choice([SECRET_RAW, SECRET_RAW, SECRET_TEXT, "/etc/passwd", "missing.bin", PIPE])
    if text:
        dtype, shape = "S40", ()
        source = SECRET_TEXT if source == SECRET_RAW else source
    else:
        dtype = "f8" if name.split("/")[-1] != "faces" else "i4"
    size = int(np.prod(shape or (1,))) * np.dtype(dtype).itemsize
    file.create_dataset(name, shape, dtype, external=[(source, 0, max(size, 1))])
    give_attributes(file[name], attributes, chance)
    return f"numbers of {name} are in {source}"


def virtual_dataset(file, chance):
    name = some_object(file, chance, h5py.Dataset)
    shape, attributes = file[name].shape or (4,), plain_attributes(file[name])
    text = file[name].dtype.kind in "OS"
    del file[name]
    if not all(shape):
        raise Impossible
    source = chance.choice([SECRET_FILE, SECRET_FILE, SECRET_FILE, "x.h5", ".", "missing.h5", PIPE])
    layout = h5py.VirtualLayout(shape, "S40" if text else "f8")
    layout[...] = h5py.VirtualSource(source, "text" if text else f"data{len(shape)}", shape)
    file.create_virtual_dataset(name, layout)
    give_attributes(file[name], attributes, chance)
    return f"{name} is a view of {source}"


def forge_scales(file, chance):
    """What netCDF keeps about dimensions, with wrong types or references to nothing."""
    name = some_object(file, chance, h5py.Dataset)
    key = chance.choice(["DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"])
    item = file[name]
    if key in item.attrs:
        del item.attrs[key]
    kind = chance.choice(["numbers", "text", "no references", "references to nothing", "wrong references", "very many"])
    if kind == "numbers":
        item.attrs[key] = np.arange(3)
    elif kind == "text":
        item.attrs[key] = chance.choice(["DIMENSION_SCALE", "This is a netCDF dimension but not a netCDF variable. 9999999999",
                                         "This is a netCDF dimension but not a netCDF variable.        -1", ""])
    elif kind == "no references":
        item.attrs[key] = h5py.Empty(h5py.ref_dtype)
    else:
        target = {"references to nothing": h5py.Reference(), "wrong references": file["/"].ref}.get(
            kind, file[some_object(file, chance)].ref)
        item.attrs.create(key, np.array([target] * (1 if kind != "very many" else 3000), dtype=h5py.ref_dtype),
                          dtype=h5py.ref_dtype)
    return f"{key} of {name}: {kind}"


def forge_scale_dataset(file, chance):
    """The empty datasets that stand for dimensions, of other lengths."""
    scales = [name for name in objects(file, h5py.Dataset) if file[name].attrs.get("CLASS") == b"DIMENSION_SCALE"]
    if not scales:
        raise Impossible
    name = chance.choice(scales)
    shape = shape_of(chance, True)
    del file[name]
    dataset = file.create_dataset(name, shape, ">f4")
    dataset.attrs["CLASS"] = np.bytes_("DIMENSION_SCALE")
    return f"dimension {name} has extent {shape}"


def odd_name(file, chance):
    """Something more, with a name that is none."""
    where = chance.choice(["runs", "meshes", "xdmf", "runs/0001/diagnostics", "runs/0001/timing", "/", "frontier"])
    if where not in file or not isinstance(file[where], h5py.Group):
        raise Impossible
    name = chance.choice(NAMES)
    group = file[where]
    if name in (".", "..") or name in group:
        raise Impossible
    source = chance.choice([None, *(key for key in group if isinstance(group.get(key), h5py.Group))][:3])
    if source is None:
        group.create_group(name)
    else:
        group[name] = group[source]
    return f"{short(name)} in {where}" + (f", a copy of {source}" if source else "")


def many_runs(file, chance):
    if "runs" not in file or not isinstance(file["runs"], h5py.Group):
        raise Impossible
    runs = file["runs"]
    linked = chance.random() < 0.5 and "0001" in runs
    for index in range(2, 10_001):
        name = f"{index:04}"
        if name in runs:
            continue
        if linked:
            runs[name] = runs["0001"]
        else:
            runs.create_group(name)
    return "10000 runs" + (", all the same" if linked else ", empty")


STRUCTURE = [delete_object, delete_object, delete_attribute, delete_attribute, rename_object, rename_attribute,
             replace_dataset, replace_dataset, replace_dataset, replace_dataset, resize_dataset, change_numbers,
             replace_attribute, replace_attribute, replace_attribute, change_text, change_text, change_text,
             change_number, change_number, change_number, change_format, change_configuration, change_configuration,
             change_configuration, exchange_kinds, exchange_kinds, committed_type, soft_link, soft_link, hard_link,
             hard_link, external_link, external_link, external_link, external_storage, external_storage,
             virtual_dataset, virtual_dataset, forge_scales, forge_scale_dataset, odd_name]
RARE = [many_runs]


# The same in another form: what reads one must read the other.


def refilter(source, target, chance):
    """All datasets that have rows, compressed."""
    options = chance.choice([{"compression": "gzip"}, {"shuffle": True, "compression": "gzip"}, {"fletcher32": True},
                             {"compression": "gzip", "compression_opts": 9, "fletcher32": True}])
    with h5py.File(source, "r") as old, h5py.File(target, "w") as new:
        copy_group(old, new, options)
    return f"filters {options}"


def copy_group(old, new, options):
    for name in old.attrs:
        new.attrs.create(name, old.attrs[name])
    for name in old:
        kind = old.get(name, getlink=True)
        if isinstance(kind, (h5py.ExternalLink, h5py.SoftLink)):
            new[name] = kind
        elif isinstance(old[name], h5py.Group):
            copy_group(old[name], new.create_group(name), options)
        else:
            dataset = old[name]
            if dataset.dtype.kind in "fiu" and dataset.size and not dataset.is_virtual and "CLASS" not in dataset.attrs:
                fresh = new.create_dataset(name, data=dataset[()], maxshape=(None, *dataset.shape[1:]),
                                           chunks=dataset.chunks or dataset.shape, **options)
            else:
                fresh = new.create_dataset(name, data=dataset[()], dtype=dataset.dtype)
            for key, value in plain_attributes(dataset).items():
                fresh.attrs.create(key, value)


def latest_format(source, target, chance):
    """In the newest form of HDF5's structures, which has other kinds of heaps, trees and headers."""
    del chance
    with h5py.File(source, "r") as old, h5py.File(target, "w", libver="latest") as new:
        copy_group(old, new, {})
    return "newest format"


def unknown_filter(data):
    """Datasets whose filter is called deflate have one that nobody knows. (The name is behind the number.)"""
    count = 0
    for match in re.finditer(rb"deflate\0", data):
        if match.start() >= 8 and data[match.start() - 8:match.start() - 6] == b"\x01\0":
            data[match.start() - 8:match.start() - 6] = struct.pack("<H", 33_333)
            count += 1
    return f", {count} of them unknown"


def short(text):
    if isinstance(text, bytes):
        text = text.decode(errors="backslashreplace")
    text = text.encode("unicode_escape").decode()
    return text if len(text) < 50 else text[:40] + f"… ({len(text)})"


def change_structure(path, chance):
    """One change through h5py; those that do not fit the file are tried again with another."""
    for _ in range(30):
        change = chance.choice(STRUCTURE + (RARE if chance.random() < 0.05 else []))
        try:
            with h5py.File(path, "r+") as file:
                return change(file, chance)
        except (Impossible, KeyError, ValueError, TypeError, OSError, RuntimeError, AttributeError, OverflowError):
            continue  # an exception in the midst may have left half of a change: that is one too
    return "nothing"


def in_another_form(path, chance):
    other = path.with_name("other")
    done = chance.choice([refilter, latest_format])(path, other, chance)
    other.replace(path)
    return done


def mutate(path, chance, harmless):
    """Changes the file, `harmless` so that it must be readable as before; returns what was done."""
    if harmless:
        return in_another_form(path, chance)
    kind = chance.random()
    if kind < 0.1:
        done = in_another_form(path, chance)
        if done.startswith("filters") and chance.random() < 0.5:
            data = bytearray(path.read_bytes())
            done += unknown_filter(data)
            path.write_bytes(data)
            return done
        return f"{done}; {change_bytes(path, chance)}"
    if kind < 0.55:
        return "; ".join(change_bytes(path, chance) for _ in range(chance.choice([1, 1, 1, 2, 4])))
    done = [change_structure(path, chance) for _ in range(chance.choice([1, 1, 1, 2, 3]))]
    data = path.read_bytes()
    if b"@.." in data:
        path.write_bytes(data.replace(b"@..", b"/.."))
    if chance.random() < 0.08:
        done.append(change_bytes(path, chance))
    return "; ".join(done)
