"""Results as Shoal writes them, made up: the runs of an experiment file with curves of the right kind and no physics."""

import csv
import hashlib
import itertools
import re
import tomllib
from fractions import Fraction

import h5py
import numpy as np

FINISHED, UNSTABLE, REFUSED = "finished", "unstable", "refused"
STEPS = 240
EARTH = {"radius": 6371220.0, "gravity": 9.80616, "depth": 10000.0}  # as in results/references/galewsky.h5
UNITS = {"energy_total": "J", "energy_kinetic": "J", "energy_potential": "J", "mass": "kg", "max_depth": "m", "min_depth": "m",
         "max_speed": "m/s", "enstrophy": "m^2/s^2", "potential_enstrophy": "1/s^2", "angular_momentum": "kg m^2/s",
         "shallow_volume": "m^3", "body_height": "m", "mode_amplitude": "m", "time": "s", "work_forces": "J"}


def number(text):
    return float(Fraction(str(text)))


def expanded(key, value):
    """The values of a key: a list, or a text that stands for several."""
    if isinstance(value, list):
        return [one for each in value for one in expanded(key, each)]
    if isinstance(value, str) and (match := re.fullmatch(r"(geometric|arithmetic):([^:]+):([^:]+):(\d+)(?::\d+)?", value)):
        spaced = np.geomspace if match[1] == "geometric" else np.linspace
        return list(spaced(number(match[2]), number(match[3]), int(match[4])))
    if key == "mesh" and isinstance(value, str) and re.search(r":\d+(,\d+)+", value):
        families, levels, rest = re.fullmatch(r"([^:]+):([\d,]+)(.*)", value).groups()
        return [f"{family}:{level}{rest}" for family in families.split(",") for level in levels.split(",")]
    return [value]


def merged(base, case):
    result = {key: value for key, value in base.items() if key not in ("case", "table", "figure")}
    result.update({key: value for key, value in case.items() if key != "parameters"})
    result["parameters"] = {**base.get("parameters", {}), **case.get("parameters", {})}
    return result


def runs_of(experiment):
    """The attributes of all runs of an experiment, as of /runs/0001 …"""
    runs = []
    for case in experiment.get("case", [{}]):
        keys = merged(experiment, case)
        together = [key.removeprefix("parameters.") for key in keys.pop("together", [])]
        flat = {**{key: value for key, value in keys.items() if key != "parameters"}, **keys["parameters"]}
        lists = {key: expanded(key, value) for key, value in flat.items()}
        joined = [key for key in together if key in lists and len(lists[key]) > 1]
        groups = [[{key: value} for value in values] for key, values in lists.items() if key not in joined]
        if joined:
            groups.insert(0, [dict(zip(joined, values)) for values in zip(*(lists[key] for key in joined))])
        for parts in itertools.product(*groups):
            runs.append(attributes_of({key: value for part in parts for key, value in part.items()}))
    return runs


def attributes_of(keys):
    keys = {"discretization": "fefv", "integrator": "explicit", "advection": "none", "mesh": "icosphere:3", "scene": "bump", **keys}
    mesh = keys.pop("mesh")
    for name in ("title", "jobs", "snapshots", "diagnostics", "compute", "orders", "output"):
        keys.pop(name, None)
    size = int(level[1]) if (level := re.search(r":(\d+)", mesh)) else 3
    grid = re.search(r":(\d+)x(\d+)", mesh)
    vertices = int(grid[1]) * int(grid[2]) if grid else 10 * 4**size + 2 if size < 9 else size
    dt = keys.get("dt", 0.01)
    dt = 0.01 / 2 ** min(size, 8) if dt == "auto" else number(dt)
    substeps = keys.get("substeps", 1)
    end = number(keys.pop("end", 7))
    return {**keys, "dt": dt, "substeps": 4 if substeps == "auto" else substeps, "mesh_name": mesh, "t_end": end,
            "vertices": vertices, "triangles": 2 * vertices, "unknowns": 6 * vertices, "outcome": FINISHED, "t_reached": end,
            "axis": keys.get("axis", "0,0,1"), "rate": 1.0, "radius": 1.0, "gravity": 9.81, "depth": keys.get("depth", 1.0), "friction": keys.get("friction", 0.0), "motion": keys.get("motion", "none"), "bump": keys.get("bump", 120),
            "period": keys.get("period", 2.0), "linear_solver": keys.get("linear_solver", "none"), "solution": "no v·∇v",
            **(EARTH if keys["scene"] == "galewsky" else {})}


def random_of(*names):
    return np.random.default_rng(int(hashlib.sha256(repr(names).encode()).hexdigest()[:8], 16))


def sphere(level=2):
    """Vertices and triangles of an icosphere."""
    phi = (1 + 5**0.5) / 2
    vertices = [(-1, phi, 0), (1, phi, 0), (-1, -phi, 0), (1, -phi, 0), (0, -1, phi), (0, 1, phi), (0, -1, -phi), (0, 1, -phi),
                (phi, 0, -1), (phi, 0, 1), (-phi, 0, -1), (-phi, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    vertices = [np.array(vertex) / np.linalg.norm(vertex) for vertex in vertices]
    for _ in range(level):
        middles, finer = {}, []
        for face in faces:
            new = []
            for a, b in ((0, 1), (1, 2), (2, 0)):
                key = tuple(sorted((face[a], face[b])))
                if key not in middles:
                    middles[key] = len(vertices)
                    middle = vertices[key[0]] + vertices[key[1]]
                    vertices.append(middle / np.linalg.norm(middle))
                new.append(middles[key])
            finer += [(face[0], new[0], new[2]), (face[1], new[1], new[0]), (face[2], new[2], new[1]), tuple(new)]
        faces = finer
    return np.array(vertices), np.array(faces)


def diagnostics(run, time, place):
    """Curves of every kind, by name: decaying, kept, oscillating, with an end."""
    random = random_of(run["integrator"], run["discretization"], place)
    decay = {"implicit-euler": 0.6, "newmark-analytic": 0.3}.get(run["integrator"], 1e-3 if place % 3 else 1e-6)
    kept = np.exp(-decay * time) * (1 + 1e-3 * decay * np.sin(7 * time + place))
    if run["outcome"] == UNSTABLE:
        kept = kept + 1e-6 * np.exp(np.minimum(700, 30 * time / time[-1]))
    wave = 1 + 0.5 * np.abs(np.sin(3 * time)) * (1 + 0.1 * random.random())
    noise = 1 + 0.3 * random.standard_normal(len(time))
    error = 0.02 * (1 + place % 4) * (0.05 + time / time[-1]) * (1 + 0.3 * np.sin(9 * time))
    series = {"energy_total": 50 * kept, "energy_kinetic": 25 * kept * np.sin(3 * time) ** 2, "energy_potential": 25 * kept * np.cos(3 * time) ** 2,
              "mass": 1000 * (1 - (1e-3 * time if run["integrator"] == "implicit-euler" else 1e-15 * np.ones_like(time))),
              "max_depth": wave, "min_depth": 2 - wave, "max_speed": wave - 1, "enstrophy": 3 * kept, "potential_enstrophy": 2 * kept,
              "shoreline_step": np.abs(noise), "shallow_volume": 0.01 * np.abs(noise), "body_height": 0.1 * np.exp(-time) * np.cos(9 * time),
              "wet_shape": np.exp(-time), "solver_iterations": 9 + place % 5 + 0 * time,
              "angular_momentum": np.column_stack([kept, 2 * kept, kept])}
    for part, region in enumerate(("right_leg", "left_leg", "torso", "right_arm", "left_arm", "head")):
        series[f"wet_{region}"] = np.clip(6 * time / time[-1] - part, 0, 1)
    for norm, of in itertools.product(("l1", "l2", "linf"), ("", "_elevation", "_velocity", "_own_velocity", "_elevation_linear", "_elevation_nonlinear")):
        series[f"{norm}_error{of}"] = error
    return series


def eigenmode(run, place):
    """What a run of the scene eigenmode records of its theory, and an amplitude that follows it."""
    frequency = 3.0
    modulus, phase = (0.9 if run["integrator"] == "implicit-euler" else 1.0), frequency * run["dt"]
    steps = np.arange(STEPS + 1)
    return {"mode_angular_frequency": frequency, "theory_modulus": modulus, "theory_phase": phase}, 1e-3 * modulus**steps * np.cos(phase * steps)


def write_run(group, run, place, mesh, snapshot_times):
    theory, amplitude = eigenmode(run, place)
    if run["scene"] == "eigenmode":
        run = {**run, **theory}
    for name, value in run.items():
        group.attrs[name] = str(value) if isinstance(value, (list, dict)) else value
    if run["outcome"] == REFUSED:
        return
    vertices, _ = mesh
    end = run["t_reached"]
    time = np.linspace(0, end, STEPS + 1)
    group["diagnostics/time"] = time
    for name, values in {**diagnostics(run, time, place), "mode_amplitude": amplitude}.items():
        group[f"diagnostics/{name}"] = values
        group[f"diagnostics/{name}"].attrs["unit"] = UNITS.get(name, "1")
    group["timing/total"] = np.full(STEPS, 1e-3 * (1 + place))
    times = np.array([one for one in snapshot_times if one <= end * (1 + 1e-9)])
    angle = np.arccos(np.clip(vertices[:, 2], -1, 1))
    waves = np.array([0.1 * np.exp(-((angle - 3 * one) / 0.4) ** 2) * np.cos(one + 0.1 * (place % 5)) for one in times])
    group["bed_depth_at_vertices"] = np.full(len(vertices), run["depth"])
    group["snapshots/time"] = times
    group["snapshots/depth_at_vertices"] = run["depth"] + waves
    group["snapshots/vorticity"] = np.tile(1e-4 * np.cos(5 * angle), (len(times), 1))
    for name in ("", "_linear", "_nonlinear"):
        group[f"snapshots/reference_depth_at_vertices{name}"] = run["depth"] + waves


def write(path, runs, snapshot_times=None):
    """A results file of these runs."""
    mesh = sphere()
    end = max((run["t_reached"] for run in runs), default=1)
    times = sorted({*np.linspace(0, end, 9), *(snapshot_times or [])})
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "shoal"
        file["meshes/m/vertices"], file["meshes/m/faces"] = mesh
        for place, run in enumerate(runs):
            write_run(file.create_group(f"runs/{place + 1:04}"), {"mesh": "m", **run}, place, mesh, times)


def frontier(path, runs):
    """A file of `shoal frontier` with an entry for each run."""
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "shoal"
        for place, run in enumerate(runs):
            group = file.create_group(f"frontier/{place + 1:04}")
            unbounded = run["integrator"] in ("newmark", "implicit-euler", "semi-implicit")
            for name, value in {**run, "outcome": "unbounded" if unbounded else "found", "mean_edge_length": 0.3, "dt_stable": 0.05 + 0.01 * (place % 7),
                                "dt_theory": 0.05, "highest_angular_frequency": 35.0}.items():
                group.attrs[name] = str(value) if isinstance(value, (list, dict)) else value
            group["probes/dt"] = np.geomspace(0.01, 1, 9)
            group["probes/stable"] = (np.geomspace(0.01, 1, 9) < (9 if unbounded else 0.06)).astype(np.int8)


def cell(run, column, place, attributes):
    """The value of a column in the row of a run: what the run has, else a number that falls with the mesh and the step."""
    if column == "id":
        return f"{place + 1:04}"
    if column in attributes:
        return run.get(column, "")
    random = random_of(column, run["integrator"], run["discretization"], place)
    fall = run["dt"] / 0.01 if column.startswith(("l1", "l2", "linf", "elev")) else run["vertices"] / 100 if column.startswith("ms_") else 1
    known = column.startswith(("l1", "l2", "linf", "elev", "ms_", "energy", "mass", "dt_", "max", "min", "t_", "seconds", "solver", "cfl", "clamped", "wet"))
    return (0.5 + 0.5 * random.random()) * fall if known and run["outcome"] == FINISHED else ""


def table(path, runs, columns):
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        attributes = set().union(*runs)
        rows.writerow(columns)
        rows.writerows([cell(run, column, place, attributes) for column in columns] for place, run in enumerate(runs))


def orders(path, runs, axis, errors):
    """A table of `shoal converge --as csv`."""
    names = sorted({name for run in runs for name in run} - {"mesh_name", "dt", "vertices", "triangles", "unknowns", "outcome", "t_reached", "mesh", "t_end"})
    names = [name for name in names if len({str(run.get(name)) for run in runs}) > 1 or name in ("discretization", "integrator")]
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["refined", *names, "mesh", "at", "h", "dt", "finished", "error", "value", "at_start", "order"])
        for run, error in itertools.product(runs, errors or ["l2_error", "l2_error_velocity", "l2_error_own_velocity"]):
            family, _, rest = run["mesh_name"].partition(":")
            level = int(re.match(r"\d*", rest)[0] or 3)
            h = 2.0 / 2**level
            slope = 2 if run["discretization"] != "kinetic" else 1
            scale = random_of(run["integrator"], run["discretization"], family, error).random() + 0.2
            x = h if axis == "space" else run["dt"]
            rows.writerow([axis, *(run.get(name, "") for name in names), run["mesh_name"] if axis == "time" else family, "", h, run["dt"], 1,
                           error, 0.1 * scale * x**slope, 1e-9, ""])


def make(experiment_file, folder):
    """The results, tables and orders of an experiment file that its figures read; gives the commands that draw them."""
    experiment = tomllib.loads(experiment_file.read_text())
    runs = runs_of(experiment)
    folder.mkdir(parents=True, exist_ok=True)
    results = folder / f"{experiment_file.stem}.h5"
    times = [number(word) for figure in experiment.get("figure", []) for word in times_of(figure.get("arguments", []))]
    for run in runs if "end" not in experiment else []:
        run["t_reached"] = run["t_end"] = max([run["t_end"], *times])
    if experiment.get("compute") == "frontier":
        frontier(results, runs)
    elif any("from" not in figure for figure in experiment.get("figure", [])):
        write(results, runs, times or [0.025, 0.6, 1.0, 7.0])
    for entry in experiment.get("table", []):
        for name in [entry["file"]] if isinstance(entry["file"], str) else entry["file"]:
            if name.endswith(".csv") and "orders" in entry:
                orders(folder / name, runs, entry["orders"], entry.get("errors"))
            elif name.endswith(".csv"):
                table(folder / name, runs, entry["columns"])
    for figure in experiment.get("figure", []):
        if figure.get("from", "").endswith(".csv") and not (folder / figure["from"]).exists():
            continue  # a table that another script measures in real runs
        source = folder / figure["from"] if "from" in figure else results
        yield figure["script"], [str(source), *figure.get("arguments", []), "--name", figure["file"].rsplit(".", 1)[0]]


def times_of(arguments):
    """What follows --times or --time."""
    option = next((word for word in arguments if word in ("--times", "--time")), None)
    if option is None:
        return []
    rest = arguments[arguments.index(option) + 1:]
    return list(itertools.takewhile(lambda word: not word.startswith("--"), rest))
