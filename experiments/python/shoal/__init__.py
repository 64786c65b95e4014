"""Shallow water on curved, moving triangle meshes.

    import shoal

    mesh = shoal.mesh("icosphere:4")                       # or shoal.Mesh(vertices, faces) from arrays of numpy
    water = shoal.ShallowWater(mesh, "hllc", "ssprk3", elevation=lambda x: 0.1 * (x[:, 2] > 0.9))
    water.run(until=1.0)
    water.output("depth_at_vertices")                      # [vertices], m

`Simulation` computes a scene as `shoal run` does, `run`, `sweep` and `converge` compute and record them, `open_results` reads
results as objects of xarray, `spectrum` computes the waves of a scheme. `Flux` and `Discretization` are base classes for schemes
written in Python, which `conformance` tests like any other. Lengths are in m, times in s, masses in kg, energies in J.
"""

from . import _core
from ._core import Error, MachineError, Mesh, Refusal, StepFailure, load_plugin, set_threads, threads
from .experiments import conformance, converge, frontier, run, spectrum, sweep, table
from .listing import (advections, boundary_kinds, discretizations, integrators, linear_solvers, motions, scenes,
                      splittings)
from .meshes import mesh
from .results import Results, Run, open_results
from .schemes import Discretization, EdgeState, Flux, Parameter, register
from .water import ShallowWater, Simulation

__version__: str = _core.version

__all__ = [
    "Discretization", "EdgeState", "Error", "Flux", "MachineError", "Mesh", "Parameter", "Refusal", "Results", "Run",
    "ShallowWater", "Simulation", "StepFailure", "advections", "boundary_kinds", "conformance", "converge", "discretizations", "frontier",
    "integrators", "linear_solvers", "load_plugin", "mesh", "motions", "open_results", "register", "run", "scenes",
    "set_threads", "spectrum", "splittings", "sweep", "table", "threads",
]
