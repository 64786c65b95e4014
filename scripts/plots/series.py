"""Plot quantities over time: a row per quantity, a line per run, panels by an attribute.

    /usr/bin/python3 scripts/plots/series.py results/claim-5-mass/claim-5-mass.h5 mass energy --panels dt

A quantity is any dataset of diagnostics/ (the length of a vector), or one of: energy and mass (net of the contributions of forces, a
moving surface or sources, relative to the initial value; if most curves are close to 1, |1 − ratio| on a logarithmic axis;
energy_ratio and energy_change select one), distance (‖h − h'‖/‖h'‖ of the snapshots from the run of the same panel selected by
--against). Curves that oscillate fast are drawn as bands from minimum to maximum with their mean. If the exact value of a quantity is
known, a broad grey line shows it.
"""

import numpy as np
from shoal_plots import curves, layout, words
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.lines import Lines, constants, telling
from shoal_plots.page import Page
from shoal_plots.results import HOUSEKEEPING, Results, distance, kept
from shoal_plots.selection import Condition, chosen_runs, given_number, parse_number

DAY = 86400.0
MANY_LINES = 8  # with more lines, a figure is two page columns wide
RATIOS = {"energy_ratio": "energy", "mass_ratio": "mass"}
CHANGES = {"energy_change": "energy", "mass_change": "mass"}


def growth(run, time):
    """R(t)/R(0) of breathing-zonal-flow."""
    return 1 + 0.5 * run["amplitude"] * (1 - np.cos(2 * np.pi * time / run["period"]))


def exact(run, quantity, time):
    """The exact value of a quantity in the scene, relative to t = 0; None if unknown."""
    one = np.ones_like(time)
    if run["scene"] == "breathing-zonal-flow" and "amplitude" in run.attributes:  # speed ∝ 1/R; mass and angular momentum are constant
        return {"energy_kinetic": growth(run, time) ** -2, "angular_momentum": one, "potential_enstrophy": one}.get(quantity)
    if run["scene"] == "rest" and run.get("motion") == "turning" and run.get("friction") == 0:
        return {"max_depth": one, "min_depth": one}.get(quantity)
    return None


def diagnostic_name(run, quantity):
    """The dataset of a quantity in a run: errors against the run's own solution have no suffix. None if there is none."""
    if run.diagnostic(quantity) is not None:
        return quantity
    own = words.EQUATIONS.get(run.get("solution"), "")
    base = quantity.removesuffix(f"_{own}") if own else quantity
    return base if run.diagnostic(base) is not None else None


def series(results, run, quantity, other):
    """(time, values) of a quantity, or None if the run has none."""
    if quantity in CHANGES:
        return curves.change(run, CHANGES[quantity])
    if quantity in RATIOS:
        return kept(run, RATIOS[quantity])
    if quantity == "distance":
        return None if other in (None, run) else distance(results, run, other)
    name = diagnostic_name(run, quantity)
    if name is None:
        return None
    time, values = run.diagnostic("time"), run.diagnostic(name)
    values = values if values.ndim == 1 else np.linalg.norm(values, axis=1)
    if "_error" in quantity:  # at t = 0 there is none
        time, values = time[1:], values[1:]
    return time, values


def form_of(quantity, runs):
    """energy → energy_ratio or energy_change, depending on the range of the curves."""
    if quantity not in ("energy", "mass"):
        return quantity
    known = [kept(run, quantity) for run in runs if not run.stopped_early]
    return f"{quantity}_{'change' if curves.lie_on_one(known) else 'ratio'}"


def label_of(runs, quantity, against):
    if quantity in RATIOS:
        return words.QUANTITIES[RATIOS[quantity]]
    if quantity == "distance":
        condition = Condition(against)
        number = parse_number(condition.values[0])
        return f"{words.DISTANCE}, from {words.attribute_text(condition.name, condition.values[0] if number is None else number)}"
    run = next((run for run in runs if diagnostic_name(run, quantity)), None)
    text = words.quantity_label(quantity, run.unit(diagnostic_name(run, quantity)) if run else None)
    return f"length of {text}" if run and run.diagnostic(diagnostic_name(run, quantity)).ndim > 1 else text


def unknown_energy_text(runs):
    """A note on the runs whose E(t)/E(0) is unknown because the work of their forces is not recorded."""
    unknown = [run.id for run in runs if (work := run.diagnostic("work_forces")) is not None and np.isnan(work).all()]
    if not unknown:
        return ""
    which = f"run {unknown[0]}" if len(unknown) == 1 else f"{len(unknown)} runs ({unknown[0]} … {unknown[-1]})"
    return f"energy of {which} not shown: the work of the forces is not measured"


def refusals_text(runs):
    """A note on requested pairs that do not exist, so that nothing is omitted silently."""
    pairs = list(dict.fromkeys(run.scheme for run in runs if run.refused))
    return "refused: " + ", ".join(pairs) if pairs else ""


def numbers(shown, panels, label, heading, instants):
    """A Markdown table of the curves of one quantity: median, mean, largest value, and those at the instants."""
    of_panel = [words.name_of(panels)] if panels else []
    yield "| " + " | ".join(["id", *of_panel, heading, "median", "mean", "largest", "at t [s]",
                             *(f"t = {instant:g} s" for instant in instants)]) + " |"
    yield "|" + "---|" * (6 + len(of_panel) + len(instants))
    for run, time, values in shown:
        top = int(np.nanargmax(values))
        at = [values[int(np.argmin(np.abs(time - instant)))] for instant in instants]
        panel = [str(run.get(panels))] if panels else []
        yield "| " + " | ".join([run.id, *panel, label(run),
                                 *(f"{value:.3g}" for value in (np.median(values), np.mean(values), values[top], time[top], *at))]) + " |"


class Reference:
    """The run to which distances refer: among those of the same panel with an attribute, the one that differs least from a run."""

    def __init__(self, runs, against, panel_of):
        self.condition = Condition(against) if against else None
        self.runs, self.panel_of = runs, panel_of

    def of(self, run):
        twins = [twin for twin in self.runs if self.condition and self.condition.holds(twin.attributes)
                 and self.panel_of(twin) == self.panel_of(run)]
        names = set().union(*(twin.attributes for twin in twins), run.attributes) - HOUSEKEEPING
        return min(twins, default=None, key=lambda twin: sum(twin.get(name) != run.get(name) for name in names))


def set_limits(axes, quantity, chosen):
    if chosen.log or quantity in CHANGES:
        axes.set_yscale("log")
    elif quantity in (*RATIOS, "distance") or "_error" in quantity:
        axes.set_ylim(bottom=0)
    if chosen.bottom is not None and axes.get_ylim()[0] < chosen.bottom:
        axes.set_ylim(bottom=chosen.bottom)
    if chosen.top is not None and axes.get_ylim()[1] > chosen.top:
        axes.set_ylim(top=chosen.top)


OPTIONS = {
    "panels": {"help": "attribute whose values define the columns of panels"},
    "lines": {"nargs": "+", "metavar": "NAME", "help": "attributes that distinguish the lines (default: as few as possible)"},
    "together": {"action": "store_true", "help": "draw the quantities as lines in one row of panels"},
    "label": {"help": "label of the axis, with --together"},
    "against": {"metavar": "NAME=VALUE", "help": "reference runs for distances, e.g. integrator=explicit"},
    **RUNS,
    "log": {"action": "store_true", "help": "logarithmic axis"},
    "envelope": {"choices": ["band", "max", "none"],
                 "help": "draw curves as bands about their mean, or by their maxima (default: bands if they oscillate fast)"},
    "height": {"type": given_number, "default": 33, "help": "height of a row of panels in mm (default: %(default)s)"},
    "top": {"type": given_number, "help": "upper limit of the vertical axis"},
    "bottom": {"type": given_number, "help": "lower limit of the vertical axis"},
    "numbers": {"metavar": "FILE.md", "help": "write a table of the distances beside the figure"},
    "at": {"type": given_number, "nargs": "+", "default": [], "help": "times in that table, s"},
    "name": {"default": "series", "help": "name of the figure"},
}


class Figure:
    """The runs, their panels and lines, and the page."""

    def __init__(self, chosen):
        self.chosen = chosen
        self.results = Results(chosen.file)
        drawn = chosen_runs(self.results.runs, chosen.only, chosen.run)
        self.refused = [run for run in drawn if run.refused]
        self.runs = [run for run in drawn if not run.refused]
        if not self.runs:
            refuse(f"{chosen.file}: no run has results to show")
        if chosen.panels and not any(chosen.panels in run.attributes for run in self.runs):
            refuse(f"no run has an attribute '{chosen.panels}'")
        if "distance" in chosen.quantities and not chosen.against:
            refuse("distance needs --against")
        self.quantities = [form_of(quantity, self.runs) for quantity in chosen.quantities]
        self.panels = list(dict.fromkeys(map(self.panel_of, self.runs)))
        keys = chosen.lines or telling(self.runs, [chosen.panels] if chosen.panels else [])
        if chosen.together:
            items = [{**run.attributes, "quantity": quantity} for quantity in self.quantities for run in self.runs]
            self.lines = Lines(items, ["quantity", *keys], text_of=self.text_of, value_of=self.text_of)
        else:
            self.lines = Lines([run.attributes for run in self.runs], keys)
        self.reference = Reference(self.runs, chosen.against, self.panel_of)
        longest = max((run.diagnostic("time")[-1] for run in self.runs if len(run.diagnostic("time"))), default=0)
        self.longest = longest
        self.unit, self.second = ("d", 1 / DAY) if longest > 5 * DAY else ("s", 1)
        wide = len(self.panels) > 1 or len(self.lines.combinations) > MANY_LINES
        self.page = Page(["together"] if chosen.together else self.quantities, self.panels, chosen.width or ("two" if wide else "one"),
                         chosen.height)
        self.cut_off, self.stopped, self.exact_shown = {}, {}, set()

    @staticmethod
    def text_of(name, value):
        return words.plain(value) if name == "quantity" else words.attribute_text(name, value)

    def panel_of(self, run):
        return run.get(self.chosen.panels) if self.chosen.panels else None

    def item(self, run, quantity):
        return {**run.attributes, "quantity": quantity}

    def label(self, run, quantity=""):
        return self.lines.label[self.lines.values_of(self.item(run, quantity))]

    def curves_of(self, quantity):
        """[(run, time, values)], refuses if there is nothing to show."""
        found = []
        for run in self.runs:
            curve = series(self.results, run, quantity, self.reference.of(run))
            if curve is not None and len(curve[1]):
                found.append((run, curve[0] * self.second, curve[1]))
        if not any(np.isfinite(values).any() for *_, values in found):
            if all(diagnostic_name(run, quantity) is None for run in self.runs) and quantity not in (*CHANGES, *RATIOS, "distance"):
                refuse(f"no run has the quantity '{quantity}'; there are: " + ", ".join(self.runs[0].diagnostic_names()))
            note = unknown_energy_text(self.runs)
            refuse(f"{self.chosen.file}: no {words.plain(quantity)} to show" + (f"; {note}" if note else ""))
        return found

    def draw_curve(self, row, quantity, run, time, values):
        axes = self.page[row, self.panel_of(run)]
        place = self.lines.values_of(self.item(run, quantity))
        look = self.lines.look[place]
        must = exact(run, quantity, time)
        if must is not None and (row, self.panel_of(run)) not in self.exact_shown:  # once per panel, from its first run
            self.exact_shown.add((row, self.panel_of(run)))
            line, = axes.plot(time, values[0] * must, color="#CCCCCC", linewidth=4, zorder=1, gid=layout.GUIDE)
            self.page.legend([("", {"exact": line})])
        curves.draw(axes, time, values, look, self.lines.label[place] or None, self.lines.combinations.index(place),
                    len(self.lines.combinations), self.chosen.envelope, self.longest * self.second)
        if self.chosen.top and not run.stopped_early and np.nanmax(values, initial=0) > self.chosen.top:
            name = words.plain(quantity), self.label(run, quantity)
            self.cut_off[name] = max(np.nanmax(values), self.cut_off.get(name, 0))
        if run.stopped_early:
            self.stopped[run.id] = run
        return run, time, values, look["color"]

    def draw_quantity(self, row, quantity):
        found = self.curves_of(quantity)
        if quantity == "distance" and self.chosen.numbers:
            path = self.chosen.output / self.chosen.numbers
            lines = numbers(found, self.chosen.panels, self.label, "distance " + label_of(self.runs, quantity, self.chosen.against).split(", ")[1],
                            self.chosen.at)
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            print(path)
        drawn = [self.draw_curve(row, quantity, *curve) for curve in found]
        for panel in self.panels:
            self.page[row, panel].set_xlim(left=0)
            set_limits(self.page[row, panel], quantity, self.chosen)
        for panel in self.panels:  # requires the common limits of the panels in the row
            curves.mark_stops(self.page[row, panel],
                              [curve for curve in drawn if self.panel_of(curve[0]) == panel and curve[0].stopped_early])

    def draw(self):
        for quantity in self.quantities:
            self.draw_quantity("together" if self.chosen.together else quantity, quantity)
        if self.chosen.together:
            self.page.ylabel("together", self.chosen.label or label_of(self.runs, self.quantities[0], self.chosen.against))
        else:
            for quantity in self.quantities:
                self.page.ylabel(quantity, label_of(self.runs, quantity, self.chosen.against))
        self.page.xlabel(f"t ({self.unit})")
        for panel in self.panels if self.chosen.panels else []:
            self.page.title((self.page.rows[0], panel), words.renamed(words.attribute_text(self.chosen.panels, panel)))
        if len(self.lines.combinations) > 1:
            self.page.legend(self.lines.legend())
        self.annotate()
        self.page.save(self.chosen, self.chosen.name)

    def annotate(self):
        """Writes what all runs share above the panels, and notes below."""
        self.page.subtitle(constants(self.runs, [run for run in self.results.runs if not run.refused],
                                     [self.chosen.panels, *self.lines.keys]))
        def name(run):
            panel = [words.attribute_text(self.chosen.panels, self.panel_of(run))] if self.chosen.panels else []
            return ", ".join(filter(None, [*panel, self.label(run, self.quantities[0])]))

        self.page.note(curves.stops_text(self.stopped.values(), name),
                       *(f"{quantity}{' of ' + label if label else ''} goes up to {value:.2g}"
                         for (quantity, label), value in self.cut_off.items()),
                       unknown_energy_text(self.runs) if {*CHANGES, *RATIOS} & set(self.quantities) else "",
                       refusals_text(self.refused))


def main():
    Figure(arguments(__doc__, positional={"quantities": {"nargs": "+", "metavar": "QUANTITY", "help": "quantities to draw, see above"}}, **OPTIONS)).draw()


if __name__ == "__main__":
    main()
