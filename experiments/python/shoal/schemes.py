"""Numerical fluxes and discretizations written in Python."""

from __future__ import annotations

import inspect
import math
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


class _Scheme:
    name: ClassVar[str] = ""

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

    Both methods receive arrays with a value per edge and must not keep state between calls. The conformance tests require:
    F(U, U) = (ηu, ηu² + ½gη², ηuw); the same flux from the other side; finite values where one or both sides are dry, and no
    flux where both are; and that `speed` bounds the wave speeds on the side of `own`, so that forward Euler is stable for
    Δt ≤ min A/Σ l s.
    """

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
            return self._array(self.speed(EdgeState(*own), EdgeState(*other), gravity), gravity.shape, "the result of speed()")


class Discretization(_Scheme):
    """Base class of discretizations with a depth per cell and a velocity per triangle, on surfaces at rest with walls.

    Set `name`, `cells` ("vertex": dual cells of vertices, or "face": triangles) and, if the rates include v·∇v, `advects = True`.
    `setup` is called once; then `self.mesh`, `self.cell_areas` [cells] (m²) and `self.cell_bed` [cells] (H, m) exist. Forces,
    the Coriolis force, friction and sources are added to the rates.
    """

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
            depth_rate, acceleration = self.rates(depth, velocity, normal_acceleration)
        return (self._array(depth_rate, depth.shape, "η_t of rates()"),
                self._array(acceleration, velocity.shape, "v_t of rates()"))

    def _stable_dt(self, depth: Array, velocity: Array, normal_acceleration: Array) -> float:
        return float(self.stable_dt(depth, velocity, normal_acceleration))


SchemeType = TypeVar("SchemeType", bound=Union[Type[Flux], Type[Discretization]])


def register(scheme: SchemeType) -> SchemeType:
    """Adds a class derived from `Flux` or `Discretization` to the list of discretizations, under its `name`; usable as a
    decorator. A class of the same name that was added before is replaced. Raises `Error` if the name is that of another scheme."""
    if not scheme.name:
        raise _core.Error(f"{scheme.__name__}: a class attribute `name` is required, such as name = \"my-scheme\"")
    if issubclass(scheme, Flux):
        _core.register_flux(scheme, scheme.name, scheme._summary(), scheme._declared(), scheme.positive, scheme.smooth)
    elif issubclass(scheme, Discretization):
        if scheme.cells not in ("vertex", "face"):
            raise _core.Error(f"{scheme.name}: cells = {scheme.cells!r}; choose 'vertex' or 'face'")
        _core.register_discretization(scheme, scheme.name, scheme._summary(), scheme._declared(), scheme.cells, scheme.advects)
    else:
        raise _core.Error(f"{scheme.__name__} is not derived from shoal.Flux or shoal.Discretization")
    return scheme
