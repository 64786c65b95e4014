"""Tabulate how far the depth of sphere-dam departs from axial symmetry.

    /usr/bin/python3 scripts/plots/ring_scatter.py results/sphere-dam/sphere-dam.h5

At each snapshot after the start, the root mean square over the triangles, weighted with their areas, of the depth less its mean
in rings of 0.02 rad about the axis; a scheme with depths at vertices has their mean in a triangle. A perfectly symmetric flow has
a value too, because its depth varies within a ring: that of the scene's reference at the vertices is in a column of its own. The
last column has the figures of Basilisk in results/references/published.csv.
"""

import numpy as np
from shoal_plots import published
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table
from shoal_plots.results import Results

RING = 0.02  # rad
WITHIN = np.radians(75)  # of the axis, as Basilisk's square of 150 degrees, unless that is given
BASILISK = {float(one["quantity"].rpartition("t = ")[2]): float(one["value"]) for one in published.figures("sphere-dam")}


def scatter(angle, area, depth):
    """Root mean square of the depth less its mean in rings."""
    ring = (angle / RING).astype(int)
    mean = np.bincount(ring, area * depth) / np.maximum(np.bincount(ring, area), 1e-300)
    return np.sqrt(np.sum(area * (depth - mean[ring]) ** 2) / area.sum())


def rows(results):
    """Cells of a row for each run and snapshot."""
    for run in results.runs:
        if run.refused or run.get("scene") != "sphere-dam":
            continue
        axis = np.array([float(part) for part in str(run["center"]).split(",")])
        axis /= np.linalg.norm(axis)
        for time in run.snapshot_times():
            if time == 0:
                continue
            x, faces = results.surface_at(run, time)
            corners = x[faces]
            middle = corners.mean(axis=1)
            area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
            angle = np.arctan2(np.linalg.norm(np.cross(middle, axis), axis=1), middle @ axis)
            cells = run.cells_at(time)
            depth = cells[0] if cells else (run.elevation_at(time) + run.bed)[faces].mean(axis=1)
            near = angle < WITHIN
            exact = (run.elevation_at(time, "") + run.bed)[faces].mean(axis=1)
            reported = next((value for at, value in BASILISK.items() if abs(at - time) < 1e-9), None)
            yield [run.scheme, str(run.get("reconstruction", "–")), run["mesh_name"], f"{time:.3g}",
                   f"{scatter(angle, area, depth):.5f}", f"{scatter(angle[near], area[near], depth[near]):.5f}",
                   f"{scatter(angle[near], area[near], exact[near]):.5f}", f"{reported:.5f}" if reported else "–"]


def main():
    chosen = arguments(__doc__, figure=False, name=TABLE_NAME)
    found = list(rows(Results(chosen.file)))
    if not found:
        refuse(f"{chosen.file}: no run of the scene sphere-dam with snapshots after its start")
    head = ["scheme", "reconstruction", "mesh", "t [s]", "rms [m]", "rms within 75° [m]", "reference within 75° [m]",
            "Basilisk, N = 256, reported [m]"]
    save_table(["| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *found]], chosen)


if __name__ == "__main__":
    main()
