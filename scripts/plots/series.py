"""Quantities over time, a row each; the runs of a file as lines, in panels by an attribute.

    /usr/bin/python3 scripts/plots/series.py results/claim-5-mass/claim-5-mass.h5 mass energy --panels dt

A quantity is any dataset of diagnostics/, a vector by its length, or one of: energy, mass (divided by their first values, net
of what forces, a moving surface or sources gave), distance (‖h − h'‖/‖h'‖ of the snapshots to the run of the same panel with
--against). Where it is known what a quantity must be a broad grey line shows it.
"""

import numpy as np
import shoal_plot as sp


def growth(run, time):
    """R(t)/R(0) of breathing-zonal-flow."""
    return 1 + 0.5 * run["amplitude"] * (1 - np.cos(2 * np.pi * time / run["period"]))


def exact(run, quantity, time):
    """What the scene says that a quantity must be, over its value at t = 0; None where it says nothing."""
    one = np.ones_like(time)
    if run["scene"] == "breathing-zonal-flow":  # speed ∝ 1/R, mass and angular momentum stay
        return {"energy_kinetic": growth(run, time) ** -2, "angular_momentum": one, "potential_enstrophy": one}.get(quantity)
    if run["scene"] == "rest" and run["motion"] == "turning" and run["friction"] == 0:
        return {"max_depth": one, "min_depth": one}.get(quantity)
    return None


def distance(results, run, other):
    """(time, ‖h − h'‖/‖h'‖) over the snapshots that both have, weighted with the vertices' areas."""
    if run["mesh"] != other["mesh"]:
        sp.refuse(f"there is no distance of run {run.id} to {other.id}, which is on another mesh")
    times, values = [], []
    for time in run.snapshot_times():
        mine, others = run.elevation_at(time), other.elevation_at(time)
        if mine is None or others is None or not np.any(others):
            continue
        weight = sp.vertex_areas(*results.surface_at(run, time))
        times.append(time)
        values.append(np.sqrt(np.sum(weight * (mine - others) ** 2) / np.sum(weight * others**2)))
    return np.array(times), np.array(values)


def series(results, run, quantity, other):
    if quantity in sp.GIVEN:
        return sp.kept(run, quantity)
    if quantity == "distance":
        return distance(results, run, other)
    values = run.diagnostic(quantity)
    if values is None:
        sp.refuse(f"run {run.id} has no quantity '{quantity}'; there are: " + ", ".join(run.diagnostic_names()))
    return run.diagnostic("time"), values if values.ndim == 1 else np.linalg.norm(values, axis=1)


def name_of(runs, quantity):
    """"energy kinetic (J)"; of a vector its length."""
    run = next(run for run in runs if run.diagnostic(quantity) is not None)
    unit = run.unit(quantity).replace("^2", "²").replace("^3", "³").replace(" ", "\u00a0")
    name = sp.plain(quantity)
    return (f"|{name}|" if run.diagnostic(quantity).ndim > 1 else name) + (f" ({unit})" if unit not in ("", "1") else "")


def matches(run, rule):
    """Whether an attribute is as NAME=VALUE says, as a word or as a number."""
    name, _, wanted = rule.partition("=")
    value = run.attributes.get(name)
    try:
        return float(value) == float(wanted)
    except (TypeError, ValueError):
        return str(value) == wanted


def rule_text(rule):
    name, _, wanted = rule.partition("=")
    return sp.attribute_text(name, wanted)


def common_text(runs, rules):
    """What all runs of the figure have in common and no --only names: "fefv · newmark on icosphere:3"."""
    shown = {name: {run[name] for run in runs} for name in ("discretization", "integrator", "mesh_name")}
    one = {name: values.pop() for name, values in shown.items()
           if len(values) == 1 and not any(rule.startswith(f"{name}=") for rule in rules)}
    mesh = one.pop("mesh_name", "")
    return " on ".join(filter(None, (" · ".join(one.values()), mesh)))


def distinguishing(runs, panels):
    """The fewest attributes, scheme first, that tell the runs of one panel apart."""
    names = ["discretization", "integrator", "mesh_name", "dt", "substeps", "linear_solver"]
    names += sorted({name for run in runs for name in run.attributes} - sp.HOUSEKEEPING - {*names, panels})
    group = {run.id: (run.attributes.get(panels),) for run in runs}
    keys = []
    for name in names:
        split = {run.id: group[run.id] + (str(run.attributes.get(name)),) for run in runs}
        if name != panels and len(set(split.values())) > len(set(group.values())):
            keys.append(name)
            group = split
    return keys


def numbers(curves, panels, label, labels, instants):
    """A Markdown table of the curves of one quantity: median, mean, largest value, and those at the instants."""
    of_panel = [sp.plain(panels)] if panels else []
    yield "| " + " | ".join(["id", *of_panel, labels, "median", "mean", "largest", "at t [s]",
                             *(f"t = {instant:g} s" for instant in instants)]) + " |"
    yield "|" + "---|" * (6 + len(of_panel) + len(instants))
    for run, time, values in curves:
        top = int(np.nanargmax(values))
        at = [values[int(np.argmin(np.abs(time - instant)))] for instant in instants]
        panel = [sp.plain(str(run.attributes.get(panels)))] if panels else []
        yield "| " + " | ".join([run.id, *panel, label[run.id],
                                 *(f"{value:.3g}" for value in (np.median(values), np.mean(values), values[top], time[top], *at))]) + " |"


def main():
    chosen = sp.arguments(__doc__.splitlines()[0], positional={"quantities": {"nargs": "+", "metavar": "QUANTITY"}},
                          panels={"help": "attribute with a column of panels for each of its values"},
                          against={"help": "attribute and value of the runs that distances are taken to, e.g. "
                                           "integrator=explicit"},
                          only={"nargs": "+", "default": [], "metavar": "NAME=VALUE", "help": "the runs shown"},
                          log={"action": "store_true", "help": "logarithmic"},
                          top={"type": float, "help": "what is above is cut off"},
                          bottom={"type": float, "help": "what is below is cut off"},
                          numbers={"metavar": "FILE.md", "help": "table of the distances, beside the figure"},
                          at={"type": float, "nargs": "+", "default": [], "help": "instants in that table, s"},
                          name={"default": "series", "help": "name of the figure"})
    wordless = [rule for rule in [*chosen.only, *filter(None, [chosen.against])] if "=" not in rule]
    if wordless:
        sp.refuse(f"'{wordless[0]}' is not NAME=VALUE")
    results = sp.Results(chosen.file)
    runs = [run for run in results.runs if not run.refused and all(matches(run, rule) for rule in chosen.only)]
    if not runs:
        sp.refuse(f"{chosen.file}: no run has results to show")
    if chosen.panels and not any(chosen.panels in run.attributes for run in runs):
        sp.refuse(f"no run has an attribute '{chosen.panels}'")
    if "distance" in chosen.quantities and not chosen.against:
        sp.refuse("distance needs --against")

    def panel_of(run):
        return run.attributes.get(chosen.panels) if chosen.panels else None

    def reference_of(run):
        twins = [twin for twin in runs if chosen.against and matches(twin, chosen.against) and panel_of(twin) == panel_of(run)]
        names = set().union(*(twin.attributes for twin in twins), run.attributes) - sp.HOUSEKEEPING
        return min(twins, default=None,  # the one that differs in least from the run
                   key=lambda twin: sum(twin.attributes.get(name) != run.attributes.get(name) for name in names))

    columns = list(dict.fromkeys(panel_of(run) for run in runs))
    keys = distinguishing(runs, chosen.panels)
    label = {run.id: ", ".join(sp.attribute_text(key, run[key]) for key in keys if key in run.attributes) for run in runs}
    style = sp.line_styles({label[run.id]: run["integrator"] if "integrator" in keys else None for run in runs})
    labels = {"energy": "E(t) / E(0)", "mass": "m(t) / m(0)"}
    if chosen.against:
        labels["distance"] = f"distance to {rule_text(chosen.against)}"

    figure, axes_of = sp.panels(chosen.quantities, columns,
                                lambda _, column: sp.attribute_text(chosen.panels, column) if chosen.panels else "",
                                sharey="row")
    cut_off = {}
    unknown = sp.unknown_energy_text(runs) if "energy" in chosen.quantities else ""
    for quantity in chosen.quantities:
        curves, shown = [], set()
        for run in runs:
            other = reference_of(run)
            if quantity == "distance" and other in (None, run):
                continue
            time, values = series(results, run, quantity, other)
            if not values.size:
                continue
            curves.append((run, time, values, style[label[run.id]]["color"]))
            must = exact(run, quantity, time)
            if must is not None and panel_of(run) not in shown:  # once to a panel, from the first of its runs
                shown.add(panel_of(run))
                axes_of[quantity, panel_of(run)].plot(time, values[0] * must, label="exact", color="#CCCCCC", linewidth=4, zorder=1)
            axes_of[quantity, panel_of(run)].plot(time, values, label=label[run.id], **style[label[run.id]])
            if chosen.top and not run.stopped_early and np.nanmax(values, initial=0) > chosen.top:
                place = sp.plain(quantity), label[run.id]
                cut_off[place] = max(np.nanmax(values), cut_off.get(place, 0))
        if quantity == "distance" and chosen.numbers:
            with open(chosen.output / chosen.numbers, "w", encoding="utf-8") as file:
                print(*numbers([curve[:3] for curve in curves], chosen.panels, label, labels["distance"], chosen.at),
                      sep="\n", file=file)
            print(chosen.output / chosen.numbers)
        sp.require_known(chosen.file, quantity, [curve[1:3] for curve in curves], unknown)
        for column in columns:
            axes = axes_of[quantity, column]
            axes.set_xlim(left=0)
            if chosen.log:
                axes.set_yscale("log")
            elif quantity in ("energy", "distance") or "error" in quantity:
                axes.set_ylim(bottom=0)
            if chosen.bottom is not None and axes.get_ylim()[0] < chosen.bottom:
                axes.set_ylim(bottom=chosen.bottom)
            if chosen.top is not None and axes.get_ylim()[1] > chosen.top:
                axes.set_ylim(top=chosen.top)
        for column in columns:  # now that the panels of the row have their common limits
            sp.mark_stops(axes_of[quantity, column],
                          [curve for curve in curves if panel_of(curve[0]) == column and curve[0].stopped_early],
                          text=quantity == chosen.quantities[0])
        sp.axis_label(axes_of[quantity, columns[0]], labels.get(quantity) or name_of(runs, quantity))
    sp.legend_below(figure, axes_of.values(), common_text(runs, chosen.only),
                    "only " + ", ".join(map(rule_text, chosen.only)) if chosen.only else "",
                    *(f"{quantity} of {name} goes up to {value:.2g}" for (quantity, name), value in cut_off.items()),
                    unknown, sp.refusals_text(results.runs))
    sp.save(figure, chosen, chosen.name)


if __name__ == "__main__":
    main()
