"""Meshes by name; `Mesh` itself is part of the compiled module."""

from __future__ import annotations

from typing import Union

from ._core import Error, Mesh


def mesh(name: str, radius: float = 1.0, weld: float = 0.0) -> Mesh:
    """The mesh with this name: generated, such as "icosphere:4" or "rectangle:40x10:2x0.5", or a file such as "bunny.obj".

    `radius` (m) scales generated meshes that have one. `weld` (m) merges vertices of files that are closer. Generated and read
    meshes are renumbered for locality; `input_vertex` maps vertices to those of the file. `shoal list meshes` shows all names.
    """
    return Mesh._load(name, radius, weld)


def as_mesh(given: Union[str, Mesh]) -> Mesh:
    if not isinstance(given, (str, Mesh)):
        raise Error(f"mesh: {given!r} is neither a shoal.Mesh nor the name of a mesh")
    return mesh(given) if isinstance(given, str) else given
