"""Meshes: generated, read from files, or made from arrays."""

from __future__ import annotations

from typing import Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core


class Mesh(_core.Mesh):
    """An oriented triangle surface, closed or with a boundary.

    Parameters
    ----------
    vertices : [nV, 3], m
    faces : [nF, 3], numbers of vertices from 0. Triangles are turned where needed, so that neighbours agree.
    name : for messages and results
    reorder : renumber vertices and triangles for locality in memory, which is faster on large meshes whose numbering is random.
        `input_vertex` and `input_face` then map the new numbers to the given ones. By default the numbering stays.

    Raises `Error`, naming the element, for an edge with three triangles, a triangle without area, a vertex in no triangle.
    """

    def __init__(self, vertices: ArrayLike, faces: ArrayLike, name: str = "mesh", reorder: bool = False) -> None:
        super().__init__(np.asarray(vertices, float), np.asarray(faces), name, reorder)

    def __repr__(self) -> str:
        return f"<shoal.Mesh {self.name!r}: {len(self.vertices)} vertices, {len(self.faces)} triangles>"


# Meshes that C++ makes have the same methods.
_core.Mesh.__repr__ = Mesh.__repr__  # type: ignore[method-assign]


def mesh(name: str, radius: float = 1.0, weld: float = 0.0) -> _core.Mesh:
    """The mesh with this name: generated, such as "icosphere:4" or "rectangle:40x10:2x0.5", or a file such as "bunny.obj".

    `radius` (m) scales generated meshes that have one. `weld` (m) merges vertices of files that are closer. Generated and read
    meshes are renumbered for locality; `input_vertex` maps vertices to those of the file. `shoal list meshes` shows all names.
    """
    return _core.Mesh.load(name, radius, weld)


def as_mesh(given: Union[str, _core.Mesh]) -> _core.Mesh:
    return mesh(given) if isinstance(given, str) else given


def edge_lengths(of: _core.Mesh) -> NDArray[np.float64]:
    """[nE], m."""
    ends = of.vertices[of.edges]
    return np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
