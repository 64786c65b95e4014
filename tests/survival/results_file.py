"""What every results file must be, finished or not: read with h5py, and its .xdmf with Python's XML parser."""
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from skip import require

require("h5py", "numpy")
import h5py
import numpy as np


def check_run(name, run):
    """Every row is whole; returns the number of steps that the file holds."""
    where = f"{run.file.filename}: run {name}"
    columns = {key: dataset[()] for key, dataset in run["diagnostics"].items()}
    steps = int(run.attrs["steps"])
    lengths = {len(values) for values in columns.values()}
    every = int(run.attrs["diagnostics_every"])
    possible = {1 + steps // every, 1 + -(-steps // every)}  # the last step has a row once the run has ended
    assert len(lengths) == 1 and lengths <= possible, f"{where} has {lengths} rows after {steps} steps"
    assert every > 1 or columns["time"][-1] == run.attrs["t_reached"], where
    assert np.isfinite(columns["energy_total"]).all(), where
    assert len(run["timing/total"]) == steps, where
    count = len(run["snapshots/time"])
    for key, dataset in run["snapshots"].items():
        assert len(dataset) == count and np.isfinite(dataset[()]).all(), f"{where}: {key}"
        for axis, dimension in enumerate(dataset.dims):
            for scale in dimension.values():
                assert len(scale) == dataset.shape[axis], f"{where}: {key}: dimension {axis}"
    views = run.file["xdmf"][name]
    assert len(views) == count, f"{where} has {count} snapshots and {len(views)} views"
    for row, view in enumerate(views.values()):
        assert (view["depth"][()] == run["snapshots/depth"][row]).all(), where
    return steps


def check(path):
    """Reads everything in the file; returns the names of the finished runs and the steps of the unfinished."""
    finished, begun = set(), {}
    with h5py.File(path) as file:
        assert file.attrs["format"] == "shoal"
        for name in file["runs"]:
            run = file["runs"].get(name)
            assert run is not None, f"{path}: run {name} is a link to nowhere"
            if run.attrs["outcome"] == "refused":
                continue
            if run.attrs["outcome"] == "interrupted" and not len(run):  # before the first flush: attributes only
                begun[name] = 0
                continue
            steps = check_run(name, run)
            if run.attrs["outcome"] == "finished":
                finished.add(name)
            else:
                begun[name] = steps
    return finished, begun


def xdmf_files(results):
    """Those that lie beside the results: of the one run, or in a folder of each run that has snapshots."""
    name = results.name[:-len(".h5")] if results.name.endswith(".h5") else results.name
    single = results.with_name(name + ".xdmf")
    folder = results.with_name(name + "-paraview")
    assert not (single.exists() and folder.exists()), f"there is {single} and {folder}"
    return [single] if single.exists() else sorted(folder.glob("*.xdmf"))


def check_xdmf_files(results):
    """All of them; returns how many."""
    files = xdmf_files(results)
    for path in files:
        check_xdmf(path)
    return len(files)


def check_xdmf(path):
    """Everything that the .xdmf names exists, with the size that it says."""
    text = path.read_text()
    xml.fromstring(text)
    for size, name, place in re.findall(r'Format="HDF"[^>]*Dimensions="([\d ]+)">([^:<]+):([^<]+)<', text):
        with h5py.File(path.parent / name) as file:
            shape = " ".join(map(str, file[place].shape))
            assert shape == size, f"{path}: {name}:{place} is {shape}, not {size}"
