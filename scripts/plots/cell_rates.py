"""Tabulate how many square cells a second the runs on rectangle:NxM:…:structured step, beside published rates.

    /usr/bin/python3 scripts/plots/cell_rates.py results/grid-speed/grid-speed.h5

The time of a step is the tenth percentile over the run, so that what else runs on the machine counts little. Published: packets on N² cells of Lee &
O'Sullivan 2007, section 5 (Xeon, 3.6 GHz), 2 × 2 packets; a height map of 50 × 100 cells of Krog 2003 (Athlon, 1.33 GHz), drawing included.
"""

import re

import numpy as np
from shoal_plots.arguments import TABLE_NAME, arguments, refuse, save_table
from shoal_plots.results import Results

UPDATES = {("packets", 25, 25): 3185.7, ("packets", 50, 50): 736.0, ("packets", 100, 100): 177.5, ("packets", 200, 200): 43.7,
           ("packets", 400, 400): 10.2, ("height-map", 50, 100): 20.0}  # per second


def main():
    chosen = arguments(__doc__, figure=False, name=TABLE_NAME)
    table = ["| scheme | form | cells | threads | ms per step | M cells/s | steps per second / published |", "|" + "---|" * 7]
    for run in Results(chosen.file).runs:
        cells = re.match(r"rectangle:(\d+)x(\d+):.*structured", run["mesh_name"])
        seconds = run.series("timing/total")
        if not cells or seconds is None:
            refuse(f"{chosen.file}: run {run.id} has no times of steps on rectangle:NxM:…:structured")
        columns, rows = map(int, cells.groups())
        step = float(np.percentile(seconds, 10))
        published = UPDATES.get((run["discretization"], columns, rows))
        ratio = f"{1 / (step * published):.3g}" if published else "–"
        table.append(f"| {run['discretization']} | {run.get('advection_form', '–')} | {columns} × {rows} | {run['threads']} | {1e3 * step:.3g} | "
                     f"{1e-6 * columns * rows / step:.3g} | {ratio} |")
    save_table(table, chosen)


if __name__ == "__main__":
    main()
