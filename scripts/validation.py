"""The parts of scripts/validate.sh that are not the runs themselves.

    /usr/bin/python3 scripts/validation.py list                    prints the scenes
    /usr/bin/python3 scripts/validation.py split FOLDER [SCENE…]   writes FOLDER/SCENE.toml, the cases of one scene in the experiments
                                                                   validation and validation-moving, with the columns of its criteria;
                                                                   prints the names
    /usr/bin/python3 scripts/validation.py page FOLDER             reads FOLDER/SCENE/runs.csv and writes results/validation/
    /usr/bin/python3 scripts/validation.py check FOLDER SCENE…     compares FOLDER/SCENE/runs.csv with results/validation/ to the printed digits
"""

import csv
import functools
import html
import math
import pathlib
import re
import subprocess
import sys
import tomllib

EXPERIMENTS = [pathlib.Path("experiments") / name for name in ("validation.toml", "validation-moving.toml")]
CRITERIA = pathlib.Path("experiments/validation/criteria.toml")
REASONS = pathlib.Path("experiments/validation/reasons.toml")
PAGE = pathlib.Path("results/validation")
PUBLISHED = pathlib.Path("results/references/published.csv")
KEYS = ["id", "git_commit", "scene", "discretization", "reconstruction", "integrator", "mesh_name", "outcome", "reason", "t_reached"]
ROUND_OFF = 1e-12
MARK = {"pass": "✓", "fail": "✗", "unstable": "unstable", "n.a.": "–"}
COLOUR = {"pass": "#d8f0d8", "fail": "#f8d8d0", "unstable": "#f6e6b0", "n.a.": "#eeeeee"}


def refuse(message):
    print(f"validation.py: {message}", file=sys.stderr)
    sys.exit(2)


def listed(value):
    return value if isinstance(value, list) else [value]


# The experiment


@functools.cache
def cases():
    """Scene → (head of its experiment file, the texts of its cases in the order of the file)."""
    by_scene = {}
    for path in EXPERIMENTS:
        head, *blocks = re.split(r"(?m)^(?=\[\[)", path.read_text(encoding="utf-8"))
        for block in blocks:
            for scene in listed(tomllib.loads(block).get("case", [{}])[0].get("scene", [])):
                texts = by_scene.setdefault(scene, (head, []))[1]
                texts.append(re.sub(r"(?m)^scene = .*", f'scene = "{scene}"', block))
    return by_scene


@functools.cache
def settings(scene):
    """The settings of each case of a scene, with those of the head, name → value."""
    head, blocks = cases()[scene]
    shared = tomllib.loads(head)
    found = []
    for block in blocks:
        case = tomllib.loads(block)["case"][0]
        found.append({**shared, **case, "parameters": {**shared.get("parameters", {}), **case.get("parameters", {})}})
    return found


@functools.cache
def variants(scene):
    """Names of the parameters whose values differ between the cases of a scene."""
    given = [case["parameters"] for case in settings(scene)]
    names = dict.fromkeys(name for one in given for name in one)
    return [name for name in names if len({str(one.get(name)) for one in given}) > 1]


@functools.cache
def criteria(scene):
    found = [one for one in read_toml(CRITERIA)["criterion"] if scene in listed(one.get("scene", scene))]
    return sorted(found, key=lambda one: "scene" not in one)  # the scene's own come first


@functools.cache
def read_toml(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


def column_of(criterion):
    return criterion.get("order_of") or criterion.get("quantity") or criterion["report"]


def split(folder, scenes):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"{folder}: cannot be made: {error.strerror}")
    for scene in scenes or cases():
        head, blocks = cases()[scene]
        own = set.intersection(*(set(tomllib.loads(block)["case"][0]) for block in blocks))
        entries = re.split(r"(?m)^(?=[\w.]+ = )", head)  # shoal refuses keys of the head that no case takes from it
        head = "".join(entry for entry in entries if entry.split(" = ")[0] not in own)
        columns = [*KEYS, *variants(scene), *dict.fromkeys(map(column_of, criteria(scene))), "steps", "seconds"]
        table = f'[[table]]\nfile = "runs.csv"\ncolumns = [{", ".join(f"""{name!r}""" for name in columns)}]\n'.replace("'", '"')
        (folder / f"{scene}.toml").write_text(head + "".join(blocks) + table, encoding="utf-8")
        print(scene)


# The verdicts


class Cell:
    """The two runs of a scheme, with a verdict, the text that the page prints, and its reason."""

    def __init__(self, scene, runs):
        self.scene, self.runs, self.verdict, self.text, self.reason, self.failed = scene, runs, "pass", "", "", []
        first = runs[0]
        self.scheme = (first["discretization"], first["reconstruction"])
        self.integrator = first["integrator"]
        self.variant = ", ".join(f"{name} = {first[name]}" for name in variants(scene))
        self.judge()

    def judge(self):
        refused = [run for run in self.runs if run["outcome"] in ("refused", "input-refused")]
        if refused:
            self.verdict, self.reason = "n.a.", refused[0]["reason"]
            return
        for run in self.runs:
            if not run["outcome"].startswith("finished"):
                self.verdict = "unstable"
                self.text = f"t = {float(run['t_reached']):.3g} s ({run['mesh_name']})"
                self.failed.append(run["outcome"].split(",")[0])
                return
        for criterion in criteria(self.scene):
            value, limit = self.measured(criterion), self.limit(criterion)
            if value is None and criterion.get("of_velocity"):
                continue
            shown = "" if value is None else f"{math.floor(100 * value) / 100:.2f}" if "order_of" in criterion else printed(str(value))
            if "order_of" in criterion and self.exact(criterion):
                shown, value = "exact", limit
            good = limit is None or (value is not None and (value >= limit if "order_of" in criterion else value <= limit))
            if not good:
                self.verdict = "fail"
                self.failed.append(column_of(criterion))
            if "scene" in criterion and not self.text or not good:
                self.text += f"{', ' if self.text else ''}{'' if 'scene' in criterion else 'mass '}{shown or 'no value'}"

    def exact(self, criterion):
        """Whether the error of both runs is round-off, which has no order."""
        values = [number(run.get(column_of(criterion))) for run in self.runs]
        return None not in values and max(values) < ROUND_OFF

    def measured(self, criterion):
        """The number that a criterion judges; None if a run lacks it."""
        values = [number(run.get(column_of(criterion))) for run in self.runs]
        if None in values:
            return None
        if "order_of" not in criterion:
            return values[-1]
        if len(values) < 2 or min(values) <= 0:
            return None
        return math.log2(values[0] / values[-1])

    def limit(self, criterion):
        if "order_of" not in criterion:
            return criterion.get("at_most")
        limits = {**read_toml(CRITERIA)["methods"]["limits"], **criterion.get("limits", {})}
        return min(limits[name] for name in (*self.scheme, self.integrator) if name in limits)

    def matches(self, reason):
        names = {"scene": [self.scene], "discretization": [self.scheme[0]], "reconstruction": [self.scheme[1] or "none"],
                 "integrator": [self.integrator], "verdict": [self.verdict], "criterion": self.failed, "variant": [self.variant]}
        return all(set(listed(reason[key])) & set(names[key]) for key in names if key in reason)


def number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def read_runs(path):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file)) or refuse(f"{path}: a table without runs")
    except OSError:
        refuse(f"{path}: there is no such table; run scripts/validate.sh {path.parent.name}")


def cells_of(scene, rows):
    """A cell for each scheme, integrator and variant; its runs from the coarser to the finer mesh."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in ("discretization", "reconstruction", "integrator", *variants(scene))), []).append(row)
    return [Cell(scene, runs) for runs in groups.values()]


def explain(cells, all_scenes):
    """Gives each cell that fails its reason; returns whether all have one and, with all scenes, whether each reason explains some."""
    reasons, missing = read_toml(REASONS).get("reason", []), []
    used = set()
    for cell in cells:
        if cell.verdict in ("pass", "n.a."):
            continue
        for place, reason in enumerate(reasons):
            if cell.matches(reason):
                page = f" ([page](../findings/{reason['page']}.md))" if "page" in reason else ""
                cell.reason = reason["text"] + page
                used.add(place)
                break
        else:
            missing.append(f"{cell.scene}, {' '.join(filter(None, cell.scheme))} {cell.integrator} {cell.variant}: {cell.verdict} {cell.text}")
    idle = [reason["text"] for place, reason in enumerate(reasons) if place not in used and all_scenes]
    for line in missing:
        print(f"validation.py: no reason in {REASONS} for: {line}", file=sys.stderr)
    for text in idle:
        print(f"validation.py: {REASONS}: nothing fails by: {text}", file=sys.stderr)
    return not missing and not idle


def command_of(run, case):
    """The command that repeats a run."""
    words = ["shoal run", run["scene"], "--mesh", run["mesh_name"], "--discretization", run["discretization"], "--integrator", run["integrator"]]
    for key in ("advection", "dt", "end", "snapshots", "diagnostics"):
        if key in case and not (key == "advection" and run["reconstruction"]):  # the fluxes of finite volumes include it
            words += [f"--{key}", str(case[key])]
    for name, value in case["parameters"].items():
        if name in ("reconstruction", "limiter"):
            if not run["reconstruction"]:
                continue
            value = run["reconstruction"] if name == "reconstruction" else value
            if name == "limiter" and run["reconstruction"] == "constant":
                continue
        words += ["--param", f"{name}={value}"]
    return " ".join(words)


def case_of(scene, cell):
    """The case of the experiment to which a cell belongs."""
    for case in settings(scene):
        if all(number(cell.runs[0][name]) == number(str(case["parameters"].get(name))) for name in variants(scene)):
            return case
    refuse(f"{scene}: no case of the experiment has {cell.variant}")


# The pages


def title_of(scheme):
    return scheme[0] + (" linear" if scheme[1] == "linear" else "")


def criterion_text(criterion):
    """A criterion in words, with its source."""
    if "report" in criterion:
        what = f"`{criterion['report']}`, without a limit"
    elif "quantity" in criterion:
        what = f"`{criterion['quantity']}` ≤ {criterion['at_most']:g}"
    else:
        limits = {**read_toml(CRITERIA)["methods"]["limits"], **criterion.get("limits", {})}
        by_limit = {}
        for name, limit in sorted(limits.items(), key=lambda one: one[1]):
            by_limit.setdefault(limit, []).append(f"`{name}`")
        lowest = min(by_limit)
        what = f"order of `{criterion['order_of']}` between the meshes ≥ " + (
            f"{max(by_limit):g}" if len(by_limit) == 1 else
            "; ".join(f"{limit:g} ({', '.join(names)})" for limit, names in by_limit.items() if limit == lowest or limit >= lowest))
    return f"{what}: {criterion['source']}"


class Scene:
    """One section of the page."""

    def __init__(self, name, cells, rows):
        self.name, self.cells, self.rows = name, cells, rows
        self.schemes = list(dict.fromkeys(cell.scheme for cell in cells))
        self.lines = list(dict.fromkeys((cell.integrator, cell.variant) for cell in cells))
        self.notes = list(dict.fromkeys(cell.reason for cell in cells if cell.reason))
        self.figure = column_of(criteria(name)[0]) in rows[0] and any(number(row[column_of(criteria(name)[0])]) for row in rows)
        self.meshes = list(dict.fromkeys(row["mesh_name"] for row in rows))

    def cell(self, scheme, line):
        return next((cell for cell in self.cells if cell.scheme == scheme and (cell.integrator, cell.variant) == line), None)

    def counts(self, scheme):
        """Cells of a scheme that pass, and those that apply."""
        own = [cell for cell in self.cells if cell.scheme == scheme and cell.verdict != "n.a."]
        return sum(cell.verdict == "pass" for cell in own), len(own)

    def line_in_table(self, cell):
        """The line of the finer run in SCENE.csv, from 1, after the head."""
        return self.rows.index(cell.runs[-1]) + 2


@functools.cache
def published_of(scene):
    if not PUBLISHED.is_file():
        return []
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["scene"] == scene]


INTRODUCTION = [
    "A cell counts the integrators with which a discretization meets all criteria of a scene, of those that apply. The names of the scenes "
    "lead to tables with a cell per scheme and integrator, and to the reason of each that fails.",
    "✓ meets all criteria; ✗ fails at least one; unstable: the run ended early, at this time on this mesh; –: does not apply. The number is "
    "the one that the scene's first criterion judges, further numbers are those that fail. `linear`: finite volumes with linear reconstruction.",
]


def overview(scenes):
    """The heads and rows of the table of scenes: pairs of cells that pass and cells that apply, for each scheme."""
    schemes = list(dict.fromkeys(scheme for scene in scenes for scheme in scene.schemes))
    return schemes, [(scene, [scene.counts(scheme) for scheme in schemes]) for scene in scenes]


def markdown(scenes, provenance):
    schemes, rows = overview(scenes)
    yield "# Every scheme on every scene"
    yield from ("", provenance, "", INTRODUCTION[0], "")
    yield f"| scene | {' | '.join(map(title_of, schemes))} |"
    yield "|---" * (len(schemes) + 1) + "|"
    for scene, counts in rows:
        yield f"| [{scene.name}](#{scene.name}) | {' | '.join(count_text(*one) for one in counts)} |"
    yield from ("", INTRODUCTION[1] + " A cell leads to its line in the table of runs, which has the command.")
    for scene in scenes:
        yield from ("", f"## {scene.name}", "", f"Meshes: {', '.join(f'`{mesh}`' for mesh in scene.meshes)}. Criteria:", "")
        for criterion in criteria(scene.name):
            yield f"- {criterion_text(criterion)}"
        yield from ("", f"| integrator | {' | '.join(map(title_of, scene.schemes))} |", "|---" * (len(scene.schemes) + 1) + "|")
        for line in scene.lines:
            cells = [scene.cell(scheme, line) for scheme in scene.schemes]
            yield f"| {', '.join(filter(None, line))} | {' | '.join('' if cell is None else markdown_cell(scene, cell) for cell in cells)} |"
        yield ""
        for place, note in enumerate(scene.notes):
            yield f"{place + 1}. {note}"
        others = published_of(scene.name)
        if others:
            yield from ("", "| published by others | quantity | resolution | value | source |", "|---|---|---|---|---|")
            for row in others:
                yield f"| {row['code']} | {row['quantity']} | {row['resolution']} | {row['value']} | {row['document']}, {row['where']} |"
        yield ""
        if scene.figure:
            yield from (f"![Errors of all schemes in {scene.name}]({scene.name}.png)", "")
        yield f"Command: `scripts/validate.sh {scene.name}`; [table of runs]({scene.name}.csv), [picture](../scenes/README.md#{scene.name})"
    yield from ("", "## Omitted scenes", "", *(f"- {line}" for line in omitted()))


def omitted():
    """Scenes without a validation, with the reason."""
    return [f"`{name}`: {why}" for name, why in read_toml(CRITERIA)["omitted"].items()]


def count_text(good, of):
    return "–" if not of else f"{'✓ ' if good == of else ''}{good}/{of}"


def markdown_cell(scene, cell):
    note = f"<sup>{scene.notes.index(cell.reason) + 1}</sup>" if cell.reason else ""
    text = f"{MARK[cell.verdict]} {cell.text}".strip()
    return (text if cell.verdict == "n.a." else f"[{text}]({scene.name}.csv#L{scene.line_in_table(cell)})") + note


STYLE = """body{font:14px/1.45 sans-serif;max-width:1300px;margin:2em auto;padding:0 1em}table{border-collapse:collapse;margin:1em 0}
th,td{border:1px solid #bbb;padding:3px 7px;text-align:left}th{background:#f4f4f4}td a{color:inherit;text-decoration:none}
td a:hover{text-decoration:underline}img{max-width:100%}code{background:#f4f4f4}"""


def marked_up(text):
    """HTML of a text with Markdown's `code` and [links](…)."""
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))
    return re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r'<a href="\2">\1</a>', text)


def html_table(head, rows):
    yield "<table><tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in head) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(row) + "</tr>"
    yield "</table>"


def html_cell(scene, cell):
    if cell is None:
        return "<td></td>"
    note = f"<sup>{scene.notes.index(cell.reason) + 1}</sup>" if cell.reason else ""
    text = html.escape(f"{MARK[cell.verdict]} {cell.text}".strip())
    if cell.verdict != "n.a.":
        command = html.escape(command_of(cell.runs[-1], case_of(scene.name, cell)))
        text = f'<a href="{scene.name}.csv" title="{command}">{text}</a>'
    return f'<td style="background:{COLOUR[cell.verdict]}">{text}{note}</td>'


def html_page(scenes, provenance):
    schemes, rows = overview(scenes)
    yield f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Every scheme on every scene</title><style>{STYLE}</style>'
    yield f"<h1>Every scheme on every scene</h1><p>{marked_up(provenance)}</p><p>{marked_up(INTRODUCTION[0])}</p>"
    shade = lambda good, of: COLOUR["n.a." if not of else "pass" if good == of else "fail" if not good else "unstable"]
    yield from html_table(["scene", *map(title_of, schemes)], [
        [f'<td><a href="#{scene.name}">{scene.name}</a></td>',
         *(f'<td style="background:{shade(*one)}">{count_text(*one)}</td>' for one in counts)] for scene, counts in rows])
    yield f"<p>{marked_up(INTRODUCTION[1])} The pointer over a cell shows the command of its finer run.</p>"
    for scene in scenes:
        yield f'<h2 id="{scene.name}">{scene.name}</h2><p>Meshes: {", ".join(map(html.escape, scene.meshes))}. Criteria:</p><ul>'
        yield from (f"<li>{marked_up(criterion_text(criterion))}</li>" for criterion in criteria(scene.name))
        yield "</ul>"
        yield from html_table(["integrator", *map(title_of, scene.schemes)], [
            [f"<td>{html.escape(', '.join(filter(None, line)))}</td>", *(html_cell(scene, scene.cell(scheme, line)) for scheme in scene.schemes)]
            for line in scene.lines])
        yield "<ol>" + "".join(f"<li>{marked_up(note)}</li>" for note in scene.notes) + "</ol>"
        others = published_of(scene.name)
        if others:
            yield from html_table(["published by others", "quantity", "resolution", "value", "source"], [
                [f"<td>{html.escape(text)}</td>" for text in (row["code"], row["quantity"], row["resolution"], row["value"], f"{row['document']}, {row['where']}")]
                for row in others])
        if scene.figure:
            yield f'<p><img src="{scene.name}.png" alt="Errors of all schemes in {scene.name}"></p>'
        yield (f'<p>Command: <code>scripts/validate.sh {scene.name}</code>; <a href="{scene.name}.csv">table of runs</a>, '
               f'<a href="../scenes/{scene.name}.png">picture</a></p>')
    yield "<h2>Omitted scenes</h2><ul>" + "".join(f"<li>{marked_up(line)}</li>" for line in omitted()) + "</ul></html>"


def draw(scene, table):
    """SCENE.png: the quantity of the scene's first criterion for all runs."""
    column = column_of(criteria(scene.name)[0])
    subprocess.run([sys.executable, "scripts/plots/dots.py", str(table), column, "--rows", "discretization", "reconstruction", *variants(scene.name),
                    "--marks", "integrator", "--panels", "mesh_name", "--log", column, "--where", "outcome=finished", "--output", str(PAGE),
                    "--name", scene.name, "--formats", "png", "--dpi", "100"], check=True, stdout=subprocess.DEVNULL)


def lines_of(scene):
    """The lines of SCENE.csv."""
    commands = {id(run): command_of(run, case_of(scene.name, cell)) for cell in scene.cells for run in cell.runs}
    names = [name for name in scene.rows[0] if name not in ("seconds", "id", "git_commit", "scene")]
    yield [*names, "command"]
    for row in scene.rows:
        refused = row["outcome"] in ("refused", "input-refused")
        yield [*(printed(row[name]) for name in names), "" if refused else commands[id(row)]]


def printed(text):
    """Three digits of a number; whole numbers and words as they are. Round-off, which depends on the processor, has no digits."""
    value = number(text)
    if value is None or re.fullmatch(r"-?\d+", text):
        return text
    return f"< {ROUND_OFF:g}" if abs(value) < ROUND_OFF else f"{value:.3g}"


def check(scene):
    """Prints the lines in which a table differs from the one kept; returns whether there is none."""
    path = PAGE / f"{scene.name}.csv"
    with open(path, newline="", encoding="utf-8") as file:
        kept = list(csv.reader(file))
    made = list(lines_of(scene))
    different = [(old, new) for old, new in zip(kept, made, strict=True) if old != new] if len(kept) == len(made) else [(kept[0], made[0])]
    for old, new in different:
        print(f"validation.py: {path} has\n  {','.join(old)}\nnow\n  {','.join(new)}", file=sys.stderr)
    print(f"{scene.name}: {len(made) - 1 - len(different)} of {len(made) - 1} runs as in {path}")
    return not different


def main():
    actions = ("list", "split", "page", "check")
    if len(sys.argv) < 2 or sys.argv[1] not in actions or (len(sys.argv) < 3 and sys.argv[1] != "list"):
        refuse("list, split FOLDER [SCENE…], page FOLDER or check FOLDER SCENE… is allowed")
    if sys.argv[1] == "list":
        print(*cases(), sep="\n")
        return
    action, folder, names = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    for name in names:
        if name not in cases():
            refuse(f"there is no scene '{name}' in {EXPERIMENTS[0]} or {EXPERIMENTS[1]}; there are: {', '.join(cases())}")
    if action == "split":
        split(folder, names)
        return
    missing = [] if names else [name for name in cases() if not (folder / name / "runs.csv").is_file()]
    tables = {name: read_runs(folder / name / "runs.csv") for name in names or cases() if name not in missing}
    if not tables:
        refuse(f"{folder}: no table SCENE/runs.csv of any scene; scripts/validate.sh writes them")
    cells = {name: cells_of(name, rows) for name, rows in tables.items()}
    if action == "check":
        sys.exit(0 if all([check(Scene(name, cells[name], rows)) for name, rows in tables.items()]) else 1)
    complete = explain([cell for group in cells.values() for cell in group], not names and not missing)
    scenes = [Scene(name, cells[name], rows) for name, rows in tables.items()]
    PAGE.mkdir(parents=True, exist_ok=True)
    for scene in scenes:
        with open(PAGE / f"{scene.name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(lines_of(scene))
        if scene.figure:
            draw(scene, folder / scene.name / "runs.csv")
    commits = sorted({row["git_commit"][:10] for scene in scenes for row in scene.rows})
    provenance = f"Made by `scripts/validate.sh` with the program of commit {', '.join(commits)}."
    if missing:
        provenance += f" Scenes that are not here yet: {', '.join(missing)}."
    (PAGE / "README.md").write_text("".join(f"{line}\n" for line in markdown(scenes, provenance)), encoding="utf-8")
    (PAGE / "index.html").write_text("".join(f"{line}\n" for line in html_page(scenes, provenance)), encoding="utf-8")
    sys.exit(0 if complete else 1)


if __name__ == "__main__":
    main()
