"""Water on a surface: stepped by hand, or as the run of a scene."""

from __future__ import annotations

import os
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
    """What every water shows, beside the attributes of `_core.Water`:

    time (s), density (kg/m³), substeps;
    state: the unknowns by name, as read-only views on the memory of the solver, which follow every step;
    volume [cells]: V = A η, m³, such a view; cell_areas (m²), cell_points [cells, 3] (m), cell_bed (H, m), cell_location;
    positions [nV, 3]: of the vertices now, m;
    outputs: name → unit, location, components, meaning.
    """

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
        """The output with this name at the present state: [elements], or [elements, components]; a new array."""
        return self.output(name)

    def units(self) -> Dict[str, str]:
        """The unit of every output."""
        return {name: one["unit"] for name, one in self.outputs.items()}

    def snapshot(self, *names: str) -> "xarray.Dataset":
        """The named outputs (by default all, with depth and elevation of the cells) as an object of xarray, with units."""
        import xarray

        dimension = {"vertex": "vertex", "face": "face", "edge": "edge"}
        variables: Dict[str, Any] = {}
        if not names:
            cells = dimension[self.cell_location]
            variables["depth"] = (cells, self.depth, {"units": "m", "long_name": "depth η"})
            variables["elevation"] = (cells, self.elevation, {"units": "m", "long_name": "elevation h = η − H"})
        for name, info in self.outputs.items():
            if names and name not in names or info["location"] not in dimension:
                continue
            values = self.output(name)
            place = dimension[info["location"]]
            variables[name] = ((place, "xyz")[:values.ndim], values, {"units": info["unit"], "long_name": info["meaning"]})
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
    boundaries : conditions on the named sets of boundary edges, "left = discharge 0.3; right = outflow"
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
        self._substeps = 0 if substeps is None else substeps
        if substeps == 0:
            raise _core.Error("substeps: 0 is not a number ≥ 1")
        strength, normal_acceleration, body_acceleration = _gravity(gravity, normal_acceleration, body_acceleration)
        fields = {"elevation": elevation, "depth": depth, "velocity": velocity, "bed_depth": bed_depth,
                  "normal_acceleration": normal_acceleration, "body_acceleration": body_acceleration, "rain": rain,
                  "rotation": rotation, "boundaries": _boundaries(boundaries), "motion": motion}
        super().__init__(self._mesh, self._parts, {key: value for key, value in fields.items() if value is not None},
                         self._options, self._substeps, density, strength, safety)

    @property
    def mesh(self) -> _core.Mesh:
        return self._mesh

    # step(dt, count=1) is that of _core, without a call in between: `count` steps of dt, s. Raises `StepFailure`.

    def move_to(self, positions: ArrayLike, dt: float) -> None:
        """Moves the vertices to `positions` [nV, 3], m, during the next step, which has the length dt, s."""
        self._move_to(np.asarray(positions, float), dt)

    def run(self, until: float, callback: Optional[Callable[["ShallowWater"], Any]] = None, *,
            dt: Optional[float] = None) -> "ShallowWater":
        """Steps to the time `until`, s, and returns itself.

        With dt, the steps are equal and at most that long. Without, they are as long as the water allows: safety · substeps ·
        stable step, at most 1.1 times the previous one; for integrators without a limit all are as long as the first. After each
        step `callback(water)` is called; the run stops when it returns True. Ctrl-C stops it after the present step, and it can
        go on from there. Raises `StepFailure` when a step fails or a value is not finite.
        """
        self._run(until, dt, _bound(callback, self))
        return self

    def add_water(self, volume: ArrayLike, impulse: Optional[ArrayLike] = None) -> None:
        """Adds volumes [cells], m³ (negative: removes, as far as there is water), and then impulses [nF, 3], m⁴/s (divided by
        the density), at once. The mass and energy that enter are booked in `budget()`."""
        self._exchange(np.asarray(volume, float), None if impulse is None else np.asarray(impulse, float))

    def change(self, *, substeps: Optional[int] = None, **parts_and_options: Union[float, str, None]) -> None:
        """Replaces parts (discretization, integrator, …) or options from the next step on. Volumes are kept if the cells are. Views
        of the state made before show the state before."""
        parts, options = dict(self._parts), dict(self._options)
        for key, value in parts_and_options.items():
            if key in parts:
                parts[key] = value  # type: ignore[assignment]
            elif value is not None:
                options[key] = value
        self._change(parts, options, substeps or self._substeps)
        self._parts, self._options, self._substeps = parts, options, substeps or self._substeps

    def save(self, path: Union[str, "os.PathLike[str]", None] = None) -> Dict[str, Array]:
        """Everything on which later steps depend, as arrays by name; with a path, also written there (.npz)."""
        saved: Dict[str, Array] = self._save()
        if path is not None:
            with open(path, "wb") as file:
                np.savez(file, **saved)
        return saved

    def restore(self, saved: Union[Mapping[str, Array], str, "os.PathLike[str]"]) -> None:
        """Returns to a state of `save()`. Water that was made in the same way goes on with the same bits."""
        if isinstance(saved, (str, os.PathLike)):
            if not Path(saved).is_file():
                raise _core.Error(f"there is no file '{saved}'")
            with np.load(saved) as file:
                saved = {name: file[name] for name in file.files}
        self._restore(dict(saved))


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

    # diagnostics() is that of _core: the row of a results file at the present time, by name; errors where the scene has a solution.


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

