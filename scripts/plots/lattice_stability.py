"""Plot the largest stable speed of lattice-boltzmann over τ − ½, from a table of `shoal frontier`: a panel for each Froude number.

    /usr/bin/python3 scripts/plots/lattice_stability.py results/grid-lattice-stability/table.csv

For cells of Δ = 1 m, a flow of U = 1 m/s and a depth of 1 m: e = Δ/Δt, so that the largest stable Δt is U/e, and the Froude number is 1/√g.
Grey lines: (√(gH) + U)/e = √0.6, the limit of linear theory; dotted: a third.
"""

import numpy as np
from shoal_plots import layout, style, tables
from shoal_plots.arguments import arguments
from shoal_plots.lines import Lines
from shoal_plots.page import Page

COLUMNS = ["gravity", "tau", "collision", "smagorinsky", "dt_stable"]
NAMES = {"bgk": "one relaxation time", "trt": "two relaxation times", "smagorinsky": "Smagorinsky, C = {smagorinsky}"}


def main():
    chosen = arguments(__doc__, name={"default": "lattice-stability", "help": "name of the figure (default: %(default)s)"})
    rows = tables.read(chosen.file, COLUMNS)
    for row in rows:
        row["scheme"] = NAMES[row["collision"]].format(**row)
    lines = Lines(rows, ["scheme"], text_of=lambda _, name: name)
    froude = {row["gravity"]: float(row["gravity"]) ** -0.5 for row in rows}
    page = Page(["speed"], froude, chosen.width, 55)
    for gravity, number in froude.items():
        axes = page["speed", gravity]
        for values in lines.combinations:
            points = sorted((float(row["tau"]) - 0.5, float(row["dt_stable"])) for row in rows
                            if row["gravity"] == gravity and row["scheme"] == values[0] and row["dt_stable"])
            if points:
                axes.plot(*zip(*points), label=values[0], **lines.look[values])
        axes.axhline(np.sqrt(0.6) / (1 + 1 / number), color=style.GUIDE, linewidth=0.8, gid=layout.GUIDE)
        axes.axhline(1 / 3, color=style.GUIDE, linewidth=0.8, linestyle=":", gid=layout.GUIDE)
        axes.set_xscale("log")
        axes.set_yscale("log")
        page.title(("speed", gravity), f"Froude number {number:.1f}")
    page.ylabel("speed", "largest stable U / e")
    page.xlabel("τ − ½ (1)")
    page.legend_of(lines, {gravity: set(lines.combinations) for gravity in froude})
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
