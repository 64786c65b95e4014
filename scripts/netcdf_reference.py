"""Turn results of another code on a grid of latitudes and longitudes into a reference for `shoal compare`.

    /usr/bin/python3 scripts/netcdf_reference.py THEIRS.nc reference.h5 --scene williamson-5
    build/release/shoal compare results/williamson-5/williamson-5.h5 reference.h5

The netCDF file (version 3 or 4) follows CF: coordinates `latitude` and `longitude` (by standard_name, units or name), the depth η in m with
the dimensions (time, latitude, longitude), and optionally the eastward and northward velocity in m/s. Variables with other names are given by
options. Times count from the start of the run, in any unit of CF.

The grid points become the vertices of a mesh of triangles on the sphere. If no circle of the grid is a pole, the pole becomes a vertex with the
mean of the nearest circle, which like the interpolation in `shoal compare` has an error of second order in the spacing.
"""

import argparse
import difflib
import hashlib
import os
import pathlib
import re
import sys

import h5py
import numpy as np
import xarray

SECONDS = {"s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86400, "day": 86400}
NAMES = {
    "latitude": (["latitude"], ["lat", "latitude"]),
    "longitude": (["longitude"], ["lon", "longitude"]),
    "time": (["time"], ["time", "t"]),
    "depth": (["cell_thickness"], ["depth", "h"]),
    "eastward": (["eastward_wind", "eastward_sea_water_velocity"], ["u"]),
    "northward": (["northward_wind", "northward_sea_water_velocity"], ["v"]),
}  # meaning → standard names of CF, usual names
OPTION = {what: "time-variable" if what == "time" else what for what in NAMES}  # --time is a number

SCENES = pathlib.Path(__file__).resolve().parents[1] / "experiments" / "scenes" / "list.def"


class BadInput(Exception):
    pass


def scenes():
    """Names of the scenes of Shoal; `list.def` has those of their functions."""
    return [name.replace("_", "-") for name in re.findall(r"^SHOAL_ENTRY\((\w+)_scene\)", SCENES.read_text(encoding="utf-8"), re.MULTILINE)]


def variable(data, what, chosen, required=True):
    """The variable with this meaning."""
    option = f"--{OPTION[what]}"
    given = getattr(chosen, OPTION[what].replace("-", "_"))
    if given is not None:
        if given not in data.variables:
            raise BadInput(f"{option}: there is no variable '{given}', but {', '.join(map(str, data.variables))}")
        return data[given]
    standard, usual = NAMES[what]
    found = [one for one in data.variables if data[one].attrs.get("standard_name") in standard]
    found = found or [one for one in data.variables if str(one).lower() in usual]
    if len(found) == 1:
        return data[found[0]]
    if found:
        raise BadInput(f"{', '.join(found)} may each be the {what}; choose one with {option}")
    if required:
        raise BadInput(f"no variable with the standard_name {' or '.join(standard)} or the name {' or '.join(usual)}; "
                       f"use {option} NAME")
    return None


def numbers(field, what):
    """The values of a variable."""
    try:
        return field.values.astype(float)
    except (TypeError, ValueError):
        raise BadInput(f"{what} '{field.name}': the values are not numbers") from None


def seconds(time):
    """Times since the start."""
    unit = str(time.attrs.get("units", "")).split(" ")[0].rstrip("s") or "s"
    if unit not in SECONDS:
        raise BadInput(f"time: the unit '{time.attrs.get('units')}' is not one of s, min, h, day")
    return SECONDS[unit] * np.atleast_1d(numbers(time, "time"))


def degrees(coordinate, what):
    values = numbers(coordinate, what)
    if values.ndim != 1 or len(values) < 3 or not np.isfinite(values).all():
        raise BadInput(f"{what}: not a row of at least three numbers")
    if str(coordinate.attrs.get("units", "degrees")).startswith("rad"):
        values = np.degrees(values)
    steps = np.diff(values)
    if not (steps > 0).all() and not (steps < 0).all():
        raise BadInput(f"{what}: the values neither rise nor fall throughout")
    return values


def values_of(field, what, unit, shape):
    """[times, latitudes, longitudes]"""
    given = str(field.attrs.get("units", unit)).replace(" ", "").replace("**", "").replace("^", "")
    if given not in {"m": ["m", "meter", "meters", "metre", "metres"], "m/s": ["m/s", "ms-1", "m.s-1"]}[unit]:
        raise BadInput(f"{what} '{field.name}': the unit is '{field.attrs['units']}', not {unit}")
    values = numbers(field, what)
    while values.ndim > 3 and 1 in values.shape[1:-2]:  # a single layer
        values = values.squeeze(1 + values.shape[1:-2].index(1))
    if values.ndim == 2:
        values = values[None]
    if values.shape != shape:
        raise BadInput(f"{what} '{field.name}' has the shape {' × '.join(map(str, field.shape))}, not {' × '.join(map(str, shape))} "
                       "for times, latitudes and longitudes")
    if not np.isfinite(values).all():
        raise BadInput(f"{what} '{field.name}' has values that are missing or not finite")
    return values


class Grid:
    """Triangles between the points of a grid and the poles. Values are [times, latitudes, longitudes, …]."""

    def __init__(self, latitude, longitude):
        self.order = np.argsort(latitude)
        self.turn = np.argsort(longitude)
        spread = longitude.max() - longitude.min()
        if spread > 360 + 1e-6:
            raise BadInput(f"longitude: the values span {spread:.4g}°, more than 360°")
        if abs(spread - 360) < 1e-6:  # the last meridian repeats the first
            self.turn = self.turn[:-1]
        lon, lat = longitude[self.turn], latitude[self.order]
        gap = np.diff(np.append(lon, lon[0] + 360)).max()
        if gap > 2.5 * np.median(np.diff(lon)):
            raise BadInput(f"longitude: the values leave a gap of {gap:.4g}°; the grid must cover the sphere")
        step = np.diff(lat).max()
        if lat[0] < -90 - 1e-6 or lat[-1] > 90 + 1e-6 or min(lat[0] + 90, 90 - lat[-1]) < -1e-6:
            raise BadInput("latitude: values beyond ±90°")
        if max(lat[0] + 90, 90 - lat[-1]) > 1.5 * step:
            raise BadInput(f"latitude: values from {lat[0]:.4g}° to {lat[-1]:.4g}° leave out a pole; the grid must cover the sphere")
        self.has_pole = [int(abs(lat[0] + 90) < 1e-6), int(abs(lat[-1] - 90) < 1e-6)]
        lat = lat[self.has_pole[0]:len(lat) - self.has_pole[1]]
        self.rows, self.columns = len(lat), len(lon)
        theta, phi = np.meshgrid(np.radians(lat), np.radians(lon), indexing="ij")
        circle = np.stack([np.cos(theta) * np.cos(phi), np.cos(theta) * np.sin(phi), np.sin(theta)], axis=-1)
        self.x = np.concatenate([circle.reshape(-1, 3), [[0, 0, -1], [0, 0, 1]]])
        self.theta, self.phi = theta, phi

    def faces(self):
        """With the corners anticlockwise, seen from outside."""
        i, j = np.meshgrid(np.arange(self.rows - 1), np.arange(self.columns), indexing="ij")
        a, b = i * self.columns + j, i * self.columns + (j + 1) % self.columns
        c, d = a + self.columns, b + self.columns
        around = np.arange(self.columns)
        after, last = (around + 1) % self.columns, (self.rows - 1) * self.columns
        south, north = len(self.x) - 2, len(self.x) - 1
        return np.concatenate([
            np.stack([a, b, d], axis=-1).reshape(-1, 3), np.stack([a, d, c], axis=-1).reshape(-1, 3),
            np.stack([after, around, np.full_like(around, south)], axis=-1),
            np.stack([last + around, last + after, np.full_like(around, north)], axis=-1)])

    def sorted(self, values):
        return values[:, self.order][:, :, self.turn]

    def at_vertices(self, values):
        """Of values on sorted circles, poles included; [times, vertices, …]."""
        south, north = values[:, 0].mean(axis=1), values[:, -1].mean(axis=1)
        inside = values[:, self.has_pole[0]:values.shape[1] - self.has_pole[1]]
        flat = inside.reshape(len(values), self.rows * self.columns, *values.shape[3:])
        return np.concatenate([flat, south[:, None], north[:, None]], axis=1)

    def vectors(self, u, v):
        """Eastward and northward components as vectors in space. At a pole the meridians differ, and so do components there."""
        lat = np.concatenate([[-np.pi / 2]] * self.has_pole[0] + [self.theta[:, 0]] + [[np.pi / 2]] * self.has_pole[1])
        theta, phi = np.meshgrid(lat, self.phi[0], indexing="ij")
        east = np.stack([-np.sin(phi), np.cos(phi), 0 * phi], axis=-1)
        north = np.stack([-np.sin(theta) * np.cos(phi), -np.sin(theta) * np.sin(phi), np.cos(theta)], axis=-1)
        at = self.at_vertices(u[..., None] * east + v[..., None] * north)
        at[:, -2:, 2] = 0  # tangential
        return at


def read(chosen):
    """(scene's fields, grid) of the netCDF file."""
    try:
        data = xarray.open_dataset(chosen.theirs, decode_times=False)
    except Exception as error:  # xarray and its engines throw everything
        raise BadInput(f"not a netCDF file: {str(error).splitlines()[0]}") from None
    with data:
        lat, lon = (degrees(variable(data, what, chosen), what) for what in ("latitude", "longitude"))
        depth = variable(data, "depth", chosen)
        if depth.ndim == 2:
            times = np.array([chosen.time if chosen.time is not None else np.nan])
            if not np.isfinite(times).all():
                raise BadInput(f"depth '{depth.name}' has no times; use --time SECONDS")
        else:
            if chosen.time is not None:
                raise BadInput(f"--time is for a depth without times, and depth '{depth.name}' has the dimensions {', '.join(map(str, depth.dims))}")
            times = seconds(variable(data, "time", chosen))
        if not np.isfinite(times).all() or not (np.diff(times) > 0).all():
            raise BadInput("time: the values are not finite or do not rise throughout")
        shape = (len(times), len(lat), len(lon))
        grid = Grid(lat, lon)
        fields = {"depth": grid.at_vertices(grid.sorted(values_of(depth, "depth", "m", shape)))}
        if fields["depth"].min() < 0:
            raise BadInput(f"depth '{depth.name}' has negative values, down to {fields['depth'].min():.4g} m")
        u, v = (variable(data, what, chosen, required=False) for what in ("eastward", "northward"))
        if (u is None) != (v is None):
            raise BadInput(f"'{(u if v is None else v).name}' is only one component of the velocity; the other is missing")
        if u is not None:
            fields["velocity"] = grid.vectors(*(grid.sorted(values_of(one, what, "m/s", shape))
                                                for one, what in ((u, "eastward velocity"), (v, "northward velocity"))))
        return times, fields, grid


def write(chosen, times, fields, grid):
    x, faces = chosen.radius * grid.x, grid.faces()
    name = hashlib.sha256(x.tobytes() + faces.tobytes()).hexdigest()[:16]
    new = pathlib.Path(f"{chosen.output}.part")
    try:
        with h5py.File(new, "w") as file:
            file.attrs["format"] = "shoal"
            file[f"meshes/{name}/vertices"], file[f"meshes/{name}/faces"] = x, faces
            run = file.create_group("runs/0001")
            run.attrs.update({"scene": chosen.scene, "mesh": name, "mesh_name": chosen.theirs.name, "discretization": "other code",
                              "vertices": len(x), "triangles": len(faces), "steps": 0, "outcome": "finished"})
            snapshots = run.create_group("snapshots")
            snapshots["time"] = times
            for field, values in fields.items():
                snapshots[field] = values
                snapshots[field].attrs["location"] = "vertex"
        os.replace(new, chosen.output)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise BadInput(f"{chosen.output}: cannot be written: {error}") from None
    print(f"{chosen.output}: {', '.join(fields)} at {len(times)} times and {len(x)} points")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("theirs", type=pathlib.Path, metavar="THEIRS.nc", help="netCDF file, version 3 or 4")
    parser.add_argument("output", type=pathlib.Path, metavar="REFERENCE.h5", help="the file to write")
    parser.add_argument("--scene", required=True, help="scene that it is a solution of")
    parser.add_argument("--radius", type=float, default=6.37122e6, help="of the sphere, m (default: %(default)s)")
    parser.add_argument("--time", type=float, help="of a depth without times, s")
    for what, option in OPTION.items():
        velocity = " velocity" if what.endswith("ward") else ""
        parser.add_argument(f"--{option}", metavar="NAME",
                            help=f"name of the {what}{velocity} (default: by standard_name, or else {' or '.join(NAMES[what][1])})")
    chosen = parser.parse_args()
    try:
        if not chosen.theirs.is_file():
            raise BadInput("no such file")
        if chosen.output.exists() and chosen.output.samefile(chosen.theirs):
            raise BadInput("the output would overwrite it")
        if not (np.isfinite(chosen.radius) and chosen.radius > 0):
            raise BadInput(f"--radius: {chosen.radius} is not positive")
        if chosen.scene not in scenes():
            near = difflib.get_close_matches(chosen.scene, scenes(), 1)
            raise BadInput(f"--scene: there is no scene '{chosen.scene}'" + (f"; did you mean {near[0]}?" if near else
                                                                             "; `shoal list scenes` prints them"))
        write(chosen, *read(chosen))
    except BadInput as error:
        print(f"netcdf_reference.py: {chosen.theirs}: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
