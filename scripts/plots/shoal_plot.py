"""What all plots share: reading a Shoal HDF5 file, the style, saving PNG and PDF. Needs h5py, numpy, matplotlib."""

import argparse
import pathlib
import shlex
import sys
import textwrap
from fractions import Fraction

try:
    import h5py
    import matplotlib
    import numpy as np
except ImportError as error:
    sys.exit(f"{error}; run: sudo apt-get install -y python3-h5py python3-numpy python3-matplotlib, "
             "and this script with /usr/bin/python3")

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)

PAGE_WIDTH = 7.09  # inches: 180 mm, a full page's text width
# Okabe and Ito's palette, which people with any colour vision can tell apart, and for lines that are integrators one style
# each, the same in every figure. The dashes let a curve show below another that covers it.
PALETTE = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F"]
DASHES = ["-", (0, (5, 2)), (0, (2, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (1, 1)), (0, (8, 3))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]
INTEGRATOR_STYLES = {
    "explicit": {"color": "#0072B2", "linestyle": "-"},
    "implicit-euler": {"color": "#D55E00", "linestyle": "-"},
    "newmark": {"color": "#009E73", "linestyle": (0, (6, 3))},
    "newmark-analytic": {"color": "#000000", "linestyle": "-"},
    "semi-implicit": {"color": "#CC79A7", "linestyle": (0, (2, 4))},
    "ssprk2": {"color": "#E69F00", "linestyle": (0, (4, 4))},
    "ssprk3": {"color": "#56B4E9", "linestyle": (0, (1, 2))},
}
OTHER_INTEGRATORS = ["#7F7F7F", "#8C510A", "#F0E442"]
GREY = "#555555"  # of notes and of lines that are not data
DISCRETIZATION_COLOURS = dict(zip(("fefv", "dec", "kinetic"), PALETTE))
# Attributes that say how a run went or follow from others, not what was asked for.
HOUSEKEEPING = {"outcome", "reason", "t_reached", "steps", "negative_depth_cells", "negative_depth_time", "no_reference",
                "git_commit", "git_dirty", "mesh", "vertices", "triangles", "parameters"}

plt.rcParams.update({
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "legend.fontsize": 7.5,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.linewidth": 0.4,
    "grid.color": "#DDDDDD",
    "axes.axisbelow": True,
    "lines.linewidth": 1.1,
    "legend.frameon": False,
    "pdf.fonttype": 42,  # text in the PDF stays text
    "figure.constrained_layout.use": True,
    "savefig.dpi": 300,
})


def refuse(message):
    """One sentence about bad input; exit code 2, as of shoal itself."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


class Run:
    """One entry of /runs: its attributes by name, its datasets on demand."""

    def __init__(self, group):
        self.id = group.name.rsplit("/", 1)[-1]
        self._group = group
        self.attributes = {key: value.decode() if isinstance(value, bytes) else value
                           for key, value in group.attrs.items()}

    def __getitem__(self, name):
        return self.attributes[name]

    def series(self, path):
        """A dataset of the run, or None where it has none of that name."""
        return self._group[path][()] if path in self._group else None

    def diagnostic(self, name):
        """A series [steps] of the diagnostics, or None."""
        return self.series(f"diagnostics/{name}")

    def unit(self, name):
        """The unit of a diagnostic, "1" where it has none."""
        unit = self._group[f"diagnostics/{name}"].attrs.get("unit", "1")
        return unit.decode() if isinstance(unit, bytes) else unit

    def diagnostic_names(self):
        return list(self._group["diagnostics"]) if "diagnostics" in self._group else []

    def snapshot_times(self):
        path = "snapshots/time"
        return self._group[path][()] if path in self._group else np.array([])

    def snapshot_at(self, time):
        """The number of the snapshot nearest to `time`, or None if the run did not get there."""
        times = self.snapshot_times()
        if not len(times):
            return None
        nearest = int(np.argmin(np.abs(times - time)))
        return nearest if abs(times[nearest] - time) <= 0.51 * self["dt"] else None

    def positions_at(self, time):
        """Where the vertices [nV, 3] were at the snapshot nearest to `time`; None where the surface stays."""
        path = "snapshots/positions"
        return self._group[path][self.snapshot_at(time)] if path in self._group else None

    def reference_names(self):
        """The names of the solutions that the scene gave, "" for the one that errors without a suffix refer to."""
        prefix = "reference_depth_at_vertices"
        return [name[len(prefix):].removeprefix("_") for name in self._group.get("snapshots", {})
                if name.startswith(prefix)]

    def elevation_at(self, time, reference=None):
        """Surface elevation h = η − H [nV] of the snapshot nearest to `time`, or None if the run did not get there.

        With `reference`, that of the scene's solution of this name at that snapshot's time.
        """
        nearest = self.snapshot_at(time)
        if nearest is None:
            return None
        name = "depth_at_vertices"
        if reference is not None:
            name = f"reference_{name}" + (f"_{reference}" if reference else "")
        return self._group[f"snapshots/{name}"][nearest] - self._group["bed_depth_at_vertices"][()]

    @property
    def scheme(self):
        return f"{self['discretization']} · {self['integrator']}"

    @property
    def refused(self):
        return self["outcome"] == "refused"

    @property
    def stopped_early(self):
        return self["outcome"] in ("unstable", "solver-failed", "interrupted")

    @property
    def outcome_text(self):
        return f"{self['outcome'].replace('-', ' ')} at t = {self['t_reached']:.3g} s"


def open_group(path, name):
    """A group of a Shoal file: runs, frontier or spectrum."""
    try:
        file = h5py.File(path, "r")
    except FileNotFoundError:
        refuse(f"there is no file {path}")
    except OSError as error:
        refuse(f"{path}: cannot be read as an HDF5 file: {error}")
    if file.attrs.get("format") not in ("shoal", b"shoal"):
        refuse(f"{path}: not a Shoal file (its attribute 'format' is not 'shoal')")
    if name not in file:
        refuse(f"{path}: holds no {name}")
    return file[name]


class Results:
    """A Shoal file: runs in sweep order, and meshes."""

    def __init__(self, path):
        group = open_group(path, "runs")
        self._file = group.file
        self.runs = [Run(run) for _, run in sorted(group.items())]

    def mesh(self, run):
        """Vertices [nV, 3] in m and triangles [nF, 3] of a run, as at its start."""
        mesh = self._file["meshes"][run["mesh"]]
        return mesh["vertices"][()], mesh["faces"][()]

    def surface_at(self, run, time):
        """The same at a snapshot of the run, where its surface may have moved to."""
        vertices, faces = self.mesh(run)
        moved = run.positions_at(time)
        return (vertices if moved is None else moved), faces


def vertex_areas(vertices, faces):
    """Barycentric dual areas [nV]: a third of each triangle around a vertex."""
    a, b, c = (vertices[faces[:, corner]] for corner in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.bincount(faces.ravel(), np.repeat(area / 3, 3), minlength=len(vertices))


def time_step_text(dt):
    """"1/60 s" where Δt is a whole fraction of a second, else the number."""
    inverse = round(1 / dt)
    whole = abs(dt * inverse - 1) < 1e-12 and inverse >= 1
    return f"1/{inverse} s" if whole and f"{dt:g}" != f"{dt:.3f}".rstrip("0") else f"{dt:g} s"


def nice_floor(value):
    """The largest of 1, 2, 5 × 10ⁿ that is at most `value`."""
    power = 10.0 ** np.floor(np.log10(value))
    return power * max(step for step in (1, 2, 5) if step * power <= value * (1 + 1e-12))


def attribute_text(name, value):
    """An attribute in a title or legend: "A = 0.3 m", "reference depth = mean"; what speaks for itself goes by its value."""
    try:
        value = float(value)
    except (TypeError, ValueError):
        return str(value) if name in ("integrator", "discretization", "advection", "mesh_name") else f"{plain(name)} = {value}"
    if name == "dt":
        return f"Δt = {time_step_text(value)}"
    if name == "amplitude":
        return f"A = {value:g} m"
    return f"θ = {value:g}" if name == "theta" else f"{plain(name)} = {value:g}"


def plain(name):
    """The name of an attribute or a column in words: elevation_error@0.6 → elevation error at t = 0.6 s."""
    name, _, which = name.replace("_", " ").partition("@")
    if not which:
        return "Δt (s)" if name == "dt" else name
    return f"{name}, {which}" if which.isalpha() else f"{name} at t\u00a0=\u00a0{which}\u00a0s"


def axis_label(axes, text):
    """The label of the vertical axis of a panel, broken where it is longer than that."""
    axes.set_ylabel(textwrap.fill(text, 24))


def labels(runs):
    """The scheme of each run, with the parameters in which runs of the same scheme and Δt differ."""
    result = {}
    for run in runs:
        twins = [r for r in runs if r.scheme == run.scheme and r["dt"] == run["dt"]]
        keys = [key for key, value in run.attributes.items()
                if key not in HOUSEKEEPING and any(twin.attributes.get(key) != value for twin in twins)]
        result[run.id] = ", ".join([run.scheme, *(attribute_text(key, run[key]) for key in sorted(keys))])
    return result


def line_styles(lines):
    """Label → colour and dashes, from label → integrator, or None where the lines of a figure are not integrators.

    An integrator has its colour in every figure, and its own dashes if it has one line.
    """
    integrators = list(dict.fromkeys(name for name in lines.values() if name))
    others = iter(OTHER_INTEGRATORS * len(integrators))
    known = {name: INTEGRATOR_STYLES.get(name) or {"color": next(others), "linestyle": "-"} for name in integrators}
    result = {}
    for place, (label, name) in enumerate(lines.items()):
        earlier = [other for other in result if lines[other] == name]
        if not name:
            result[label] = {"color": PALETTE[place % len(PALETTE)], "linestyle": DASHES[place % len(DASHES)]}
        else:
            result[label] = {**known[name], **({"linestyle": DASHES[len(earlier) % len(DASHES)]} if earlier else {})}
    return result


GIVEN = {"energy": ("energy_total", ["work_geometry", "work_forces", "work_source"]), "mass": ("mass", ["mass_source"])}


def kept(run, quantity):
    """(time, values) of energy or mass over the first value, net of what forces, a moving surface or sources gave."""
    name, sources = GIVEN[quantity]
    values = run.diagnostic(name)
    if values is None:
        refuse(f"run {run.id} has no quantity '{name}'; there are: " + ", ".join(run.diagnostic_names()))
    given = sum(series for source in sources if (series := run.diagnostic(source)) is not None)
    with np.errstate(divide="ignore", invalid="ignore"):  # water at rest in a flat bed has no energy to lose
        return run.diagnostic("time"), (values - given) / values[0]


def unknown_energy_text(runs):
    """A footnote on the runs whose E(t)/E(0) is not known, as the work of the forces on them is not measured."""
    unknown = [run.id for run in runs if (work := run.diagnostic("work_forces")) is not None and np.isnan(work).all()]
    if not unknown:
        return ""
    which = f"run {unknown[0]}" if len(unknown) == 1 else f"{len(unknown)} runs ({unknown[0]} … {unknown[-1]})"
    return f"energy of {which} not shown: the work of the forces is not measured"


def require_known(path, quantity, curves, note=""):
    """Refuses where no (time, values) of `curves` has a value to show."""
    if not any(np.isfinite(values).any() for _, values in curves):
        refuse(f"{path}: no {plain(quantity)} to show" + (f"; {note}" if note else ""))


# What the solutions of sphere-bump are called in the figures.
REFERENCE_TITLES = {
    "linear": "linear theory",
    "nonlinear_no_advection": "nonlinear theory, no advection",
    "nonlinear": "nonlinear theory",
}


def reference_titles(run):
    """Reference → title; the one without a name is the known one that is not there under its name."""
    names = run.reference_names()
    unnamed = [known for known in REFERENCE_TITLES if known not in names]
    title = REFERENCE_TITLES[unnamed[0]] if len(unnamed) == 1 else "reference"
    titles = {name: REFERENCE_TITLES.get(name, name) if name else title for name in names}
    order = list(REFERENCE_TITLES.values())
    return dict(sorted(titles.items(), key=lambda item: order.index(item[1]) if item[1] in order else len(order)))


def discretizations(runs):
    return list(dict.fromkeys(run["discretization"] for run in runs))


def at_amplitude(runs, amplitude):
    """The runs of this amplitude, of the largest where none is given; all where the scene has none."""
    amplitudes = [run["amplitude"] for run in runs if "amplitude" in run.attributes]
    if not amplitudes:
        return runs
    wanted = max(amplitudes, key=abs) if amplitude is None else amplitude
    return [run for run in runs if np.isclose(run.attributes.get("amplitude", wanted), wanted, rtol=1e-12)]


def amplitude_text(runs):
    """The amplitude that all runs have, for a footnote."""
    amplitudes = {run.attributes.get("amplitude") for run in runs}
    return attribute_text("amplitude", amplitudes.pop()) if len(amplitudes) == 1 and None not in amplitudes else ""


def asked_text(amplitude=None, dt=None):
    """Behind "no run": what was asked for."""
    asked = ["" if amplitude is None else attribute_text("amplitude", amplitude), "" if dt is None else f"Δt = {dt} s"]
    return f" with {' and '.join(filter(None, asked))}" if any(asked) else ""


def seconds(text):
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = 0
    if value <= 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time step such as 1/60 or 0.025")
    return value


AMPLITUDE = {"type": float, "help": "amplitude of the runs shown (default: the largest)"}
TIME_STEP = {"type": seconds, "help": "time step of the runs shown (default: the smallest)"}


def time_steps(runs):
    return sorted({float(run["dt"]) for run in runs})


def refusals_text(runs):
    """The pairs that do not exist, for a footnote: nothing that was asked for is left out in silence."""
    pairs = list(dict.fromkeys(run.scheme for run in runs if run.refused))
    return "refused: " + ", ".join(pairs) if pairs else ""


def arguments(description, positional=None, figure=True, **extra):
    """Parses FILE and --output; `positional` and `extra` hold further arguments and options as name → keywords of
    add_argument. With `figure` there are the options of `save`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("file", type=pathlib.Path, help="a Shoal HDF5 file, or a table of one as CSV")
    for name, keywords in (positional or {}).items():
        parser.add_argument(name, **keywords)
    parser.add_argument("--output", type=pathlib.Path, help="folder of what is made (default: the file's own)")
    if figure:
        parser.add_argument("--dpi", type=float, default=300, help="resolution of the PNG (default: 300)")
        parser.add_argument("--formats", nargs="+", choices=["png", "pdf"], default=["png", "pdf"])
    for name, keywords in extra.items():
        parser.add_argument(f"--{name}", **keywords)
    chosen = parser.parse_args()
    if not chosen.file.is_file():
        refuse(f"there is no file {chosen.file}")
    chosen.output = chosen.output or chosen.file.parent
    try:
        chosen.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"--output: {error}")
    return chosen


STOP_MARKERS = ["x", "+", (3, 2, 0), (3, 2, 180)]  # several that end on one point all show


def mark_stops(axes, stops, text=True):
    """Crosses where runs ended early or left the axes upwards for good, and a box where there is room for what came of them.

    `stops` holds (run, time, values, colour) each; the limits of the axes are set before.
    """
    bottom, top = axes.get_ylim()
    entries = []
    for place, (run, time, values, colour) in enumerate(stops):
        last = max(np.flatnonzero(values <= top), default=0)  # the last one inside; a NaN is outside
        x, y = time[last], np.clip(values[last], bottom, top)
        if values[last + 1:].size and values[last + 1] > top:  # where the line leaves for good, on the edge
            part = np.clip((top - values[last]) / (values[last + 1] - values[last]), 0, 1)
            x, y = time[last] + (time[last + 1] - time[last]) * part, top
        entries += axes.plot(x, y, marker=STOP_MARKERS[place % len(STOP_MARKERS)], markersize=5.5, markeredgewidth=1.4,
                             color=colour, linestyle="none", clip_on=False, zorder=5)
    if entries and text:
        axes.legend(entries, [run.outcome_text for run, *_ in stops], fontsize=6.5, frameon=True, framealpha=0.9,
                    edgecolor="#CCCCCC", fancybox=False, handletextpad=0.1, borderpad=0.3,
                    labelspacing=0.25).get_frame().set_linewidth(0.5)


def panels(rows, columns, title, overview=False, sharey=True, xlabel="t (s)"):
    """A figure with axes for each (row, column), titled by title(row, column) where the panel above is not titled so
    already. Returns it and {(row, column): axes}.

    With `overview` wide axes stand above them all and are returned behind.
    """
    figure = plt.figure(figsize=(PAGE_WIDTH, 0.7 + 1.75 * len(rows) + (2.6 if overview else 0)))
    heights = [2.6, 1.75 * len(rows)] if overview else [1]
    parts = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    grid = parts[-1].subplots(len(rows), len(columns), squeeze=False, sharex=True, sharey=sharey)
    by_key = {}
    for row, axes_row in zip(rows, grid):
        for column, axes in zip(columns, axes_row):
            by_key[row, column] = axes
            if row == rows[0] or title(row, column) != title(rows[0], column):
                axes.set_title(title(row, column), loc="left")
    for axes in grid[-1]:
        axes.set_xlabel(xlabel)
    return (figure, by_key, parts[0].subplots()) if overview else (figure, by_key)


def legend_below(figure, all_axes, *notes):
    """One legend for all panels, each entry once, and below it the notes that are not empty."""
    entries = {}
    for axes in all_axes:
        for handle, label in zip(*axes.get_legend_handles_labels()):
            entries.setdefault(label, handle)
    note = textwrap.fill("; ".join(filter(None, notes)), 135)
    # A strip of its own: the constrained layout of matplotlib 3.6 leaves no room for figure legends.
    # As many entries to a row as the page is wide.
    columns = max(1, min(len(entries), int(118 / (max(map(len, entries), default=1) + 7))))
    lines = -(-len(entries) // columns)
    columns = -(-len(entries) // lines) if lines else 1  # evenly
    height = figure.get_size_inches()[1] + 0.15 * max(0, lines - 5)  # long lists do not press the panels flat
    figure.set_figheight(height)
    note_height = (0.05 + 0.12 * (note.count("\n") + 1)) / height if note else 0
    strip = (0.11 + 0.15 * lines) / height + note_height
    figure.get_layout_engine().set(rect=(0, strip, 1, 1 - strip))
    figure.legend(entries.values(), entries.keys(), loc="lower center", ncol=columns, handlelength=2.6,
                  bbox_to_anchor=(0.5, note_height), borderaxespad=0.2)
    figure.text(0.5, 0.05 / height, note, ha="center", va="bottom", fontsize=7, color=GREY)


TABLE_NAME = {"help": "name of the table, written as NAME.md (default: it is printed)"}


def save_table(lines, chosen):
    """Writes a Markdown table to NAME.md, or prints it where it is given no name."""
    text = "".join(f"{line}\n" for line in lines)
    if not chosen.name:
        print(text, end="")
        return
    path = chosen.output / f"{chosen.name}.md"
    path.write_text(text, encoding="utf-8")
    print(path)


def save(figure, chosen, name):
    """Writes NAME.png and NAME.pdf with the command that made them, and without a date: same data, same bytes."""
    for part in figure.subfigs or [figure]:
        part.align_ylabels()
    command = shlex.join(["python3", *sys.argv])
    metadata = {"png": {"Description": command}, "pdf": {"Subject": command, "CreationDate": None}}
    for kind in chosen.formats:
        path = chosen.output / f"{name}.{kind}"
        figure.savefig(path, metadata=metadata[kind], **({"dpi": chosen.dpi} if kind == "png" else {}))
        print(path)
    plt.close(figure)
