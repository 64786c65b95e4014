"""What can be combined: names, summaries and parameters of all parts."""

from __future__ import annotations

from typing import Any, Callable, Dict

from . import _core


class Listing(Dict[str, Dict[str, Any]]):
    """Entries by name, each with `summary` and `parameters`. Its text is a table."""

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {entry['summary']}" for name, entry in self.items())

    def __missing__(self, name: str) -> Dict[str, Any]:
        raise _core.Error(f"there is no '{name}'{_core.did_you_mean(str(name), list(self))}; choose from {', '.join(self)}")

    def parameters(self, name: str) -> "Listing":
        """The parameters of one entry, by name."""
        return Listing(
            (one["name"], {**one, "summary": f"{one['meaning']} (default {one['default']}"
                           f"{' ' + one['unit'] if one['unit'] not in ('', '1') else ''})"})
            for one in self[name]["parameters"])


def _lister(of: Callable[[], Dict[str, Any]], name: str, what: str) -> Callable[[], Listing]:
    def listing() -> Listing:
        return Listing(of())

    listing.__name__ = listing.__qualname__ = name
    listing.__doc__ = f"{what}, by name, with summary and parameters; prints as a table."
    return listing


discretizations = _lister(_core.discretizations, "discretizations", "Spatial schemes")
integrators = _lister(_core.integrators, "integrators", "Time integrators")
linear_solvers = _lister(_core.linear_solvers, "linear_solvers", "Linear solvers of implicit integrators")
advections = _lister(_core.advections, "advections", "Advections of the velocity, for schemes without their own")
splittings = _lister(_core.splittings, "splittings", "Splittings")
scenes = _lister(_core.scenes, "scenes", "Scenes")
boundary_kinds = _lister(_core.boundary_kinds, "boundary_kinds", "Conditions on boundary edges, as `boundaries` takes them")
motions = _lister(_core.motions, "motions", "Motions of surfaces")
