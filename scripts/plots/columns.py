"""Columns of a table against each other, a row of panels per column; a line per value of further columns.

    /usr/bin/python3 scripts/plots/columns.py results/claim-2-cost/table.csv vertices ms_per_step --lines integrator --log xy

The table is what `shoal table FILE.h5 --as csv --columns …` writes. Rows without a number in both columns are left out of
the figure and named below it.
"""

import csv

import shoal_plot as sp


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def read(path, wanted):
    """The rows of a table with these columns, name → text."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, restval=""))
    except (OSError, UnicodeDecodeError, csv.Error):
        sp.refuse(f"{path}: not a table as `shoal table --as csv` writes it")
    if not rows:
        sp.refuse(f"{path}: a table without rows")
    missing = [name for name in wanted if name not in rows[0]]
    if missing:
        sp.refuse(f"{path}: no column {', '.join(missing)}; there are: {', '.join(filter(None, rows[0]))}")
    return rows


def left_out_text(x, rows, line_of):
    """The rows without a value, for a footnote: "icosphere:6, unstable at substeps = 1, 2"."""
    places = {}
    for row in rows:
        what = ", ".join(filter(None, (line_of(row), row.get("outcome") or "no value")))
        places.setdefault(what, {})[row[x] or "?"] = None
    return "; ".join(f"{what} at {sp.plain(x)} = {', '.join(at)}" for what, at in places.items())


def main():
    chosen = sp.arguments(__doc__.splitlines()[0],
                          positional={"x": {}, "y": {"nargs": "+"}},
                          lines={"nargs": "+", "default": [], "help": "columns whose values make a line each"},
                          panels={"help": "column with a panel for each of its values"},
                          log={"default": "", "choices": ["", "x", "y", "xy"], "help": "logarithmic axes"},
                          name={"default": "columns", "help": "name of the figure"})
    rows = read(chosen.file, [chosen.x, *chosen.y, *chosen.lines, *([chosen.panels] if chosen.panels else [])])

    def panel_of(row):
        return row[chosen.panels] if chosen.panels else None

    def line_of(row):
        return ", ".join(sp.attribute_text(name, row[name]) for name in chosen.lines if row[name] != "")

    panels = list(dict.fromkeys(map(panel_of, rows)))
    style = sp.line_styles({line_of(row): row["integrator"] if "integrator" in chosen.lines else None for row in rows})
    figure, axes_of = sp.panels(chosen.y, panels,
                                lambda _, panel: sp.attribute_text(chosen.panels, panel) if chosen.panels else "",
                                sharey="row", xlabel=sp.plain(chosen.x))
    left_out, shown = [], 0
    for y in chosen.y:
        for panel in panels:
            axes = axes_of[y, panel]
            for line, marker in zip(style, sp.MARKERS * len(style)):
                points = [(number(row[chosen.x]), number(row[y]), row) for row in rows
                          if line_of(row) == line and panel_of(row) == panel]
                left_out += [row for a, b, row in points if a is None or b is None]
                points = sorted((a, b) for a, b, _ in points if a is not None and b is not None)
                shown += len(points)
                axes.plot(*zip(*points) if points else ([], []), label=line, marker=marker, markersize=3.5, **style[line])
            if "x" in chosen.log:
                axes.set_xscale("log")
            if "y" in chosen.log:
                axes.set_yscale("log")
        sp.axis_label(axes_of[y, panels[0]], sp.plain(y))
    if not shown:
        sp.refuse(f"{chosen.file}: no row has numbers in {chosen.x} and {' or '.join(chosen.y)}")
    sp.legend_below(figure, axes_of.values(), left_out_text(chosen.x, left_out, line_of))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
