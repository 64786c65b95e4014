"""Plot one number of many runs as dots: a line per scheme or option, a panel per value of a column, marks by other columns.

    /usr/bin/python3 scripts/plots/dots.py results/crumple/table.csv t_reached --rows integrator --panels discretization --marks dt

The table is the output of `shoal table FILE.h5 --as csv --columns …`. |1-NAME| is the distance of a column from 1; several columns are
drawn side by side. --limits X=COLUMN draws a line at the limit of each run. Filled marks are finished runs, hollow marks are runs that ended early.
"""

import numpy as np
from matplotlib.lines import Line2D
from shoal_plots import layout, style, tables, words
from shoal_plots.arguments import WHERE, arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.page import Page
from shoal_plots.selection import chosen_rows, given_number

DODGE = 0.6  # the marks of one line are spread over this fraction of the distance between lines
NAMES = 58  # mm, maximum width of a name
SHORT_NAME = 22  # letters, the maximum for figures one page column wide
LINE = 4.2  # mm, least distance between lines of dots
MARK = 0.8  # mm, likewise of the marks of one line
TALLEST = 200  # mm, of all lines


def place_of_zero(rows, x):
    """The position of 0 on a logarithmic axis: left of all other values."""
    positive = [value for row in rows if (value := tables.value(row, x)) is not None and value > 0]
    return 0.1 * min(positive, default=1)


def dots(axes, rows, x, categories, rows_of, marks, zero=0, limit=None):
    """Draws the dots of one panel, those of value 0 at `zero`, and the limits in a column; returns whether any run did not finish."""
    unfinished = False
    count = len(marks.combinations)
    for place, values in enumerate(marks.combinations):
        look = marks.look[values]
        shift = DODGE * ((place + 0.5) / count - 0.5)
        limits = [(at, categories.index(rows_of.values_of(row)) + shift) for row in rows
                  if limit and marks.values_of(row) == values and (at := tables.value(row, limit)) is not None]
        for at, line in limits:
            axes.plot([at, at], [line - 0.5 * DODGE / count, line + 0.5 * DODGE / count], color="black", linewidth=1, zorder=2, gid=layout.PART)
        for finished in (True, False):
            here = [(tables.value(row, x), categories.index(rows_of.values_of(row))) for row in rows
                    if marks.values_of(row) == values and (row.get("outcome", "finished") == "finished") == finished]
            here = [(value or zero, line) for value, line in here if value is not None]
            if not here:
                continue
            at, line = np.array(here, float).T
            axes.plot(at, line + shift, linestyle="none", marker=look["marker"], color=look["color"], markersize=4 if count <= 8 else 3,
                      markeredgewidth=0.9, markerfacecolor=look["color"] if finished else "white", clip_on=False, zorder=3,
                      label=marks.label[values] if finished else None, gid=None if finished else layout.PART)
            unfinished = unfinished or not finished
    return unfinished


def main():
    chosen = arguments(__doc__,
                       positional={"x": {"nargs": "+", "help": "columns to draw, side by side"}},
                       rows={"nargs": "+", "required": True, "help": "columns whose values define the lines of dots"},
                       panels={"help": "column whose values define the rows of panels"},
                       marks={"nargs": "+", "default": [], "help": "columns whose values define the marks"},
                       where=WHERE,
                       log={"nargs": "+", "default": [], "metavar": "X", "help": "columns with a logarithmic axis"},
                       limits={"nargs": "+", "default": [], "metavar": "X=COLUMN", "help": "the column with the limits of X"},
                       bottom={"type": given_number, "help": "lower limit of logarithmic axes"},
                       name={"default": "dots", "help": "name of the figure"})
    limits = dict(limit.split("=", 1) if "=" in limit else refuse(f"--limits {limit}: X=COLUMN is allowed") for limit in chosen.limits)
    wanted = [*chosen.x, *limits, *limits.values(), *chosen.rows, *chosen.marks, *filter(None, [chosen.panels])]
    rows = tables.read(chosen.file, wanted)
    rows = chosen_rows(rows, chosen.where, list(rows[0]))
    rows = [{name: cell or None for name, cell in row.items()} for row in rows if any(tables.value(row, x) is not None for x in chosen.x)]
    if not rows:
        refuse(f"{chosen.file}: no row has numbers in {' or '.join(chosen.x)}" + "".join(f", {each}" for each in chosen.where))
    panels = list(dict.fromkeys(row[chosen.panels] if chosen.panels else None for row in rows))
    marks = Lines(rows, chosen.marks, dashed=False)
    all_rows = Lines(rows, chosen.rows)
    of_panel = {panel: [row for row in rows if not chosen.panels or row[chosen.panels] == panel] for panel in panels}
    categories = {panel: [values for values in all_rows.combinations if any(all_rows.values_of(row) == values for row in mine)]
                  for panel, mine in of_panel.items()}
    names = max(map(len, all_rows.label.values()))
    width = chosen.width or ("one" if len(chosen.x) == 1 and names <= SHORT_NAME else "two")
    counts = [len(categories[panel]) for panel in panels]
    line = min(max(LINE, MARK * len(marks.combinations) / DODGE), TALLEST / sum(counts))
    page = Page(panels, chosen.x, width, heights=[line * count + 9 for count in counts], sharey="row",
                sharex="col", ticks=5)
    unfinished = False
    zeros = [x for x in chosen.x if x in chosen.log and any(tables.value(row, x) == 0 for row in rows)]
    for panel in panels:
        for x in chosen.x:
            axes = page[panel, x]
            zero = place_of_zero(rows, x) if x in zeros else 0
            unfinished |= dots(axes, of_panel[panel], x, categories[panel], all_rows, marks, zero, limits.get(x))
            if x in chosen.log:
                axes.set_xscale("log")
        first = page[panel, chosen.x[0]]
        first.set_yticks(range(len(categories[panel])), [page.wrapped(all_rows.label[values] or "–", NAMES * style.MM) for values in categories[panel]])
        first.set_ylim(len(categories[panel]) - 0.45, -0.55)
        if chosen.panels:
            page.title((panel, chosen.x[0]), words.renamed(words.attribute_text(chosen.panels, panel)))
    for x in chosen.x:
        axes = page[panels[0], x]
        if x not in chosen.log:
            axes.set_xlim(left=min(0, axes.get_xlim()[0]))
        elif chosen.bottom:
            axes.set_xlim(left=chosen.bottom)
        page.xlabel(words.renamed(words.quantity_label(x)), x)
    if len(marks.combinations) > 1:
        page.legend([("", {text: Line2D([], [], linestyle="none", marker=marks.look[values]["marker"],
                                        color=marks.look[values]["color"], markersize=4) for values, text in marks.label.items()})])
    page.subtitle(tables.shared_text(rows, {chosen.panels, *chosen.marks, *chosen.rows}))
    notes = ["black line: limit"] * bool(limits) + ["hollow: runs that ended early"] * unfinished + ["at the left edge: exactly 0"] * bool(zeros)
    page.note("; ".join(notes))
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
