"""The free surface of a run as images: its elevation as height, exaggerated, and as colour."""

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.patches import Rectangle

from . import raster, selection
from .arguments import refuse
from .land import LAND, Shore, dry_depth

# From troughs to crests, with blue for water at rest; without white and grey, which look like light and shadow.
SEA = LinearSegmentedColormap.from_list("sea", ["#0b1f5c", "#1b4fa3", "#3f8fd0", "#8fc7d9", "#f1d777", "#e8923a", "#b5301f"])


def nice_floor(value):
    """The largest of 1, 2, 5 × 10ⁿ that is at most `value`."""
    power = 10.0 ** np.floor(np.log10(value))
    return power * max(step for step in (1, 2, 5) if step * power <= value * (1 + 1e-12))


class Water:
    """The free surface of a run, in the colours of its elevation, at each of its snapshots.

    It is drawn at position + exaggeration · elevation · normal, what is dry in the colour of land; the camera stays
    and has all of it in view.
    """

    def __init__(self, results, run, eye, exaggeration, limit=None, wires=0.1, up=(0.0, 0.0, 1.0), dry=None):
        if not np.any(np.cross(eye, up)):
            refuse("--eye and --up point along one line")
        self.results, self.run, self.wires = results, run, wires
        self.times = run.snapshot_times()
        if not len(self.times):
            refuse(f"run {run.id} has no snapshots")
        deepest_dry = dry_depth(run, dry)
        self.shores = [Shore(results, run, time, deepest_dry) for time in self.times]
        self.surfaces = []
        for time, shore in zip(self.times, self.shores):
            vertices, faces = results.surface_at(run, time)
            raised = vertices + exaggeration * shore.height[:, None] * raster.vertex_normals(vertices, faces)
            self.surfaces.append((raised, faces))
        # Covers almost all elevations; a splash may exceed the range of the colours.
        self.limit = limit or nice_floor(1.2 * np.percentile(np.abs([shore.elevation for shore in self.shores]), 99) or 1.0)
        low, high = (np.array([getattr(vertices, which)(axis=0) for vertices, _ in self.surfaces])
                     for which in ("min", "max"))
        middle = 0.5 * (low.min(axis=0) + high.max(axis=0))
        radius = max(np.linalg.norm(vertices - middle, axis=1).max() for vertices, _ in self.surfaces)
        self.camera = raster.Camera(eye, middle, 1.05 * radius, up=up)

    @property
    def norm(self):
        return Normalize(-self.limit, self.limit)

    @property
    def title(self):
        motion = self.run.get("motion", "none")
        return f"{self.run['scene']} on {self.run['mesh_name']}" + (f", {motion}" if motion != "none" else "")

    def image(self, place, size):
        """The image [size, size, 3] of snapshot number `place`."""
        shore = self.shores[place]
        return raster.render(*self.surfaces[place], shore.elevation, lambda elevation: SEA(self.norm(elevation)), self.camera, size,
                             self.wires, dry=shore.dry, land=LAND)

    def speeds(self):
        """Of all triangles at all snapshots; empty if the run has no velocity on the triangles of the mesh."""
        velocity = self.run.series("snapshots/velocity")
        if velocity is None or velocity.shape[1] != len(self.surfaces[0][1]) or self.run.series("faces") is not None:
            return np.zeros(0)
        return np.linalg.norm(velocity, axis=2).ravel()

    def arrows(self, place, size, length):
        """Starts and tips [n, 2], pixels, of the velocities in the visible triangles; 1 m/s is `length` m long."""
        vertices, faces = self.surfaces[place]
        seen = raster.visible(vertices, faces, self.camera, size)
        start = vertices[faces[seen]].mean(axis=1)
        tip = start + length * self.run.series("snapshots/velocity")[place][seen]
        return self.camera.project(start, size)[0], self.camera.project(tip, size)[0]

    @property
    def has_land(self):
        return any(shore.has_land for shore in self.shores)


def colour_bar(figure, axes, norm, colours, ticks, label, land=False):
    """Draws a horizontal colour scale with its label in `axes`, and the colour of dry land."""
    bar = figure.colorbar(ScalarMappable(norm, colours), cax=axes, orientation="horizontal")
    axes.set_label("<colorbar>")
    bar.set_ticks(ticks, labels=[f"{tick:g}".replace("-", "−") for tick in ticks])
    bar.minorticks_off()
    bar.ax.tick_params(length=2, pad=1.5)
    bar.outline.set_linewidth(0.4)
    bar.set_label(label, labelpad=1.5)
    if land:
        axes.add_patch(Rectangle((1.05, 0), 0.06, 1, transform=axes.transAxes, facecolor=LAND, edgecolor="black", linewidth=0.4, clip_on=False))
        axes.text(1.13, 0.5, "dry", transform=axes.transAxes, va="center", fontsize=axes.xaxis.get_ticklabels()[0].get_fontsize())
    return bar


def direction(text):
    """x,y,z of an option."""
    parts = [selection.parse_number(part) for part in text.split(",")]
    if len(parts) != 3 or None in parts or not any(parts):
        raise ValueError(text)
    return np.array(parts)


direction.__name__ = "direction x,y,z"  # argparse says: invalid … value

DRY_DEPTH = {"dry_depth": {"type": selection.given_number, "metavar": "M",
                           "help": "depth in m up to which land counts as dry (default: wet_depth of the run's scene, or 1/1000 of "
                                   "its largest depth at the start)"}}
VIEW = {
    "eye": {"type": direction, "default": direction("1,-1.2,0.8"), "metavar": "X,Y,Z", "help": "direction towards the camera"},
    "up": {"type": direction, "default": direction("0,0,1"), "metavar": "X,Y,Z", "help": "upward direction of the picture"},
    "exaggeration": {"type": selection.given_number, "default": 1.0, "help": "factor of the elevation (default: %(default)g)"},
    "limit": {"type": selection.given_number, "help": "elevation in m at the ends of the colour scale"},
    "wires": {"type": selection.given_number, "default": 0.1, "help": "opacity of edges, 0 … 1 (default: %(default)g)"},
    **DRY_DEPTH,
}
TIMES = {"type": selection.given_number, "nargs": "+", "metavar": "T", "help": "times to show, s"}
