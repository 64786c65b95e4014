"""Plot an error against the number of unknowns and against the computing time: a row of panels per value of a column, a line per scheme.

    /usr/bin/python3 scripts/plots/work_precision.py results/fluxes/errors.csv l2_error_elevation --lines discretization --panels scene

The table is the output of `shoal table FILE.h5 --as csv --columns …,unknowns,seconds`. Runs that did not finish are omitted and listed
below the figure.
"""

from columns import left_out_text
from shoal_plots import tables, words
from shoal_plots.arguments import WHERE, arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.page import Page
from shoal_plots.selection import chosen_rows, given_number

WORK = ["unknowns", "seconds"]


def main():
    chosen = arguments(__doc__,
                       positional={"y": {"help": "column of the error"}},
                       lines={"nargs": "+", "default": ["discretization"], "help": "columns whose values define the lines (default: %(default)s)"},
                       panels={"help": "column whose values define the rows of panels"},
                       where=WHERE,
                       height={"type": given_number, "default": 38, "help": "height of a row of panels in mm (default: %(default)s)"},
                       name={"default": "work-precision", "help": "name of the figure"})
    rows = tables.read(chosen.file, [chosen.y, *WORK, *chosen.lines, *([chosen.panels] if chosen.panels else [])])
    rows = chosen_rows(rows, chosen.where, list(rows[0]))
    if not rows:
        refuse(f"{chosen.file}: no row for which {', '.join(chosen.where)}")

    def panel_of(row):
        return row[chosen.panels] if chosen.panels else ""

    def item(row):
        return {name: value or None for name, value in row.items()}

    lines = Lines(list(map(item, rows)), chosen.lines)
    panels = list(dict.fromkeys(map(panel_of, rows)))
    page = Page(panels, WORK, chosen.width, chosen.height, sharex="col")

    def points_of(row):
        """The number of unknowns, the time and the error of a run; None if it did not finish or one of them is missing."""
        if row.get("outcome", "finished") != "finished":
            return None
        values = [tables.value(row, name) for name in (*WORK, chosen.y)]
        return None if None in values or min(values) <= 0 else values

    for panel in panels:
        for values in lines.combinations:
            points = sorted(filter(None, (points_of(row) for row in rows if lines.values_of(item(row)) == values and panel_of(row) == panel)))
            for place, work in enumerate(WORK):
                if points:
                    page[panel, work].plot([point[place] for point in points], [point[-1] for point in points], label=lines.label[values],
                                           **lines.look[values])
        for work in WORK:
            page[panel, work].set_xscale("log")
            page[panel, work].set_yscale("log")
            if panel:
                page.title((panel, work), words.renamed(words.attribute_text(chosen.panels, panel)))
        page.ylabel(panel, words.renamed(words.quantity_label(chosen.y)))
    left_out = [row for row in rows if points_of(row) is None]
    if len(left_out) == len(rows):
        refuse(f"{chosen.file}: no row has numbers in {', '.join(WORK)} and {chosen.y}")
    for work in WORK:
        page.xlabel(words.renamed(words.quantity_label(work)), work)
    page.legend_of(lines, {work: set(lines.combinations) for work in WORK})
    page.subtitle(tables.shared_text(rows, {chosen.panels, *lines.keys}))
    page.note(left_out_text("mesh_name", left_out, lambda row: ", ".join(filter(None, [panel_of(row), lines.label[lines.values_of(item(row))]]))))
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
