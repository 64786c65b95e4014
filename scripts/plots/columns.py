"""Plot columns of a table against another column: a row of panels per column, a line per value of further columns.

    /usr/bin/python3 scripts/plots/columns.py results/claim-2-cost/table.csv vertices ms_per_step --lines integrator --log xy

The table is the output of `shoal table FILE.h5 --as csv --columns …`. |1-NAME| is the distance of a column from 1. Rows without
numbers in both columns are omitted and listed below the figure. If the panels have different lines, each column of panels has its own
legend.
"""

from shoal_plots import tables, words
from shoal_plots.arguments import WHERE, arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.page import Page
from shoal_plots.selection import chosen_rows, given_number

TOGETHER = "together"


def left_out_text(x, rows, label):
    """The rows without a value, for a note: "icosphere:6, unstable at substeps = 1, 2"."""
    places = {}
    for row in rows:
        what = ", ".join(filter(None, (label(row), row.get("outcome") or "no value")))
        places.setdefault(what, {})[words.value_text(x, row[x]) if row[x] else "?"] = None
    return "left out: " + "; ".join(f"{what} at {words.name_of(x)} = {', '.join(at)}" for what, at in places.items()) if places else ""


def main():
    chosen = arguments(__doc__,
                       positional={"x": {"help": "column of the horizontal axis"}, "y": {"nargs": "+", "help": "columns to draw"}},
                       lines={"nargs": "+", "default": [], "help": "columns whose values define the lines"},
                       panels={"help": "column whose values define the panels"},
                       together={"action": "store_true", "help": "draw the columns as lines in one row of panels"},
                       label={"help": "label of the vertical axis, with --together"},
                       where=WHERE,
                       log={"default": "", "choices": ["", "x", "y", "xy"], "help": "logarithmic axes"},
                       top={"type": given_number, "help": "upper limit of the vertical axis"},
                       bottom={"type": given_number, "help": "lower limit of the vertical axis"},
                       height={"type": given_number, "default": 38, "help": "height of a row of panels in mm (default: %(default)s)"},
                       name={"default": "columns", "help": "name of the figure"})
    rows = tables.read(chosen.file, [chosen.x, *chosen.y, *chosen.lines, *([chosen.panels] if chosen.panels else [])])
    rows = chosen_rows(rows, chosen.where, list(rows[0]))
    if not rows:
        refuse(f"{chosen.file}: no row for which {', '.join(chosen.where)}")

    def panel_of(row):
        return row[chosen.panels] if chosen.panels else None

    def item(row, y):
        return {**{name: value or None for name, value in row.items()}, "column": y}

    def text_of(name, value):
        return words.quantity_label(value).rsplit(f"{words.NBSP}(", 1)[0] if name == "column" else words.attribute_text(name, value)

    keys = [*(["column"] if chosen.together else []), *chosen.lines]
    lines = Lines([item(row, y) for row in rows for y in chosen.y], keys, text_of=text_of, value_of=text_of if chosen.together else words.value_text)
    panels = list(dict.fromkeys(map(panel_of, rows)))
    page = Page([TOGETHER] if chosen.together else chosen.y, panels, chosen.width, chosen.height)

    def label(row, y=""):
        return lines.label[lines.values_of(item(row, y))] if not chosen.together else ""

    left_out, drawn = [], {panel: set() for panel in panels}
    for y in chosen.y:
        for panel in panels:
            axes = page[TOGETHER if chosen.together else y, panel]
            for values in lines.combinations:
                mine = [row for row in rows if lines.values_of(item(row, y)) == values and panel_of(row) == panel]
                points = [(tables.value(row, chosen.x), tables.value(row, y), row) for row in mine]
                left_out += [row for a, b, row in points if a is None or b is None]
                points = sorted((a, b) for a, b, _ in points if a is not None and b is not None)
                if points:
                    axes.plot(*zip(*points), label=lines.label[values] or None, **lines.look[values])
                    drawn[panel].add(values)
            if "x" in chosen.log:
                axes.set_xscale("log")
            if "y" in chosen.log:
                axes.set_yscale("log")
            if chosen.bottom is not None:
                axes.set_ylim(bottom=max(chosen.bottom, axes.get_ylim()[0]))
            if chosen.top is not None:
                axes.set_ylim(top=min(chosen.top, axes.get_ylim()[1]))
        if not chosen.together:
            page.ylabel(y, words.renamed(words.quantity_label(y)))
    if not any(drawn.values()):
        refuse(f"{chosen.file}: no row has numbers in {chosen.x} and {' or '.join(chosen.y)}")
    if chosen.together:
        page.ylabel(TOGETHER, chosen.label or words.quantity_label(chosen.y[0]))
    page.xlabel(words.renamed(words.quantity_label(chosen.x)))
    for panel in panels if chosen.panels else []:
        page.title((page.rows[0], panel), words.renamed(words.attribute_text(chosen.panels, panel)))
    page.legend_of(lines, drawn)
    page.subtitle(tables.shared_text(rows, {chosen.panels, *lines.keys}))
    page.note(left_out_text(chosen.x, left_out, label))
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
