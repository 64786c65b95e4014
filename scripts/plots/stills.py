"""Water on surfaces, that move or stay: a row per run, a column per time.

    /usr/bin/python3 scripts/plots/stills.py results/moving-surfaces/moving-surfaces.h5 --times 0 0.6 1.8 3.2
"""

import rendering
import shoal_plot as sp

PIXELS = 420


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], **rendering.VIEW,
                          times={"type": float, "nargs": "+", "required": True, "metavar": "T"},
                          only={"nargs": "+", "default": [], "metavar": "NAME", "help": "discretizations or integrators to show"},
                          name={"default": "stills", "help": "name of the figure (default: %(default)s)"})
    waters = []
    results = sp.Results(chosen.file)
    for run in results.runs:
        if run.refused or (chosen.only and not {run["discretization"], run["integrator"]} & set(chosen.only)):
            continue
        absent = [time for time in chosen.times if run.snapshot_at(time) is None]
        if absent:
            sp.refuse(f"{chosen.file}: run {run.id} has no snapshot at t = {absent[0]:g} s (--times)")
        waters.append(rendering.Water(results, run, chosen.eye, chosen.exaggeration, chosen.limit, chosen.wires, chosen.up))

    if not waters:
        sp.refuse(f"{chosen.file}: no run has results to show")

    side = sp.PAGE_WIDTH / len(chosen.times)
    strip = 0.42  # inches below each row, for its scale
    figure = sp.plt.figure(figsize=(sp.PAGE_WIDTH, len(waters) * (side + strip)))
    figure.set_layout_engine("none")  # all places are given
    parts = figure.subfigures(len(waters), 1, squeeze=False)[:, 0]
    for water, part in zip(waters, parts):
        bottom = strip / (side + strip)
        for column, time in enumerate(chosen.times):
            axes = part.add_axes((column / len(chosen.times), bottom, 1 / len(chosen.times), 1 - bottom))
            axes.set_axis_off()
            axes.imshow(water.image(water.run.snapshot_at(time), PIXELS), extent=(0, 1, 0, 1))
            axes.text(0.05, 0.96, f"t = {time:g} s", va="top", fontsize=8, color="#333333")
        part.text(0.012, 0.5 * bottom, f"{water.title}; {water.run.scheme}", va="center")
        bar = part.colorbar(sp.plt.cm.ScalarMappable(water.norm, rendering.SEA), ticks=[-water.limit, 0, water.limit],
                            cax=part.add_axes((0.7, 0.58 * bottom, 0.26, 0.16 * bottom)), orientation="horizontal")
        bar.ax.set_xticklabels([f"−{water.limit:g}", "0", f"{water.limit:g}"])
        bar.ax.tick_params(length=2, pad=1.5)
        bar.outline.set_linewidth(0.4)
        part.text(0.69, 0.66 * bottom, "elevation (m)", ha="right", va="center")
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
