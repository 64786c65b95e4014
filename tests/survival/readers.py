#!/usr/bin/env python3
"""Other programs open the results: xarray every group of every run and mesh, and what the .xdmf names exists.

    readers.py PROGRAM FOLDER
"""
import shutil
import subprocess
import sys
from pathlib import Path

import results_file

try:
    import xarray
    import h5netcdf  # noqa: F401: the engine by which xarray opens HDF5
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed (python3-xarray, python3-h5netcdf)")
    sys.exit(0)

EXPERIMENT = """
scene = "sphere-bump"
mesh = "icosphere:2"
end = 0.3
dt = 0.1
snapshots = "every:0.1"
discretization = ["fefv", "dec", "kinetic"]
integrator = ["explicit", "newmark"]
substeps = "auto"
parameters.dual = "intrinsic"
"""


def groups(file):
    """All groups below /runs and /meshes that hold data."""
    found = []
    file.visititems(lambda name, item: found.append(name) if isinstance(item, results_file.h5py.Group) else None)
    return [name for name in found if name.startswith(("runs/", "meshes/"))]


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "readers.toml").write_text(EXPERIMENT)
    results = folder / "readers.h5"
    subprocess.run([program, "sweep", folder / "readers.toml", "--output", results, "--quiet", "--jobs", "2"], check=True)
    finished, begun = results_file.check(results)
    assert len(finished) == 5 and not begun
    results_file.check_xdmf(results.with_suffix(".xdmf"))
    values = 0
    with results_file.h5py.File(results) as file:
        for group in groups(file):
            with xarray.open_dataset(results, group=group, engine="h5netcdf") as dataset:
                for name, variable in dataset.variables.items():
                    assert variable.shape == file[group][name].shape, f"{group}/{name}"
                    assert all(not str(d).startswith("phony") for d in variable.dims), f"{group}/{name}: {variable.dims}"
                    if variable.dtype.kind == "f":
                        assert results_file.np.array_equal(variable.values, file[group][name][()], equal_nan=True)
                    values += variable.size
                if group.endswith(("/diagnostics", "/snapshots")):
                    assert dataset["time"].dims == ("time",) and len(dataset["time"]) == 4, group
                    assert dataset["depth" if group.endswith("snapshots") else "mass"].attrs["unit"] in ("m", "kg")
    print(f"xarray reads {values} values as h5py does")


main()
