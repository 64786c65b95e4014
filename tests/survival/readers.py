#!/usr/bin/env python3
"""Other programs open the results: xarray every group of every run and mesh, with the names of CF and UGRID, and what
the .xdmf files name exists.

    readers.py PROGRAM FOLDER
"""
import shutil
import subprocess
import sys
from pathlib import Path

import results_file

results_file.require("xarray", "h5netcdf")  # the engine by which xarray opens HDF5
import xarray

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


def cf_names(results, run):
    """What programs that follow CF and UGRID look for, in the groups that xarray opens. Places keep our own words: location
    is vertex, where UGRID says node."""
    opened = {"": xarray.open_dataset(results, group=f"runs/{run}/snapshots", engine="h5netcdf")}

    def variable(path):
        group, name = path.rsplit("/", 1)
        if group not in opened:
            opened[group] = xarray.open_dataset(results, group=group, engine="h5netcdf")
        return opened[group][name]

    snapshots = opened[""]
    assert snapshots.attrs["Conventions"] == "CF-1.11 UGRID-1.0"
    assert snapshots["time"].attrs["standard_name"] == "time" and snapshots["time"].dtype.kind == "f"
    for name, standard_name in {"depth": "sea_floor_depth_below_sea_surface", "elevation": "sea_surface_height_above_geoid"}.items():
        for place in name, name + "_at_vertices":
            assert snapshots[place].attrs["standard_name"] == standard_name, place
    for name, data in snapshots.data_vars.items():
        assert data.attrs["units"] == data.attrs["unit"] and data.attrs["long_name"], name
        path = data.attrs["mesh"]
        topology = variable(path)
        assert topology.attrs["cf_role"] == "mesh_topology" and topology.attrs["topology_dimension"] == 2, path
        below = path.rsplit("/", 1)[0]
        roles = {"face": "face_node_connectivity", "edge": "edge_node_connectivity"}
        nodes = [variable(node if node.startswith("/") else f"{below}/{node}")
                 for node in topology.attrs["node_coordinates"].split()]
        assert [node.attrs["units"] for node in nodes] == ["m"] * 3, path
        place, size = data.attrs["location"], data.shape[1]
        if place == "vertex":
            assert all(node.shape == (size,) for node in nodes), f"{name}: {size} values"
        else:
            connectivity = variable(f"{below}/{topology.attrs[roles[place]]}")
            assert connectivity.attrs["cf_role"] == roles[place] and connectivity.attrs["start_index"] == 0, name
            assert len(connectivity) == size and connectivity.values.max() < len(nodes[0]), f"{name}: {size} values"
    for dataset in opened.values():
        dataset.close()


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "readers.toml").write_text(EXPERIMENT)
    results = folder / "readers.h5"
    subprocess.run([program, "sweep", folder / "readers.toml", "--output", results, "--quiet", "--jobs", "2"], check=True)
    finished, begun = results_file.check(results)
    assert len(finished) == 5 and not begun
    assert results_file.check_xdmf_files(results) == 5
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
                    assert dataset.attrs["Conventions"].startswith("CF-"), group
                    assert all(v.attrs["units"] == v.attrs["unit"] and v.attrs["long_name"] for v in dataset.variables.values())
                    assert dataset["time"].dims == ("time",) and len(dataset["time"]) == 4, group
                    assert dataset["depth" if group.endswith("snapshots") else "mass"].attrs["unit"] in ("m", "kg")
    for run in finished:
        cf_names(results, run)
    print(f"xarray reads {values} values as h5py does")


main()
