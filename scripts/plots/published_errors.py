"""Write a Markdown table of errors beside the figures that others published for the same scenes.

    /usr/bin/python3 scripts/plots/published_errors.py results/williamson-5/errors.csv l2_error

The input is the output of `shoal table FILE.h5 --as csv --columns …` with scene, mesh_name and unknowns. The figures are those of
results/references/published.csv, each with its document; their errors may be defined in another way, as `quantity` says.
"""

from shoal_plots import published, tables, words
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table


def line(cells):
    return "| " + " | ".join(cells) + " |"


def table(rows, chosen):
    """The lines of the table."""
    scenes = list(dict.fromkeys(row["scene"] for row in rows))
    figures = [one for one in published.figures(*scenes) if chosen.quantity in one["quantity"]]
    if not figures:
        refuse(f"{published.FIGURES.name} has no figure for {', '.join(scenes)}" + (f" with '{chosen.quantity}'" if chosen.quantity else ""))
    yield line(["scene", "code", "resolution", "points or unknowns", "quantity", "value"])
    yield "|---" * 6 + "|"
    for row in rows:
        scheme = " ".join(filter(None, (row[name] for name in chosen.schemes)))
        value = tables.value(row, chosen.error)
        yield line([row["scene"], f"Shoal, {scheme}", row["mesh_name"], row["unknowns"], words.error_text(chosen.error) or chosen.error,
                    row["outcome"] if row["outcome"] != "finished" else "–" if value is None else f"{value:.3g}"])
    for one in figures:
        yield line([one["scene"], one["code"], one["resolution"], one["nodes"] or "–", one["quantity"], f"{float(one['value']):.3g}"])
    yield ""
    for one, where in dict.fromkeys((one["document"], one["where"]) for one in figures):
        yield f"- {one}, {where}."


def main():
    chosen = arguments(__doc__, figure=False, positional={"error": {"help": "column of the error"}},
                       schemes={"nargs": "+", "default": ["discretization"], "help": "columns that define a scheme (default: %(default)s)"},
                       quantity={"default": "", "help": "only published figures whose quantity contains this text"}, name=TABLE_NAME)
    save_table(table(tables.read(chosen.file, ["scene", "mesh_name", "outcome", "unknowns", *chosen.schemes], [chosen.error]), chosen), chosen)


if __name__ == "__main__":
    main()
