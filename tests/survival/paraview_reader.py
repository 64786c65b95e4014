#!/usr/bin/env python3
"""ParaView opens what lies beside the results, by the reader that OpenDataFile chooses: of each run the times in order,
and at each the surface, elevation, depth and velocity, with the bits that h5py reads.

    paraview_reader.py PROGRAM FOLDER PVPYTHON
"""
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import results_file

h5py, np = results_file.h5py, results_file.np

READER = "Xdmf3ReaderS"  # experiments/README.md names it
OPTIONS = ["--mesh", "icosphere:2", "--end", "1.2", "--snapshots", "every:0.1", "--quiet"]
RUNS = {
    "static.h5": ["run", "sphere-bump", "--discretization", "fefv", "--integrator", "explicit", "--dt", "0.1",
                  "--substeps", "auto", *OPTIONS],
    "moving surface.h5": ["run", "bump", "--motion", "squash", "--discretization", "dec", "--integrator", "explicit",
                          "--dt", "0.1", "--substeps", "auto", *OPTIONS],
    "kinetic.h5": ["run", "bump", "--motion", "squash", "--discretization", "kinetic", "--integrator", "ssprk3", "--dt", "0.02", *OPTIONS],
    "own-triangles.h5": ["run", "sphere-bump", "--discretization", "dec", "--integrator", "explicit",
                         "--dt", "0.1", "--substeps", "auto", "--param", "dual=intrinsic", *OPTIONS],
    "periodic.h5": ["run", "bump", "--discretization", "fefv", "--integrator", "implicit-euler", "--mesh",
                    "rectangle:8x8:1x1:periodic-x", "--dt", "0.01", "--end", "0.1", "--snapshots", "every:0.02", "--quiet"],
}
SWEEP = """
scene = "sphere-bump"
mesh = "icosphere:2"
end = 0.3
dt = 0.1
snapshots = ["every:0.1", "every:0.2"]
discretization = ["fefv", "dec", "kinetic"]
integrator = ["explicit", "newmark"]
substeps = "auto"
"""


def run_of(path):
    """The results, and the run of theirs that a file for ParaView is to show."""
    if path.parent.name.endswith("-paraview"):
        return path.parent.parent / (path.parent.name[:-len("-paraview")] + ".h5"), path.stem
    return path.with_suffix(".h5"), "0001"


def compare(path, seen, key):
    """Returns the number of values that ParaView shows as they stand in the file."""
    results, name = run_of(path)
    values = 0
    with h5py.File(results) as file:
        run = file["runs"][name]
        mesh = file["meshes"][run.attrs["mesh"]]
        snapshots = run["snapshots"]
        times = seen[f"{key}/times"]
        assert (np.diff(times) > 0).all(), f"{path}: times {times} are not in order"
        assert np.array_equal(times, snapshots["time"][()]), f"{path}: times {times}"
        shown = {name: data for name, data in snapshots.items()
                 if name not in ("time", "positions", "normal_velocity")}
        assert {"depth", "elevation", "depth_at_vertices", "elevation_at_vertices"} <= shown.keys(), shown.keys()
        assert shown.keys() & {"velocity", "depth_rate"}, shown.keys()
        for row in range(len(times)):
            here = f"{key}/{row}"
            where = f"{path} at t = {times[row]}"
            assert seen[f"{here}/kind"] == "vtkUnstructuredGrid", f"{where}: {seen[f'{here}/kind']}"
            points = snapshots["positions"][row] if "positions" in snapshots else mesh["vertices"][()]
            assert np.array_equal(seen[f"{here}/points"], points), f"{where}: points"
            triangles = run["faces"] if "faces" in run else mesh["faces"]
            assert np.array_equal(seen[f"{here}/triangles"], triangles[()]), f"{where}: triangles"
            arrays = {k[len(here) + 1:]: v for k, v in seen.items() if k.startswith((f"{here}/vertex/", f"{here}/face/"))}
            expected = {f"{data.attrs['location']}/{name}": data[row] for name, data in shown.items()}
            assert arrays.keys() == expected.keys(), f"{where}: shows {sorted(arrays)}, not {sorted(expected)}"
            for name, data in expected.items():
                assert np.array_equal(arrays[name], data), f"{where}: {name}"
                values += data.size
            assert "velocity" in shown or run.attrs["integrator"] in ("newmark", "implicit-euler"), where
            if "velocity" in shown:
                assert arrays["face/velocity"].shape == (len(triangles), 3), where
            for suffix in "", "_at_vertices":
                difference = snapshots["depth" + suffix][row] - run["bed_depth" + suffix][()]
                assert np.array_equal(snapshots["elevation" + suffix][row], difference), f"{where}: elevation{suffix}"
    return values


def main():
    program, folder, pvpython = sys.argv[1], Path(sys.argv[2]), shutil.which(sys.argv[3])
    if not pvpython:
        if os.environ.get("SHOAL_ALL_INSTALLED") and not importlib.util.find_spec("vtkmodules"):
            sys.exit("there is no pvpython (python3-paraview), and no python3-vtk9 that forbids to install it")
        print("SKIPPED: there is no pvpython (python3-paraview)")
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = []
    for name, arguments in RUNS.items():
        subprocess.run([program, *arguments, "--output", folder / name], check=True)
        files += results_file.xdmf_files(folder / name)
    assert files == [(folder / name).with_suffix(".xdmf") for name in RUNS], files
    (folder / "swept.toml").write_text(SWEEP)
    subprocess.run([program, "sweep", folder / "swept.toml", "--output", folder / "swept.h5", "--quiet", "--jobs", "2"],
                   check=True)
    swept = results_file.xdmf_files(folder / "swept.h5")
    with h5py.File(folder / "swept.h5") as file:
        shown = [folder / "swept-paraview" / f"{name}.xdmf" for name, run in file["runs"].items() if "snapshots" in run]
        assert 1 < len(shown) < len(file["runs"]), f"{len(shown)} of {len(file['runs'])} runs"
        assert swept == shown, f"there is {swept}, and not {shown}"
    subprocess.run([pvpython, Path(__file__).with_name("open_in_paraview.py"), folder / "seen.npz", *files, *swept], check=True)
    seen = dict(np.load(folder / "seen.npz"))
    # From the folder of the results, as experiments/README.md says it.
    subprocess.run([pvpython, Path(__file__).with_name("open_in_paraview.py").resolve(), "here.npz", "./static.xdmf"], check=True, cwd=folder)
    here = dict(np.load(folder / "here.npz"))
    assert len(here["./static.xdmf:/times"]) > 1 and "./static.xdmf:/0/vertex/elevation" in here, sorted(here)[:20]
    values, steps = 0, 0
    for path in files + swept:
        assert seen[f"{path}:reader"] == READER, f"{path} is opened by {seen[f'{path}:reader']}"
        for key in f"{path}:", f"{path}:older":
            values += compare(path, seen, key)
        steps += len(seen[f"{path}:/times"])
    for path in swept:
        assert not seen[f"{path}:opened-with-others"], f"ParaView's dialog opens {path} as one of a sequence"
    print(f"ParaView ({READER}, and its older reader) shows {steps} snapshots of {len(files + swept)} runs, {values} values")


main()
