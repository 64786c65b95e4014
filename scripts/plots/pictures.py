"""The elevation of sphere-bump as a grid of pictures: a row per solution and scheme, a column per time.

    /usr/bin/python3 scripts/plots/pictures.py results/sphere-integrators/sphere-integrators.h5

Each state is seen twice: from above the initial bump (left) and from above its antipode (right), where the wave meets again
after about π R/√(gH), so that both are near the middle of a disc. The surface is displaced by the elevation, exaggerated; the
colour scale is an inverse hyperbolic sine, so that the initial bump and the far smaller waves after it both show.
"""

import numpy as np
from matplotlib.colors import AsinhNorm
from matplotlib.patches import Circle
from shoal_plots import raster, style, water, words
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.lines import constants, telling
from shoal_plots.page import save
from shoal_plots.results import Results, vertex_areas
from shoal_plots.selection import chosen_runs

COLOURS = style.plt.get_cmap("RdBu_r")
EXAGGERATION = 2.0
TILT = np.radians(62)  # of the eye above the equator of the axis through the bump and its antipode: the axis ends inside the disc
NAMES, HEAD, BAR = 25.0, 13.0, 11.0  # mm: left of the pictures, above them, below them
MOST_ROWS = 10
SOLUTIONS = ["linear", "nonlinear_no_advection", "nonlinear"]


def bump_axis(run, vertices):
    """The direction from the middle of a surface, which is at the origin, to the bump: the highest vertex where the scene
    was not told where."""
    center = run.get("center")
    axis = np.array([float(part) for part in center.split(",")]) if center else vertices[np.argmax(vertices[:, 2])]
    return axis / np.linalg.norm(axis) if axis.any() else np.array([0.0, 0.0, 1.0])


def centred(vertices, faces):
    """The vertices about their middle."""
    areas = vertex_areas(vertices, faces)
    return vertices - areas @ vertices / areas.sum()


def eyes(axis):
    """The directions that the bump's hemisphere and the antipode's are looked at from; both see the same side of the equator."""
    aside = np.cross(axis, [1.0, 0.0, 0.0] if abs(axis[0]) < 0.9 else [0.0, 1.0, 0.0])
    aside /= -np.linalg.norm(aside)
    return [np.cos(TILT) * aside + sign * np.sin(TILT) * axis for sign in (1, -1)]


def solutions_of(run):
    """Reference → its name: "" → the solution of the run's own equations, linear → linear theory."""
    own = words.EQUATIONS.get(run.get("solution"), "")
    names = {name: name or own for name in run.reference_names()}
    order = {name: place for place, name in enumerate(SOLUTIONS)}
    return dict(sorted(((name, solution) for name, solution in names.items()), key=lambda item: order.get(item[1], len(order))))


def rows_of(runs):
    """[(text, run, reference)]: linear theory, the solutions that the runs are measured against, then the runs."""
    longest = max(runs, key=lambda run: run["t_reached"])
    wanted = {"linear"} | {solutions_of(run).get("") for run in runs}
    rows = [(words.SOLUTIONS.get(solution, solution or "reference"), longest, reference)
            for reference, solution in solutions_of(longest).items() if solution in wanted]
    keys = telling(runs) or ["integrator"]
    return rows + [("\n".join(words.attribute_text(key, run[key]) for key in keys if run.get(key) is not None), run, None) for run in runs]


class Pictures:
    """Elevations on their surfaces, in one scale of colours."""

    def __init__(self, results, rows, times, pixels):
        self.results, self.pixels = results, pixels
        self.elevations = {(place, time): run.elevation_at(time, reference)
                           for place, (_, run, reference) in enumerate(rows) for time in times}
        sound = [picture for (place, _), picture in self.elevations.items() if picture is not None and not rows[place][1].stopped_early]
        self.limit = max((np.abs(picture).max() for picture in sound), default=0) or rows[0][1].get("amplitude") or 1.0
        self.norm = AsinhNorm(linear_width=self.limit / 8, vmin=-self.limit, vmax=self.limit)
        first = centred(*results.mesh(rows[0][1]))
        self.radius = np.linalg.norm(first, axis=1).max() + EXAGGERATION * self.limit
        self.axis = {run.id: bump_axis(run, centred(*results.mesh(run))) for _, run, _ in rows}

    def images(self, run, time, elevation):
        """From the side of the bump and from that of the antipode."""
        vertices, faces = self.results.surface_at(run, time)
        raised = centred(vertices, faces) + EXAGGERATION * elevation[:, None] * raster.vertex_normals(vertices, faces)
        for eye in eyes(self.axis[run.id]):
            camera = raster.Camera(eye, np.zeros(3), self.radius, distance=40.0, up=self.axis[run.id])
            yield raster.render(raised, faces, elevation, lambda values: COLOURS(self.norm(values))[:, :3], camera, self.pixels, shadows=False)


def draw_absent(axes, text):
    """Where a run has no picture any more: a hatched disc, and why."""
    axes.add_patch(Circle((0.5, 0.5), 0.46, facecolor="#F2F2F2", edgecolor="#BBBBBB", hatch="////", linewidth=0.5))
    if text:
        axes.text(1.0, 0.5, text, ha="center", va="center", fontsize=style.SMALL, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})


def main():
    chosen = arguments(__doc__.splitlines()[0], **RUNS,
                       name={"default": "pictures", "help": "name of the figure (default: %(default)s)"},
                       times={**water.TIMES, "default": [0.025, 0.6, 1.0, 7.0]},
                       pixels={"type": int, "default": 260, "help": "across each image (default: %(default)s)"})
    results = Results(chosen.file)
    runs = [run for run in chosen_runs(results.runs, chosen.only, chosen.run) if not run.refused]
    if not runs:
        refuse(f"{chosen.file}: no run to show")
    rows = rows_of(runs)
    if len(rows) > MOST_ROWS:
        refuse(f"{chosen.file}: {len(runs)} runs are more than a page shows: choose with --only, e.g. discretization=fefv "
               "amplitude=0.1 dt=1/60")
    pictures = Pictures(results, rows, chosen.times, chosen.pixels)
    if all(elevation is None for elevation in pictures.elevations.values()):
        times = ", ".join(f"{time:g}" for time in rows[0][1].snapshot_times())
        refuse(f"{chosen.file}: no snapshot at the times asked for; run {rows[0][1].id} has t = {times} s (--times)"
               if times else f"{chosen.file}: run {rows[0][1].id} has no snapshots")

    mm, width = style.MM, style.WIDTHS["two"]
    pair = (width - NAMES * mm) / len(chosen.times)  # two discs and a gap
    side = min((pair - 3 * mm) / 2, 26 * mm)
    height = HEAD * mm + len(rows) * side + BAR * mm
    figure = style.plt.figure(figsize=(width, height))

    def box(left, bottom, wide, high):
        return figure.add_axes((left / width, bottom / height, wide / width, high / height))

    for place, (name, run, _) in enumerate(rows):
        bottom = height - HEAD * mm - (place + 1) * side
        figure.text((NAMES - 2) * mm / width, (bottom + side / 2) / height, name.replace(" theory", "\ntheory").replace(" without", "\nwithout"),
                    ha="right", va="center", fontsize=style.SMALL)
        for column, time in enumerate(chosen.times):
            elevation = pictures.elevations[place, time]
            left = NAMES * mm + column * pair
            images = [None, None] if elevation is None else pictures.images(run, time, elevation)
            for part, image in enumerate(images):
                axes = box(left + part * side, bottom, side, side)
                axes.set(xlim=(0, 1), ylim=(0, 1))
                axes.set_axis_off()
                if image is None:
                    draw_absent(axes, run.outcome_text if part == 0 else "")
                else:
                    axes.imshow(image, extent=(0, 1, 0, 1))
    for column, time in enumerate(chosen.times):
        left = NAMES * mm + column * pair
        figure.text((left + side) / width, 1 - 5.0 * mm / height, f"t = {words.seconds_text(time)}", ha="center", va="top")
        for part, text in enumerate(("bump", "antipode")):
            figure.text((left + (part + 0.5) * side) / width, 1 - 9.0 * mm / height, text, ha="center", va="top", fontsize=6.5, color=style.GREY)
    figure.text(1.5 * mm / width, 1 - 1 * mm / height, constants(runs, results.runs), va="top", fontsize=style.SMALL, color=style.GREY)
    ticks = np.outer([-1, 1], [0, 0.1, 0.3, 1]).ravel() * water.nice_floor(pictures.limit)
    ticks = sorted(set(ticks[np.abs(ticks) <= pictures.limit] + 0.0))  # + 0.0: no negative zero
    scale = box(0.25 * width, 7.4 * mm, 0.5 * width, 2 * mm)
    water.colour_bar(figure, scale, pictures.norm, COLOURS, ticks, f"elevation, as height exaggerated {EXAGGERATION:g} times (m)")
    save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
