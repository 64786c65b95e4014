"""Draw the vorticity on a sphere as contours over longitude and latitude: a panel per run, and one of the spectral solution.

    /usr/bin/python3 scripts/plots/maps.py results/galewsky/galewsky.h5 --time 518400 --only bump=120 discretization=dec \\
        --solution results/references/galewsky.h5 --interval 2e-5 --latitudes 10 80

It is the relative vorticity at the vertices. Contours are dashed where it is negative; that of zero is left out.
"""

import math
import pathlib
import re
import sys

import numpy as np
from shoal_plots import style
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.page import save, wrapped
from shoal_plots.results import Results
from shoal_plots.selection import chosen_runs, given_number, parse_number, same

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import solution_netcdf  # noqa: E402

TITLE, FOOT, LINE = 5.0, 11.0, 3.5  # mm, above each map, below the last, and for each further line there
MARGIN = 13.0  # mm, left of the maps
MOST = 200  # contours on either side of zero


def index_of(times, time, path):
    """The index of a time, which must be there."""
    nearest = min(times, key=lambda one: abs(one - time), default=math.nan)
    if not math.isclose(nearest, time, rel_tol=1e-6):
        refuse(f"{path}: has nothing at t = {time:.10g} s (--time); the nearest is t = {nearest:.10g} s")
    return list(times).index(nearest)


def panel_of(results, run, time):
    """Title, longitude and latitude in degrees, triangles, and vorticity at the vertices, repeated across 180° of longitude."""
    name = f"{results.path}: run {run.id}"
    values = run.series("snapshots/vorticity")
    if values is None:
        refuse(f"{name} has no vorticity")
    number = index_of(run.snapshot_times(), time, name)
    vertices, faces = results.surface_at(run, time)
    radii = np.linalg.norm(vertices, axis=1)
    if not np.ptp(radii) <= 1e-6 * radii.max():
        refuse(f"{name} is not on a sphere about the origin at t = {time:g} s")
    longitude = np.degrees(np.arctan2(vertices[:, 1], vertices[:, 0]))
    latitude = np.degrees(np.arcsin(vertices[:, 2] / radii))
    corners = longitude[faces]
    across = np.ptp(corners, axis=1) >= 180  # these reach over 180° of longitude, to copies of their corners at ±360°
    east = faces[across] + np.where(corners[across] < 0, len(vertices), 0)
    west = faces[across] + np.where(corners[across] > 0, 2 * len(vertices), 0)
    return (f"{run['discretization']}, {run['mesh_name']}", np.concatenate([longitude, longitude + 360, longitude - 360]),
            np.tile(latitude, 3), np.vstack([faces[~across], east, west]), np.tile(values[number], 3))


def solution_panel(path, time, runs):
    """Title, longitudes, latitudes and vorticity [latitudes, longitudes] of a spectral solution."""
    try:
        truncation, times, (_, _, curl), attributes = solution_netcdf.contents(pathlib.Path(path))
    except solution_netcdf.BadInput as error:
        refuse(f"{path}: {error}")
    scenes = {run["scene"] for run in runs}
    if scenes != {attributes.get("scene")}:
        refuse(f"{path}: a solution of {attributes.get('scene')}, but the runs are of {', '.join(sorted(scenes))}")
    parameters = dict(re.findall(r"^(.+?)=(.*)$", str(attributes.get("parameters")), re.MULTILINE))
    radius = parse_number(parameters.get("radius"))
    if radius is None or not 0 < radius < math.inf:
        refuse(f"{path}: its parameters have no radius that is positive")
    for run in runs:
        for name, value in parameters.items():
            if not same(run.get(name, value), value):
                refuse(f"{path}: the solution for {name} = {value}, but run {run.id} has {name} = {run[name]}")
    index = index_of(times, time, path)
    latitude, longitude = np.linspace(-89.5, 89.5, 180), np.linspace(-180, 180, 361)
    return (f"spectral solution, degree {truncation}", longitude, latitude,
            solution_netcdf.vorticity(truncation, curl[index], latitude, longitude, radius))


def main():
    chosen = arguments(__doc__, **RUNS, time={"type": given_number, "required": True, "help": "of the snapshot, s"},
                       interval={"type": given_number, "required": True, "help": "between contours, 1/s"},
                       latitudes={"type": given_number, "nargs": 2, "default": [-90, 90], "help": "limits of the maps, degrees"},
                       solution={"help": "spectral solution, drawn as the first panel"},
                       name={"default": "maps", "help": "name of the figure (default: %(default)s)"})
    low, high = chosen.latitudes
    if not -90 <= low < high <= 90:
        refuse(f"--latitudes: {low:g} and {high:g} do not rise within -90 and 90")
    results = Results(chosen.file)
    results.path = chosen.file
    runs = [run for run in chosen_runs(results.runs, chosen.only, chosen.run) if not run.refused]
    if not runs:
        refuse(f"{chosen.file}: no run has results to show")
    panels = [panel_of(results, run, chosen.time) for run in runs]
    if chosen.solution:
        panels.insert(0, solution_panel(chosen.solution, chosen.time, runs))
    largest = max(np.abs(panel[-1]).max() for panel in panels)
    if not math.isfinite(largest):
        refuse(f"{chosen.file}: the vorticity at t = {chosen.time:g} s is not finite")
    if not largest / MOST <= chosen.interval <= largest:
        refuse(f"--interval: {chosen.interval:g} is not from {largest / MOST:.3g} ({MOST} contours on either side of zero) "
               f"to {largest:.3g} (the largest vorticity)")

    width = style.WIDTHS[chosen.width or "two"]
    side = (width - (MARGIN + 3) * style.MM) * (high - low) / 360  # a degree of latitude is as long as one of longitude
    row = side + TITLE * style.MM
    figure = style.plt.figure(figsize=(width, width))
    label = wrapped(figure, f"longitude (°); vorticity after {chosen.time / 86400:g} days, contours every {chosen.interval:g} 1/s",
                    width - (MARGIN + 3) * style.MM, style.FONT)
    height = len(panels) * row + (FOOT + LINE * label.count("\n")) * style.MM
    figure.set_size_inches(width, height)
    levels = [k * chosen.interval for k in range(-int(largest / chosen.interval) - 1, int(largest / chosen.interval) + 2) if k]
    for place, (title, longitude, latitude, *rest) in enumerate(panels):
        axes = figure.add_axes((MARGIN * style.MM / width, 1 - ((place + 1) * row) / height, 1 - (MARGIN + 3) * style.MM / width, side / height))
        look = {"levels": levels, "colors": "black", "linewidths": 0.5}
        if len(rest) == 2:
            axes.tricontour(longitude, latitude, *rest, **look)
        else:
            axes.contour(longitude, latitude, *rest, **look)
        axes.set(xlim=(-180, 180), ylim=(low, high), xticks=range(-180, 181, 60), ylabel="latitude (°)")
        axes.grid(False)
        axes.set_title(title, loc="left", pad=2)
        if place < len(panels) - 1:
            axes.set_xticklabels([])
    axes.set_xlabel(label)
    save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
