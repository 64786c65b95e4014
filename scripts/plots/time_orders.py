"""Errors against the run with the shortest time step, and the orders between steps: a figure, or a Markdown table.

    /usr/bin/python3 scripts/plots/time_orders.py results/williamson-2-time/williamson-2-time.h5 --lines discretization splitting

Runs that differ only in Δt are compared at their end: ‖a − b‖/‖b‖ of the depths and of the velocities in the last
snapshot, in the plain 2-norm, b the run with the shortest step. The two shortest steps are not compared with each other.
The energy's drift is |E(end)/E(0) − 1|. Orders are log(e₁/e₂)/log(Δt₁/Δt₂).
"""

import math

import numpy as np
import shoal_plot as sp

QUANTITIES = {"depth": "depth", "velocity": "velocity", "energy drift": "energy"}


def last(run, name):
    return np.asarray(run.series(f"snapshots/{name}")[-1])


def errors(runs):
    """[(Δt, {quantity: error})] of runs that differ only in Δt, from the longest step down."""
    runs = sorted(runs, key=lambda run: -run["dt"])
    finest = runs[-1]
    rows = []
    for run in runs[:-2]:
        values = {}
        for name in ("depth", "velocity"):
            here, there = last(run, name), last(finest, name)
            values[name] = np.linalg.norm(here - there) / np.linalg.norm(there)
        energy = run.diagnostic("energy_total")
        values["energy drift"] = abs(energy[-1] / energy[0] - 1)
        rows.append((run["dt"], values))
    return rows


def order(coarse, fine, quantity):
    return math.log(coarse[1][quantity] / fine[1][quantity]) / math.log(coarse[0] / fine[0])


def table(lines, chosen):
    steps = [dt for dt, _ in next(iter(lines.values()))]
    heads = [*map(sp.plain, chosen.lines), "error of", *(f"Δt = {dt:g} s" for dt in steps), "orders"]
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for key, rows in lines.items():
        for quantity in QUANTITIES:
            orders = ", ".join(f"{order(a, b, quantity):.2f}" for a, b in zip(rows, rows[1:]))
            yield "| " + " | ".join([*key, quantity, *(f"{values[quantity]:.2e}" for _, values in rows), orders]) + " |"


def draw(lines, chosen):
    figure, axes_of = sp.panels([""], list(QUANTITIES), lambda row, column: column, sharey=False, xlabel="Δt (s)")
    for i, (key, rows) in enumerate(lines.items()):
        dts = [dt for dt, _ in rows]
        for quantity in QUANTITIES:
            axes_of["", quantity].loglog(dts, [values[quantity] for _, values in rows], label=" · ".join(key),
                                         color=sp.PALETTE[i % len(sp.PALETTE)], marker=sp.MARKERS[i % len(sp.MARKERS)],
                                         markersize=3)
    for quantity in QUANTITIES:
        axes = axes_of["", quantity]
        axes.set_ylabel("relative error" if quantity != "energy drift" else "|E/E(0) − 1|")
        low, high = axes.get_ylim()
        dts = np.array([dt for dt, _ in next(iter(lines.values()))])
        for power in (1, 2, 3):
            slope = high * 0.3 * (dts / dts[0]) ** power
            axes.loglog(dts, slope, color=sp.GREY, linewidth=0.5, linestyle=":")
            axes.annotate(f"Δt{'¹²³'[power - 1]}" if power > 1 else "Δt", (dts[-1], max(slope[-1], low)), color=sp.GREY,
                          fontsize=6, ha="right", va="center")
        axes.set_ylim(low, high)
        axes.set_xlim(0.6 * dts[-1], 1.2 * dts[0])
        axes.minorticks_off()
        axes.set_xticks(dts, [f"{dt:.3g}" for dt in dts])
    sp.legend_below(figure, axes_of.values(), "dotted: slopes of order 1, 2, 3")
    sp.save(figure, chosen, chosen.name or "time-orders")


def main():
    chosen = sp.arguments(__doc__.splitlines()[0],
                          lines={"nargs": "+", "default": ["splitting"], "help": "attributes whose values make a line each"},
                          table={"action": "store_true", "help": "a Markdown table in place of the figure"},
                          name={"default": None, "help": "name of the figure or table"})
    runs = [run for run in sp.Results(chosen.file).runs if run["outcome"] == "finished"]
    lines = {}
    for run in runs:
        lines.setdefault(tuple(str(run[name]) for name in chosen.lines), []).append(run)
    lines = {key: errors(group) for key, group in lines.items() if len(group) > 3}
    if not lines:
        sp.refuse(f"{chosen.file}: no line has four runs that finished and differ only in dt")
    if chosen.table:
        sp.save_table(table(lines, chosen), chosen)
    else:
        draw(lines, chosen)


if __name__ == "__main__":
    main()
