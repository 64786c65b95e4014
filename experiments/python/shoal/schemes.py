"""Numerical fluxes and discretizations written in Python."""

from __future__ import annotations

import inspect
import math
import os
import re
import traceback
from dataclasses import dataclass
from typing import Any, ClassVar, Dict, List, Optional, Tuple, Type, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from . import _core

Array = NDArray[np.float64]


@dataclass(frozen=True)
class EdgeState:
    """The water on one side of many edges, in the frame of each edge: the normal points from left to right, and the tangent is the
    normal turned by 90° to the left. All arrays have the shape [n]."""

    depth: Array  #: η ≥ 0, m
    normal: Array  #: u, m/s
    tangential: Array  #: w, m/s

    def volume_flux(self) -> Array:
        """ηu, m²/s"""
        return self.depth * self.normal

    def momentum_flux(self, gravity: Array) -> Array:
        """ηu² + ½gη², m³/s²"""
        return self.depth * (self.normal * self.normal + 0.5 * gravity * self.depth)

    def mirrored(self) -> "EdgeState":
        """The state reflected at the edge."""
        return EdgeState(self.depth, -self.normal, self.tangential)


@dataclass(frozen=True)
class Parameter:
    """A number that users choose, as an attribute of a class: `damping = shoal.Parameter(1.0, min=0, meaning="…")`. In methods
    `self.damping` is its value."""

    default: float
    unit: str = "1"
    min: float = -math.inf
    max: float = math.inf
    meaning: str = ""


def _sentence(error: BaseException, trace: Any) -> Tuple[bool, str]:
    """Whether it is an `Error`, and the exception in one line with the line of the caller's code that raised it."""
    message = " ".join(str(error).split())
    if isinstance(error, _core.Error):
        return True, message
    place = ""
    for frame in traceback.extract_tb(trace):
        if os.path.dirname(frame.filename) != os.path.dirname(__file__):
            place = f" ({os.path.basename(frame.filename)}, line {frame.lineno})"
    return False, f"{type(error).__name__}{': ' if message else ''}{message}{place}"


class _Scheme:
    name: ClassVar[str] = ""
    _required: ClassVar[Tuple[str, ...]] = ()  # methods without which a class cannot be registered

    def __init__(self, **parameters: float) -> None:
        for key, parameter in self._parameters().items():
            setattr(self, key, parameters.get(key, parameter.default))

    @classmethod
    def _parameters(cls) -> Dict[str, Parameter]:
        found: Dict[str, Parameter] = {}
        for base in reversed(cls.__mro__):
            found.update((key, value) for key, value in vars(base).items() if isinstance(value, Parameter))
        return found

    @classmethod
    def _declared(cls) -> List[Tuple[str, str, float, float, float, str]]:
        return [(key, one.unit, one.default, one.min, one.max, one.meaning) for key, one in cls._parameters().items()]

    @classmethod
    def _summary(cls) -> str:
        return (inspect.getdoc(cls) or "written in Python").strip().splitlines()[0].rstrip(".")

    def _array(self, value: Any, shape: Tuple[int, ...], what: str) -> Array:
        if value is None:
            raise _core.Error(f"{self.name}: {what} is None; required are numbers")
        if np.iscomplexobj(value):
            raise _core.Error(f"{self.name}: {what} is complex; required are real numbers")
        try:
            array = np.ascontiguousarray(value, dtype=float)
            return array if array.shape == shape else np.ascontiguousarray(np.broadcast_to(array, shape))
        except ValueError:
            raise _core.Error(f"{self.name}: {what} has the shape {list(np.shape(value))}; "
                              f"required is {list(shape)}") from None


class Flux(_Scheme):
    """Base class of numerical fluxes. Each is a finite-volume scheme with depth and momentum per triangle, like `hllc`: of first
    order, or with `reconstruction="linear"` of second, well balanced, with dry land, open boundaries and moving surfaces.

        @shoal.register
        class Rusanov(shoal.Flux):
            "The flux of Rusanov (1962)"
            name = "my-rusanov"
            positive = True

            def flux(self, left, right, gravity):
                s = self.speed(left, right, gravity)
                a, b = left.volume_flux(), right.volume_flux()
                return (0.5 * (a + b) - 0.5 * s * (right.depth - left.depth),
                        0.5 * (left.momentum_flux(gravity) + right.momentum_flux(gravity)) - 0.5 * s * (b - a),
                        0.5 * (a * left.tangential + b * right.tangential)
                        - 0.5 * s * (right.depth * right.tangential - left.depth * left.tangential))

            def speed(self, own, other, gravity):
                return np.maximum(abs(own.normal) + np.sqrt(gravity * own.depth),
                                  abs(other.normal) + np.sqrt(gravity * other.depth))

    Both methods receive arrays with a value per edge and must not keep state between calls. With F(L, R) = (F_η, F_u, F_w), s(L, R)
    = `speed` on the side of L, and L* the state reflected at the edge, `conformance` requires:

    - consistency: F(U, U) = (ηu, ηu² + ½gη², ηuw);
    - the same flux from the other side: F_η(L, R) = −F_η(R*, L*), F_u(L, R) = F_u(R*, L*), F_w(L, R) = −F_w(R*, L*);
    - dry land: F(L, R) is finite if one side is dry, and 0 if both are; with `positive`, F_η(L, R) ≥ 0 if η_R = 0;
    - the bound: |u_L| ≤ s(L, R) and, with `positive`, F_η(L', R') ≤ s(L, R) η_L' for L', R' of less depth, η' ≤ η;
    - with `positive`, η ≥ 0 after steps of forward Euler of Δt ≤ min A/Σ l s on random water and dry land;
    - a row of cells stepped by Δt = ½Δx/max s from two states L | R of Froude numbers up to 3 and more, also dry: η ≥ 0;
      |u| ≤ 1.08 times the largest |u| of the exact solution; |w| ≤ max |w|; ½Σ η(u² + w²) + gη² grows by no more than enters;
    - two fans, −u | u with η = 1 m and u up to more than 2√(gη): 0 < η, |u| stays below the initial one, and the depth on 400 cells
      differs from the solution by at most 8 % in the L1 norm;
    - in its scheme: still water around islands stays still, a symmetric flow symmetric, and a film of 1 cm on a slope with bed steps of
      0.3 to 10 depths gains the momentum of its weight, u = g S t, within 2 %.
    """

    _required = ("flux", "speed")
    positive: ClassVar[bool] = False  #: whether F_η(L, R) ≤ s η_L, so that depths stay nonnegative
    smooth: ClassVar[bool] = False  #: whether the flux has no kinks, which limit the order in time to 2

    def flux(self, left: EdgeState, right: EdgeState, gravity: Array) -> Tuple[Any, Any, Any]:
        """Fluxes from left to right per length of the edge: of η (m²/s), of ηu with the pressure (m³/s²), of ηw (m³/s²)."""
        raise NotImplementedError

    def speed(self, own: EdgeState, other: EdgeState, gravity: Array) -> Any:
        """A bound of the wave speeds on the side of `own`, m/s."""
        raise NotImplementedError

    def _fluxes(self, left: Tuple[Array, ...], right: Tuple[Array, ...], gravity: Array) -> Tuple[Array, ...]:
        with np.errstate(all="ignore"):  # results that are not finite are data
            parts = self.flux(EdgeState(*left), EdgeState(*right), gravity)
        if not isinstance(parts, (tuple, list)) or len(parts) != 3:
            raise _core.Error(f"{self.name}: flux() must return three arrays: of volume, momentum and tangential momentum")
        return tuple(self._array(part, gravity.shape, "a result of flux()") for part in parts)

    def _speeds(self, own: Tuple[Array, ...], other: Tuple[Array, ...], gravity: Array) -> Array:
        with np.errstate(all="ignore"):
            speeds = self._array(self.speed(EdgeState(*own), EdgeState(*other), gravity), gravity.shape, "the result of speed()")
        if not (speeds >= 0).all():
            known = np.isfinite([*own, *other, gravity]).all(axis=0)  # elsewhere the water is lost already
            wrong = np.flatnonzero(known & ~(speeds >= 0))
            if wrong.size:
                raise _core.Error(f"{self.name}: speed() returned {speeds[wrong[0]]}; required are numbers ≥ 0")
        return speeds


class Discretization(_Scheme):
    """Base class of discretizations with a depth per cell and a velocity per triangle, on surfaces at rest with walls.

    Set `name`, `cells` ("vertex": dual cells of vertices, or "face": triangles) and, if the rates include v·∇v, `advects = True`.
    `setup` is called once; then `self.mesh`, `self.cell_areas` [cells] (m²) and `self.cell_bed` [cells] (H, m) exist. Forces,
    the Coriolis force, friction and sources are added to the rates.
    """

    _required = ("rates", "stable_dt")
    cells: ClassVar[str] = "face"
    advects: ClassVar[bool] = False
    mesh: _core.Mesh
    cell_areas: Array
    cell_bed: Array

    def setup(self) -> None:
        """Prepares what `rates` needs, such as matrices."""

    def rates(self, depth: Array, velocity: Array, normal_acceleration: Array) -> Tuple[Any, Any]:
        """η_t [cells], m/s, and v_t [nF, 3], m/s² (its tangential part is used), from η [cells] (m), v [nF, 3] (m/s) and
        aₙ [nV] (m/s², negative: −g). Σ A η_t must vanish."""
        raise NotImplementedError

    def stable_dt(self, depth: Array, velocity: Array, normal_acceleration: Array) -> float:
        """The longest stable explicit substep, s."""
        raise NotImplementedError

    @classmethod
    def _make(cls, mesh: _core.Mesh, areas: Array, bed: Array, parameters: Dict[str, float]) -> "Discretization":
        scheme = cls(**parameters)
        scheme.mesh, scheme.cell_areas, scheme.cell_bed = mesh, areas, bed
        scheme.setup()
        return scheme

    def _rates(self, depth: Array, velocity: Array, normal_acceleration: Array) -> Tuple[Array, Array]:
        with np.errstate(all="ignore"):
            rates = self.rates(depth, velocity, normal_acceleration)
        if not isinstance(rates, (tuple, list)) or len(rates) != 2:
            raise _core.Error(f"{self.name}: rates() must return two arrays: η_t and v_t")
        depth_rate, acceleration = rates
        return (self._array(depth_rate, depth.shape, "η_t of rates()"),
                self._array(acceleration, velocity.shape, "v_t of rates()"))

    def _stable_dt(self, depth: Array, velocity: Array, normal_acceleration: Array) -> float:
        stable = self.stable_dt(depth, velocity, normal_acceleration)
        if stable is None or np.ndim(stable) > 0 or not stable > 0 and np.isfinite(depth).all() and np.isfinite(velocity).all():
            raise _core.Error(f"{self.name}: stable_dt() returned {stable}; required is a number > 0")
        return float(stable)


SchemeType = TypeVar("SchemeType", bound=Union[Type[Flux], Type[Discretization]])


def register(scheme: SchemeType) -> SchemeType:
    """Adds a class derived from `Flux` or `Discretization` to the list of discretizations, under its `name`; usable as a
    decorator. A class of the same name that was added before is replaced. Results name its file: `python -m shoal rerun FILE.h5 --plugin
    FILE.py` computes them again. Raises `Error` if the name is that of another scheme."""
    if not inspect.isclass(scheme) or not issubclass(scheme, (Flux, Discretization)):
        raise _core.Error(f"register: required is a class derived from shoal.Flux or shoal.Discretization, not {scheme!r}")
    if not scheme.name:
        raise _core.Error(f"{scheme.__name__}: a class attribute `name` is required, such as name = \"my-scheme\"")
    if not isinstance(scheme.name, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", scheme.name):
        raise _core.Error(f"{scheme.__name__}: the name {scheme.name!r} is not made of letters, digits, - and _ alone")
    base: Type[_Scheme] = Flux if issubclass(scheme, Flux) else Discretization
    for method in base._required:
        if getattr(scheme, method) is getattr(base, method):
            arguments = ", ".join(list(inspect.signature(getattr(base, method)).parameters)[1:])
            raise _core.Error(f"{scheme.name} has no method {method}({arguments})")
    _check_parameters(scheme)
    if issubclass(scheme, Flux):
        _core.register_flux(scheme, scheme.name, scheme._summary(), scheme._declared(), scheme.positive, scheme.smooth)
    else:
        if scheme.cells not in ("vertex", "face"):
            raise _core.Error(f"{scheme.name}: cells = {scheme.cells!r}; choose 'vertex' or 'face'")
        _core.register_discretization(scheme, scheme.name, scheme._summary(), scheme._declared(), scheme.cells, scheme.advects)
    file = getattr(getattr(getattr(scheme, base._required[0]), "__code__", None), "co_filename", "")
    if os.path.isfile(file):
        _core.record_plugin(os.path.abspath(file))
    return scheme


def _check_parameters(scheme: Type[_Scheme]) -> None:
    from .water import ShallowWater

    taken = {*inspect.signature(ShallowWater.__init__).parameters, *_core.run_keys()}
    for key, one in scheme._parameters().items():
        where = f"{scheme.name}: the parameter '{key}'"
        if key in taken:
            raise _core.Error(f"{where} has the name of an argument of ShallowWater or a key of a run")
        try:
            valid = float(one.min) <= float(one.default) <= float(one.max)
        except (TypeError, ValueError):
            raise _core.Error(f"{where}: default, min and max are not numbers") from None
        if not valid:
            raise _core.Error(f"{where} is {one.default} by default, which is not from {one.min} to {one.max}")
