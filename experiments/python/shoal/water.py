"""Water on a surface: stepped by hand, or as the run of a scene."""

from __future__ import annotations

import hashlib
import os
import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Tuple, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .meshes import as_mesh

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]
#: A number, an array with a value per vertex or per triangle, or a function of points [n, 3] (m) that returns n values.
Field = Union[float, ArrayLike, Callable[[Array], Any]]
#: The same in time: an array, or a function of points [n, 3] and time (s).
Forcing = Union[float, ArrayLike, Callable[[Array, float], Any]]
#: "left = discharge 0.3; right = outflow", or {"left": "discharge 0.3", "right": "outflow"}.
Boundaries = Union[str, Mapping[str, str]]


if TYPE_CHECKING:
    _Base = _core.Water
else:
    _Base = object  # the classes below derive from the one that pybind11 makes


class _Water(_Base):
    """What every water shows."""

    @property
    def mesh(self) -> _core.Mesh:
        raise NotImplementedError

    def __repr__(self) -> str:
        return (f"<shoal.{type(self).__name__} on {self.mesh.name!r}: t = {self.time:.6g} s, {len(self.volume)} cells, "
                f"{self.volume.sum():.6g} m³>")

    @property
    def depth(self) -> Array:
        """η [cells], m: a new array."""
        return self.volume / self.cell_areas

    @property
    def elevation(self) -> Array:
        """h = η − H [cells], m: a new array."""
        return self.depth - self.cell_bed

    def __getitem__(self, name: str) -> Array:
        """The output with this name, or "depth" or "elevation", at the present state: [elements], or [elements, components]; a new
        array."""
        if name in ("depth", "elevation"):
            return self.depth if name == "depth" else self.elevation
        return self.output(name)

    def units(self) -> Dict[str, str]:
        """The unit of every output."""
        return {name: one["unit"] for name, one in self.outputs.items()}

    def snapshot(self, *names: str) -> "xarray.Dataset":
        """The named outputs (by default all, with depth and elevation of the cells) as an object of xarray, with units."""
        import xarray

        variables: Dict[str, Any] = {}
        for name, meaning in (("depth", "depth η"), ("elevation", "elevation h = η − H")):
            if not names or name in names:
                variables[name] = (self.cell_location, self[name], {"units": "m", "long_name": meaning})
        for name, info in self.outputs.items():
            if names and name not in names or info["location"] not in ("vertex", "face", "edge"):
                continue
            values = self.output(name)
            variables[name] = ((info["location"], "xyz")[:values.ndim], values,
                               {"units": info["unit"], "long_name": info["meaning"]})
        for name in names:
            if name not in variables:
                self.output(name)  # raises, naming the outputs
        return xarray.Dataset(variables, coords={"time": ((), self.time, {"units": "s"})})

    def plot(self, name: str = "elevation", ax: Any = None, **options: Any) -> Any:
        """Draws a scalar output, or "elevation" or "depth", in colours on the surface with matplotlib and returns the axes."""
        from .plotting import plot_surface

        return plot_surface(self, name, ax, **options)


W = TypeVar("W")


def _bound(callback: Optional[Callable[[W], Any]], water: W) -> Optional[Callable[[], Any]]:
    return None if callback is None else lambda: callback(water)  # type: ignore[misc]


def _gravity(gravity: Union[float, ArrayLike], normal: Optional[Forcing],
             body: Optional[Forcing]) -> Tuple[float, Optional[Forcing], Optional[Forcing]]:
    """The strength of gravity, and the forcing with a gravity in space as a body acceleration."""
    try:
        vector = np.asarray(gravity, float)
    except (TypeError, ValueError):
        raise _core.Error(f"gravity: {gravity!r} is not a number or a vector [3]") from None
    if vector.ndim == 0:
        return float(vector), normal, body
    if vector.shape != (3,):
        raise _core.Error(f"gravity: an array {list(vector.shape)} was given; required is a number or a vector [3]")
    if callable(body):
        force = body
        return float(np.linalg.norm(vector)), 0.0 if normal is None else normal, lambda x, t: force(x, t) + vector
    return (float(np.linalg.norm(vector)), 0.0 if normal is None else normal,
            vector if body is None else np.asarray(body, float) + vector)


def _require_normals_up(mesh: _core.Mesh, gravity: Any) -> None:
    if np.shape(gravity) != (3,) or mesh.closed:
        return
    along = mesh.face_areas @ mesh.face_normals @ np.asarray(gravity, float) / mesh.face_areas.sum()
    if along > 1e-9 * np.linalg.norm(gravity):
        raise _core.Error(f"gravity: {list(gravity)} points along the normals of '{mesh.name}', which must point up, to the side of the "
                          "water; turn the vector, or the triangles by faces[:, ::-1]")


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _core.Error(f"{name}: {value!r} is not a number") from None


def _substeps(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise _core.Error(f"substeps: {value!r} is not a whole number ≥ 1")
    return int(value)


def _checksum(mesh: _core.Mesh) -> Array:
    """Two numbers that differ for another mesh."""
    digest = hashlib.blake2b(mesh.vertices.tobytes() + mesh.faces.tobytes(), digest_size=8).digest()
    return np.frombuffer(digest, np.uint32).astype(float)


def _boundaries(given: Optional[Boundaries]) -> Optional[str]:
    if given is None or isinstance(given, str):
        return given
    return "; ".join(f"{name} = {condition}" for name, condition in given.items())


class ShallowWater(_core.ShallowWater, _Water):
    """Water on a mesh, made of named parts.

        water = shoal.ShallowWater("icosphere:4", "hllc", "ssprk3", elevation=lambda x: 0.1 * (x[:, 2] > 0.9), reconstruction="linear")
        water.run(until=0.5)
        print(water.time, water.volume.sum(), water["velocity"].shape)

    Parameters
    ----------
    mesh : a mesh, or the name of one
    discretization, integrator, linear_solver, advection, splitting : names, see `shoal.discretizations()` and so on
    elevation : h at t = 0, m, a number, array or function of points; or `depth`: η = h + H. Where h < −H the land is dry.
    velocity : v at t = 0, m/s, [3] or [n, 3]; its tangential part is used
    bed_depth : H, m, the depth of the bed below the zero level
    gravity : m/s², towards the surface; or a vector [3] in space, such as (0, 0, -9.81) on a terrain, whose normals must point up
    normal_acceleration : aₙ, m/s², instead of −gravity; a function of points and time is allowed
    body_acceleration : force per mass, m/s², [nV, 3] or a function of points and time
    rain : m/s of depth, an array or a function of points and time; negative: removes water as far as there is any
    rotation : Ω, 1/s, [3]
    boundaries : conditions on parts of the boundary, "left = discharge 0.3; right = outflow", or {"left": "discharge 0.3"}: wall,
        discharge, level, inflow, outflow or sponge, with a number or a list T:VALUE,T:VALUE in time (`python -m shoal list
        boundaries`). `mesh.boundary_sets` has the parts; `shoal.Mesh(..., boundaries=...)` names them.
    motion : a function of time that returns the positions [nV, 3] of the vertices, m, those of the mesh at t = 0
    substeps : per step, of explicit integrators; default: the integrator's own number
    density : kg/m³
    safety : of the steps that `run` chooses, relative to the stable step
    **options : parameters of the parts, such as `reconstruction="linear"`; `shoal.discretizations().parameters("hllc")` lists them

    Raises `Refusal` for parts that do not fit together, `Error` for a wrong value.
    """

    def __init__(self, mesh: Union[str, _core.Mesh], discretization: str = "fefv", integrator: str = "explicit", *,
                 linear_solver: Optional[str] = None, advection: Optional[str] = None, splitting: Optional[str] = None,
                 elevation: Optional[Field] = None, depth: Optional[Field] = None, velocity: Optional[Field] = None,
                 bed_depth: Field = 1.0, gravity: Union[float, ArrayLike] = 9.81, normal_acceleration: Optional[Forcing] = None,
                 body_acceleration: Optional[Forcing] = None, rain: Optional[Forcing] = None,
                 rotation: Optional[ArrayLike] = None, boundaries: Optional[Boundaries] = None,
                 motion: Optional[Callable[[float], ArrayLike]] = None, substeps: Optional[int] = None,
                 density: float = 1000.0, safety: float = 0.5, **options: Union[float, str]) -> None:
        if depth is not None and elevation is not None:
            raise _core.Error("depth and elevation were both given; one is enough")
        self._mesh = as_mesh(mesh)
        self._parts: Dict[str, Optional[str]] = {
            "discretization": discretization, "integrator": integrator, "linear_solver": linear_solver,
            "advection": advection, "splitting": splitting}
        self._options: Dict[str, Union[float, str]] = dict(options)
        self._substeps = 0 if substeps is None else _substeps(substeps)
        _require_normals_up(self._mesh, gravity)
        strength, normal_acceleration, body_acceleration = _gravity(gravity, normal_acceleration, body_acceleration)
        fields = {"elevation": elevation, "depth": depth, "velocity": velocity, "bed_depth": bed_depth,
                  "normal_acceleration": normal_acceleration, "body_acceleration": body_acceleration, "rain": rain,
                  "rotation": rotation, "boundaries": _boundaries(boundaries), "motion": motion}
        super().__init__(self._mesh, self._parts, {key: value for key, value in fields.items() if value is not None},
                         self._options, self._substeps, _number("density", density), strength, _number("safety", safety))
        if rain is None and not boundaries and not self.volume.any():
            warnings.warn("all land is dry: h < −H everywhere (bed_depth is positive downwards)", stacklevel=2)

    @property
    def mesh(self) -> _core.Mesh:
        return self._mesh

    # step(dt, count=1) is that of _core, without a call in between.

    def move_to(self, positions: ArrayLike, dt: float) -> None:
        """Moves the vertices to `positions` [nV, 3], m, during the next step, which must have the length dt, s."""
        self._move_to(np.asarray(positions, float), dt)

    def run(self, until: float, callback: Optional[Callable[["ShallowWater"], Any]] = None, *,
            dt: Optional[float] = None, max_dt: Optional[float] = None) -> "ShallowWater":
        """Steps to the time `until`, s, and returns itself.

        With dt, the steps are equal and at most that long. Without, they are as long as the water allows: safety · substeps ·
        stable step, at most 1.1 times the previous one, less while rain falls on shallow water; for integrators without a limit
        all are as long as the first. Give max_dt where forces, rain, a motion or values at the boundary change faster than
        waves cross a triangle: only you know how fast. On dry land, which has no stable step, dt or max_dt is required.

        After each step `callback(water)` is called; the run stops when it returns True. Ctrl-C stops it after the present step,
        and it can go on from there. Raises `StepFailure` when a step fails or a depth is not finite.
        """
        self._run(until, dt, max_dt, _bound(callback, self))
        return self

    def add_water(self, volume: ArrayLike, impulse: Optional[ArrayLike] = None) -> None:
        """Adds volumes [cells], m³ (negative: removes, as far as there is water), and then impulses [nF, 3], m⁴/s (divided by
        the density), at once. The mass and energy that enter are booked in `budget()`."""
        self._exchange(np.asarray(volume, float), None if impulse is None else np.asarray(impulse, float))

    def change(self, *, substeps: Optional[int] = None, **parts_and_options: Union[float, str, None]) -> None:
        """Replaces parts (discretization, integrator, …) or options from the next step on; the others stay, but another integrator
        takes its own number of substeps unless one is given. None returns an option to its default. Volumes are kept if the cells are. If the unknowns change, views of
        the state made before show the state before."""
        parts, options = dict(self._parts), dict(self._options)
        for key, value in parts_and_options.items():
            if key in parts and (value is not None or key not in ("discretization", "integrator")):
                parts[key] = None if value is None else str(value)
            elif key in parts:
                raise _core.Error(f"change: {key} = None; give a name")
            elif value is None:
                options.pop(key, None)
            else:
                options[key] = value
        if substeps is not None:
            substeps = _substeps(substeps)
        else:
            substeps = self._substeps if parts["integrator"] == self._parts["integrator"] else 0
        self._change(parts, options, substeps)
        self._parts, self._options, self._substeps = parts, options, substeps

    def save(self, path: Union[str, "os.PathLike[str]", None] = None) -> Dict[str, Array]:
        """Everything on which later steps depend, as arrays by name; with a path, also written there (.npz)."""
        saved: Dict[str, Array] = {**self._save(), "mesh": _checksum(self._mesh)}
        if path is not None:
            with open(path, "wb") as file:
                np.savez(file, **saved)
        return saved

    def restore(self, saved: Union[Mapping[str, Array], str, "os.PathLike[str]"]) -> None:
        """Returns to a state of `save()`. Water that was made in the same way goes on with the same bits."""
        if isinstance(saved, (str, os.PathLike)):
            if not Path(saved).is_file():
                raise _core.Error(f"there is no file '{saved}'")
            try:
                with np.load(saved) as file:
                    saved = {name: file[name] for name in file.files}
            except (OSError, ValueError, zipfile.BadZipFile) as error:
                raise _core.Error(f"'{saved}' is no file of save(): {error}") from None
        if not isinstance(saved, Mapping) or "mesh" not in saved:
            raise _core.Error("restore: required is what save() returns, or a file that it wrote")
        if not np.array_equal(saved["mesh"], _checksum(self._mesh)):
            raise _core.Error(f"restore: this was saved on another mesh than '{self._mesh.name}', or on one with another numbering")
        self._restore({name: values for name, values in saved.items() if name != "mesh"})


class Simulation(_core.Simulation, _Water):
    """The run of a scene, as `shoal run SCENE` computes it, in memory.

    Options are the keys of a run (mesh, discretization, integrator, dt, substeps, end, motion, boundaries, inputs, seed, …) and
    the parameters of the scene and of the parts; `shoal.scenes().parameters(NAME)` lists those of a scene. `mesh` may be a
    `shoal.Mesh`. Numbers may be fractions in quotes: dt="1/60"; dt="auto" chooses every step.

    Attributes: time, dt (of the last step), end (s), steps_done, finished.
    """

    def __init__(self, scene: str, *, mesh: Union[str, _core.Mesh, None] = None, **options: Any) -> None:
        own = mesh if isinstance(mesh, _core.Mesh) else None
        names = set(_core.run_keys())
        keys: Dict[str, Any] = {"scene": scene, "mesh": own.name if own is not None else mesh}
        parameters: Dict[str, Any] = {}
        for key, value in options.items():
            (keys if key in names else parameters)[key] = value
        super().__init__(own, _texts(keys), _texts(parameters))

    @property
    def mesh(self) -> _core.Mesh:
        return self._mesh

    def step(self, count: int = 1) -> None:
        """Takes steps of the run. Raises `StepFailure` if one fails or the run becomes unstable, `Error` after the end."""
        if count < 1:
            raise _core.Error(f"count: {count} is not a number of steps ≥ 1")
        for _ in range(count):
            self._step()

    def run(self, until: Optional[float] = None, callback: Optional[Callable[["Simulation"], Any]] = None) -> "Simulation":
        """Steps until the time is at least `until`, s, by default to the end, and returns itself. `callback(simulation)` is called
        after each step; the run stops when it returns True."""
        self._run(self.end if until is None else until, _bound(callback, self))
        return self

    def quantities(self) -> Dict[str, Tuple[str, str]]:
        """The diagnostics of this run: name → (unit, meaning)."""
        return {name: (unit, meaning) for name, unit, meaning, _ in self._quantities()}



def _texts(values: Mapping[str, Any]) -> Dict[str, str]:
    texts = {}
    for key, value in values.items():
        if value is None:
            continue
        if isinstance(value, (bool, np.bool_)):
            raise _core.Error(f"{key}: required is a number or a word, not {value}")
        if isinstance(value, (list, tuple, np.ndarray)):
            texts[key] = ",".join(_text(one) for one in value)
        else:
            texts[key] = _text(value)
    return texts


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)

