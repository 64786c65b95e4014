"""Tabulate the speed of films on plane slopes relative to free fall, u/(gSt).

    /usr/bin/python3 scripts/plots/film_speed.py results/film/film.h5

One row per scheme and mesh, one column per bed step: the fall of the bed over a cell of rectangle:NxM, in film depths. u is the mean
over the last snapshot, weighted with the volume, of the velocity down the slope, between 60 and 90 % of the way up: there the film has
not felt the walls.
"""

import re

import numpy as np
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table
from shoal_plots.results import Results

BETWEEN = (0.6, 0.9)


def speed(results, run):
    """(bed step in depths, u/(gSt)) of a run."""
    time = run.snapshot_times()[-1]
    x, faces = results.surface_at(run, time)
    middle, length = x[faces].mean(axis=1)[:, 0], np.ptp(x[:, 0])
    depth, velocity = run.series("snapshots/depth")[-1], run.series("snapshots/velocity")[-1]
    slope = np.polyfit(x[:, 0], run.bed, 1)[0]
    cells = int(re.match(r"rectangle:(\d+)x", run["mesh_name"])[1])
    inside = (middle > BETWEEN[0] * length) & (middle < BETWEEN[1] * length)
    u = np.average(velocity[inside, 0], weights=depth[inside])
    return slope * length / cells / run.series("snapshots/depth")[0].mean(), u / (run["gravity"] * slope * time)


def main():
    chosen = arguments(__doc__, figure=False, name=TABLE_NAME)
    results = Results(chosen.file)
    rows = {}
    for run in results.runs:
        if run.refused or run.stopped_early:
            refuse(f"{chosen.file}: run {run.id} did not finish")
        if run.series("snapshots/velocity") is None:
            refuse(f"{chosen.file}: run {run.id} has no velocities in its snapshots")
        step, ratio = speed(results, run)
        scheme = [run.scheme, str(run["reconstruction"]), str(run["limiter"]) if run["reconstruction"] == "linear" else "–"]
        rows.setdefault((*scheme, run["mesh_name"]), {})[round(step, 6)] = ratio
    steps = sorted({step for row in rows.values() for step in row})
    lines = [["scheme", "reconstruction", "limiter", "mesh", *(f"bed step of {step:g} depths" for step in steps)]]
    lines.append(["---"] * len(lines[0]))
    lines += [[*scheme, *(f"{row[step]:.3f}" if step in row else "–" for step in steps)] for scheme, row in rows.items()]
    save_table(["| " + " | ".join(cells) + " |" for cells in lines], chosen)


if __name__ == "__main__":
    main()
