"""Tabulate, or draw over the angle, how fast and how high the crest of a small bump spreads on a plane, beside linear theory.

    /usr/bin/python3 scripts/plots/isotropy.py results/grid-isotropy/grid-isotropy.h5

Scene bump, at the last snapshot. The theory of a Gaussian of height A and width w on water of depth H is

    h(r, t) = ½Aw² ∫ exp(−(kw/2)²) cos(√(gH) k t) J₀(kr) k dk.

In each direction, α h(r/σ, t) is fitted to the front of the wave, from 0.8 to 1.3 of the mean radius of its crest, within 4.5°: σ is the radius of the crest, α its
height, over those of the theory. Values are those at the places where the initial ones are nearest to the bump: vertices, centroids or
circumcentres (on structured triangles the centres of the squares).
"""

import functools

import numpy as np
from scipy.special import j0
from shoal_plots import words
from shoal_plots.arguments import RUNS, arguments, refuse, save_table
from shoal_plots.lines import Lines
from shoal_plots.page import Page
from shoal_plots.results import Results
from shoal_plots.selection import chosen_runs

ANGLES = np.radians(np.arange(0, 360, 3))
SECTOR = np.radians(4.5)  # on both sides of a direction
FRONT = 0.8, 1.3  # radii over that of the crest
AWAY = 0.6  # of the radius of the theory's crest, beyond which the highest value is a first guess
SCALES = np.arange(0.9, 1.1, 5e-4)  # σ, around the first guess
NAMED = ["packets", "smoothing", "reconstruction", "dt"]  # named where runs of a scheme differ in them
QUANTITIES = {"radius": "radius / mean", "height": "height / mean"}


@functools.cache
class Theory:
    """The elevation at a time over the radius, in a table."""

    def __init__(self, amplitude, width, speed, time):
        k = np.linspace(0, 14 / width, 4000)
        weight = 0.5 * amplitude * width**2 * np.exp(-((0.5 * k * width) ** 2)) * k * (k[1] - k[0])
        self.radii = np.linspace(0, 3 * speed * time, 6000)
        self.elevation = np.array([np.sum(weight * np.cos(speed * time * k) * j0(k * r)) for r in self.radii])
        self.radius = self.radii[np.argmax(self.elevation)]

    def __call__(self, radius):
        return np.interp(radius, self.radii, self.elevation)


def fitted(radii, values, crest, theory):
    """(σ, α) of the theory that fits the front best."""
    front = (radii > FRONT[0] * crest) & (radii < FRONT[1] * crest)
    radii, values = radii[front], values[front]
    scales = SCALES * crest / theory.radius
    shapes = theory(radii / scales[:, None])
    heights = shapes @ values / (shapes**2).sum(axis=1)
    misfit = ((values - heights[:, None] * shapes) ** 2).sum(axis=1)
    best = int(np.argmin(misfit))
    return scales[best], heights[best]


def around(points, values, theory):
    """(σ, α) [angles]."""
    radii, at = np.hypot(*points.T), np.arctan2(points[:, 1], points[:, 0])
    sectors = [abs(np.remainder(at - angle + np.pi, 2 * np.pi) - np.pi) < SECTOR for angle in ANGLES]
    away = np.where(radii > AWAY * theory.radius, values, -np.inf)
    crest = np.median([radii[near][np.argmax(away[near])] for near in sectors])
    return np.array([fitted(radii[near], values[near], crest, theory) for near in sectors]).T


def circumcentres(corners):
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    cross = 2 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    aa, bb = (a**2).sum(axis=1), (b**2).sum(axis=1)
    return corners[:, 0] + np.column_stack([b[:, 1] * aa - a[:, 1] * bb, a[:, 0] * bb - b[:, 0] * aa]) / cross[:, None]


def measured(results, run):
    """The front of a run over the angles."""
    elevations = run.series("snapshots/elevation")
    if elevations is None or len(elevations) < 2:
        refuse(f"run {run.id} has no snapshots of elevation")
    x, faces = results.mesh(run)
    middle = np.array([float(part) for part in run["center"].split(",")])[:2]
    x = x[:, :2] - middle
    corners = x[faces]
    places = [x] if len(elevations[0]) == len(x) else [corners.mean(axis=1), circumcentres(corners)]
    start = [run["amplitude"] * np.exp(-(at**2).sum(axis=1) / run["width"] ** 2) for at in places]
    points = places[int(np.argmin([abs(elevations[0] - one).max() for one in start]))]
    points, first = np.unique(np.round(points, 9), axis=0, return_index=True)  # the triangles of a square agree
    theory = Theory(run["amplitude"], run["width"], np.sqrt(run["gravity"] * run["depth"]), run.snapshot_times()[-1])
    return around(points, elevations[-1][first], theory)


def kind(mesh):
    """structured, jittered or, by default, staggered."""
    return mesh.rsplit(":", 1)[1] if mesh.count(":") == 3 else "staggered"


def name_of(run, runs):
    alike = [one for one in runs if one["discretization"] == run["discretization"] and one["mesh_name"] == run["mesh_name"]]
    differ = [name for name in NAMED if len({one.get(name) for one in alike}) > 1]
    return words.joined([run["discretization"], *(words.attribute_text(name, run[name]) for name in differ if name in run.attributes)])


def row(name, mesh, values):
    cells = [name, mesh]
    for ratio in values:
        cells += [f"{ratio.mean():.4f}", f"{ratio.min():.4f} – {ratio.max():.4f}", f"{100 * (ratio.max() - ratio.min()):.2f} %"]
    return "| " + " | ".join(cells) + " |"


def main():
    chosen = arguments(__doc__, **RUNS, draw={"action": "store_true", "help": "draw a figure instead"},
                       name={"help": "name of the table or the figure"})
    results = Results(chosen.file)
    runs = [run for run in chosen_runs(results.runs, chosen.only, chosen.run) if run["outcome"] == "finished"]
    names = [name_of(run, runs) for run in runs]
    lines = Lines([{"scheme": name} for name in names], ["scheme"], text_of=lambda _, name: name)
    found = [(name, kind(run["mesh_name"]), measured(results, run)) for name, run in zip(names, runs)]
    if not chosen.draw:
        table = ["| scheme | triangles | radius, mean | range | spread | height, mean | range | spread |", "|" + "---|" * 8]
        table += [row(*one) for one in found]
        save_table(table, chosen)
        return
    kinds = list(dict.fromkeys(triangles for _, triangles, _ in found))
    page = Page(QUANTITIES, kinds, chosen.width, 45)
    drawn = {name: set() for name in kinds}
    half = ANGLES <= np.pi
    for scheme, triangles, values in found:
        for quantity, ratio in zip(QUANTITIES, values):
            page[quantity, triangles].plot(np.degrees(ANGLES[half]), ratio[half] / ratio.mean(), label=scheme,
                                           **lines.look[scheme,], markevery=(3 * lines.combinations.index((scheme,)) % 12, 12))
        drawn[triangles].add((scheme,))
    for name, text in QUANTITIES.items():
        page.ylabel(name, text)
    for name in kinds:
        page.title((page.rows[0], name), name)
    page.xlabel("angle (°)")
    page.legend_of(lines, drawn)
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
