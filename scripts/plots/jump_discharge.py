"""Tabulate how far depth and discharge of bump-shock depart from the exact ones at its hydraulic jump.

    /usr/bin/python3 scripts/plots/jump_discharge.py results/jump/jump.h5

At the last snapshot, for a mesh rectangle:NxM: the largest relative error of the depth in triangles that do not contain the jump; that of
the discharge, a mean of depth times velocity over a line across the channel, on lines that cross no such triangle; and the lines
nearest to the jump beyond which it is within 1 %, in cells before and behind the triangles that contain the jump.
"""

import re

import numpy as np
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table
from shoal_plots.results import Results

CLOSE = 0.01
LINES = 20  # per cell


def line_means(corners, field, lines):
    """Means over the lines x = … of a field that is constant in triangles [nF, 3 corners, x and y]."""
    corners = np.take_along_axis(corners, np.argsort(corners[:, :, :1], axis=1), axis=1)
    (low, middle, high), y = corners[:, :, 0].T, corners[:, :, 1].T
    widest = np.abs(y[0] + (middle - low) / (high - low) * (y[2] - y[0]) - y[1])
    means = []
    for x in lines:
        rising = np.clip((x - low) / np.where(middle > low, middle - low, np.inf), 0, 1) * (x <= middle)
        falling = np.clip((high - x) / np.where(high > middle, high - middle, np.inf), 0, 1) * (x > middle)
        means.append(np.average(field, weights=(rising + falling) * widest))
    return np.array(means)


def row(results, run):
    """The cells of a run."""
    time = run.snapshot_times()[-1]
    x, faces = results.surface_at(run, time)
    corners = x[faces][:, :, :2]
    depth, velocity = run.series("snapshots/depth")[-1], run.series("snapshots/velocity")[-1]
    exact = run.series("snapshots/reference_depth_at_vertices")[-1][faces]
    jump = np.ptp(exact, axis=1) > np.ptp(exact, axis=1).max() / 2
    begin, end = corners[jump][:, :, 0].min(), corners[jump][:, :, 0].max()
    cell = np.ptp(x[:, 0]) / int(re.match(r"rectangle:(\d+)x", run["mesh_name"])[1])
    lines = np.arange(x[:, 0].min() + 1.02 * cell, x[:, 0].max() - cell, cell / LINES)
    error = np.abs(line_means(corners, depth * velocity[:, 0], lines) / run["discharge"] - 1)
    outside = (lines < begin) | (lines > end)
    wrong = lines[error > CLOSE]
    before, behind = max(0, begin - min(wrong, default=begin)), max(0, max(wrong, default=end) - end)
    linear = run["reconstruction"] == "linear"
    return [run.scheme, run["limiter"] if linear else "first order", run["mesh_name"], f"{time:g}",
            f"{100 * np.abs(depth / exact.mean(axis=1) - 1)[~jump].max():.1f} %", f"{100 * error[outside].max():.1f} %",
            f"{before / cell:.1f}", f"{behind / cell:.1f}"]


def main():
    chosen = arguments(__doc__, figure=False, name=TABLE_NAME)
    results = Results(chosen.file)
    runs = [run for run in results.runs if run.get("scene") == "bump-shock" and not run.refused]
    if not runs:
        refuse(f"{chosen.file}: no run of the scene bump-shock")
    for run in runs:
        if run.series("snapshots/velocity") is None:
            refuse(f"{chosen.file}: run {run.id} has no velocities in its snapshots")
    head = ["scheme", "limiter", "mesh", "t [s]", "depth, off by", "discharge, off by", "by more than 1 % up to … cells before the jump",
            "… cells behind it"]
    rows = [head, ["---"] * len(head), *(row(results, run) for run in runs if len(run.snapshot_times()))]
    save_table(["| " + " | ".join(map(str, cells)) + " |" for cells in rows], chosen)


if __name__ == "__main__":
    main()
