"""Quick pictures with matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


def plot_surface(water: Any, name: str = "elevation", ax: Any = None, **options: Any) -> Any:
    """Colours the triangles of the present surface by a scalar field and returns the axes. A flat surface is drawn in its plane.
    `options` go to matplotlib: cmap, vmin, vmax, and, for curved surfaces, elev and azim (°)."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import Normalize
    from matplotlib.tri import Triangulation

    faces, x = water.mesh.faces, water.positions
    values, unit = _on_faces(water, name)
    colours = {"cmap": options.pop("cmap", "RdBu_r" if name == "elevation" else "viridis")}
    largest = np.nanmax(np.abs(values), initial=0)
    low, high = (-largest, largest) if name == "elevation" else (np.nanmin(values), np.nanmax(values))
    vmin, vmax = options.pop("vmin", low), options.pop("vmax", high)
    bar = {"shrink": 0.8}
    label = f"{name.replace('_', ' ')}, {unit}"
    if np.ptp(x[:, 2]) == 0:
        ax = ax or plt.subplots()[1]
        drawn = ax.tripcolor(Triangulation(x[:, 0], x[:, 1], faces), facecolors=values, vmin=vmin, vmax=vmax, **colours,
                             **options)
        ax.set(aspect="equal", xlabel="x, m", ylabel="y, m")
    else:
        ax = ax or plt.figure().add_subplot(projection="3d")
        ax.view_init(options.pop("elev", 30), options.pop("azim", -60))
        drawn = ax.plot_trisurf(x[:, 0], x[:, 1], x[:, 2], triangles=faces, linewidth=0, antialiased=False, shade=False,
                                **colours, **options)
        drawn.set_array(values)
        drawn.set_norm(Normalize(vmin, vmax))
        ax.set(xlabel="x, m", ylabel="y, m", zlabel="z, m", box_aspect=np.ptp(x, axis=0))
        ax.locator_params(axis="z", nbins=4)
        bar["pad"] = 0.15  # beside the labels of z
    ax.figure.colorbar(drawn, ax=ax, label=label, **bar)
    ax.set_title(f"t = {water.time:.4g} s")
    return ax


def _on_faces(water: Any, name: str) -> Any:
    """[nF] and the unit."""
    if name in ("elevation", "depth"):
        values, unit = getattr(water, name), "m"
    else:
        values = water.output(name)
        unit = water.outputs[name]["unit"]
        if values.ndim == 2:
            values = np.linalg.norm(values, axis=1)
    faces = water.mesh.faces
    if len(values) == len(water.mesh.vertices):
        return values[faces].mean(axis=1), unit
    if len(values) == len(faces):
        return values, unit
    raise _core.Error(f"'{name}' belongs to edges; a picture shows fields at vertices or triangles")
