"""Errors on finer and finer meshes and the orders between them, as a Markdown table.

    /usr/bin/python3 scripts/plots/orders.py results/pulsating-ellipsoid/errors.csv l2_error --lines discretization dual

The table that is read is what `shoal table FILE.h5 --as csv --columns …,vertices,…` writes. An order is
log(e₁/e₂)/log(h₁/h₂), h = vertices^(−½).
"""

import math

import columns
import shoal_plot as sp


def order(coarse, fine):
    """Between two (vertices, error)."""
    return 2 * math.log(coarse[1] / fine[1]) / math.log(fine[0] / coarse[0])


def table(chosen):
    """The lines of the table."""
    rows = columns.read(chosen.file, ["vertices", *chosen.errors, *chosen.lines])
    sizes = sorted({int(row["vertices"]) for row in rows if row["vertices"]})
    heads = [*map(sp.plain, chosen.lines), "error"]
    for size in sizes:
        heads += [f"{size} vertices", *(["order"] if size != sizes[0] else [])]
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for line in dict.fromkeys(tuple(row[name] for name in chosen.lines) for row in rows):
        for error in chosen.errors:
            points = {int(row["vertices"]): columns.number(row[error]) for row in rows
                      if row["vertices"] and tuple(row[name] for name in chosen.lines) == line}
            finished = [row for row in rows if tuple(row[name] for name in chosen.lines) == line
                        and row.get("outcome") == "finished"]
            if finished and not any(points.values()):
                continue  # of a scheme that has no such error
            cells, before = [*line, sp.plain(error)], None
            for size in sizes:
                value = points.get(size)
                here = (size, value) if value else None
                cells.append(f"{value:.3g}" if value else "–")
                if size != sizes[0]:
                    cells.append(f"{order(before, here):.2f}" if before and here else "–")
                before = here
            yield "| " + " | ".join(cells) + " |"


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], figure=False, positional={"errors": {"nargs": "+"}},
                          lines={"nargs": "+", "default": [], "help": "columns whose values make a row each"},
                          name=sp.TABLE_NAME)
    sp.save_table(table(chosen), chosen)


if __name__ == "__main__":
    main()
