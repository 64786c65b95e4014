"""Write a solution of `shoal-reference` on a grid of latitudes and longitudes, as netCDF for other programs.

    /usr/bin/python3 scripts/solution_netcdf.py results/references/williamson-5.h5 williamson-5.nc --spacing 1

The depth and the eastward and northward velocity at cell centres, so that no point is a pole, summed from all harmonics.
"""

import argparse
import pathlib
import sys

import h5py
import numpy as np
import xarray


class BadInput(Exception):
    pass


def legendre(truncation, m, theta):
    """(P_lm, dP_lm/dθ) [l = m … L, θ]: orthonormal with e^imλ, with the phase of Condon and Shortley."""
    sine, cosine = np.sin(theta), np.cos(theta)
    first = np.sqrt(0.25 / np.pi) * np.ones_like(theta)
    for k in range(m):
        first = -first * np.sqrt((2 * k + 3) / (2 * k + 2)) * sine
    values = [first]
    before = np.zeros_like(theta)
    for l in range(m + 1, truncation + 1):
        rise = np.sqrt((4 * l * l - 1) / (l * l - m * m))
        fall = np.sqrt(((l - 1) ** 2 - m * m) / (4 * (l - 1) ** 2 - 1))
        before, now = values[-1], rise * (cosine * values[-1] - fall * before)
        values.append(now)
    values = np.array(values)
    degree = np.arange(m, truncation + 1)[:, None]
    lower = np.vstack([np.zeros((1, len(theta))), values[:-1]])
    slope = (degree * cosine * values - np.sqrt((2 * degree + 1) * (degree**2 - m * m) / np.maximum(2 * degree - 1, 1)) * lower) / sine
    return values, slope


def fields(file, latitude, longitude):
    """Depth, eastward and northward velocity [times, latitudes, longitudes]."""
    truncation = int(file.attrs["truncation"])
    depth, gradient, curl = (file[name][..., 0] + 1j * file[name][..., 1] for name in ("depth", "gradient", "curl"))
    theta, phi = np.pi / 2 - np.radians(latitude), np.radians(longitude)
    eta, east, south = (np.zeros((len(depth), len(latitude), len(longitude))) for _ in range(3))
    start = 0
    for m in range(truncation + 1):
        degrees = np.arange(m, truncation + 1)
        part = slice(start, start + len(degrees))
        start += len(degrees)
        values, slopes = legendre(truncation, m, theta)
        turn = (1 if m == 0 else 2) * np.exp(1j * m * phi)
        scale = 1 / np.sqrt(np.maximum(degrees * (degrees + 1), 1))
        over = values / np.sin(theta) * m

        def total(harmonics, shapes):
            return (np.einsum("tl,lj->tj", harmonics, shapes)[..., None] * turn).real

        eta += total(depth[:, part], values)
        a, b = gradient[:, part] * scale, curl[:, part] * scale  # v = ∇a + n×∇b
        south += total(a, slopes) - total(1j * b, over)
        east += total(1j * a, over) + total(b, slopes)
    return eta, east, -south


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solution", type=pathlib.Path, metavar="SOLUTION.h5")
    parser.add_argument("output", type=pathlib.Path, metavar="GRID.nc")
    parser.add_argument("--spacing", type=float, default=1, help="of the grid, degrees, a part of 180 (default: 1)")
    chosen = parser.parse_args()
    try:
        rows = round(180 / chosen.spacing) if chosen.spacing > 0 else 0
        if rows < 3 or abs(rows * chosen.spacing - 180) > 1e-6:
            raise BadInput(f"--spacing: {chosen.spacing} does not divide 180 into at least 3 parts")
        latitude = (np.arange(rows) + 0.5) * 180 / rows - 90
        longitude = (np.arange(2 * rows) + 0.5) * 180 / rows
        try:
            with h5py.File(chosen.solution, "r") as file:
                if file.attrs.get("format") != "shoal spherical harmonics 1":
                    raise BadInput("not a file of shoal-reference")
                eta, u, v = fields(file, latitude, longitude)
                time = file["time"][()]
        except (OSError, KeyError) as error:
            raise BadInput(str(error)) from None
        places = ("time", "lat", "lon")
        xarray.Dataset(
            {"h": (places, eta, {"standard_name": "cell_thickness", "units": "m"}),
             "u": (places, u, {"standard_name": "eastward_wind", "units": "m s-1"}),
             "v": (places, v, {"standard_name": "northward_wind", "units": "m s-1"})},
            {"time": ("time", time / 86400, {"units": "days since 2000-01-01"}),
             "lat": ("lat", latitude, {"standard_name": "latitude", "units": "degrees_north"}),
             "lon": ("lon", longitude, {"standard_name": "longitude", "units": "degrees_east"})},
            {"Conventions": "CF-1.8", "source": f"shoal-reference, {chosen.solution.name}"},
        ).to_netcdf(chosen.output, engine="scipy")
    except BadInput as error:
        print(f"solution_netcdf.py: {chosen.solution}: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{chosen.output}: {len(time)} times on {rows} × {2 * rows} points")


if __name__ == "__main__":
    main()
