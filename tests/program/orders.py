#!/usr/bin/env python3
"""The table of `shoal converge` against what the results file says, computed here anew: errors, edge lengths, orders and
their standard errors; and the error of dec's own unknowns from the solution and the recorded normal velocities.

    orders.py PROGRAM FOLDER
"""
import csv
import io
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from skip import require

require("h5py", "numpy")
import h5py
import numpy as np

RADIUS, DAY = 6.37122e6, 86400
SPEED = 2 * np.pi * RADIUS / (12 * DAY)  # of williamson-2
CLOSE = 1e-10  # numbers of up to 1e4 terms


def close(a, b):
    return abs(a - b) <= CLOSE * max(abs(a), abs(b))


def table(program, *arguments):
    text = subprocess.run([program, "converge", *map(str, arguments), "--as", "csv", "--quiet"], check=True,
                          capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def mesh_of(file, run):
    mesh = file["meshes"][run.attrs["mesh"]]
    return mesh["vertices"][()], mesh["faces"][()], mesh["edges"][()] if "edges" in mesh else None


def edge_length(vertices, faces):
    edges = np.unique(np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1), axis=0)
    return np.linalg.norm(vertices[edges[:, 0]] - vertices[edges[:, 1]], axis=1).mean()


def fit(x, y):
    """Slope and its standard error by numpy's least squares."""
    x, y = np.log(x), np.log(y)
    matrix = np.column_stack([x, np.ones_like(x)])
    solution, residual, *_ = np.linalg.lstsq(matrix, y, rcond=None)
    variance = np.sum((y - matrix @ solution) ** 2) / (len(x) - 2) * np.linalg.inv(matrix.T @ matrix)[0, 0]
    return solution[0], np.sqrt(variance)


def check_orders(rows, x_name):
    """Orders of one line from its own values."""
    x, value = (np.array([float(row[name]) for row in rows]) for name in (x_name, "value"))
    for i in range(1, len(rows)):
        assert close(float(rows[i]["order"]), np.log(value[i - 1] / value[i]) / np.log(x[i - 1] / x[i])), rows[i]
    slope, spread = fit(x, value)
    assert close(float(rows[0]["fitted_order"]), slope), (rows[0], slope)
    assert abs(float(rows[0]["fitted_standard_error"]) - spread) < 1e-8, (rows[0], spread)
    return slope


def own_velocity_error(file, run):
    """Of normal velocities on a sphere, weighted with a third of the triangles at each edge."""
    vertices, faces, edges = mesh_of(file, run)
    corner = vertices[faces]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    area = 0.5 * np.linalg.norm(normal, axis=1)
    unit = normal / np.linalg.norm(normal, axis=1)[:, None]
    at_edge = {}
    for k, face in enumerate(faces):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            at_edge.setdefault(frozenset((face[a], face[b])), []).append(k)
    measured = run["snapshots/normal_velocity"][-1]
    error = scale = 0
    for (tail, head), value in zip(edges, measured):
        along = vertices[head] - vertices[tail]
        sides = at_edge[frozenset((tail, head))]
        outward = sum(np.cross(along, unit[k]) / np.linalg.norm(np.cross(along, unit[k])) for k in sides)
        middle = 0.5 * (vertices[head] + vertices[tail])
        velocity = SPEED * np.cross([0, 0, 1], middle / np.linalg.norm(middle))
        exact = velocity @ outward / np.linalg.norm(outward)
        weight = area[sides].sum() / 3
        error += weight * (value - exact) ** 2
        scale += weight * exact ** 2
    return np.sqrt(error / scale)


def in_space(program, folder):
    results = folder / "space.h5"
    rows = table(program, "williamson-2", "--discretization", "dec,fefv", "--integrator", "ssprk3", "--advection",
                 "vector-invariant", "--dt", "auto", "--end", DAY, "--mesh", "icosphere,uv-sphere:2,3,4",
                 "--output", results)
    orders = {}
    with h5py.File(results) as file:
        runs = {(run.attrs["discretization"], *run.attrs["mesh_name"].split(":")): run for run in file["runs"].values()}
        lines = {}
        for row in rows:
            run = runs[row["discretization"], row["mesh"], row["at"].removeprefix("level ")]
            vertices, faces, _ = mesh_of(file, run)
            assert close(float(row["h"]), edge_length(vertices, faces)), row
            assert float(row["dt"]) == run.attrs["dt"] and row["finished"] == "1"
            series = run["diagnostics"][row["error"]][()]
            assert float(row["value"]) == series[-1] and float(row["at_start"]) == series[0], row
            if row["error"] == "l2_error_own_velocity" and row["discretization"] == "dec":
                assert close(series[-1], own_velocity_error(file, run)), (row, own_velocity_error(file, run))
            lines.setdefault((row["discretization"], row["mesh"], row["error"]), []).append(row)
    assert len(rows) == 2 * 2 * 3 * 3, len(rows)
    for line, points in lines.items():
        orders[line] = check_orders(points, "h")
        start = [float(point["at_start"]) for point in points]
        if line[0] == "dec" and line[2] == "l2_error_velocity":  # Perot's reconstruction
            assert abs(fit([float(point["h"]) for point in points], start)[0] - 1) < 0.1, (line, start)
    for mesh in ("icosphere", "uv-sphere"):
        assert orders["dec", mesh, "l2_error"] > 1.9 and orders["dec", mesh, "l2_error_own_velocity"] > 1.9, orders
        assert orders["dec", mesh, "l2_error_velocity"] < 1.85, orders
        assert orders["fefv", mesh, "l2_error"] > 1.7, orders
        assert orders["fefv", mesh, "l2_error_own_velocity"] > 0.9, orders


def in_time(program, folder):
    results = folder / "time.h5"
    rows = table(program, "bump", "--discretization", "fefv,dec", "--integrator", "ssprk3,newmark", "--mesh",
                 "icosphere:2", "--dt", "geometric:0.02:0.00125:5", "--end", "0.2", "--output", results)
    with h5py.File(results) as file:
        runs = {(run.attrs["discretization"], run.attrs["integrator"], run.attrs["dt"]): run
                for run in file["runs"].values()}
        lines = {}
        for row in rows:
            run, finest = (runs[row["discretization"], row["integrator"], dt] for dt in (float(row["dt"]), 0.00125))
            vertices, faces, edges = mesh_of(file, run)
            name = {"l2_error": "depth", "l2_error_velocity": "velocity", "l2_error_own_velocity": "normal_velocity"
                    if row["discretization"] == "dec" else "velocity"}[row["error"]]
            a, b = (r["snapshots"][name] for r in (run, finest))
            corner = vertices[faces]
            area = 0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
            if a.attrs["location"] == "vertex":
                area = np.bincount(faces.ravel(), np.repeat(area / 3, 3))
            if a.attrs["location"] == "edge":
                shares = {}
                for k, face in enumerate(faces):
                    for i in range(3):
                        shares[frozenset((face[i], face[i - 1]))] = shares.get(frozenset((face[i], face[i - 1])), 0) + area[k] / 3
                area = np.array([shares[frozenset(edge)] for edge in edges])
            weight = area if a.ndim == 2 else area[:, None]
            distance = np.sqrt((weight * (a[-1] - b[-1]) ** 2).sum() / (weight * b[-1] ** 2).sum())
            assert close(float(row["value"]), distance), (row, distance)
            lines.setdefault((row["discretization"], row["integrator"], row["error"]), []).append(row)
    assert len(lines) == 2 * (3 + 1), lines.keys()  # newmark has no velocity
    for (scheme, integrator, error), points in lines.items():
        slope = check_orders(points, "dt")
        assert abs(slope - {"ssprk3": 3, "newmark": 2}[integrator]) < 0.1, (scheme, integrator, error, slope)


def main():
    program, folder = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    in_space(program, folder)
    in_time(program, folder)


if __name__ == "__main__":
    main()
