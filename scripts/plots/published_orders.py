"""Write a Markdown table of errors and orders in space, one row per scheme and scene, beside the orders that others published.

    /usr/bin/python3 scripts/plots/published_orders.py results/planar/errors.csv l1_error --schemes discretization reconstruction

The input is the output of `shoal table FILE.h5 --as csv --columns …` with scene, unknowns and seconds; the runs of a scheme follow each other
from the coarsest to the finest mesh, whose edges are in the ratio --ratio. The order is the slope of a fit of log error over log edge length.
Of further errors the table has the order and the error on the finest mesh. With the column negative_depth_cells it lists runs with negative depths.
"""

import numpy as np
from shoal_plots import published, tables, words
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table
from shoal_plots.selection import given_number

NOTHING = 1e6  # a relative error beyond it has been divided by round-off


def line(cells):
    return "| " + " | ".join(cells) + " |"


def shown(value, digits=3):
    return "–" if value is None else f"{value:.{digits}g}"


def error_of(run, name):
    """The relative error of a run; None if it did not finish, or if the solution is zero to round-off."""
    error = tables.value(run, name) if run["outcome"] == "finished" else None
    return None if error is None or error > NOTHING else error


def fitted_order(errors, ratio):
    """The slope of log error over log edge length; None if an error is missing or zero, or if there is one mesh."""
    if len(errors) < 2 or any(error is None or error <= 0 for error in errors):
        return None
    return -np.polyfit(np.arange(len(errors)) * np.log(ratio), np.log(errors), 1)[0]


def name_scenes(rows, settings):
    """Adds to the name of a scene the settings that differ between its runs."""
    varying = {scene: [name for name in settings if len({row[name] for row in rows if row["scene"] == scene}) > 1]
               for scene in {row["scene"] for row in rows}}
    for row in rows:
        row["problem"] = ", ".join([row["scene"], *(words.attribute_text(name, row[name]) for name in varying[row["scene"]])])


def table(rows, chosen):
    """The lines of the table."""
    groups = {}
    for row in rows:
        groups.setdefault((row["problem"], *(row[name] for name in chosen.schemes)), []).append(row)
    levels = max(map(len, groups.values()))
    problems = list(dict.fromkeys(row["problem"] for row in rows))
    meshes = [f"mesh {level + 1}" for level in range(levels)]
    further = [text for name in chosen.error[1:] for text in (f"{words.error_text(name) or words.plain(name)}, finest", "order")]
    head = ["scene", *map(words.plain, chosen.schemes), *meshes, "order", *further, "unknowns, finest", "time, finest [s]", "published order"]
    yield line(head)
    yield "|---" * len(head) + "|"
    for problem in problems:
        for (of, *scheme), runs in groups.items():
            if of != problem:
                continue
            errors = {name: [error_of(run, name) for run in runs] for name in chosen.error}
            orders = {name: "–" if (order := fitted_order(errors[name], chosen.ratio)) is None else f"{order:.2f}" for name in errors}
            first, *others = chosen.error
            yield line([problem, *(name or "–" for name in scheme), *map(shown, errors[first]), *["–"] * (levels - len(runs)), orders[first],
                        *(text for name in others for text in (shown(errors[name][-1]), orders[name])), runs[-1]["unknowns"],
                        shown(tables.value(runs[-1], "seconds")), ""])
        scene = problem.partition(",")[0]
        if scene in published.ORDERS:
            name, order, _ = published.ORDERS[scene]
            yield line([problem, name, *[""] * (len(head) - 3), order])
    yield ""
    yield f"Mesh 1 … {levels}: {words.error_text(chosen.error[0]) or words.plain(chosen.error[0])} at the end of the run, on"
    yield ""
    for problem in problems:
        names = list(dict.fromkeys(row["mesh_name"] for row in rows if row["problem"] == problem))
        yield f"- {problem}: {', '.join(names)}."
    yield ""
    for name, _, source in dict.fromkeys(published.ORDERS[row["scene"]] for row in rows if row["scene"] in published.ORDERS):
        yield f"Published, {name}: {source}."
    yield ""
    for row in rows:
        remark = row["outcome"] if row["outcome"] != "finished" else "negative depths" if tables.value(row, "negative_depth_cells") else None
        if remark:
            yield f"- {row['problem']}, {' '.join(filter(None, (row[name] for name in chosen.schemes)))}, {row['mesh_name']}: {remark}."


def main():
    chosen = arguments(__doc__, figure=False, positional={"error": {"nargs": "+", "help": "columns of errors"}},
                       schemes={"nargs": "+", "default": ["discretization"], "help": "columns that define a scheme (default: %(default)s)"},
                       settings={"nargs": "+", "default": [], "help": "columns that distinguish runs of one scene"},
                       ratio={"type": given_number, "default": 2, "help": "of the edges of successive meshes (default: %(default)s)"},
                       name=TABLE_NAME)
    rows = tables.read(chosen.file, ["scene", "mesh_name", "outcome", "unknowns", "seconds", *chosen.schemes, *chosen.settings], chosen.error)
    if chosen.ratio <= 1:
        refuse(f"--ratio: {chosen.ratio:g} is not greater than 1")
    name_scenes(rows, chosen.settings)
    save_table(table(rows, chosen), chosen)


if __name__ == "__main__":
    main()
