#!/usr/bin/env python3
"""Results of another code, on a grid of latitudes and longitudes in a netCDF file, become a reference of `shoal compare`: here the spectral
solution of williamson-5, written on such a grid, gives the errors that runs have against the solution itself.

    netcdf.py PROGRAM FOLDER
"""
import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from skip import require

require("h5py", "numpy", "xarray", "h5netcdf")
SOLUTION = ROOT / "results" / "references" / "williamson-5.h5"
END = 432000  # s, the first time of the solution
SAME = 0.03  # the grid has a spacing of 2°, whose interpolation error, of second order, is 0.2 % of the error of the run


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    mine, grid, reference = folder / "mine.h5", folder / "grid.nc", folder / "reference.h5"
    run(sys.executable, ROOT / "scripts" / "solution_netcdf.py", SOLUTION, grid, "--spacing", "2")
    run(sys.executable, ROOT / "scripts" / "netcdf_reference.py", grid, reference, "--scene", "williamson-5")
    run(program, "run", "williamson-5", "--mesh", "icosphere:3", "--discretization", "dec", "--integrator", "ssprk3", "--dt", "auto",
        "--end", END, "--snapshots", END, "--diagnostics", "every:100000", "--param", f"solution_file={SOLUTION}", "--output", mine)
    names = {"depth": "l2_error", "velocity": "l2_error_velocity"}
    head, values = csv.reader(io.StringIO(run(program, "table", mine, "--as", "csv", "--columns", ",".join(names.values()))))
    exact = dict(zip(names, map(float, values)))
    found = {row["field"]: float(row["l2_error"]) for row in csv.DictReader(io.StringIO(run(program, "compare", mine, reference, "--as", "csv")))}
    for field, error in exact.items():
        assert 1e-4 < error < 1, (field, error)
        assert abs(found[field] / error - 1) < SAME, (field, found[field], error)


if __name__ == "__main__":
    main()
