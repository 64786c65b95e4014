"""Tabulate what the runs of a scene with a known wave show: its speed, its place, its height.

    /usr/bin/python3 scripts/plots/measured.py results/grid-waves/grid-waves.h5 --columns discretization smoothing

standing-wave: its frequency ω over that of linear theory, and its damping rate, fitted to mode_amplitude; ω of the steps alone, so that
a difference from theory is one of the scheme; for packets on cells of 1 m also the theory of discretizations/grid/grid.md. dam-wet,
dam-dry: mean depth of the plateau between rarefaction and shock over the exact one, its least and largest depth, and the place of the
shock (of 1 % of the depth behind the dam if the land is dry), from the dam. shear-bump: the distance that the centre of the bump has
moved over that of the flow. whirlpool: what is left at the end of energy and enstrophy since the push ended, the amplitude of waves of
two cells in both directions, and the computing time. bump-sub, bump-trans, bump-shock: least and largest discharge over the exact one, and
the loss of head over the bump beside the exact one. krog-dam: the steepest fall and rise of the surface behind the crest, in means over 300
columns, and the mean difference of the surface from that of hllc on the finest mesh, at 75 and 180 s. slope-drop, bowls, lake-outlet: the
mass that is left; of the drop, how far from its start it reaches 1 % of its depth on the middle line, over the exact distance; of the lake,
the elevation in the deepest column. custom with shore = fill-ratio: the radius of a circle with the area of the wet cells, and their mean
depth; without: the largest elevation over the first. All others at the last snapshot. Writes a CSV and a Markdown table, or draws a figure:
of its columns, or of dam breaks along x.
"""

import csv
import re

import numpy as np
from shoal_plots import layout, words
from shoal_plots.arguments import RUNS, arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.modes import amplification
from shoal_plots.page import Page
from shoal_plots.results import Results
from shoal_plots.selection import chosen_runs

DRY = 0.01  # of the depth behind the dam
LABELS = {"damping_rate": "damping rate (1/s)"}
ON_PLATEAU = 0.35, 0.85  # of the way of the shock


def profile(results, run, name, component=None):
    """(x, values) of a field of the last snapshot: the means over columns of cells of rectangle:NxM, from west to east."""
    values = run.series(f"snapshots/{name}")
    if values is None or not len(values):
        refuse(f"run {run.id} has no snapshots of {name}")
    x, faces = results.surface_at(run, run.snapshot_times()[-1])
    values = values[-1]
    values = values if component is None else values[:, component]
    west = x[:, 0].min()
    south = x[:, 1] == x[:, 1].min()  # a row that is neither shifted nor jittered
    side = np.diff(np.unique(np.round(x[south, 0], 9))).max()
    if len(values) == len(x):
        column = np.round((x[:, 0] - west) / side).astype(int)
        centre = west + side * np.arange(column.max() + 1)
    else:
        # A triangle across a periodic seam belongs to the cell of its western corners.
        corners = np.sort(x[faces][:, :, 0], axis=1)
        across = np.ptp(corners, axis=1) > max(1.5 * side, 0.5 * np.ptp(x[:, 0]))
        middle = np.where(across, corners[:, 2] + 0.5 * side, corners.mean(axis=1))
        column = np.floor((middle - west) / side + 1e-9).astype(int)
        centre = west + side * (np.arange(column.max() + 1) + 0.5)
    count = np.bincount(column, minlength=len(centre))
    return centre[count > 0], (np.bincount(column, values, minlength=len(centre)) / np.maximum(count, 1))[count > 0]


def wave(_, run):
    if "mode_angular_frequency" not in run.attributes:
        refuse(f"run {run.id} has no snapshots or amplitudes of its wave; use diagnostics = every:1")
    z = amplification(run.diagnostic("mode_amplitude"))
    if z is None:
        return {}
    omega, dt = run["mode_angular_frequency"], run["dt"]
    found = {"frequency_ratio": np.angle(z) / (omega * dt), "damping_rate": -np.log(abs(z)) / dt}
    if run["discretization"] == "packets":  # discretizations/grid/grid.md, for waves whose displacements are within the overlap
        s, n = run["smoothing"], run["packets"]
        side, k = 1, omega / np.sqrt(run["gravity"] * run["depth"])
        found["theory_frequency_ratio"] = np.sqrt((2 if s > 1 else 1) * (2 if run["divergence"] == "extra" else 1) / s)
        found["theory_damping_rate"] = (s - 1) * side**2 / (2 * n * s * dt) * k**2
    return found


def star(left, right, gravity):
    """Depth, velocity and speed of the shock between the states of a dam break (Stoker 1957, section 10.8), by bisection."""
    low, high = right, left
    for _ in range(200):
        h = 0.5 * (low + high)
        rarefaction = 2 * (np.sqrt(gravity * left) - np.sqrt(gravity * h))
        shock = (h - right) * np.sqrt(0.5 * gravity * (h + right) / (h * right))
        low, high = (h, high) if rarefaction > shock else (low, h)
    velocity = 2 * (np.sqrt(gravity * left) - np.sqrt(gravity * h))
    return h, velocity * h / (h - right)


def last_crossing(x, values, level):
    """The easternmost place where the values fall through the level, linear between the columns."""
    i = np.flatnonzero(values > level)[-1]
    return x[i] if i + 1 == len(x) else np.interp(level, [values[i + 1], values[i]], [x[i + 1], x[i]])


def dam(results, run):
    x, depth = profile(results, run, "depth")
    x = x - run["dam"]
    time, left, gravity = run.snapshot_times()[-1], run["depth_left"], run["gravity"]
    if run["scene"] == "dam-dry":
        exact = time * np.sqrt(gravity * left) * (2 - 3 * np.sqrt(DRY))
        place = last_crossing(x, depth, DRY * left)
        return {"shock": place, "shock_exact": exact, "shock_ratio": place / exact}
    h, speed = star(left, run["depth_right"], gravity)
    plateau = depth[(x > ON_PLATEAU[0] * speed * time) & (x < ON_PLATEAU[1] * speed * time)]
    place = last_crossing(x, depth, 0.5 * (h + run["depth_right"]))
    return {"plateau_ratio": plateau.mean() / h, "plateau_least": plateau.min() / h, "plateau_largest": plateau.max() / h,
            "shock": place, "shock_exact": speed * time, "shock_ratio": place / (speed * time)}


def exact_dam(x, time, left, right, gravity):
    """Depths of a dam break at x = 0 (Stoker 1957, section 10.8; Ritter 1892)."""
    celerity = np.sqrt(gravity * left)
    fan = np.clip((2 * celerity - x / time) / 3, 0, celerity) ** 2 / gravity
    if right == 0:
        return fan
    h, speed = star(left, right, gravity)
    return np.where(x < speed * time, np.maximum(fan, h), right)


def shift(results, run):
    x, bump = profile(results, run, "velocity", 1 if run.get("bump") == "across" else 0)
    flow, times = run["flow"], run.snapshot_times()
    period = x[-1] - x[0] + (x[1] - x[0])
    # The phase of the first harmonic is that of the centre.
    begin = x[0] - 0.5 * (x[1] - x[0]) + 0.25 * period
    phase = -np.angle(np.sum(bump * np.exp(-2j * np.pi * (x - begin) / period)))
    expected = flow * times[-1]
    if not 0 < expected <= 0.45 * period:
        refuse(f"run {run.id}: a bump that moves twice as fast as the flow must not come around; use an end below 0.45 of the period")
    moved = phase / (2 * np.pi) % 1 * period
    if moved > 0.95 * period:  # a bump that stays where it is may be a little behind
        moved -= period
    return {"shift_ratio": moved / expected, "height": np.ptp(bump) / run["amplitude"]}


def squares(results, run, name):
    """[rows, columns] a field of the last snapshot on the squares of a structured rectangle, or on its vertices."""
    values = run.series(f"snapshots/{name}")
    if values is None or not len(values):
        refuse(f"run {run.id} has no snapshots of {name}")
    x, faces = results.surface_at(run, run.snapshot_times()[-1])
    side = np.diff(np.unique(np.round(x[:, 0], 9))).max()
    at = (x if len(values[-1]) == len(x) else x[faces].mean(axis=1)) - x.min(axis=0)
    place = (np.round if len(at) == len(x) else np.floor)(at[:, :2] / side + 1e-9).astype(int)
    field = np.full(place.max(axis=0)[::-1] + 1, np.nan)
    field[place[:, 1], place[:, 0]] = values[-1]  # the triangles of a square agree
    return field


def whirl(results, run):
    if run.diagnostic("energy_total") is None or run.series("snapshots/elevation") is None:
        refuse(f"run {run.id} has no snapshots of elevation, or no energies")
    time, over = run.diagnostic("time"), run["push_duration"]
    begin = int(np.argmin(np.abs(time - over)))
    left = {f"{name}_left": run.diagnostic(series)[-1] / run.diagnostic(series)[begin]
            for name, series in (("energy", "energy_total"), ("enstrophy", "enstrophy"))}
    h = squares(results, run, "elevation")
    # Waves of two cells in both directions; 1 for a checkerboard of amplitude 1.
    twice = np.diff(np.diff(h, 2, axis=0), 2, axis=1) / 16
    mass = run.diagnostic("mass")
    return {"mass_drift": mass[-1] / mass[0] - 1, **left, "checkerboard": np.sqrt(np.mean(twice**2)), "seconds": run.series("timing/total").sum()}


def over_bump(results, run):
    """A channel of 25 m: away from its ends, the head over the last metres before the bump (8 to 12 m) and behind the jump."""
    x, depth = profile(results, run, "depth")
    velocity, elevation = (profile(results, run, *name)[1] for name in (("velocity", 0), ("elevation",)))
    at, exact = profile(results, run, "reference_depth_at_vertices")
    g, q = run["gravity"], run["discharge"]
    head = elevation + velocity**2 / (2 * g)
    bed = np.interp(at, x, depth - elevation)  # H
    exact_head = exact - bed + q**2 / (2 * g * exact**2)
    ratio = depth * velocity / q
    inside = (x > x[0] + 1) & (x < x[-1] - 1)

    def lost(places, values):
        return values[(places > 4) & (places < 7)].mean() - values[(places > 16) & (places < 20)].mean()

    return {"discharge_least": ratio[inside].min(), "discharge_largest": ratio[inside].max(), "head_lost": lost(x, head),
            "head_lost_exact": lost(at, exact_head)}


COLUMNS = 300  # of the profiles of krog-dam that are compared
KROG_TIMES = 75, 180


def in_columns(results, run, time):
    """(x, elevation) of krog-dam at a time in means over columns of equal width, or None if the run did not get there."""
    at = run.snapshot_at(time)
    if at is None:
        return None
    x, faces = results.surface_at(run, time)
    values = run.series("snapshots/elevation")
    if values is None:
        refuse(f"run {run.id} has no snapshots of elevation")
    values = values[at]
    middle = x[faces][:, :, 0].mean(axis=1)
    if len(values) == len(x):  # of vertices
        values = values[faces].mean(axis=1)
    width = np.ptp(x[:, 0]) / COLUMNS
    column = np.clip(((middle - x[:, 0].min()) / width).astype(int), 0, COLUMNS - 1)
    count = np.bincount(column, minlength=COLUMNS)
    return x[:, 0].min() + width * (np.arange(COLUMNS) + 0.5), np.bincount(column, values, COLUMNS) / np.maximum(count, 1)


def krog(results, run):
    finest = max((one for one in results.runs if one.get("scene") == "krog-dam" and one["discretization"] == "hllc" and one["outcome"] == "finished"),
                 key=lambda one: one["triangles"], default=None)
    found = {}
    for time in KROG_TIMES:
        mine = in_columns(results, run, time)
        if mine is None:
            continue
        x, h = mine
        behind = (x > run["bump_at"]) & (x < run["bump_at"] + 4 * run["bump_width"])
        slope = np.diff(h[behind]) / np.diff(x[behind])
        found |= {f"steepest_fall_{time}": -slope.min(), f"steepest_rise_{time}": slope.max()}
        other = in_columns(results, finest, time) if finest is not None else None
        if other is not None:
            found[f"difference_{time}"] = np.abs(h - other[1]).mean()
    return found


def remaining(_, run):
    elevation = run.series("snapshots/elevation")
    if elevation is None or len(elevation) < 2 or not np.any(elevation[0]):
        refuse(f"run {run.id} has no snapshots of elevation at its start and end, or no hump")
    return {"elevation_left": np.abs(elevation[-1]).max() / np.abs(elevation[0]).max()}


def mass_left(run):
    mass = run.diagnostic("mass")
    return mass[-1] / mass[0]


def bowl(_, run):
    return {"mass_left": mass_left(run)}


def drop(results, run):
    depth = squares(results, run, "depth")
    exact = squares(results, run, "reference_depth_at_vertices")
    x, _ = results.surface_at(run, run.snapshot_times()[-1])
    low, side = x[:, 0].min(), np.ptp(x[:, 0]) / depth.shape[1]
    level, start = DRY * run["depth"], low + run["start"]
    middle = depth[len(depth) // 2]
    if not (middle > level).any():
        return {"mass_left": mass_left(run), "front_ratio": np.nan}
    front = last_crossing(low + side * (np.arange(depth.shape[1]) + 0.5), middle, level) - start
    front_exact = last_crossing(low + side * np.arange(exact.shape[1]), exact[len(exact) // 2], level) - start
    return {"mass_left": mass_left(run), "front_ratio": front / front_exact}


def lake(results, run):
    return {"mass_left": mass_left(run), "level": squares(results, run, "elevation")[:, 0].mean()}


def puddle(results, run):
    depth, (x, _) = squares(results, run, "depth"), results.surface_at(run, run.snapshot_times()[-1])
    area = (np.ptp(x[:, 0]) / depth.shape[1]) ** 2 * np.count_nonzero(depth)
    return {"wet_radius": np.sqrt(area / np.pi), "mean_depth": depth.sum() / np.count_nonzero(depth)}


def custom(results, run):
    return (puddle if run.get("shore") == "fill-ratio" else remaining)(results, run)


SCENES = {"custom": custom, "bump-sub": over_bump, "bump-trans": over_bump, "bump-shock": over_bump, "krog-dam": krog, "slope-drop": drop,
          "lake-outlet": lake, "bowl-planar": bowl, "bowl-radial": bowl, "whirlpool": whirl, "standing-wave": wave, "dam-wet": dam,
          "dam-dry": dam, "shear-bump": shift}


def add_orders(rows, columns, error):
    """The order of convergence of an error between the meshes rectangle:NxM of runs that agree in all other columns."""
    before = {}
    for row in rows:
        count = int(re.match(r"rectangle:(\d+)x", row["mesh_name"])[1])
        layout_of = [word for word in row["mesh_name"].split(":") if not word[0].isdigit()]
        key = (*layout_of, *(row[name] for name in ("scene", *columns) if name not in ("mesh_name", "dt")))
        if row.get(error) and key in before:
            coarse, larger = before[key]
            row["order"] = float(np.log(larger / row[error]) / np.log(count / coarse))
        if row.get(error):
            before[key] = count, row[error]


def text(value):
    return "–" if value is None or (isinstance(value, float) and np.isnan(value)) else f"{value:.4g}" if isinstance(value, float) else str(value)


def write_tables(rows, chosen):
    names = list(dict.fromkeys(name for row in rows for name in row))
    with open(chosen.output / f"{chosen.name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    shown = [name for name in names if name not in ("id", "scene", "outcome") or len({row[name] for row in rows}) > 1 and name != "id"]
    lines = ["| " + " | ".join(words.name_of(name) for name in shown) + " |", "|" + "---|" * len(shown)]
    lines += ["| " + " | ".join(text(row.get(name)) for name in shown) + " |" for row in rows]
    (chosen.output / f"{chosen.name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(chosen.output / f"{chosen.name}.md")


def draw(rows, chosen):
    x, *ys = chosen.draw
    keys = [name for name in chosen.columns if name != x]
    rows = sorted(rows, key=lambda row: [(value is None, isinstance(value, str), value) for value in (row.get(name) for name in keys)])  # the order of the legend
    lines = Lines([{name: row.get(name) for name in keys} for row in rows], keys)
    page = Page(ys, [None], chosen.width, 42)
    drawn = set()
    for y in ys:
        axes = page[y, None]
        for values in lines.combinations:
            mine = [row for row in rows if lines.values_of({name: row.get(name) for name in keys}) == values]
            look = lines.look[values]
            points = sorted((row[x], row[y]) for row in mine if row.get(y) is not None)
            theory = sorted((row[x], row[f"theory_{y}"]) for row in mine if row.get(f"theory_{y}") is not None)
            if theory:
                axes.plot(*zip(*theory), gid=layout.PART, **{**look, "marker": "", "linewidth": 0.8})
            if points:
                axes.plot(*zip(*points), label=lines.label[values] or None, **({**look, "linestyle": ""} if theory else look))
                drawn.add(values)
        if "x" in chosen.log:
            axes.set_xscale("log")
        if "y" in chosen.log:
            axes.set_yscale("log")
        page.ylabel(y, LABELS.get(y) or words.quantity_label(y))
    if not drawn:
        refuse(f"{chosen.file}: no run has {x} and {' or '.join(ys)}")
    page.xlabel(words.quantity_label(x))
    page.legend_of(lines, {None: drawn})
    if any(f"theory_{y}" in row for row in rows for y in ys):
        page.note("marks: runs; lines: theory")
    page.save(chosen, chosen.name)


def draw_dams(results, runs, chosen):
    """Depths along x, a panel for each depth before the dam."""
    if not all(run["scene"] in ("dam-wet", "dam-dry") and run["outcome"] == "finished" for run in runs):
        refuse("--profiles draws finished dam breaks; choose them by --only")
    before = {run.id: run.get("depth_right") or 0 for run in runs}
    panels = sorted(set(before.values()), reverse=True)
    keys = [name for name in chosen.columns if name != "depth_right"]
    lines = Lines([{name: run.get(name) for name in keys} for run in runs], keys)
    page = Page(["depth"], panels, chosen.width, 55)
    for run in runs:
        axes = page["depth", before[run.id]]
        x, depth = profile(results, run, "depth")
        values = lines.values_of({name: run.get(name) for name in keys})
        axes.plot(x - run["dam"], depth, label=lines.label[values], **{**lines.look[values], "linewidth": 0.9, "markersize": 2, "markevery": 10})
    for right in panels:
        run = next(run for run in runs if before[run.id] == right)
        x = np.linspace(-run["dam"], run["dam"], 2001)
        handle, = page["depth", right].plot(x, exact_dam(x, run.snapshot_times()[-1], run["depth_left"], right, run["gravity"]),
                                            color="black", linewidth=0.6, gid=layout.PART)
        page["depth", right].set_title(f"{run['depth_left']:g} m onto {right:g} m" if right else f"{run['depth_left']:g} m onto dry land")
        page["depth", right].set_xlabel("x from the dam (m)")
    page["depth", panels[0]].set_ylabel("depth (m)")
    page.legend([(None, {"exact": handle})])
    page.legend_of(lines, {right: {lines.values_of({name: run.get(name) for name in keys}) for run in runs if before[run.id] == right} for right in panels})
    page.save(chosen, chosen.name)


def main():
    chosen = arguments(__doc__,
                       columns={"nargs": "+", "default": ["discretization"], "help": "attributes of the runs to list first"},
                       last={"nargs": "+", "default": [], "help": "diagnostics to list with their last values; with the column mesh_name, also the order of the first of them"},
                       **RUNS,
                       draw={"nargs": "+", "metavar": "NAME", "help": "draw a figure instead: the column of the horizontal axis, then one for each panel; the other columns define the lines"},
                       profiles={"action": "store_true", "help": "draw a figure instead: the depths of dam breaks along x beside the exact ones; the columns define the lines"},
                       log={"default": "", "choices": ["", "x", "y", "xy"], "help": "logarithmic axes"},
                       name={"default": "measured", "help": "name of the tables, or of the figure (default: %(default)s)"})
    results = Results(chosen.file)
    rows = []
    if chosen.profiles:
        return draw_dams(results, chosen_runs(results.runs, chosen.only, chosen.run), chosen)
    for run in chosen_runs(results.runs, chosen.only, chosen.run):
        if run.get("scene") not in SCENES:
            refuse(f"{chosen.file}: scene {run.get('scene')} of run {run.id} has no known wave; scenes that have: {', '.join(SCENES)}")
        row = {"id": run.id, "scene": run["scene"], **{name: run.get(name) for name in chosen.columns}, "outcome": run["outcome"]}
        if run["outcome"] == "finished":
            row |= {key: float(value) for key, value in SCENES[run["scene"]](results, run).items()}
            for name in chosen.last:
                series = run.diagnostic(name)
                row[name] = float(series[-1]) if series is not None else None
        rows.append(row)
    if chosen.last and "mesh_name" in chosen.columns:
        add_orders(rows, chosen.columns, chosen.last[0])
    if chosen.draw:
        draw(rows, chosen)
    else:
        write_tables(rows, chosen)


if __name__ == "__main__":
    main()
