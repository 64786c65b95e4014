"""The elevation of sphere-bump as a grid of pictures: a row per solution and scheme, a column per time.

    /usr/bin/python3 scripts/plots/pictures.py results/sphere-integrators/sphere-integrators.h5

Each state is seen twice: from the side of the initial bump (left) and from the side of its antipode (right), where the
wave meets again after π R/√(gH). The surface is displaced by twice the elevation; the colour scale is an inverse hyperbolic
sine, so that the initial bump and the far smaller waves after it both show.
"""

import numpy as np
import rendering
import shoal_plot as sp
from matplotlib.collections import TriMesh
from matplotlib.colors import AsinhNorm
from matplotlib.patches import Circle
from matplotlib.tri import Triangulation

plt = sp.plt
COLOUR_MAP = plt.get_cmap("RdBu_r")
EXAGGERATION = 2.0
HEIGHT = np.radians(42)  # of the eye above the equator of the axis through the bump and its antipode


def bump_axis(run, vertices):
    """The direction from the middle of a surface, which is at the origin, to the bump: the highest vertex where the scene
    was not told where."""
    center = run.attributes.get("center")
    axis = np.array([float(part) for part in center.split(",")]) if center else vertices[np.argmax(vertices[:, 2])]
    return axis / np.linalg.norm(axis) if axis.any() else np.array([0.0, 0.0, 1.0])


def centred(vertices, faces):
    """The vertices about their middle."""
    areas = sp.vertex_areas(vertices, faces)
    return vertices - areas @ vertices / areas.sum()


def views(axis):
    """Two frames (right, up, towards the eye), the eye above the bump's hemisphere and above the antipode's."""
    aside = np.cross(axis, [1.0, 0.0, 0.0] if abs(axis[0]) < 0.9 else [0.0, 1.0, 0.0])
    aside /= -np.linalg.norm(aside)
    for sign in (1, -1):
        eye = np.cos(HEIGHT) * aside + sign * np.sin(HEIGHT) * axis
        right = np.cross(axis, eye) / np.cos(HEIGHT)
        yield right, np.cross(eye, right), eye


def draw_surface(axes, centre, frame, vertices, faces, elevation, norm):
    """An orthographic view of the displaced surface: back faces dropped, the rest painted from back to front."""
    right, up, eye = frame
    displaced = vertices + EXAGGERATION * elevation[:, None] * rendering.vertex_normals(vertices, faces)
    x, y, depth = displaced @ right + centre, displaced @ up, displaced @ eye

    a, b, c = (faces[:, corner] for corner in range(3))
    facing = (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a]) > 0
    front = faces[facing]
    front = front[np.argsort(depth[front].mean(axis=1))]

    light = -0.4 * right + 0.5 * up + 0.8 * eye
    brightness = rendering.vertex_normals(displaced, faces) @ (light / np.linalg.norm(light))
    colours = COLOUR_MAP(norm(elevation))
    colours[:, :3] *= (0.70 + 0.30 * np.clip(brightness, 0, 1))[:, None]
    mesh = TriMesh(Triangulation(x, y, front), rasterized=True, clip_on=False)
    mesh.set_facecolor(colours)
    axes.add_collection(mesh)


def draw_absent(axes, centres, radius, run):
    """Where a run has no picture any more: hatched discs, and why."""
    for centre in centres:
        axes.add_patch(
            Circle((centre, 0), radius, facecolor="#F2F2F2", edgecolor="#BBBBBB", hatch="////", linewidth=0.5))
    axes.text(0, 0, run.outcome_text, ha="center", va="center",
              bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})


def prepare(axes, width, height):
    axes.set_xlim(-width / 2, width / 2)
    axes.set_ylim(-height / 2, height / 2)
    axes.set_aspect("equal")
    axes.grid(False)
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], amplitude=sp.AMPLITUDE,
                          dt=sp.TIME_STEP,
                          only={"nargs": "+", "metavar": "NAME", "help": "discretizations or integrators to show"},
                          name={"default": "pictures", "help": "name of the figure (default: %(default)s)"},
                          times={"type": float, "nargs": "+", "default": [0.025, 0.6, 1.0, 7.0], "metavar": "T"})
    results = sp.Results(chosen.file)
    asked = [run for run in results.runs
             if not chosen.only or {run["discretization"], run["integrator"]} & set(chosen.only)]
    computed = sp.at_amplitude([run for run in asked if not run.refused], chosen.amplitude)
    dt = float(chosen.dt) if chosen.dt else min(sp.time_steps(computed), default=0)
    runs = [run for run in computed if np.isclose(run["dt"], dt, rtol=1e-12)]
    if not runs:
        sp.refuse(f"{chosen.file}: no run to show" + sp.asked_text(chosen.amplitude, chosen.dt))
    label = sp.labels(runs)

    longest = max(runs, key=lambda run: run["t_reached"])
    # Linear theory, and those solutions that the runs shown are measured against.
    wanted = {sp.REFERENCE_TITLES["linear"]} | {sp.reference_titles(run).get("") for run in runs}
    rows = [(title, longest, [longest.elevation_at(time, reference) for time in chosen.times])
            for reference, title in sp.reference_titles(longest).items() if title in wanted]
    rows += [(label[run.id], run, [run.elevation_at(time) for time in chosen.times]) for run in runs]

    if all(picture is None for _, _, pictures in rows for picture in pictures):
        times = ", ".join(f"{time:g}" for time in longest.snapshot_times())
        sp.refuse(f"{chosen.file}: no snapshot at the times asked for; run {longest.id} has t = {times} s (--times)"
                  if times else f"{chosen.file}: run {longest.id} has no snapshots")
    sound = [picture for _, run, pictures in rows if not run.stopped_early
             for picture in pictures if picture is not None]
    limit = max((np.abs(picture).max() for picture in sound), default=0) or longest.attributes.get("amplitude") or 1.0
    norm = AsinhNorm(linear_width=limit / 5, vmin=-limit, vmax=limit)
    surface = {}
    for _, run, pictures in rows:
        for time, picture in zip(chosen.times, pictures):
            if picture is not None:
                vertices, faces = results.surface_at(run, time)
                surface[run.id, time] = centred(vertices, faces), faces
    axis = {run.id: bump_axis(run, centred(*results.mesh(run))) for _, run, _ in rows}
    radius = max(np.linalg.norm(vertices, axis=1).max() for vertices, _ in surface.values())
    centres = (-1.08 * radius, 1.08 * radius)
    width, height = 4.4 * radius, 2.0 * radius + 2 * EXAGGERATION * 0.5 * limit

    left = 0.95
    cell = (sp.PAGE_WIDTH - left) / len(chosen.times)
    page_height = cell * height / width * len(rows) + 0.9
    figure, grid = plt.subplots(len(rows), len(chosen.times), squeeze=False, figsize=(sp.PAGE_WIDTH, page_height))
    figure.get_layout_engine().set(w_pad=0.015, h_pad=0.01, wspace=0, hspace=0,
                                   rect=(0.006, 0.04 / page_height, 0.994, 1 - 0.19 / page_height))  # room for the titles
    for (name, run, pictures), axes_row in zip(rows, grid):
        for axes, time, picture in zip(axes_row, chosen.times, pictures):
            prepare(axes, width, height)
            if picture is None:
                draw_absent(axes, centres, radius, run)
                continue
            for frame, centre in zip(views(axis[run.id]), centres):
                draw_surface(axes, centre, frame, *surface[run.id, time], picture, norm)
        name = name.replace(" · ", "\n").replace(" theory", "\ntheory").replace(", ", ",\n")
        axes_row[0].set_ylabel(name, rotation=0, ha="right", va="center", labelpad=2)
    for axes, time in zip(grid[0], chosen.times):
        axes.set_title(f"t = {time:g} s", pad=11)
        for centre, side in zip(centres, ("bump", "antipode")):
            axes.text(centre, height / 2, side, ha="center", va="bottom", fontsize=6.5, color=sp.GREY)
    bar = figure.colorbar(plt.cm.ScalarMappable(norm, COLOUR_MAP), ax=grid, location="bottom", shrink=0.6,
                          aspect=50, pad=0.01)
    bar.set_label("; ".join(filter(None, ("elevation h (m)", sp.amplitude_text(runs), f"Δt = {sp.time_step_text(dt)}",
                                          sp.refusals_text(asked)))))
    ticks = np.outer([-1, 1], [0, 0.02, 0.05, 0.1]).ravel() * sp.nice_floor(limit) / 0.1
    ticks = sorted(set(ticks + 0.0))  # + 0.0: no negative zero
    bar.set_ticks(ticks, labels=[f"{tick:g}".replace("-", "−") for tick in ticks])
    bar.minorticks_off()
    bar.outline.set_linewidth(0.6)
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
