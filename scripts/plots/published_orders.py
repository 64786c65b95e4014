"""Write a Markdown table of errors and orders in space, one row per scheme and scene, beside the orders that others published.

    /usr/bin/python3 scripts/plots/published_orders.py results/planar/errors.csv l1_error --schemes discretization reconstruction

The input is the output of `shoal table FILE.h5 --as csv --columns …` with scene, unknowns and seconds; the runs of a scheme follow each other
from the coarsest to the finest mesh, whose edges are in the ratio --ratio. The order is the slope of a fit of log error over log edge length.
"""

import numpy as np
from shoal_plots import published, tables, words
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table
from shoal_plots.selection import given_number


def line(cells):
    return "| " + " | ".join(cells) + " |"


def shown(value, digits=3):
    return "–" if value is None else f"{value:.{digits}g}"


def fitted_order(errors, ratio):
    """The slope of log error over log edge length; None if an error is missing or zero, or if there is one mesh."""
    if len(errors) < 2 or any(error is None or error <= 0 for error in errors):
        return None
    return -np.polyfit(np.arange(len(errors)) * np.log(ratio), np.log(errors), 1)[0]


def table(rows, chosen):
    """The lines of the table."""
    groups = {}
    for row in rows:
        groups.setdefault((row["scene"], *(row[name] for name in chosen.schemes)), []).append(row)
    levels = max(map(len, groups.values()))
    scenes = list(dict.fromkeys(row["scene"] for row in rows))
    meshes = [f"mesh {level + 1}" for level in range(levels)]
    yield line(["scene", *map(words.plain, chosen.schemes), *meshes, "order", "unknowns, finest", "time, finest [s]", "published order"])
    yield "|---" * (levels + len(chosen.schemes) + 5) + "|"
    for scene in scenes:
        for (of, *scheme), runs in groups.items():
            if of != scene:
                continue
            errors = [tables.value(run, chosen.error) if run["outcome"] == "finished" else None for run in runs]
            order = fitted_order(errors, chosen.ratio)
            yield line([scene, *(name or "–" for name in scheme), *map(shown, errors), *["–"] * (levels - len(errors)),
                        "–" if order is None else f"{order:.2f}", runs[-1]["unknowns"], shown(tables.value(runs[-1], "seconds")), ""])
        if scene in published.ORDERS:
            name, order, _ = published.ORDERS[scene]
            yield line([scene, name, *[""] * (len(chosen.schemes) - 1 + levels + 3), order])
    yield ""
    yield f"Mesh 1 … {levels}: {words.error_text(chosen.error) or words.plain(chosen.error)} at the end of the run, on"
    yield ""
    for scene in scenes:
        names = list(dict.fromkeys(row["mesh_name"] for row in rows if row["scene"] == scene))
        yield f"- {scene}: {', '.join(names)}."
    yield ""
    for name, _, source in dict.fromkeys(published.ORDERS[scene] for scene in scenes if scene in published.ORDERS):
        yield f"Published, {name}: {source}."
    for row in rows:
        if row["outcome"] != "finished":
            yield f"{row['scene']}, {' '.join(row[name] for name in chosen.schemes)}, {row['mesh_name']}: {row['outcome']}."


def main():
    chosen = arguments(__doc__.splitlines()[0], figure=False, positional={"error": {}},
                       schemes={"nargs": "+", "default": ["discretization"], "help": "columns that define a scheme (default: %(default)s)"},
                       ratio={"type": given_number, "default": 2, "help": "of the edges of successive meshes (default: %(default)s)"},
                       name=TABLE_NAME)
    rows = tables.read(chosen.file, ["scene", "mesh_name", "outcome", "unknowns", "seconds", chosen.error, *chosen.schemes])
    if chosen.ratio <= 1:
        refuse(f"--ratio: {chosen.ratio:g} is not greater than 1")
    save_table(table(rows, chosen), chosen)


if __name__ == "__main__":
    main()
