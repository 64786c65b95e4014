"""Errors over the edge length of the mesh, or over the time step: a row of panels per error, a column per discretization,
a line per family of meshes and whatever else differs, with the slopes of whole orders.

    /usr/bin/python3 scripts/plots/convergence.py results/convergence/orders.csv

The table is what `shoal converge … --as csv` writes. Dotted lines are the error at t = 0, of what a scheme reconstructs, where
it is at least a hundredth of the error; a cross on the lower edge is a mesh or a step whose run did not finish.
"""

import columns
import matplotlib.ticker
import numpy as np
import shoal_plot as sp

AXES = {"space": ("h", "mean edge length h (m)"), "time": ("dt", "Δt (s)")}
SHOWN_AT_START = 0.01  # of the error, as in the table


def read(chosen):
    """The rows refined in space or in time, and the attributes that tell its lines apart."""
    rows = columns.read(chosen.file, ["refined", "mesh", "h", "dt", "error", "finished", "value", "at_start"])
    names = list(rows[0])
    attributes = names[1:names.index("mesh")]
    axis = chosen.axis or rows[0]["refined"]
    rows = [row for row in rows if row["refined"] == axis]
    for condition in chosen.where:
        name, _, value = condition.partition("=")
        if name not in names:
            sp.refuse(f"--where: no column {name}; there are: {', '.join(names)}")
        rows = [row for row in rows if row[name] == value]
    if not rows:
        sp.refuse(f"{chosen.file}: holds no orders in {axis}" + "".join(f", {each}" for each in chosen.where))
    schemes = {row["discretization"] for row in rows}
    telling = [name for name in [*attributes, "mesh"] if name != "discretization"
               and any(len({row[name] for row in rows if row["discretization"] == scheme}) > 1 for scheme in schemes)]
    return axis, rows, telling or ["integrator"]


def tick_text(value, _):
    """0.05, 20, 5 × 10⁵"""
    if 0.001 <= value < 10000:
        return f"{value:g}"
    power = int(np.floor(np.log10(value) + 1e-9))
    mantissa = f"{value / 10 ** power:.3g}"
    return ("" if mantissa == "1" else rf"${mantissa}\times$") + f"$10^{{{power}}}$"


def slopes(axes, axis):
    """Grey lines of whole orders through the upper right of what is drawn."""
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    x = np.array([left, right])
    for power in (1, 2) if axis == "space" else (1, 2, 3):
        axes.plot(x, top * (x / right) ** power, color=sp.GREY, linewidth=0.5, linestyle=(0, (1, 2)), zorder=0)
        # Where the slope leaves the panel, to the left or below.
        at = max(left, right * (bottom / top) ** (1 / power)) * 1.15
        axes.annotate(f"{power}", (at, top * (at / right) ** power), color=sp.GREY, fontsize=6.5, ha="center", va="center", zorder=0,
                      bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none"})
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)


def main():
    chosen = sp.arguments(__doc__.splitlines()[0],
                          axis={"choices": list(AXES), "help": "orders in space or in time (default: the first in the table)"},
                          where={"nargs": "+", "default": [], "metavar": "COLUMN=VALUE", "help": "only these rows"},
                          errors={"nargs": "+", "help": "errors shown (default: all in the table)"},
                          name={"default": "convergence", "help": "name of the figure (default: %(default)s)"})
    axis, rows, telling = read(chosen)
    column, label = AXES[axis]
    errors = chosen.errors or list(dict.fromkeys(row["error"] for row in rows))
    missing = [error for error in errors if all(row["error"] != error for row in rows)]
    if missing:
        sp.refuse(f"{chosen.file}: no error {', '.join(missing)}; there are: "
                  + ", ".join(dict.fromkeys(row["error"] for row in rows)))
    schemes = list(dict.fromkeys(row["discretization"] for row in rows))

    def line_of(row):
        return ", ".join(sp.attribute_text(name, row[name]) if name != "mesh" else row[name]
                         for name in telling if row[name] != "")

    lines = list(dict.fromkeys(map(line_of, rows)))
    figure, axes_of = sp.panels(errors, schemes, lambda _, scheme: scheme, xlabel=label, sharey="row")
    shown = 0
    for (error, scheme), axes in axes_of.items():
        stopped = []
        for place, line in enumerate(lines):
            here = [row for row in rows if row["error"] == error and row["discretization"] == scheme and line_of(row) == line]
            x = np.array([columns.number(row[column]) or np.nan for row in here])
            value, start = (np.array([columns.number(row[name]) or np.nan for row in here], float)
                            for name in ("value", "at_start"))
            colour, marker = sp.PALETTE[place % len(sp.PALETTE)], sp.MARKERS[place % len(sp.MARKERS)]
            axes.loglog(x, value, color=colour, marker=marker, markersize=3.5, linestyle=sp.DASHES[place // len(sp.PALETTE)],
                        label=line)
            if len(here) and np.any(start > SHOWN_AT_START * value):
                axes.loglog(x, start, color=colour, linestyle=":", linewidth=0.9)
            stopped += [(x[i], colour) for i, row in enumerate(here) if row["finished"] == "0" and np.isfinite(x[i])]
            shown += np.isfinite(value).sum()
        if error == errors[0] and scheme == schemes[0]:
            first = axes
        for place, colour in stopped:
            axes.plot(place, 0.02, marker="x", markersize=4.5, color=colour, linestyle="none", clip_on=False,
                      transform=axes.get_xaxis_transform())
    if not shown:
        sp.refuse(f"{chosen.file}: no run finished")
    first.set_xlim(*np.array(first.get_xlim()) * [0.95, 1.05])
    for (error, scheme), axes in axes_of.items():
        axes.minorticks_off()
        axes.xaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(tick_text)
        slopes(axes, axis)
        if scheme == schemes[0]:
            sp.axis_label(axes, sp.plain(error))
    sp.legend_below(figure, axes_of.values(), "dotted: the same at t = 0" if axis == "space" else "",
                    "grey: slopes of order 1, 2" + (", 3" if axis == "time" else ""))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
