"""Draw a field on a sphere as contours over longitude and latitude: a panel per run, and one of the spectral solution.

    /usr/bin/python3 scripts/plots/maps.py results/galewsky/galewsky.h5 --time 518400 --only bump=120 discretization=dec \\
        --solution results/references/galewsky.h5 --interval 2e-5 --latitudes 10 80

The field is the relative vorticity at the vertices. Contours are dashed where it is negative; that of zero is left out.
"""

import pathlib
import sys

import h5py
import numpy as np
from shoal_plots import style
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.page import save
from shoal_plots.results import Results
from shoal_plots.selection import chosen_runs, given_number

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import solution_netcdf  # noqa: E402

TITLE, FOOT = 5.0, 11.0  # mm, above each map and below the last
MARGIN = 11.0  # mm, left of the maps


def panel_of(results, run, time):
    """Title, longitude and latitude in degrees, triangles, and vorticity at the vertices, repeated across 180° of longitude."""
    number = run.snapshot_at(time)
    if number is None:
        refuse(f"{results.path}: run {run.id} has no snapshot at t = {time:g} s (--time)")
    values = run.series("snapshots/vorticity")
    if values is None:
        refuse(f"{results.path}: run {run.id} has no vorticity")
    vertices, faces = results.mesh(run)
    longitude = np.degrees(np.arctan2(vertices[:, 1], vertices[:, 0]))
    latitude = np.degrees(np.arcsin(vertices[:, 2] / np.linalg.norm(vertices, axis=1)))
    corners = longitude[faces]
    across = np.ptp(corners, axis=1) >= 180  # these reach over 180° of longitude, to copies of their corners at ±360°
    east = faces[across] + np.where(corners[across] < 0, len(vertices), 0)
    west = faces[across] + np.where(corners[across] > 0, 2 * len(vertices), 0)
    return (f"{run['discretization']}, {run['mesh_name']}", np.concatenate([longitude, longitude + 360, longitude - 360]),
            np.tile(latitude, 3), np.vstack([faces[~across], east, west]), np.tile(values[number], 3))


def solution_panel(path, time):
    """Title, longitudes, latitudes and vorticity [latitudes, longitudes] of a spectral solution."""
    try:
        with h5py.File(path, "r") as file:
            truncation, times, (_, _, curl) = solution_netcdf.contents(file)
            radius = float(dict(line.split("=") for line in file.attrs["parameters"].split())["radius"])
    except (OSError, KeyError, ValueError, solution_netcdf.BadInput) as error:
        refuse(f"{path}: {error}")
    nearest = int(np.argmin(np.abs(times - time)))
    if abs(times[nearest] - time) > 1:
        refuse(f"{path}: has no solution at t = {time:g} s (--time)")
    latitude, longitude = np.linspace(-89.5, 89.5, 180), np.linspace(-180, 180, 361)
    return (f"spectral solution, degree {truncation}", longitude, latitude,
            solution_netcdf.vorticity(truncation, curl[nearest], latitude, longitude, radius))


def main():
    chosen = arguments(__doc__.splitlines()[0], **RUNS, time={"type": given_number, "required": True, "help": "of the snapshot, s"},
                       interval={"type": given_number, "required": True, "help": "between contours, 1/s"},
                       latitudes={"type": given_number, "nargs": 2, "default": [-90, 90], "help": "limits of the maps, degrees"},
                       solution={"help": "file of shoal-reference, the first map"},
                       name={"default": "maps", "help": "name of the figure (default: %(default)s)"})
    if chosen.interval <= 0:
        refuse(f"--interval: {chosen.interval:g} is not positive")
    results = Results(chosen.file)
    results.path = chosen.file
    panels = [panel_of(results, run, chosen.time) for run in chosen_runs(results.runs, chosen.only, chosen.run) if not run.refused]
    if chosen.solution:
        panels.insert(0, solution_panel(chosen.solution, chosen.time))
    if not panels:
        refuse(f"{chosen.file}: no run has results to show")

    width = style.WIDTHS[chosen.width or "two"]
    low, high = chosen.latitudes
    side = (width - (MARGIN + 3) * style.MM) * (high - low) / 360  # a degree of latitude is as long as one of longitude
    row = side + TITLE * style.MM
    height = len(panels) * row + FOOT * style.MM
    largest = max(np.nanmax(np.abs(panel[-1])) for panel in panels)
    levels = [k * chosen.interval for k in range(-int(largest / chosen.interval) - 1, int(largest / chosen.interval) + 2) if k]
    figure = style.plt.figure(figsize=(width, height))
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
    axes.set_xlabel(f"longitude (°); vorticity after {chosen.time / 86400:g} days, contours every {chosen.interval:g} 1/s")
    save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
