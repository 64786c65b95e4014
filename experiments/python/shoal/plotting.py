"""Quick pictures with matplotlib."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np
from numpy.typing import NDArray

from . import _core

Array = NDArray[np.float64]
Ints = NDArray[np.int32]


def plot_surface(water: Any, name: str = "elevation", ax: Any = None, **options: Any) -> Any:
    """Colours the triangles of the present surface by a scalar field, or by the length of a vector, draws the boundary thin and
    grey, and returns the axes. A flat surface is drawn in its plane. `options` go to matplotlib: cmap, vmin, vmax, and, for curved
    surfaces, elev and azim (°)."""
    faces = water.mesh.faces
    beyond_seam = water.mesh.corners - water.mesh.vertices[faces]  # of periodic meshes
    if name in ("elevation", "depth"):
        values, unit = getattr(water, name), "m"
    else:
        values = water.output(name)
        unit = water.outputs[name]["unit"]
    return _draw(water.positions[faces] + beyond_seam, faces, values, len(water.mesh.vertices), name, unit, water.time, ax, options)


def plot_snapshot(run: Any, name: str, time: int, ax: Any, options: Any) -> Any:
    """The same of a snapshot of a run."""
    snapshots, mesh = run.snapshots, run.mesh
    if name not in snapshots:
        raise _core.Error(f"run {run.id} of '{run.path}' has no snapshots of '{name}'"
                          f"{_core.did_you_mean(name, [str(one) for one in snapshots])}; there are {', '.join(map(str, snapshots))}")
    try:
        at = snapshots.isel(time=time)
    except IndexError:
        raise _core.Error(f"run {run.id} of '{run.path}' has {snapshots.sizes['time']} snapshots, none with the number {time}") from None
    faces = mesh["faces"].values
    x = at["positions"].values if "positions" in at else mesh["vertices"].values
    if len(x) < len(mesh["vertices"]):  # copies beyond the seam of a periodic mesh do not move
        x = mesh["vertices"].values
    field = at[name]
    return _draw(x[faces], faces, field.values, len(x), name, field.attrs.get("unit", "1"), float(at["time"]), ax, options)


def _draw(corners: Array, faces: Ints, values: Array, vertices: int, name: str, unit: str, time: float, ax: Any, options: Any) -> Any:
    import matplotlib.pyplot as plt
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import Normalize

    if values.ndim == 2:
        values = np.linalg.norm(values, axis=1)
    if len(values) == vertices:
        values = values[faces].mean(axis=1)
    if len(values) != len(faces):
        raise _core.Error(f"'{name}' belongs to edges; a picture shows fields at vertices or triangles")
    finite = values[np.isfinite(values)]
    largest = abs(finite).max(initial=0.0)
    low, high = (-largest, largest) if name == "elevation" else (finite.min(initial=np.inf), finite.max(initial=-np.inf))
    scale = Normalize(options.pop("vmin", low), options.pop("vmax", high))
    colours = ScalarMappable(scale, options.pop("cmap", "RdBu_r" if name == "elevation" else "viridis"))
    colours.set_array(values)
    rgba = colours.to_rgba(values)
    outline = {"colors": "0.4", "linewidths": 0.6}
    bar: Dict[str, Any] = {"shrink": 0.8}
    flat = np.ptp(corners[:, :, 2]) == 0 and not hasattr(ax, "get_zlim")
    if flat:
        ax = ax or plt.subplots()[1]
        ax.add_collection(PolyCollection(corners[:, :, :2], facecolors=rgba, edgecolors=rgba, linewidths=0.6, **options))
        ax.add_collection(LineCollection(_boundary(corners, faces)[:, :, :2], **outline))
        ax.autoscale_view()
        ax.set(aspect="equal", xlabel="x, m", ylabel="y, m")
    else:
        from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

        if ax is not None and not hasattr(ax, "get_zlim"):
            raise _core.Error("plot: the surface is curved, and these axes are flat; make them with projection='3d'")
        ax = ax or plt.figure().add_subplot(projection="3d")
        ax.view_init(options.pop("elev", 30), options.pop("azim", -60))
        rgba[:, :3] *= _light(corners)[:, None]
        ax.add_collection3d(Poly3DCollection(corners, facecolors=rgba, edgecolors=rgba, linewidths=0.2, **options))
        boundary = _boundary(corners, faces)
        if len(boundary):
            ax.add_collection3d(Line3DCollection(boundary, **outline))
        _frame(ax, corners.reshape(-1, 3))
        bar = {"shrink": 0.6, "orientation": "horizontal", "pad": 0.1, "aspect": 30}  # the labels of z are on the right
    ax.figure.colorbar(colours, ax=ax, label=f"{name.replace('_', ' ')}, {unit}", **bar)
    ax.set_title(f"t = {time:.4g} s")
    return ax


def _boundary(corners: Array, faces: Ints) -> Array:
    """[n, 2, 3]: the ends of the edges with one triangle."""
    ends = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    places = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3)
    _, edge, count = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True, return_counts=True)
    alone: Array = places[count[edge.ravel()] == 1]
    return alone


def _light(corners: Array) -> Array:
    """The brightness of each triangle, from 0.65 to 1, in light from above, whichever side is up."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1)
    towards = normal @ (np.array([-0.4, -0.5, 0.77])) / np.where(length > 0, length, 1)
    brightness: Array = 0.825 + 0.175 * np.clip(towards, -1, 1)
    return brightness


def _frame(ax: Any, x: Array) -> None:
    """Equal scales, few ticks along short axes, and labels beside them."""
    low, size = x.min(axis=0), np.ptp(x, axis=0)
    share = np.maximum(size, 1e-3 * size.max()) / size.max()
    for axis, letter in enumerate("xyz"):
        getattr(ax, f"set_{letter}lim")(low[axis], low[axis] + share[axis] * size.max())
        if share[axis] < 0.2:  # one tick, which is the label as well
            top = low[axis] + size[axis]
            getattr(ax, f"set_{letter}ticks")([top], [f"{letter} = {top:.3g} m"])
            ax.tick_params(axis=letter, pad=10)
        else:
            getattr(ax, f"set_{letter}label")(f"{letter}, m", labelpad=3 if letter == "z" else 6)
            ax.locator_params(axis=letter, nbins=max(2, int(6 * share[axis])))
    ax.set_box_aspect(share, zoom=0.88 + 0.27 * (1 - share.min()))
