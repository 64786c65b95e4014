"""Figures published by others: frames of Angst, the stages of table 7.1 (2007) and the rates of table 2 (2008), with our rows beside them;
orders of convergence of other programs, and the errors in results/references/published.csv."""

import csv
import pathlib

from . import tables
from .arguments import refuse

# Names of stages in the input table, in the order of a frame.
COLUMN = {"animation": "ms_animation", "flattening": "ms_flattening", "advection": "ms_advection", "depth": "ms_depth",
          "velocity": "ms_velocity", "coupling": "ms_coupling", "assembly": "ms_assembly", "factorization": "ms_factorization", "solve": "ms_solve", "frame": "ms_per_step"}


class Published:
    """One of the tables: stages, and for each number of vertices the name, the ms of each stage and of the frame without rendering, and
    the ms of its rendering."""

    def __init__(self, title, stages, models, note):
        self.title, self.stages, self.models, self.note = title, stages, models, note


def table_7_1():
    stages = ["animation", "flattening", "advection", "depth", "velocity", "barycentric"]
    rows = {  # vertices: name, frames a second, ms of each stage
        768: ("torus", 75.5, (2.0, 1.95, 1.3, 1.47, 1.41, 0.33)),
        1346: ("figure", 48.7, (3.79, 3.4, 2.36, 2.58, 2.43, 0.57)),
        2461: ("bunny", 33.6, (6.9, 6.4, 4.6, 3.75, 4.53, 1.08)),
        2562: ("sphere", 33.5, (6.2, 6.4, 4.5, 3.66, 4.65, 1.11)),
        3832: ("letters", 23.0, (8.84, 9.6, 6.4, 6.12, 6.96, 1.62)),
    }
    rendering = 1 / 4  # fraction by which it lowers the published rates, which do not include it
    models = {vertices: (name, [*ms, 1000 / rate], 1000 / rate * rendering / (1 - rendering)) for vertices, (name, rate, ms) in rows.items()}
    return Published("Angst 2007, table 7.1, Core Duo 2.4 GHz", stages, models,
                     "its rates are without rendering, which lowers them \"by roughly a fourth\"; the thesis decomposes velocities into barycentric coordinates in a stage of its own; here they are "
                     "carried in them; what a frame takes beyond its stages is other work")


def table_2():
    rendering = 0.10  # fraction of a frame, included in the published rates
    rates = {3778: ("Skinny Guy", 32.8), 4482: ("Stickman", 25.4), 8502: ("Hamster", 14.4), 9350: ("Face", 9.4)}
    models = {vertices: (name, [(1 - rendering) * 1000 / rate], rendering * 1000 / rate) for vertices, (name, rate) in rates.items()}
    return Published("Angst et al. 2008, table 2, Core 2 2.4 GHz", [], models,
                     "its rates include rendering, \"ca. 10%\" of a frame, which is subtracted")


def figure_5():
    """The Face of table 2 beside our figure with its vertices and our letters with its triangles."""
    table = table_2()
    face = ("Face (9350 vertices, 19056 triangles)", *table.models[9350][1:])
    return Published("Angst et al. 2008, fig. 5 and table 2, Core 2 2.4 GHz", [], dict.fromkeys((9350, 9536), face), table.note)


# scene: program, orders, source.
ORDERS = {
    "parabola-friction": (
        "Basilisk, damped bowl", "1.9 falling to 1.4",
        "its test parabola.c, an oscillation with linear friction in one dimension, from 32 to 512 cells; the order falls with refinement"),
}

FIGURES = pathlib.Path(__file__).resolve().parents[3] / "results" / "references" / "published.csv"


def figures(*scenes):
    """The rows of FIGURES for these scenes, name → text."""
    with open(FIGURES, newline="", encoding="utf-8") as file:
        return [one for one in csv.DictReader(file) if one["scene"] in scenes]


TABLES = {"table-7-1": table_7_1, "table-2": table_2, "figure-5": figure_5}


def pictures(path):
    """Run → (ms to prepare a picture, ms to draw it), from pictures.csv beside the table `path`; {} if there is none."""
    file = pathlib.Path(path).with_name("pictures.csv")
    if not file.exists():
        return {}
    return {row["id"]: (float(row["ms_prepare"]), float(row["ms_draw"])) for row in tables.read(file, ["id", "ms_prepare", "ms_draw"])}


def read(path, published, ours):
    """(row, vertices, [ms of each of `ours`, the frame last]) of each run that finished, and notes on the others."""
    wanted = [COLUMN[stage] for stage in [*ours, "frame"]]
    rows, left_out = [], []
    for row in tables.read(path, ["mesh_name", "vertices", "triangles", "outcome", *wanted]):
        values = [tables.number(row[column]) for column in wanted]
        if row["outcome"] != "finished" or values[-1] is None:
            left_out.append(f"{row['mesh_name']}: {row['outcome']}")
            continue
        rows.append((row, int(row["vertices"]), [value or 0.0 for value in values]))
    if not rows:
        refuse(f"{path}: no run that finished" + (f" ({'; '.join(left_out)})" if left_out else ""))
    missing = [name for vertices, (name, *_) in published.models.items() if vertices not in {size for _, size, _ in rows}]
    return rows, left_out, missing
