"""Plot errors against the edge length of the mesh or the time step: a row of panels per error, a column per discretization,
a line per family of meshes and per value of any setting that varies, with the slopes of integer orders.

    /usr/bin/python3 scripts/plots/convergence.py results/convergence/orders.csv

The table is the output of `shoal converge … --as csv`. Dotted lines show the error of reconstructed quantities at t = 0, if it is
at least 1/100 of the error; crosses on the lower edge mark meshes or steps whose runs did not finish.
"""

import functools

import numpy as np
from shoal_plots import curves, layout, tables, words
from shoal_plots.arguments import WHERE, arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.page import Page
from shoal_plots.selection import chosen_rows, given_number

AXES = {"space": ("h", "mean edge length h (m)"), "time": ("dt", "Δt (s)")}
SHOWN_AT_START = 0.01  # fraction of the error, as in the table


def family_text(name, value):
    return str(value) if name == "mesh" else words.attribute_text(name, value)


def attributes_of(rows):
    """The columns with the settings of the runs: those between `refined` and `mesh`."""
    names = list(rows[0])
    return names[1:names.index("mesh")]


def read(chosen):
    """The rows refined in space or in time, and the attributes that distinguish the lines of a panel."""
    rows = tables.read(chosen.file, ["refined", "mesh", "h", "dt", "error", "finished", "value", "at_start"])
    axis, names = chosen.axis or rows[0]["refined"], list(rows[0])
    rows = chosen_rows([row for row in rows if row["refined"] == axis], chosen.where, names)
    if not rows:
        refuse(f"{chosen.file}: holds no orders in {axis}" + "".join(f", {each}" for each in chosen.where))
    panels = {row[chosen.panels] for row in rows}
    told = [name for name in [*attributes_of(rows), "mesh"] if name != chosen.panels
            and any(len({row[name] for row in rows if row[chosen.panels] == panel}) > 1 for panel in panels)]
    return axis, rows, chosen.lines or told


def constant_text(rows, without):
    shared = [name for name in [*attributes_of(rows), "mesh"] if name not in without and rows[0][name]
              and len({row[name] for row in rows}) == 1]
    return "; ".join(family_text(name, rows[0][name]) for name in shared)


def floats(rows, name):
    return np.array([tables.number(row[name]) or np.nan for row in rows], float)


def draw_line(axes, rows, column, look, label):
    """Draws one line and its error at the start; returns where its runs did not finish, and its number of values."""
    x, value, start = floats(rows, column), floats(rows, "value"), floats(rows, "at_start")
    axes.loglog(x, value, label=label or None, **look)
    if len(rows) and np.any(start > SHOWN_AT_START * value):
        axes.loglog(x, start, color=look["color"], linestyle=":", linewidth=0.9, gid=layout.PART)
    return [x[i] for i, row in enumerate(rows) if row["finished"] == "0" and np.isfinite(x[i])], np.isfinite(value).sum()


def main():
    chosen = arguments(__doc__,
                       axis={"choices": list(AXES), "help": "orders in space or in time (default: the first in the table)"},
                       where=WHERE,
                       errors={"nargs": "+", "help": "errors to show (default: all in the table)"},
                       panels={"default": "discretization", "help": "column whose values define the panels (default: %(default)s)"},
                       lines={"nargs": "+", "help": "columns that distinguish the lines (default: all that vary)"},
                       height={"type": given_number, "default": 42, "help": "height of a row of panels in mm (default: %(default)s)"},
                       name={"default": "convergence", "help": "name of the figure (default: %(default)s)"})
    axis, rows, told = read(chosen)
    column, xlabel = AXES[axis]
    errors = chosen.errors or list(dict.fromkeys(row["error"] for row in rows))
    missing = [error for error in errors if all(row["error"] != error for row in rows)]
    if missing:
        refuse(f"{chosen.file}: no error {', '.join(missing)}; there are: " + ", ".join(dict.fromkeys(row["error"] for row in rows)))
    panels = list(dict.fromkeys(row[chosen.panels] for row in rows))
    rows = [{name: cell or None for name, cell in row.items()} for row in rows]
    lines = Lines(rows, told, text_of=family_text, value_of=lambda name, value: str(value) if name == "mesh" else words.value_text(name, value))
    page = Page(errors, panels, chosen.width, chosen.height)
    drawn = {panel: set() for panel in panels}
    shown = dotted = 0
    for (error, panel), axes in page.axes.items():
        stopped = []
        for values in lines.combinations:
            here = [row for row in rows if row["error"] == error and row[chosen.panels] == panel and lines.values_of(row) == values]
            if not here:
                continue
            drawn[panel].add(values)
            ended, count = draw_line(axes, here, column, lines.look[values], lines.label[values])
            stopped += [(x, lines.look[values]["color"]) for x in ended]
            shown += count
        dotted += sum(line.get_gid() == layout.PART for line in axes.get_lines())
        for x, colour in stopped:
            axes.plot(x, 0.02, marker="x", markersize=4.5, color=colour, linestyle="none", clip_on=False,
                      transform=axes.get_xaxis_transform(), gid=layout.PART)
    if not shown:
        refuse(f"{chosen.file}: no run finished")
    orders = (1, 2) if axis == "space" else (1, 2, 3)
    first = page[errors[0], panels[0]]
    first.set_xlim(*np.array(first.get_xlim()) * [0.95, 1.05])
    for axes in page.axes.values():
        curves.slopes(axes, orders)
        page.at_last(functools.partial(curves.slope_labels, axes, orders))
    for error in errors:
        page.ylabel(error, words.renamed(words.quantity_label(error)))
    for panel in panels if len(panels) > 1 else []:
        page.title((errors[0], panel), words.renamed(family_text(chosen.panels, panel)))
    page.xlabel(xlabel)
    page.legend_of(lines, drawn)
    page.subtitle(constant_text(rows, {chosen.panels, *lines.keys} if len(panels) > 1 else set(lines.keys)))
    page.note("grey: slopes of order " + ", ".join(map(str, orders)), "dotted: the error at t = 0" if dotted else "")
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
