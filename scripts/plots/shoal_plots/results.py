"""Reading Shoal's HDF5 files."""

import h5py
import numpy as np

from .arguments import refuse

# Attributes that describe the outcome of a run or follow from others, as opposed to settings.
HOUSEKEEPING = {"outcome", "reason", "t_reached", "steps", "negative_depth_cells", "negative_depth_time", "no_reference",
                "git_commit", "git_dirty", "mesh", "vertices", "triangles", "unknowns", "parameters", "energy_scale", "solution",
                "state_checksum", "diagnostics_every", "snapshots",
                "threads", "mode_angular_frequency", "theory_modulus", "theory_phase"}


class Run:
    """One entry of /runs: its attributes by name, its datasets on demand."""

    def __init__(self, group):
        self.id = group.name.rsplit("/", 1)[-1]
        self._group = group
        self.attributes = {key: value.decode() if isinstance(value, bytes) else value
                           for key, value in group.attrs.items()}

    def __getitem__(self, name):
        return self.attributes[name]

    def get(self, name, default=None):
        """An attribute, or `default` if the run has none of that name."""
        return self.attributes.get(name, default)

    def series(self, path):
        """A dataset of the run, or None if it has none of that name."""
        return self._group[path][()] if path in self._group else None

    def rows(self, path):
        """Those of a dataset, one after the other."""
        dataset = self._group.get(path, [])
        return (dataset[row] for row in range(len(dataset)))

    def diagnostic(self, name):
        """A series [steps] of the diagnostics, or None."""
        return self.series(f"diagnostics/{name}")

    def unit(self, name):
        """The unit of a diagnostic, "1" if it has none."""
        unit = self._group[f"diagnostics/{name}"].attrs.get("unit", "1")
        return unit.decode() if isinstance(unit, bytes) else unit

    def diagnostic_names(self):
        return list(self._group["diagnostics"]) if "diagnostics" in self._group else []

    def snapshot_times(self):
        times = self.series("snapshots/time")
        return np.array([]) if times is None else times

    def snapshot_at(self, time):
        """The number of the snapshot nearest to `time`, or None if the run did not reach it."""
        times = self.snapshot_times()
        if not len(times):
            return None
        nearest = int(np.argmin(np.abs(times - time)))
        return nearest if abs(times[nearest] - time) <= 0.51 * self["dt"] else None

    def positions_at(self, time):
        """The positions of the vertices [nV, 3] at the snapshot nearest to `time`; None if the surface is at rest."""
        path = "snapshots/positions"
        return self._group[path][self.snapshot_at(time)] if path in self._group else None

    def reference_names(self):
        """The names of the solutions of the scene; "" for the one to which errors without a suffix refer."""
        prefix = "reference_depth_at_vertices"
        return [name[len(prefix):].removeprefix("_") for name in self._group.get("snapshots", {})
                if name.startswith(prefix)]

    def elevation_at(self, time, reference=None):
        """Surface elevation h = η − H [nV] of the snapshot nearest to `time`, or None if the run did not get there.

        With `reference`, that of the scene's solution of this name at that snapshot's time.
        """
        nearest = self.snapshot_at(time)
        if nearest is None:
            return None
        name = "depth_at_vertices"
        if reference is not None:
            name = f"reference_{name}" + (f"_{reference}" if reference else "")
        return self._group[f"snapshots/{name}"][nearest] - self.bed

    @property
    def bed(self):
        """The depth of the bed H [nV] below the surface at rest."""
        return self._group["bed_depth_at_vertices"][()]

    def cells_at(self, time):
        """(depth, elevation) [nF] of the snapshot nearest to `time` if the cells of the scheme are the triangles of the mesh, else None."""
        dataset = self._group.get("snapshots/depth")
        location = dataset.attrs.get("location") if dataset is not None else None
        if location not in ("face", b"face") or "faces" in self._group:  # the scheme has its own triangles
            return None
        nearest = self.snapshot_at(time)
        depth, elevation = dataset[nearest], self._group["snapshots/elevation"][nearest]
        return None if np.isnan(depth).all() else (depth, elevation)  # blank after a change of scheme

    @property
    def scheme(self):
        return f"{self['discretization']} · {self['integrator']}"

    @property
    def refused(self):
        return self["outcome"] == "refused"

    @property
    def stopped_early(self):
        return self["outcome"] in ("unstable", "solver-failed", "input-refused", "interrupted")

    @property
    def outcome_text(self):
        return f"{self['outcome'].replace('-', ' ')} at t = {self['t_reached']:.3g} s"


def open_group(path, name):
    """A group of a Shoal file: runs, frontier or spectrum."""
    try:
        file = h5py.File(path, "r")
    except FileNotFoundError:
        refuse(f"there is no file {path}")
    except OSError as error:
        refuse(f"{path}: cannot be read as an HDF5 file: {error}")
    if file.attrs.get("format") not in ("shoal", b"shoal"):
        refuse(f"{path}: not a Shoal file (its attribute 'format' is not 'shoal')")
    if name not in file:
        refuse(f"{path}: holds no {name}")
    return file[name]


class Results:
    """A Shoal file: runs in sweep order, and meshes."""

    def __init__(self, path):
        group = open_group(path, "runs")
        self._file = group.file
        self.runs = [Run(run) for _, run in sorted(group.items())]

    def mesh(self, run):
        """Vertices [nV, 3] in m and triangles [nF, 3] of a run, as at its start; those of its scheme, if it flips edges."""
        mesh = self._file["meshes"][run["mesh"]]
        own = run.series("faces")
        return mesh["vertices"][()], mesh["faces"][()] if own is None else own

    def surface_at(self, run, time):
        """The same at a snapshot of the run, after a motion of the surface."""
        vertices, faces = self.mesh(run)
        moved = run.positions_at(time)
        return (vertices if moved is None else moved), faces


def vertex_areas(vertices, faces):
    """Barycentric dual areas [nV]: a third of each triangle around a vertex."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.bincount(faces.ravel(), np.repeat(area / 3, 3), minlength=len(vertices))


GIVEN = {"energy": ("energy_total", ["work_geometry", "work_forces", "work_source"]), "mass": ("mass", ["mass_source"])}


def kept(run, quantity):
    """(time, values) of energy or mass over the first value, net of the contributions of forces, a moving surface or sources."""
    name, sources = GIVEN[quantity]
    values = run.diagnostic(name)
    if values is None:
        refuse(f"run {run.id} has no quantity '{name}'; there are: " + ", ".join(run.diagnostic_names()))
    given = sum(series for source in sources if (series := run.diagnostic(source)) is not None)
    with np.errstate(divide="ignore", invalid="ignore"):  # water at rest on a flat bed has no energy
        return run.diagnostic("time"), (values - given) / values[0]


def distance(results, run, other):
    """(time, ‖h − h'‖/‖h'‖) over the snapshots that both runs have, weighted with the vertices' areas."""
    if run["mesh"] != other["mesh"]:
        refuse(f"there is no distance of run {run.id} to {other.id}, which is on another mesh")
    times, values = [], []
    for time in run.snapshot_times():
        mine, others = run.elevation_at(time), other.elevation_at(time)
        if mine is None or others is None or not np.any(others):
            continue
        weight = vertex_areas(*results.surface_at(run, time))
        times.append(time)
        values.append(np.sqrt(np.sum(weight * (mine - others) ** 2) / np.sum(weight * others**2)))
    return np.array(times), np.array(values)
