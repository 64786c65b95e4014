"""The parts of scripts/validate.sh that are not the runs themselves.

    /usr/bin/python3 scripts/validation.py list                    prints the scenes
    /usr/bin/python3 scripts/validation.py split FOLDER [SCENE…]   writes FOLDER/SCENE.toml, the cases of one scene in the experiments
                                                                   validation and validation-moving, with the columns of its criteria;
                                                                   prints the names
    /usr/bin/python3 scripts/validation.py page FOLDER             reads FOLDER/SCENE/runs.csv and writes results/validation/
    /usr/bin/python3 scripts/validation.py page FOLDER SCENE…      the same for some scenes or with --discretization; writes to FOLDER instead
    /usr/bin/python3 scripts/validation.py check FOLDER SCENE…     compares FOLDER/SCENE/runs.csv with results/validation/ to the printed digits

Options: --discretization NAME   a scheme that the experiments do not name, "NAME linear" a flux with linear reconstruction; repeatable. split also
                                 writes FOLDER/SCENE-added.toml with its runs; page and check also read FOLDER/SCENE/added.csv
         --plugin LIB.so         the printed commands of such schemes load it; repeatable
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
MARK = {"pass": "✓", "reported": "○", "fail": "✗", "unstable": "unstable", "n.a.": "–"}
COLOUR = {"pass": "#d8f0d8", "reported": "#dde8f6", "fail": "#f8d8d0", "unstable": "#f6e6b0", "n.a.": "#eeeeee"}


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
    names = dict.fromkeys(name for one in given for name in one if name not in ("reconstruction", "limiter"))
    return [name for name in names if len({str(one.get(name)) for one in given}) > 1]


def optional(scene):
    """Parameters of the cases that some runs lack; a run without one has an empty cell in its column."""
    names = dict.fromkeys(name for case in settings(scene) for name in case["parameters"])
    return [name for name in names if name not in ("reconstruction", "limiter", *variants(scene))]


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


def parsed(scheme):
    """Name and reconstruction of a scheme of --discretization."""
    name, _, reconstruction = scheme.partition(" ")
    if reconstruction not in ("", "linear"):
        refuse(f"--discretization '{scheme}': NAME or 'NAME linear' is allowed")
    if name in known_schemes():
        refuse(f"--discretization '{scheme}': {EXPERIMENTS[0]} has it")
    return name, reconstruction or "constant"


def of_schemes(head, schemes):
    """The head of an experiment file with other schemes, beside one that has all parameters of the cases."""
    schemes = [("hllc", "linear"), *schemes]
    for place, key in enumerate((r"discretization", r"parameters\.reconstruction")):
        values = ", ".join(f'"{scheme[place]}"' for scheme in schemes)
        head = re.sub(rf"(?ms)^({key} = \[).*?\]$", rf"\g<1>{values}]", head)
    return head


def names_schemes(block):
    """Whether a case has schemes of its own in place of those of the head."""
    return "discretization" in tomllib.loads(block).get("case", [{}])[0]


@functools.cache
def known_schemes():
    """Those of the experiments and of single cases."""
    return {name for path in EXPERIMENTS for one in (read_toml(path), *read_toml(path)["case"]) for name in listed(one.get("discretization", []))}


def split(folder, scenes, added):
    added = [parsed(scheme) for scheme in added]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse(f"{folder}: cannot be made: {error.strerror}")
    for scene in scenes or cases():
        head, blocks = cases()[scene]
        own = set.intersection(*(set(tomllib.loads(block)["case"][0]) for block in blocks))
        entries = re.split(r"(?m)^(?=[\w.]+ = )", head)  # shoal refuses keys of the head that no case takes from it
        head = "".join(entry for entry in entries if entry.split(" = ")[0] not in own)
        columns = [*KEYS, *variants(scene), *optional(scene), *dict.fromkeys(map(column_of, criteria(scene))), "steps", "seconds"]
        table = f'[[table]]\nfile = "runs.csv"\ncolumns = [{", ".join(f"""{name!r}""" for name in columns)}]\n'.replace("'", '"')
        (folder / f"{scene}.toml").write_text(head + "".join(blocks) + table, encoding="utf-8")
        if added:
            text = of_schemes(head, added) + "".join(block for block in blocks if not names_schemes(block)) + table.replace("runs.csv", "added.csv")
            (folder / f"{scene}-added.toml").write_text(text, encoding="utf-8")
        print(scene)


# The verdicts


class Cell:
    """The two runs of a scheme, with a verdict, the text that the page prints, and its reason."""

    def __init__(self, scene, runs):
        self.scene, self.runs, self.verdict, self.text, self.reasons, self.failed = scene, runs, "reported", "", [], []
        self.run = runs[-1]  # to which the cell leads
        first = runs[0]
        self.scheme = (first["discretization"], first["reconstruction"])
        self.integrator = first["integrator"]
        self.variant = ", ".join(f"{name} = {first[name]}" for name in variants(scene))
        self.judge()

    def judge(self):
        refused = [run for run in self.runs if run["outcome"] in ("refused", "input-refused")]
        if refused:
            self.verdict, self.reasons = "n.a.", [refused[0]["reason"]]
            return
        for run in self.runs:
            if not run["outcome"].startswith("finished"):
                self.verdict, self.run = "unstable", run
                self.text = f"t = {float(run['t_reached']):.3g} s ({run['mesh_name']})"
                self.failed.append(run["outcome"].split(",")[0])
                return
        for criterion in criteria(self.scene):
            value, limit = self.measured(criterion), self.limit(criterion)
            if value is None and criterion.get("of_velocity"):
                continue
            shown = "" if value is None else rounded(value, limit) if "order_of" in criterion else printed(str(value))
            if "order_of" in criterion and self.exact(criterion):
                shown, value = "exact", limit
            good = limit is None or (value is not None and (value >= limit if "order_of" in criterion else value <= limit))
            if not good:
                self.verdict = "fail"
                self.failed.append(column_of(criterion))
            elif "scene" in criterion and limit is not None and self.verdict == "reported":
                self.verdict = "pass"
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
        limits = limits_of(criterion)
        if not any(name in limits for name in self.scheme):
            return None  # the order of the scheme is not known
        return min(limits[name] for name in (*self.scheme, self.integrator) if name in limits)

    def matches(self, reason, failed):
        """Whether a reason explains the criterion that failed, or how the run ended."""
        if "criterion" not in reason and failed not in {column_of(one) for one in criteria(self.scene) if "scene" in one}:
            return False
        names = {"scene": self.scene, "discretization": self.scheme[0], "reconstruction": self.scheme[1] or "none",
                 "integrator": self.integrator, "criterion": failed, "variant": self.variant}
        return all(names[key] in listed(reason[key]) for key in names if key in reason)


def limits_of(criterion):
    """The least orders by the names of schemes, reconstructions and integrators."""
    return {**read_toml(CRITERIA)["methods"]["limits"], **criterion.get("limits", {})}


def rounded(order, limit):
    """Two digits of an order, more where it would seem to meet its limit."""
    digits = 2
    while limit is not None and order < limit <= round(order, digits):
        digits += 1
    return f"{order:.{digits}f}"


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
    """Gives each cell that fails its reasons, one for each criterion; returns whether all have them and, with all scenes, whether each
    reason explains some."""
    reasons, missing = read_toml(REASONS).get("reason", []), []
    used = set()
    for cell in cells:
        for failed in cell.failed:
            place = next((place for place, reason in enumerate(reasons) if cell.matches(reason, failed)), None)
            if place is not None:
                page = f" ([page](../findings/{reasons[place]['page']}.md))" if "page" in reasons[place] else ""
                cell.reasons.append(reasons[place]["text"] + page)
                used.add(place)
            elif cell.scheme[0] in known_schemes():
                missing.append(f"{cell.scene}, {' '.join(filter(None, cell.scheme))} {cell.integrator} {cell.variant}: {failed} {cell.text}")
    idle = [reason["text"] for place, reason in enumerate(reasons) if place not in used and all_scenes]
    for line in missing:
        print(f"validation.py: no reason in {REASONS} for: {line}", file=sys.stderr)
    for text in idle:
        print(f"validation.py: {REASONS}: nothing fails by: {text}", file=sys.stderr)
    return not missing and not idle


def command_of(run, case, plugins=()):
    """The command that repeats a run."""
    words = ["shoal run", run["scene"], "--mesh", run["mesh_name"], "--discretization", run["discretization"], "--integrator", run["integrator"]]
    for key in ("advection", "dt", "end", "snapshots", "diagnostics"):
        if key in case and not (key == "advection" and run["reconstruction"]):  # the fluxes of finite volumes include it
            words += [f"--{key}", str(case[key])]
    for name, value in case["parameters"].items():
        if name == "limiter" and run["reconstruction"] != "linear" or run.get(name, value) == "":
            continue  # no part of this run has the parameter
        words += ["--param", f"{name}={run['reconstruction'] if name == 'reconstruction' else value}"]
    if run["discretization"] not in known_schemes():
        words += [word for plugin in plugins for word in ("--plugin", plugin)]
    return " ".join(words)


def case_of(scene, cell):
    """The case of the experiment to which a cell belongs."""
    for case in settings(scene):
        has_scheme = cell.scheme[0] in listed(case["discretization"]) or cell.scheme[0] not in known_schemes()
        if has_scheme and all(number(cell.runs[0][name]) == number(str(case["parameters"].get(name))) for name in variants(scene)):
            return case
    refuse(f"{scene}: no case of the experiment has {cell.variant}")


# The pages


def title_of(scheme):
    return scheme[0] + (" linear" if scheme[1] == "linear" else "")


def criterion_text(criterion, cells):
    """A criterion in words, with its source, and of the limits those that apply to some cell."""
    if "report" in criterion:
        return f"`{criterion['report']}` is reported, without a limit: {criterion['source']}"
    if "quantity" in criterion:
        return f"`{criterion['quantity']}` ≤ {criterion['at_most']:g}: {criterion['source']}"
    limits, of_methods = limits_of(criterion), False
    by_limit = {}
    for cell in cells:
        limit = None if cell.verdict == "n.a." else cell.limit(criterion)
        if limit is not None:
            name = next(name for name in (*cell.scheme, cell.integrator) if limits.get(name) == limit)
            by_limit.setdefault(limit, {})[f"`{name}`"] = True
            of_methods |= name not in criterion.get("limits", {})
    shown = [f"{limit:g} ({', '.join(names)})" if len(by_limit) > 1 else f"{limit:g}" for limit, names in sorted(by_limit.items())]
    sources = [criterion["source"]] if "limits" in criterion else []
    if of_methods:
        sources.append(f"{'other limits: ' if sources else ''}{read_toml(CRITERIA)['methods']['source']}")
    against = f" against {criterion['against']}" if "against" in criterion else ""
    return (f"order of `{criterion['order_of']}`{against} between the meshes ≥ {'the lowest limit that applies: ' if len(shown) > 1 else ''}"
            f"{', '.join(shown)}; {'; '.join(sources)}")


def settings_text(scene):
    """The settings of a scene's runs that are not defaults, those of variants left out."""
    case = settings(scene)[0]
    given = {name: case[name] for name in ("end", "advection") if name in case}
    given |= {name: value for name, value in case["parameters"].items() if name != "reconstruction" and name not in variants(scene)}
    return f" Settings: {', '.join(f'`{name} = {value}`' for name, value in given.items())}; all others are defaults." if given else ""


class Scene:
    """One section of the page."""

    def __init__(self, name, cells, rows):
        self.name, self.cells, self.rows = name, cells, rows
        self.schemes = list(dict.fromkeys(cell.scheme for cell in cells))
        self.lines = list(dict.fromkeys((cell.integrator, cell.variant) for cell in cells))
        values = [number(row.get(column_of(criteria(name)[0]))) for row in rows]
        self.figure = "scene" in criteria(name)[0] and any(value is not None and value >= ROUND_OFF for value in values)
        self.meshes = list(dict.fromkeys(row["mesh_name"] for row in rows))
        self.finer = list(dict.fromkeys(cell.runs[-1]["mesh_name"] for cell in cells))

    @functools.cached_property
    def notes(self):
        return list(dict.fromkeys(reason for cell in self.cells for reason in cell.reasons))

    def cell(self, scheme, line):
        return next((cell for cell in self.cells if cell.scheme == scheme and (cell.integrator, cell.variant) == line), None)

    @property
    def of_order(self):
        return "order_of" in criteria(self.name)[0]

    def counts(self, scheme):
        """The mark of a scheme's cells, those that pass or only report, and those that apply."""
        own = [cell.verdict for cell in self.cells if cell.scheme == scheme and cell.verdict != "n.a."]
        if "pass" in own:  # what is only reported does not count beside what is judged
            own = [verdict for verdict in own if verdict != "reported"]
        good = sum(verdict in ("pass", "reported") for verdict in own)
        return "○" if "reported" in own or not self.judged else "✓" if good == len(own) else "", good, len(own)

    @property
    def judged(self):
        """Whether a criterion limits an error; else errors are only reported."""
        return any("scene" in criterion and "report" not in criterion for criterion in criteria(self.name))

    def numbers(self, cell):
        """The numbers of a cell's notes."""
        return ",".join(map(str, sorted({self.notes.index(reason) + 1 for reason in cell.reasons})))

    def line_in_table(self, cell):
        """The line of a cell's run in SCENE.csv, from 1, after the head."""
        return self.rows.index(cell.run) + 2


@functools.cache
def published_of(scene):
    if not PUBLISHED.is_file():
        return []
    with open(PUBLISHED, newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["scene"] == scene]


PUBLISHED_HEAD = ["published by others", "quantity", "resolution", "nodes or cells", "value", "source"]


def published_cells(row):
    return [row["code"], row["quantity"], row["resolution"], row["nodes"] or "–", row["value"], f"{row['document']}, {row['where']}"]


def introduction(scenes):
    judged = sum(scene.judged for scene in scenes)
    yield (f"Each cell gives the number of integrators with which the discretization meets all criteria, out of those that can run the scene. "
           f"✓: all do. {judged} scenes have a criterion of accuracy; in the other {len(scenes) - judged} (○) the number is of the runs that reach "
           f"their end and conserve mass, and errors are reported, not judged. Scene names link to the tables and to the reasons for failures. "
           f"{len(omitted())} scenes are [omitted](#omitted-scenes).")
    yield ("✓ meets all criteria; ○ ran to its end, and errors are reported, not judged; ✗ fails at least one criterion; unstable: the run ended "
           "early, at this time on this mesh; –: cannot run the scene, by the note or the sentence above its table. The first number is the one to which the scene's first criterion refers; "
           "further numbers are those of other criteria that fail. `linear`: finite volumes with linear reconstruction. Each cell links to the run "
           "on the finer mesh, or to the one that ended early, in the table of runs, which has the command: with `--output FILE.h5` added to it, then "
           "`shoal table FILE.h5 --columns COLUMN` prints the number.")


def overview(scenes):
    """The heads and rows of the table of scenes: pairs of cells that pass and cells that apply, for each scheme."""
    schemes = list(dict.fromkeys(scheme for scene in scenes for scheme in scene.schemes))
    return schemes, [(scene, [scene.counts(scheme) for scheme in schemes]) for scene in scenes]


def markdown(scenes, provenance):
    schemes, rows = overview(scenes)
    yield "# Every scheme on every scene"
    yield from ("", provenance, "", next(iter(introduction(scenes))), "")
    yield f"| scene | {' | '.join(map(title_of, schemes))} |"
    yield "|---" * (len(schemes) + 1) + "|"
    for scene, counts in rows:
        yield f"| [{scene.name}](#{scene.name}) | {' | '.join(count_text(*one) for one in counts)} |"
    yield from ("", [*introduction(scenes)][1])
    for scene in scenes:
        yield from ("", f"## {scene.name}", "",
                    f"Meshes: {', '.join(f'`{mesh}`' for mesh in scene.meshes)}.{settings_text(scene.name)}{without_runs_text(scene)} Criteria:", "")
        for criterion in criteria(scene.name):
            yield f"- {criterion_text(criterion, scene.cells)}"
        yield from ("", f"| integrator | {' | '.join(map(title_of, scene.schemes))} |", "|---" * (len(scene.schemes) + 1) + "|")
        for line in scene.lines:
            cells = [scene.cell(scheme, line) for scheme in scene.schemes]
            yield f"| {', '.join(filter(None, line))} | {' | '.join('' if cell is None else markdown_cell(scene, cell) for cell in cells)} |"
        yield ""
        for place, note in enumerate(scene.notes):
            yield f"{place + 1}. {note}"
        others = published_of(scene.name)
        if others:
            yield from ("", f"| {' | '.join(PUBLISHED_HEAD)} |", "|---" * len(PUBLISHED_HEAD) + "|")
            yield from (f"| {' | '.join(published_cells(row))} |" for row in others)
        yield ""
        if scene.figure:
            yield from (f"![Errors of all schemes in {scene.name}]({scene.name}.png)", "", f"*{caption(scene)}*", "")
        yield f"Command: `scripts/validate.sh {scene.name}`; [table of runs]({scene.name}.csv), [picture](../scenes/README.md#{scene.name})"
    yield from ("", "## Omitted scenes", "", *(f"- {line}" for line in omitted()))


def without_runs(scene):
    """Schemes of the experiments that have no runs of a scene, by the reason; None if there is no reason."""
    found = {}
    for name in sorted(known_schemes() - {name for name, _ in scene.schemes}):
        why = next((one["why"] for one in read_toml(CRITERIA)["without_runs"]
                    if scene.name in one["scene"] and name in one["discretization"]), None)
        found.setdefault(why, []).append(name)
    return found


def without_runs_text(scene):
    return "".join(f" Without runs: {', '.join(f'`{name}`' for name in names)}, because {why or 'no reason is given'}."
                   for why, names in without_runs(scene).items())


def omitted():
    """Scenes without a validation, with the reason."""
    return [f"`{name}`: {why}" for name, why in read_toml(CRITERIA)["omitted"].items()]


def count_text(mark, good, of):
    return "–" if not of else f"{mark} {good}/{of}".strip()


def markdown_cell(scene, cell):
    note = f"<sup>{scene.numbers(cell)}</sup>" if cell.reasons else ""
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


def html_cell(scene, cell, plugins):
    if cell is None:
        return "<td></td>"
    note = f"<sup>{scene.numbers(cell)}</sup>" if cell.reasons else ""
    text = html.escape(f"{MARK[cell.verdict]} {cell.text}".strip())
    if cell.verdict != "n.a.":
        command = html.escape(command_of(cell.run, case_of(scene.name, cell), plugins))
        text = f'<a href="{scene.name}.csv" title="{command}">{text}</a>'
    return f'<td style="background:{COLOUR[cell.verdict]}">{text}{note}</td>'


def html_page(scenes, provenance, plugins):
    schemes, rows = overview(scenes)
    yield f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Every scheme on every scene</title><style>{STYLE}</style>'
    head, legend = introduction(scenes)
    yield f"<h1>Every scheme on every scene</h1><p>{marked_up(provenance)}</p><p>{marked_up(head)}</p>"
    shade = lambda mark, good, of: COLOUR["n.a." if not of else {"○": "reported"}.get(mark, "pass") if good == of else "fail" if not good else "unstable"]
    yield from html_table(["scene", *map(title_of, schemes)], [
        [f'<td><a href="#{scene.name}">{scene.name}</a></td>',
         *(f'<td style="background:{shade(*one)}">{count_text(*one)}</td>' for one in counts)] for scene, counts in rows])
    yield f"<p>{marked_up(legend)} The pointer over a cell shows the command.</p>"
    for scene in scenes:
        yield (f'<h2 id="{scene.name}">{scene.name}</h2><p>Meshes: {", ".join(map(html.escape, scene.meshes))}.{marked_up(settings_text(scene.name) + without_runs_text(scene))} '
               "Criteria:</p><ul>")
        yield from (f"<li>{marked_up(criterion_text(criterion, scene.cells))}</li>" for criterion in criteria(scene.name))
        yield "</ul>"
        yield from html_table(["integrator", *map(title_of, scene.schemes)], [
            [f"<td>{html.escape(', '.join(filter(None, line)))}</td>", *(html_cell(scene, scene.cell(scheme, line), plugins) for scheme in scene.schemes)]
            for line in scene.lines])
        yield "<ol>" + "".join(f"<li>{marked_up(note)}</li>" for note in scene.notes) + "</ol>"
        others = published_of(scene.name)
        if others:
            yield from html_table(PUBLISHED_HEAD, [[f"<td>{html.escape(text)}</td>" for text in published_cells(row)] for row in others])
        if scene.figure:
            yield f'<p><img src="{scene.name}.png" alt="Errors of all schemes in {scene.name}"></p><p><i>{marked_up(caption(scene))}</i></p>'
        yield (f'<p>Command: <code>scripts/validate.sh {scene.name}</code>; <a href="{scene.name}.csv">table of runs</a>, '
               f'<a href="../scenes/{scene.name}.png">picture</a></p>')
    yield '<h2 id="omitted-scenes">Omitted scenes</h2><ul>' + "".join(f"<li>{marked_up(line)}</li>" for line in omitted()) + "</ul></html>"


def caption(scene):
    order = " and its order between the meshes" if scene.of_order else ""
    limit = "" if "report" in criteria(scene.name)[0] else "; a black line is the limit of a run"
    return f"`{column_of(criteria(scene.name)[0])}` on {' and '.join(f'`{mesh}`' for mesh in scene.finer)}{order}, a mark for each integrator{limit}."


def draw(scene, page):
    """SCENE.png: the quantity of the scene's first criterion on the finer mesh, its order and the limit."""
    column = column_of(criteria(scene.name)[0])
    judged = "order" if scene.of_order else column
    limits = [] if "report" in criteria(scene.name)[0] else ["--limits", f"{judged}=limit"]
    subprocess.run([sys.executable, "scripts/plots/dots.py", f"{page}/{scene.name}.csv", *dict.fromkeys((column, judged)), *limits, "--rows",
                    "discretization", "reconstruction", *variants(scene.name), "--marks", "integrator", "--log", column, "--where",
                    "outcome=finished", f"mesh_name={'|'.join(scene.finer)}", "--output", str(page), "--name", scene.name, "--formats", "png",
                    "--dpi", "100"], check=True, stdout=subprocess.DEVNULL)


def lines_of(scene, plugins):
    """The lines of SCENE.csv."""
    commands = {id(run): command_of(run, case_of(scene.name, cell), plugins) for cell in scene.cells for run in cell.runs}
    names = [name for name in scene.rows[0] if name not in ("seconds", "id", "git_commit", "scene", *optional(scene.name))]
    first = criteria(scene.name)[0]
    judged = {}
    for cell in scene.cells:
        if cell.verdict not in ("n.a.", "unstable") and "scene" in first:
            order, limit = None if cell.exact(first) else cell.measured(first), cell.limit(first)
            judged[id(cell.runs[-1])] = [*(["" if order is None else rounded(order, limit)] if scene.of_order else []),
                                         "" if limit is None else f"{limit:g}"]
    columns = [*(["order"] if scene.of_order else []), "limit"] if "report" not in first else []
    yield [*names, *columns, "command"]
    for row in scene.rows:
        refused = row["outcome"] in ("refused", "input-refused")
        yield [*(printed(row[name]) for name in names), *judged.get(id(row), [""] * len(columns))[:len(columns)], "" if refused else commands[id(row)]]


def printed(text):
    """Three digits of a number; whole numbers and words as they are. Round-off, which depends on the processor, has no digits."""
    value = number(text)
    if value is None or re.fullmatch(r"-?\d+", text):
        return text
    return f"< {ROUND_OFF:g}" if abs(value) < ROUND_OFF else f"{value:.3g}"


def check(scene, plugins):
    """Prints the runs that differ from those kept, matched by their scheme, mesh and variant; returns whether there is none."""
    path = PAGE / f"{scene.name}.csv"
    with open(path, newline="", encoding="utf-8") as file:
        kept_head, *kept = csv.reader(file)
    head, *made = lines_of(scene, plugins)
    keys = [head.index(name) for name in ("discretization", "reconstruction", "integrator", "mesh_name", *variants(scene.name))]
    if head != kept_head:
        refuse(f"{path}: has the columns {', '.join(kept_head)}, now {', '.join(head)}; make it anew by scripts/validate.sh without scenes")
    kept, made = ({tuple(line[key] for key in keys): line for line in lines} for lines in (kept, made))
    different = [key for key in kept if kept[key] != made.get(key)]
    for key in different:
        now = ",".join(made[key]) if key in made else "missing"
        print(f"validation.py: {path} has\n  {','.join(kept[key])}\nnow\n  {now}", file=sys.stderr)
    print(f"{scene.name}: {len(kept) - len(different)} of {len(kept)} runs as in {path}")
    added = [key for key in made if key not in kept]
    if added:
        print(f"{scene.name}: {len(added)} runs are not in {path}: {', '.join(dict.fromkeys(' '.join(filter(None, key[:2])) for key in added))}")
    return not different


def options_of(words):
    """The values of the options, each repeatable, and the other words."""
    values, others, words = {"--discretization": [], "--plugin": []}, [], iter(words)
    for word in words:
        if word in values:
            values[word].append(next(words, None) or refuse(f"{word}: needs a value"))
        elif word.startswith("-"):
            refuse(f"there is no option '{word}'")
        else:
            others.append(word)
    return values["--discretization"], values["--plugin"], others


def main():
    added, plugins, words = options_of(sys.argv[1:])
    actions = ("list", "split", "page", "check")
    if not words or words[0] not in actions or (len(words) < 2 and words[0] != "list"):
        refuse("list, split FOLDER [SCENE…], page FOLDER [SCENE…] or check FOLDER SCENE… is allowed")
    if words[0] == "list":
        print(*cases(), sep="\n")
        return
    action, folder, names = words[0], pathlib.Path(words[1]), words[2:]
    for name in names:
        if name not in cases():
            refuse(f"there is no scene '{name}' in {EXPERIMENTS[0]} or {EXPERIMENTS[1]}; there are: {', '.join(cases())}")
    if action == "split":
        split(folder, names, added)
        return
    missing = [] if names else [name for name in cases() if not (folder / name / "runs.csv").is_file()]
    tables = {name: read_runs(folder / name / "runs.csv") for name in names or cases() if name not in missing}
    for name in tables if added else []:
        tables[name] += [row for row in read_runs(folder / name / "added.csv") if row["discretization"] not in known_schemes()]
    if not tables:
        refuse(f"{folder}: no table SCENE/runs.csv of any scene; scripts/validate.sh writes them")
    cells = {name: cells_of(name, rows) for name, rows in tables.items()}
    scenes = [Scene(name, cells[name], rows) for name, rows in tables.items()]
    if action == "check":
        sys.exit(0 if all([check(scene, plugins) for scene in scenes]) else 1)
    complete = explain([cell for group in cells.values() for cell in group], not names and not missing)
    for scene in scenes:
        for name in without_runs(scene).get(None, []):
            print(f"validation.py: no reason in {CRITERIA} why {scene.name} has no runs of {name}", file=sys.stderr)
            complete = False
    write(scenes, missing, folder if names or added else PAGE, plugins)
    sys.exit(0 if complete else 1)


def write(scenes, missing, page, plugins):
    """The pages, and of each scene its table and picture."""
    page.mkdir(parents=True, exist_ok=True)
    for scene in scenes:
        with open(page / f"{scene.name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(lines_of(scene, plugins))
        if scene.figure:
            draw(scene, page)
        else:
            (page / f"{scene.name}.png").unlink(missing_ok=True)
    commits = sorted({row["git_commit"][:10] for scene in scenes for row in scene.rows})
    provenance = f"Made by `scripts/validate.sh` with the program of commit {', '.join(commits)}."
    if missing:
        provenance += f" Not yet validated: {', '.join(missing)}."
    (page / "README.md").write_text("".join(f"{line}\n" for line in markdown(scenes, provenance)), encoding="utf-8")
    (page / "index.html").write_text("".join(f"{line}\n" for line in html_page(scenes, provenance, plugins)), encoding="utf-8")
    unknown = dict.fromkeys(" ".join(filter(None, cell.scheme)) for scene in scenes for cell in scene.cells
                            if not any(name in read_toml(CRITERIA)["methods"]["limits"] for name in cell.scheme))
    for name in unknown:
        print(f"no order known for {name}: reported, not judged, unless [methods] of {CRITERIA} gives its limit")
    print(f"{page}/README.md and index.html: {len(scenes)} scenes")


if __name__ == "__main__":
    main()
