"""Results files as objects of xarray."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Union

from . import _core

if TYPE_CHECKING:
    import xarray


def read_group(path: Path, group: str) -> "xarray.Dataset":
    """A group of a file as an object of xarray, in memory, so that the file can change afterwards."""
    import xarray

    dataset = xarray.load_dataset(path, group=group, engine="h5netcdf", decode_times=False, phony_dims="sort")
    for variable in dataset.variables.values():
        if "unit" in variable.attrs:
            variable.attrs.setdefault("units", variable.attrs["unit"])
    return dataset


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
        """An attribute: the scene, the scheme, dt, a parameter, …"""
        return self.attributes[name]

    def __repr__(self) -> str:
        return (f"<shoal.Run {self.id} of {self.path}: {self.attributes.get('scene')} {self.attributes.get('discretization')} "
                f"{self.attributes.get('integrator')}, {self.outcome}>")


class Results:
    """A results file: its runs by id ("0001") or number (from 0), and `config`, the experiment that repeats it."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        import h5py

        self.path = Path(path)
        if not self.path.is_file():
            raise _core.Error(f"there is no results file '{path}'")
        if not h5py.is_hdf5(self.path):
            raise _core.Error(f"'{path}' is not a results file of Shoal")
        with h5py.File(self.path) as file:
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

    def __getitem__(self, which: Union[int, str]) -> Run:
        if isinstance(which, int):
            return self.runs[which]
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


def open_results(path: Union[str, "os.PathLike[str]"]) -> Results:
    """Opens a results file (HDF5) that `run`, `sweep`, `spectrum` or the program wrote."""
    return Results(path)
