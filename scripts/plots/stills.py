"""Draw water on surfaces, moving or at rest: a row per run, a column per time.

    /usr/bin/python3 scripts/plots/stills.py results/moving-surfaces/moving-surfaces.h5 --times 0 0.6 1.8 3.2
"""

import numpy as np
from shoal_plots import style, water, words
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.page import save
from shoal_plots.results import Results
from shoal_plots.selection import chosen_runs

RED = "#C00000"
ARROW = 3.0  # length of the 99th percentile of all speeds, in mean edges of triangles
TITLE, TIME, BAR = 5.0, 3.5, 11.0  # mm, above the images of a row, below them, and below the last


def waters_of(chosen):
    """The water of each run; all share one range of colours."""
    results = Results(chosen.file)
    runs = [run for run in chosen_runs(results.runs, chosen.only, chosen.run) if not run.refused]
    if not runs:
        refuse(f"{chosen.file}: no run has results to show")
    for run in runs:
        absent = [time for time in chosen.times if run.snapshot_at(time) is None]
        if absent:
            refuse(f"{chosen.file}: run {run.id} has no snapshot at t = {absent[0]:g} s (--times)")

    def water_of(run, limit):
        return water.Water(results, run, chosen.eye, chosen.exaggeration, limit, chosen.wires, chosen.up, chosen.dry_depth)

    waters = [water_of(run, chosen.limit) for run in runs]
    limit = max(one.limit for one in waters)
    return [one if one.limit == limit else water_of(one.run, limit) for one in waters]


def arrow_length(waters):
    """m per m/s, common to all runs; 0 if none has a velocity."""
    speeds = np.concatenate([one.speeds() for one in waters])
    fast = np.percentile(speeds, 99) if len(speeds) else 0
    vertices, faces = waters[0].surfaces[0]
    edge = np.linalg.norm(vertices[faces] - vertices[np.roll(faces, 1, axis=1)], axis=2).mean()
    return ARROW * edge / fast if fast > 0 else 0


def draw_arrows(axes, one, place, pixels, length):
    start, tip = one.arrows(place, pixels, length)
    start, tip = (points * [1, -1] / pixels + [0, 1] for points in (start, tip))
    axes.quiver(*start.T, *(tip - start).T, angles="xy", scale_units="xy", scale=1, color=RED, width=0.002, headwidth=3, headlength=4,
                headaxislength=4, minlength=0, rasterized=True)
    axes.set(xlim=(0, 1), ylim=(0, 1))


def main():
    chosen = arguments(__doc__, **water.VIEW, **RUNS, times={**water.TIMES, "required": True},
                       arrows={"action": "store_true", "help": "draw the velocity of each triangle as an arrow"},
                       pixels={"type": int, "default": 480, "help": "pixels across each image (default: %(default)s)"},
                       name={"default": "stills", "help": "name of the figure (default: %(default)s)"})
    waters = waters_of(chosen)
    length = arrow_length(waters) if chosen.arrows else 0
    width = style.WIDTHS[chosen.width or "two"]
    side = width / len(chosen.times)
    row, bar = side + (TITLE + TIME) * style.MM, BAR * style.MM
    height = len(waters) * row + bar
    figure = style.plt.figure(figsize=(width, height))
    for number, one in enumerate(waters):
        top = 1 - number * row / height
        figure.text(1.5 * style.MM / width, top - 0.8 * style.MM / height, f"{one.title}; {one.run.scheme}", va="top", color=style.GREY,
                    fontsize=style.SMALL)
        for column, time in enumerate(chosen.times):
            axes = figure.add_axes((column / len(chosen.times), top - (row - TIME * style.MM) / height, 1 / len(chosen.times), side / height))
            axes.set_axis_off()
            axes.imshow(one.image(one.run.snapshot_at(time), chosen.pixels), extent=(0, 1, 0, 1))
            if length and len(one.speeds()):
                draw_arrows(axes, one, one.run.snapshot_at(time), chosen.pixels, length)
            figure.text((column + 0.5) / len(chosen.times), top - row / height, f"t = {words.seconds_text(time)}", va="bottom", ha="center",
                        fontsize=style.SMALL)
    limit = waters[0].limit
    scale = figure.add_axes((0.3, 7.6 * style.MM / height, 0.4, 2 * style.MM / height))
    exaggerated = f"; height exaggerated {chosen.exaggeration:g} times" if chosen.exaggeration != 1 else ""
    water.colour_bar(figure, scale, waters[0].norm, water.SEA, [-limit, -limit / 2, 0, limit / 2, limit], f"elevation{exaggerated} (m)",
                     any(one.has_land for one in waters))
    save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
