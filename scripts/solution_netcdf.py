"""Write a solution of `shoal-reference` on a grid of latitudes and longitudes, as netCDF for other programs.

    /usr/bin/python3 scripts/solution_netcdf.py results/references/williamson-5.h5 williamson-5.nc --spacing 1

The depth and the eastward and northward velocity at cell centres, so that no point is a pole, summed from all harmonics.
"""

import argparse
import os
import pathlib
import sys

import h5py
import numpy as np
import xarray


FINEST = 0.25  # degrees; a time of the three fields takes 25 MB


class BadInput(Exception):
    pass


def table(file, name):
    """A dataset of real numbers."""
    found = file.get(name)
    if not isinstance(found, h5py.Dataset) or found.dtype.kind not in "fiu" or found.shape is None:
        raise BadInput(f"/{name}: not a table of real numbers")
    return found


def contents(path):
    """Truncation, times, complex coefficients and attributes of a solution."""
    if not path.is_file():
        raise BadInput("no such file")
    try:
        with h5py.File(path, "r") as file:
            attributes = dict(file.attrs)
            if str(attributes.get("format")) != "shoal spherical harmonics 1":
                raise BadInput("not a file of shoal-reference")
            truncation = attributes.get("truncation")
            if not isinstance(truncation, (np.integer, np.floating)) or not (1 <= truncation <= 1000 and truncation == int(truncation)):
                raise BadInput(f"the truncation {truncation} is not a whole number from 1 to 1000")
            time = np.asarray(table(file, "time"))
            if time.ndim != 1 or not np.isfinite(time).all() or not len(time) or not (np.diff(time) > 0).all():
                raise BadInput("/time: not finite numbers that rise throughout")
            shape = (len(time), (int(truncation) + 1) * (int(truncation) + 2) // 2, 2)
            values = []
            for name in ("depth", "gradient", "curl"):
                pairs = table(file, name)
                if pairs.shape != shape:
                    raise BadInput(f"/{name}: has the shape {pairs.shape}, not {shape} for times, harmonics and parts")
                pairs = np.asarray(pairs)
                if not np.isfinite(pairs).all():
                    raise BadInput(f"/{name}: not all numbers are finite")
                values.append(pairs[..., 0] + 1j * pairs[..., 1])
            return int(truncation), time, values, attributes
    except (OSError, RuntimeError, TypeError, ValueError) as error:  # h5py's, of a damaged file
        raise BadInput(f"cannot be read as an HDF5 file: {error}") from None


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


def fields(truncation, coefficients, latitude, longitude):
    """Depth, eastward and northward velocity [times, latitudes, longitudes]."""
    depth, gradient, curl = coefficients
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


def vorticity(truncation, curl, latitude, longitude, radius):
    """Relative vorticity [latitudes, longitudes] in 1/s of one time: of v = ∇a + n×∇b on the unit sphere, ∇²b/R."""
    theta, phi = np.pi / 2 - np.radians(latitude), np.radians(longitude)
    zeta = np.zeros((len(latitude), len(longitude)))
    start = 0
    for m in range(truncation + 1):
        degrees = np.arange(m, truncation + 1)
        part = slice(start, start + len(degrees))
        start += len(degrees)
        harmonics = -np.sqrt(degrees * (degrees + 1)) / radius * curl[part]
        zeta += np.outer(harmonics @ legendre(truncation, m, theta)[0], (1 if m == 0 else 2) * np.exp(1j * m * phi)).real
    return zeta


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("solution", type=pathlib.Path, metavar="SOLUTION.h5", help="file of shoal-reference")
    parser.add_argument("output", type=pathlib.Path, metavar="GRID.nc", help="the file to write")
    parser.add_argument("--spacing", type=float, default=1, help="of the grid, degrees; must divide 180 (default: 1)")
    chosen = parser.parse_args()
    new = pathlib.Path(f"{chosen.output}.part")
    try:
        rows = round(180 / chosen.spacing) if FINEST <= chosen.spacing <= 60 else 0
        if rows < 3 or abs(rows * chosen.spacing - 180) > 1e-6:
            raise BadInput(f"--spacing: {chosen.spacing} is not from {FINEST} to 60 or does not divide 180")
        latitude = (np.arange(rows) + 0.5) * 180 / rows - 90
        longitude = (np.arange(2 * rows) + 0.5) * 180 / rows
        truncation, time, coefficients, _ = contents(chosen.solution)
        if chosen.output.exists() and chosen.output.samefile(chosen.solution):
            raise BadInput("the output would overwrite it")
        eta, u, v = fields(truncation, coefficients, latitude, longitude)
        places = ("time", "lat", "lon")
        grid = xarray.Dataset(
            {"h": (places, eta, {"standard_name": "cell_thickness", "units": "m"}),
             "u": (places, u, {"standard_name": "eastward_wind", "units": "m s-1"}),
             "v": (places, v, {"standard_name": "northward_wind", "units": "m s-1"})},
            {"time": ("time", time / 86400, {"units": "days since 2000-01-01"}),
             "lat": ("lat", latitude, {"standard_name": "latitude", "units": "degrees_north"}),
             "lon": ("lon", longitude, {"standard_name": "longitude", "units": "degrees_east"})},
            {"Conventions": "CF-1.8", "source": f"shoal-reference, {chosen.solution.name}"},
        )
        try:
            grid.to_netcdf(new, engine="scipy")
            os.replace(new, chosen.output)
        except OSError as error:
            raise BadInput(f"{chosen.output}: cannot be written: {error}") from None
        finally:
            if new.is_file():
                new.unlink()
    except (BadInput, MemoryError) as error:
        print(f"solution_netcdf.py: {chosen.solution}: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{chosen.output}: {len(time)} times on {rows} × {2 * rows} points")


if __name__ == "__main__":
    main()
