"""Quantities over time, a row each; the runs of a file as lines, in panels by an attribute.

    /usr/bin/python3 scripts/plots/series.py results/claim-5/claim-5.h5 mass energy --panels dt

A quantity is any dataset of diagnostics/, or one of: energy, mass (divided by their first values, net of what forces, a
moving surface or sources gave), distance (‖h − h'‖/‖h'‖ of the snapshots to the run of the same panel with --against).
"""

import sys

import numpy as np
import shoal_plot as sp

GIVEN = {"energy": ("energy_total", ["work_geometry", "work_forces"]), "mass": ("mass", ["mass_source"])}
HOUSEKEEPING = {"outcome", "reason", "t_reached", "steps", "git_commit", "git_dirty", "mesh"}
DASHES = ["-", (0, (5, 2)), (0, (2, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (1, 1)), (0, (8, 3))]
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F"]


def relative_series(run, quantity):
    """(time, values) of energy or mass, net of what was given, over the first value."""
    name, sources = GIVEN[quantity]
    values = run.diagnostic(name)
    given = [series for source in sources if (series := run.diagnostic(source)) is not None]
    return run.diagnostic("time"), (values - sum(given)) / values[0]


def distance(results, run, other):
    """(time, ‖h − h'‖/‖h'‖) over the snapshots that both have, weighted with the vertices' areas."""
    weight = sp.vertex_areas(*results.mesh(run))
    times, values = [], []
    for time in run.snapshot_times():
        mine, others = run.elevation_at(time), other.elevation_at(time)
        if mine is None or others is None or not np.any(others):
            continue
        times.append(time)
        values.append(np.sqrt(np.sum(weight * (mine - others) ** 2) / np.sum(weight * others**2)))
    return np.array(times), np.array(values)


def series(results, run, quantity, other):
    if quantity in GIVEN:
        return relative_series(run, quantity)
    if quantity == "distance":
        return distance(results, run, other)
    values = run.diagnostic(quantity)
    if values is None:
        sys.exit(f"run {run.id} has no quantity '{quantity}'; there are: " + ", ".join(run.diagnostic_names()))
    return run.diagnostic("time"), values


def matches(run, rule):
    """Whether an attribute is as NAME=VALUE says, as a word or as a number."""
    name, _, wanted = rule.partition("=")
    value = run.attributes.get(name)
    try:
        return float(value) == float(wanted)
    except (TypeError, ValueError):
        return str(value) == wanted


def distinguishing(runs, panels):
    """The fewest attributes, scheme first, that tell the runs of one panel apart."""
    names = ["discretization", "integrator", "mesh_name", "dt", "substeps", "linear_solver"]
    names += sorted({name for run in runs for name in run.attributes} - HOUSEKEEPING - {*names, panels})
    group = {run.id: (run.attributes.get(panels),) for run in runs}
    keys = []
    for name in names:
        split = {run.id: group[run.id] + (str(run.attributes.get(name)),) for run in runs}
        if name != panels and len(set(split.values())) > len(set(group.values())):
            keys.append(name)
            group = split
    return keys


def text(name, value):
    if value is None:
        return ""
    if name in ("integrator", "discretization", "mesh_name"):
        return str(value)
    if name == "dt":
        return f"Δt = {sp.time_step_text(value)}"
    return f"{name} = {value:g}" if isinstance(value, (float, np.floating)) else f"{name} = {value}"


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], positional={"quantities": {"nargs": "+", "metavar": "QUANTITY"}},
                          panels={"help": "attribute with a column of panels for each of its values"},
                          against={"help": "attribute and value of the runs that distances are taken to, e.g. "
                                           "integrator=explicit"},
                          only={"nargs": "+", "default": [], "metavar": "NAME=VALUE", "help": "the runs shown"},
                          log={"action": "store_true", "help": "logarithmic"},
                          top={"type": float, "help": "what is above is cut off"},
                          name={"default": "series", "help": "name of the figure"})
    results = sp.Results(chosen.file)
    runs = [run for run in results.runs if not run.refused and all(matches(run, rule) for rule in chosen.only)]
    if not runs:
        sys.exit(f"{chosen.file}: no run has results to show")
    if "distance" in chosen.quantities and not chosen.against:
        sys.exit("distance needs --against")

    panel_of = lambda run: run.attributes.get(chosen.panels) if chosen.panels else None  # noqa: E731
    columns = list(dict.fromkeys(panel_of(run) for run in runs))
    keys = distinguishing(runs, chosen.panels)
    label = {run.id: ", ".join(filter(None, (text(key, run.attributes.get(key)) for key in keys))) for run in runs}
    order = list(dict.fromkeys(label.values()))
    style = {name: {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}
             for i, name in enumerate(order)}

    figure, axes_of = sp.panels(chosen.quantities, columns,
                                lambda _, column: text(chosen.panels, column) if chosen.panels else "", sharey="row")
    for quantity in chosen.quantities:
        for run in runs:
            other = next((twin for twin in runs if chosen.against and matches(twin, chosen.against)
                          and panel_of(twin) == panel_of(run)), None)
            if quantity == "distance" and run is other:
                continue
            axes = axes_of[quantity, panel_of(run)]
            time, values = series(results, run, quantity, other)
            axes.plot(time, values, label=label[run.id], **style[label[run.id]])
            if run.stopped_early:
                shown = values if chosen.top is None else np.minimum(values, chosen.top)
                sp.mark_stop(axes, run, time[-1], np.nan_to_num(shown[-1], nan=1.0),
                             style[label[run.id]]["color"])
        for column in columns:
            axes = axes_of[quantity, column]
            axes.set_xlim(left=0)
            if chosen.log:
                axes.set_yscale("log")
            if chosen.top is not None and axes.get_ylim()[1] > chosen.top:
                axes.set_ylim(top=chosen.top)
            if quantity == "energy" and not chosen.log:
                axes.set_ylim(bottom=0)
        unit = {"energy": "E(t) / E(0)", "mass": "m(t) / m(0)", "distance": f"distance to {(chosen.against or '=').split('=')[1]}"}
        axes_of[quantity, columns[0]].set_ylabel(unit.get(quantity, quantity.replace("_", " ")))
    sp.legend_below(figure, axes_of.values(), sp.refusals_text(results.runs))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
