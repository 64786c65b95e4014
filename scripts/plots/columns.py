"""Columns of a table against each other, a row of panels per column; a line per value of further columns.

    /usr/bin/python3 scripts/plots/columns.py results/claim-2/table.csv vertices ms_per_step --lines integrator --log xy

The table is what `shoal table FILE.h5 --as csv --columns …` writes. Rows without a number in both columns are left out of
the figure and named below it.
"""

import csv
import sys

import shoal_plot as sp

MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F"]


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def main():
    chosen = sp.arguments(__doc__.splitlines()[0],
                          positional={"x": {}, "y": {"nargs": "+"}},
                          lines={"nargs": "+", "default": [], "help": "columns whose values make a line each"},
                          panels={"help": "column with a panel for each of its values"},
                          log={"default": "", "choices": ["", "x", "y", "xy"], "help": "logarithmic axes"},
                          name={"default": "columns", "help": "name of the figure"})
    with open(chosen.file, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wanted = [chosen.x, *chosen.y, *chosen.lines, *([chosen.panels] if chosen.panels else [])]
    missing = [name for name in wanted if not rows or name not in rows[0]]
    if missing:
        sys.exit(f"{chosen.file}: no column {', '.join(missing)}; there are: {', '.join(rows[0] if rows else [])}")

    panels = list(dict.fromkeys(row[chosen.panels] if chosen.panels else "" for row in rows))
    line_of = lambda row: ", ".join(row[name] for name in chosen.lines)  # noqa: E731
    lines = list(dict.fromkeys(line_of(row) for row in rows))
    figure, axes_of = sp.panels(chosen.y, panels, lambda _, panel: f"{chosen.panels} = {panel}" if chosen.panels else "",
                                sharey="row", xlabel=chosen.x.replace("_", " "))
    left_out = []
    for y in chosen.y:
        for panel in panels:
            axes = axes_of[y, panel]
            for i, line in enumerate(lines):
                points = [(number(row[chosen.x]), number(row[y]), row) for row in rows
                          if line_of(row) == line and (not chosen.panels or row[chosen.panels] == panel)]
                left_out += [row for a, b, row in points if a is None or b is None]
                points = sorted((a, b) for a, b, _ in points if a is not None and b is not None)
                axes.plot(*zip(*points) if points else ([], []), label=line, color=COLOURS[i % len(COLOURS)],
                          marker=MARKERS[i % len(MARKERS)], markersize=3.5)
            if "x" in chosen.log:
                axes.set_xscale("log")
            if "y" in chosen.log:
                axes.set_yscale("log")
        axes_of[y, panels[0]].set_ylabel(y.replace("_", " "))
    reasons = list(dict.fromkeys(f"{row.get('id', '')} {row.get('outcome', '')}".strip() for row in left_out))
    sp.legend_below(figure, axes_of.values(), "no value: " + ", ".join(reasons) if reasons else "")
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
