"""Results files as objects of xarray."""

from __future__ import annotations

import operator
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Tuple, Union

from . import _core

if TYPE_CHECKING:
    import xarray

PathLike = Union[str, "os.PathLike[str]"]


_BOOKKEEPING = {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS", "_Netcdf4Dimid", "_Netcdf4Coordinates",
                "_nc3_strict"}


def read_group(path: Path, group: str) -> "xarray.Dataset":
    """A group of a file as an object of xarray, in memory, so that the file can change afterwards."""
    attempts = 5
    for attempt in range(attempts):
        try:
            return _read_group(existing(path), group)
        except (OSError, KeyError, RuntimeError) as failure:
            # A sweep at work may take over the part of a run between the opening of the file and that of the part.
            if attempt + 1 == attempts:
                raise _core.MachineError(f"'{path}': {group} cannot be read ({str(failure).splitlines()[0]})") from failure
            time.sleep(0.1)
    raise AssertionError


def _only_dimension(data: Any) -> bool:
    """Whether netCDF has a dimension of this name but no variable."""
    return bytes(data.attrs.get("NAME", b"")).startswith(b"This is a netCDF dimension but not")


def _read_group(path: Path, group: str) -> "xarray.Dataset":
    # By h5py: xarray's own readers take seconds for a hundred variables and do not follow the scales of a linked part.
    import h5py
    import xarray

    def attributes(of: Any) -> Dict[str, Any]:
        return {key: value.decode() if isinstance(value, bytes) else value for key, value in of.attrs.items() if key not in _BOOKKEEPING}

    variables: Dict[str, Any] = {}
    unnamed: Dict[Tuple[int, int], str] = {}  # dimensions without a scale, by size and by their count in a variable
    with h5py.File(path) as file:
        for name, data in file[group].items():
            if not isinstance(data, h5py.Dataset) or _only_dimension(data):
                continue
            is_scale = h5py.h5ds.is_scale(data.id)
            dimensions = [
                name if is_scale else
                data.dims[axis][0].name.rsplit("/", 1)[-1] if len(data.dims[axis]) else
                unnamed.setdefault((size, data.shape[:axis].count(size)), f"phony_dim_{len(unnamed)}")
                for axis, size in enumerate(data.shape)]
            about = attributes(data)
            if "unit" in about:
                about.setdefault("units", about["unit"])
            values = data.asstr()[()] if h5py.check_string_dtype(data.dtype) else data[()]
            variables[name] = (tuple(dimensions), values, about)
        about = attributes(file[group])
    coordinates = {name: one for name, one in variables.items() if one[0] == (name,)}
    return xarray.Dataset({name: one for name, one in variables.items() if name not in coordinates}, coordinates, about)


def existing(path: PathLike) -> Path:
    """The path, of a file that is there."""
    if not Path(path).is_file():
        raise _core.Error(f"there is no results file '{os.fspath(path)}'")
    return Path(path)


class Run:
    """One run of a results file."""

    def __init__(self, path: Path, id: str, attributes: Dict[str, Any]) -> None:
        self.path, self.id, self.attributes = path, id, attributes

    @property
    def outcome(self) -> str:
        """finished, unstable, solver-failed, input-refused, refused or interrupted; `attributes["reason"]` says why."""
        return str(self.attributes["outcome"])

    @property
    def diagnostics(self) -> "xarray.Dataset":
        """Mass, energies, extremes, errors, …: a value per recorded step, with units."""
        return read_group(self.path, f"runs/{self.id}/diagnostics")

    @property
    def snapshots(self) -> "xarray.Dataset":
        """Depth, elevation, velocity, … at the times of the snapshots, with units."""
        return read_group(self.path, f"runs/{self.id}/snapshots")

    @property
    def timing(self) -> "xarray.Dataset":
        """Seconds per step, by stage."""
        return read_group(self.path, f"runs/{self.id}/timing")

    @property
    def mesh(self) -> "xarray.Dataset":
        """vertices [nV, 3], m, and faces [nF, 3], in the order of the input."""
        return read_group(self.path, f"meshes/{self.attributes['mesh']}")

    def __getitem__(self, name: str) -> Any:
        """An attribute: the scene, the scheme, dt, a parameter, …; "mesh" is the key of the mesh in the file, "mesh_name" its name."""
        if name not in self.attributes:
            raise _core.Error(f"run {self.id} of '{self.path}' has no attribute '{name}'"
                              f"{_core.did_you_mean(name, list(self.attributes))}")
        return self.attributes[name]

    def plot(self, name: str = "elevation", time: int = -1, ax: Any = None, **options: Any) -> Any:
        """Draws a snapshot, by default the last, in colours on the surface with matplotlib and returns the axes. Where a motion
        is recorded, the surface is that of the time."""
        from .plotting import plot_snapshot

        return plot_snapshot(self, name, time, ax, options)

    def __repr__(self) -> str:
        return (f"<shoal.Run {self.id} of {self.path}: {self.attributes.get('scene')} {self.attributes.get('discretization')} "
                f"{self.attributes.get('integrator')}, {self.outcome}>")


class Results:
    """A results file: its runs by id ("0001") or number (from 0), and `config`, the experiment that repeats it."""

    def __init__(self, path: PathLike) -> None:
        import h5py

        self.path = existing(path)
        if not h5py.is_hdf5(self.path):
            raise _core.Error(f"'{path}' is not a results file of Shoal")
        try:
            opened = h5py.File(self.path)
        except OSError as failure:
            raise _core.MachineError(f"'{path}' is damaged or incomplete ({failure})") from None
        with opened as file:
            if file.attrs.get("format") not in ("shoal", b"shoal"):
                raise _core.Error(f"'{path}' is not a results file of Shoal")
            config = file["config"][()] if "config" in file else b""
            self.config: str = config.decode() if isinstance(config, bytes) else str(config)
            self.attributes: Dict[str, Any] = dict(file.attrs)
            self.runs: List[Run] = [Run(self.path, id, dict(run.attrs)) for id, run in sorted(file.get("runs", {}).items())]

    def __len__(self) -> int:
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __getitem__(self, which: Any) -> Any:
        """A run by its number or id, or the runs of a slice."""
        if isinstance(which, slice):
            return self.runs[which]
        if not isinstance(which, str):
            return self.runs[operator.index(which)]
        for run in self.runs:
            if run.id == which:
                return run
        raise _core.Error(f"'{self.path}' has no run '{which}'; there are {', '.join(run.id for run in self.runs)}")

    def table(self, *columns: str) -> Any:
        """A row per run as a table of pandas: the columns of `shoal table`, or the named ones."""
        from .experiments import table

        return table(self.path, *columns)

    def __repr__(self) -> str:
        return f"<shoal.Results {self.path}: {len(self.runs)} runs>"


def open_results(path: PathLike) -> Results:
    """Opens a results file (HDF5) that `run`, `sweep`, `spectrum` or the program wrote."""
    return Results(path)
