"""Draw the elevation as a grid of pictures: a row per solution and scheme, a column per time.

    /usr/bin/python3 scripts/plots/pictures.py results/sphere-integrators/sphere-integrators.h5

Each state is shown from two sides: in the scene sphere-bump from above the initial bump (left) and from above its antipode (right),
where the wave focuses after about π R/√(gH), so that both are near the centre of a disc; in other scenes from +z and −z. The surface
is displaced by the exaggerated elevation. The colour scale is an inverse hyperbolic sine, so that both the initial bump and the much
smaller later waves are visible.
"""

import numpy as np
from matplotlib.colors import AsinhNorm
from matplotlib.patches import Circle
from shoal_plots import raster, style, water, words
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.land import LAND, Shore, dry_depth
from shoal_plots.lines import constants, telling
from shoal_plots.page import TICK_GAP, apart, measure, save, wrapped
from shoal_plots.results import Results, vertex_areas
from shoal_plots.selection import chosen_runs

COLOURS = style.plt.get_cmap("RdBu_r")
EXAGGERATION = 2.0
TILT = np.radians(62)  # elevation of the eye above the equator of the axis from bump to antipode; the axis ends inside the disc
NAMES, HEAD, BAR = 25.0, 13.0, 11.0  # mm: left of the pictures, above them, below them
LINE = 3.0  # mm, distance between lines of the text above
BUMP = "sphere-bump"
BUMP_TIMES = [0.025, 0.6, 1.0, 7.0]  # the bump leaves, its ring passes the equator, meets at the antipode; long after
TIMES = 4  # of other scenes
MOST_ROWS = 10
SOLUTIONS = ["linear", "nonlinear_no_advection", "nonlinear"]


def bump_axis(run, vertices):
    """The direction to the bump from the middle of the surface, which is at the origin; if the scene does not give the position of
    the bump, the direction to the highest vertex."""
    center = run.get("center")
    axis = np.array([float(part) for part in center.split(",")]) if center else vertices[np.argmax(vertices[:, 2])]
    return axis / np.linalg.norm(axis) if axis.any() else np.array([0.0, 0.0, 1.0])


def of_bump(runs):
    """Whether all runs use the scene sphere-bump, so that the pictures are oriented by the bump."""
    return all(run.get("scene") == BUMP for run in runs)


def times_of(runs):
    """The default instants: those of sphere-bump, otherwise snapshots distributed over the run."""
    if of_bump(runs):
        return BUMP_TIMES
    finished = [run for run in runs if not run.stopped_early] or runs
    # Among the longest runs, the one with the smallest step has its snapshots closest to the requested times.
    longest = max(finished, key=lambda run: (run.get("t_end", 0), -run["dt"]))
    times = longest.snapshot_times()
    shared = [time for time in times if all(run.snapshot_at(time) is not None for run in finished)]
    times = np.array(shared if len(shared) > 1 else times)
    if not len(times):
        return []
    return sorted({float(times[np.argmin(np.abs(times - time))]) for time in np.linspace(times[0], times[-1], TIMES)})


def centred(vertices, faces):
    """The vertices relative to their middle."""
    areas = vertex_areas(vertices, faces)
    return vertices - areas @ vertices / areas.sum()


def eyes(axis):
    """The directions from which the hemispheres of the bump and of the antipode are viewed; both see the same side of the equator."""
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
    """[(text, run, reference)]: linear theory, the solutions with which the runs are compared, then the runs."""
    longest = max(runs, key=lambda run: run["t_reached"])
    wanted = {"linear"} | {solutions_of(run).get("") for run in runs}
    rows = [(words.SOLUTIONS.get(solution, solution or "reference"), longest, reference)
            for reference, solution in solutions_of(longest).items() if solution in wanted]
    keys = telling(runs) or ["integrator"]
    return rows + [("\n".join(words.attribute_text(key, run[key]) for key in keys if run.get(key) is not None), run, None) for run in runs]


class Pictures:
    """Elevations on their surfaces, with a common colour scale."""

    def __init__(self, results, rows, times, pixels, dry=None):
        self.results, self.pixels = results, pixels
        self.shores = {(place, time): Shore(results, run, time, dry_depth(run, dry), reference) if run.snapshot_at(time) is not None else None
                       for place, (_, run, reference) in enumerate(rows) for time in times}
        sound = [shore.elevation for (place, _), shore in self.shores.items() if shore is not None and not rows[place][1].stopped_early]
        first = [shore.elevation for shore in self.shores.values() if shore is not None][:1]  # if no run is sound, the first state, before the growth
        self.limit = (max((np.abs(picture).max() for picture in sound), default=0) or rows[0][1].get("amplitude")
                      or max((np.abs(picture).max() for picture in first), default=0) or 1.0)
        self.norm = AsinhNorm(linear_width=self.limit / 8, vmin=-self.limit, vmax=self.limit)
        first = centred(*results.mesh(rows[0][1]))
        heights = max((np.abs(shore.height).max() for (place, _), shore in self.shores.items()
                       if shore is not None and not rows[place][1].stopped_early), default=self.limit)
        self.radius = np.linalg.norm(first, axis=1).max() + EXAGGERATION * max(self.limit, heights)
        about_bump = of_bump([run for _, run, _ in rows])
        self.axis = {run.id: bump_axis(run, centred(*results.mesh(run))) if about_bump else np.array([0.0, 0.0, 1.0])
                     for _, run, _ in rows}

    def images(self, run, time, shore):
        """From the side of the bump and from that of the antipode, or from +z and from −z."""
        vertices, faces = self.results.surface_at(run, time)
        raised = centred(vertices, faces) + EXAGGERATION * shore.height[:, None] * raster.vertex_normals(vertices, faces)
        for eye in eyes(self.axis[run.id]):
            camera = raster.Camera(eye, np.zeros(3), self.radius, distance=40.0, up=self.axis[run.id])
            yield raster.render(raised, faces, shore.elevation, lambda values: COLOURS(self.norm(values)), camera, self.pixels, shadows=False,
                                dry=shore.dry, land=LAND)


def absent_text(run, time):
    """Why a run has no picture at a time."""
    return run.outcome_text if time > run["t_reached"] else "no snapshot"


def draw_absent(axes, text):
    """Fills the place of a missing picture with two hatched discs and the reason, in axes twice as wide as high."""
    for middle in (0.5, 1.5):
        axes.add_patch(Circle((middle, 0.5), 0.46, facecolor="#F2F2F2", edgecolor="#BBBBBB", hatch="////", linewidth=0.5))
    text = wrapped(axes.figure, text, 0.85 * axes.get_window_extent().width / axes.figure.dpi)
    axes.text(1.0, 0.5, text, ha="center", va="center", fontsize=style.SMALL, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})


def scale_ticks(figure, norm, width):
    """The values on the scale of colours, which is `width` inches wide: 1, 0.3 and 0.1 of a round one, as far as they fit."""
    for parts in ([0, 0.1, 0.3, 1], [0, 0.3, 1], [0, 1]):
        ticks = np.outer([-1, 1], parts).ravel() * water.nice_floor(norm.vmax)
        ticks = sorted(set(ticks[np.abs(ticks) <= norm.vmax] + 0.0))  # + 0.0: no negative zero
        wide = [measure(figure, f"{tick:g}".replace("-", "−"))[0] for tick in ticks]
        if apart(norm(ticks) * width, wide, 0.5 * TICK_GAP):
            break
    return ticks


def main():
    chosen = arguments(__doc__, **RUNS,
                       name={"default": "pictures", "help": "name of the figure (default: %(default)s)"},
                       times={**water.TIMES, "help": f"times to show, s (default: {TIMES} snapshots spread over the run; of {BUMP} "
                                                     f"{' '.join(f'{time:g}' for time in BUMP_TIMES)})"},
                       **water.DRY_DEPTH,
                       pixels={"type": int, "default": 260, "help": "pixels across each image (default: %(default)s)"})
    results = Results(chosen.file)
    runs = [run for run in chosen_runs(results.runs, chosen.only, chosen.run) if not run.refused]
    if not runs:
        refuse(f"{chosen.file}: no run to show")
    rows = rows_of(runs)
    if len(rows) > MOST_ROWS:
        refuse(f"{chosen.file}: {len(runs)} runs are more than a page shows: choose with --only, e.g. discretization=fefv "
               "amplitude=0.1 dt=1/60")
    chosen.times = chosen.times or times_of(runs)
    pictures = Pictures(results, rows, chosen.times, chosen.pixels, chosen.dry_depth)
    if all(shore is None for shore in pictures.shores.values()):
        times = ", ".join(f"{time:g}" for time in rows[0][1].snapshot_times())
        refuse(f"{chosen.file}: no snapshot at the times asked for; run {rows[0][1].id} has t = {times} s (--times)"
               if times else f"{chosen.file}: run {rows[0][1].id} has no snapshots")

    mm, width = style.MM, style.WIDTHS["two"]
    pair = (width - NAMES * mm) / len(chosen.times)  # two discs and a gap
    side = min((pair - 3 * mm) / 2, 26 * mm)
    figure = style.plt.figure(figsize=(width, width))
    title = wrapped(figure, constants(runs, results.runs), width - 3 * mm)
    head = HEAD + title.count("\n") * LINE
    height = head * mm + len(rows) * side + BAR * mm
    figure.set_size_inches(width, height)

    def box(left, bottom, wide, high):
        return figure.add_axes((left / width, bottom / height, wide / width, high / height))

    for place, (name, run, _) in enumerate(rows):
        bottom = height - head * mm - (place + 1) * side
        figure.text((NAMES - 2) * mm / width, (bottom + side / 2) / height, name.replace(" theory", "\ntheory").replace(" without", "\nwithout"),
                    ha="right", va="center", fontsize=style.SMALL)
        for column, time in enumerate(chosen.times):
            shore = pictures.shores[place, time]
            left = NAMES * mm + column * pair
            if shore is None:
                axes = box(left, bottom, 2 * side, side)
                axes.set(xlim=(0, 2), ylim=(0, 1))
                axes.set_axis_off()
                draw_absent(axes, absent_text(run, time))
                continue
            for part, image in enumerate(pictures.images(run, time, shore)):
                axes = box(left + part * side, bottom, side, side)
                axes.set(xlim=(0, 1), ylim=(0, 1))
                axes.set_axis_off()
                axes.imshow(image, extent=(0, 1, 0, 1))
    views = ("bump", "antipode") if of_bump(runs) else ("from +z", "from −z")
    for column, time in enumerate(chosen.times):
        left = NAMES * mm + column * pair
        figure.text((left + side) / width, 1 - (head - 8.0) * mm / height, f"t = {words.seconds_text(time)}", ha="center", va="top")
        for part, text in enumerate(views):
            figure.text((left + (part + 0.5) * side) / width, 1 - (head - 4.0) * mm / height, text, ha="center", va="top", fontsize=6.5, color=style.GREY)
    figure.text(1.5 * mm / width, 1 - 1 * mm / height, title, va="top", fontsize=style.SMALL, color=style.GREY)
    scale = box(0.25 * width, 7.4 * mm, 0.5 * width, 2 * mm)
    ticks = scale_ticks(figure, pictures.norm, 0.5 * width)
    water.colour_bar(figure, scale, pictures.norm, COLOURS, ticks, f"elevation, as height exaggerated {EXAGGERATION:g} times (m)",
                     any(shore is not None and shore.has_land for shore in pictures.shores.values()))
    save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
