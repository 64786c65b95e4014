"""The stages of a frame in ms beside those of Angst 2007, table 7.1, as a Markdown table.

    /usr/bin/python3 scripts/plots/table_7_1.py results/table-7-1/table.csv

The table that is read is what `shoal table FILE.h5 --as csv --columns …` writes. The thesis measured a torus and a sphere of
768 and 2562 vertices on a 2.4 GHz Core Duo; its frame is 1000 ms over its frames per second. It decomposes velocities into
barycentric coordinates in a stage of its own (0.33 and 1.11 ms); here they are carried in them.
"""

import columns
import shoal_plot as sp

STAGES = {"animation": "ms_animation", "flattening": "ms_flattening", "advection": "ms_advection",
          "depth": "ms_depth", "velocity": "ms_velocity", "barycentric": None, "frame": "ms_per_step"}
THESIS = {768: (2.0, 1.95, 1.3, 1.47, 1.41, 0.33, 1000 / 75.5), 2562: (6.2, 6.4, 4.5, 3.66, 4.65, 1.11, 1000 / 33.5)}


def table(chosen):
    """The lines of the table."""
    rows = columns.read(chosen.file, ["mesh_name", "vertices", "triangles", *filter(None, STAGES.values())])
    yield "| mesh | vertices | triangles | " + " | ".join(f"{stage} [ms]" for stage in STAGES) + " |"
    yield "|---" * (3 + len(STAGES)) + "|"
    for row in rows:
        size = int(row["vertices"])
        ours = [columns.number(row[column]) if column else 0.0 for column in STAGES.values()]
        yield f"| {row['mesh_name']} | {size} | {row['triangles']} | " + " | ".join(f"{value:.3g}" for value in ours) + " |"
        if size in THESIS:
            yield f"| thesis | {size} | {row['triangles']} | " + " | ".join(f"{value:.3g}" for value in THESIS[size]) + " |"
            ratios = (f"{theirs / value:.0f}" if value else "–" for theirs, value in zip(THESIS[size], ours))
            yield "| times as fast | | | " + " | ".join(ratios) + " |"


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], figure=False, name=sp.TABLE_NAME)
    sp.save_table(table(chosen), chosen)


if __name__ == "__main__":
    main()
