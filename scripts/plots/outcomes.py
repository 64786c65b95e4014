"""Plot the outcome of every run of a scheme over time step and smallest angle, with two panels per integrator: at rest and moving.

    /usr/bin/python3 scripts/plots/outcomes.py results/failure-atlas/table.csv --where discretization=fefv

The table is that of experiments/failure-atlas.toml: flattened spheres ellipsoid:L:1,1,C at rest, and spheres whose axis a motion
squashes to 1 − motion_amplitude. The smallest angle of a shape is that of the moving runs that reach it. Integrators that are refused
everywhere are left out.
"""

from matplotlib.lines import Line2D
from shoal_plots import style, tables
from shoal_plots.arguments import WHERE, arguments, refuse
from shoal_plots.page import Page
from shoal_plots.selection import chosen_rows

RED, GREEN, PINK = style.PALETTE[1:4]
OUTCOMES = {
    "finished": {"color": GREEN, "marker": "s"},
    "unstable": {"color": RED, "marker": "X"},
    "solver-failed": {"color": PINK, "marker": "D"},
    "refused": {"color": style.GUIDE, "marker": "."},
}
ACROSS = 4  # panels
COLUMNS = ["integrator", "mesh_name", "motion_amplitude", "dt", "outcome", "min_angle@min"]


def moves(row):
    return bool(row["motion_amplitude"])


def axis_of(row):
    """The length of the axis of the flattened sphere, as a text that rounding does not change."""
    return f"{1 - float(row['motion_amplitude']):.4g}" if moves(row) else f"{float(row['mesh_name'].rpartition(',')[2]):.4g}"


def main():
    chosen = arguments(__doc__, where=WHERE, name={"default": "outcomes", "help": "name of the figure"})
    rows = tables.read(chosen.file, COLUMNS)
    rows = chosen_rows(rows, chosen.where, list(rows[0]))
    angles = {}
    for row in rows:
        if moves(row) and (angle := tables.value(row, "min_angle@min")) is not None:
            angles[axis_of(row)] = min(angle, angles.get(axis_of(row), 180))
    compatible = {row["integrator"] for row in rows if row["outcome"] != "refused"}
    rows = [row for row in rows if row["integrator"] in compatible and axis_of(row) in angles]
    if not rows:
        refuse(f"{chosen.file}: no run has an outcome at a known angle")
    integrators = list(dict.fromkeys(row["integrator"] for row in rows))
    places = [(block, moving) for block in range(-(-len(integrators) // ACROSS)) for moving in (False, True)]
    page = Page(places, range(min(ACROSS, len(integrators))), "two", panel=21, sharex=True, sharey=True)
    for axes in page.axes.values():
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.margins(0.12, 0.2)
    for number, column in ((number, number % ACROSS) for number in range(ACROSS * (len(places) // 2))):
        for moving in (False, True):
            place = (number // ACROSS, moving), column
            if number >= len(integrators):
                if place in page.axes:
                    page[place].set_visible(False)
                continue
            page.title(place, f"{integrators[number]}, {'moving' if moving else 'at rest'}")
            for name, look in OUTCOMES.items():
                dots = [(float(row["dt"]), angles[axis_of(row)]) for row in rows
                        if row["integrator"] == integrators[number] and moves(row) == moving and row["outcome"] == name]
                if dots:
                    page[place].plot(*zip(*dots), linestyle="none", markersize=3.6, label=name, **look)
    for place in places:
        page.ylabel(place, "angle (°)")
    page.xlabel("Δt (s)")
    shown = {row["outcome"] for row in rows}
    page.legend([("", {name: Line2D([], [], linestyle="none", markersize=4, **look) for name, look in OUTCOMES.items() if name in shown})])
    page.subtitle(tables.shared_text(rows, {"mesh_name"}))
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
