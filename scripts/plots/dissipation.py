"""Plot the amplification |z| and the phase of a wave per step against ωΔt, with a table: lines show theory, marks show runs.

    /usr/bin/python3 scripts/plots/dissipation.py results/dissipation/dissipation.h5

For runs of the scene `eigenmode`. Measured: the wave's amplitudes c satisfy c(n+2) = s c(n+1) − p c(n), whose coefficients
are fitted; z is the larger root of z² − s z + p. Theory: the values recorded by each run (theory_modulus, theory_phase), and
between them the roots of the polynomial that interpolates them; there are no formulas here. Writes table.md
beside the figure.
"""

import numpy as np
from matplotlib.lines import Line2D
from shoal_plots import layout, words
from shoal_plots.arguments import arguments, refuse
from shoal_plots.lines import Lines
from shoal_plots.modes import amplification
from shoal_plots.page import Page
from shoal_plots.results import Results

# The attributes that distinguish runs of one integrator, besides the wave and the step.
OPTIONS = ["velocity_rule", "damping", "theta", "rayleigh", "rayleigh_stiffness", "displacement_damping",
           "reference_depth", "divergence_term", "acceleration_gradient", "substeps"]
MARKERS = {"fefv": "o", "dec": "x"}
EVERY = 3  # one run in three has a mark, shifted from line to line, so that marks on coincident lines are side by side


def variants(runs):
    """The lines of the figure: the integrators, and the options in which runs of one integrator differ."""
    texts, items = {}, []
    for run in runs:
        group = [other for other in runs if other["integrator"] == run["integrator"]]
        differing = [name for name in OPTIONS if len({str(other.get(name)) for other in group}) > 1]
        text = words.joined(words.attribute_text(name, run[name]) for name in differing if run.get(name) is not None)
        mine = texts.setdefault(run["integrator"], [])
        if text not in mine:
            mine.append(text)
        items.append({"integrator": run["integrator"], "variant": mine.index(text)})
    lines = Lines(items, ["integrator", "variant"])
    for values in lines.combinations:
        integrator, variant = values
        lines.label[values] = words.joined([integrator, texts[integrator][int(variant)]])
    return lines, {run.id: lines.values_of(item) for run, item in zip(runs, items)}


def theory_between(a, modulus, phase):
    """ωΔt, modulus and phase at dense points of the curve through the recorded values.

    z satisfies D z² − S z + P = 0, with polynomials D, S, P in (ωΔt)² of as low a degree as the recorded z allow; where
    none does, the recorded values stand alone.
    """
    z, largest = modulus * np.exp(1j * phase), a.max()
    dense = np.union1d(a, np.concatenate([np.linspace(a.min(), largest, 1500), np.geomspace(a.min(), largest, 1500)]))
    for degree in (1, 2, 3):
        powers = (a / largest)[:, None] ** (2 * np.arange(degree + 1))
        terms = np.hstack([(z**2)[:, None] * powers, -z[:, None] * powers, powers])  # D(0) = 1
        (*coefficients,), *_ = np.linalg.lstsq(np.vstack([terms[:, 1:].real, terms[:, 1:].imag]),
                                               -np.concatenate([terms[:, 0].real, terms[:, 0].imag]), rcond=None)
        d, s, p = np.reshape([1, *coefficients], (3, degree + 1))

        def larger_root(where):
            x = (where / largest)[:, None] ** (2 * np.arange(degree + 1))
            half, product = x @ s / (x @ d) / 2, x @ p / (x @ d)
            root = np.sqrt((half**2 - product).astype(complex))
            return half + np.where(half < 0, -root, root)

        found = larger_root(a)
        if np.allclose(np.abs(found), modulus, rtol=1e-6) and np.allclose(np.abs(np.angle(found)), phase, atol=1e-5):
            curve = larger_root(dense)
            return dense, np.abs(curve), np.abs(np.angle(curve))
    return a, modulus, phase


def write_table(path, rows):
    """The largest differences of each integrator on each discretization, over the range in which waves do not grow in theory."""
    head = ("discretization", "integrator", "largest ωΔt, stable", "runs", "modulus off by", "at ωΔt", "phase off by",
            "at ωΔt", "runs beyond", "modulus off by, beyond")
    lines = ["| " + " | ".join(head) + " |",
             "|" + "---|" * 2 + "---:|" * (len(head) - 2)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(path)


def summary(points):
    """A row of the table from [(a, modulus, phase, theory's modulus, theory's phase)]."""
    a, modulus, phase, modulus_theory, phase_theory = np.array(points).T
    stable = modulus_theory <= 1 + 1e-9
    modulus_off = np.abs(modulus / modulus_theory - 1)
    # If z is a positive real number, the phase is zero and has no relative error.
    phase_off = np.abs(phase - phase_theory) / np.maximum(phase_theory, 1e-3)
    worst, turned = (int(np.argmax(np.where(stable, off, -1))) for off in (modulus_off, phase_off))
    beyond = f"{100 * modulus_off[~stable].max():.2g} %" if (~stable).any() else "–"
    return [f"{a[stable].max():.3g}", str(int(stable.sum())), f"{100 * modulus_off[worst]:.2g} %", f"{a[worst]:.3g}",
            f"{100 * phase_off[turned]:.2g} %", f"{a[turned]:.3g}", str(int((~stable).sum())), beyond]


def points_of(runs, name_of):
    """(discretization, line) → [(ωΔt, measured modulus and phase, theory's)]; line → [(ωΔt, theory's)] of all runs; and the runs
    too short to measure."""
    points, theory, too_short = {}, {}, []
    for run in runs:
        phase = np.arccos(np.cos(run["theory_phase"]))  # in the range of the measured phase
        a = run["mode_angular_frequency"] * run["dt"]
        theory.setdefault(name_of[run.id], []).append((a, run["theory_modulus"], phase))
        z = amplification(run.diagnostic("mode_amplitude"))
        if z is None:
            too_short.append(run.id)
        else:
            points.setdefault((run["discretization"], name_of[run.id]), []).append((a, abs(z), np.angle(z), run["theory_modulus"], phase))
    for values in points.values():
        values.sort()
    return points, theory, too_short


def look_of(lines, name, members):
    """The width of a line of theory: earlier lines are broader, so that they remain visible below coincident ones."""
    return {**lines.look[name], "marker": "", "linewidth": 0.9 + 0.4 * (len(members) - 1 - members.index(name))}


def draw_theory(page, column, theory, lines, members):
    # Theory depends on ωΔt alone, so one line serves all discretizations.
    for name in members:
        a, modulus, phase = theory_between(*np.array(sorted(set(theory[name]))).T)
        look = look_of(lines, name, members)
        page["modulus", column].plot(a, modulus, label=lines.label[name], **look)
        page["phase", column].plot(a, phase / a, label=lines.label[name], **look)


def main():
    chosen = arguments(__doc__,
                       name={"default": "dissipation", "help": "name of the figure (default: %(default)s)"})
    runs = [run for run in Results(chosen.file).runs
            if "theory_modulus" in run.attributes and run.diagnostic("mode_amplitude") is not None]
    if not runs:
        refuse(f"{chosen.file}: no run of the scene eigenmode with an integrator that has a theory")
    lines, name_of = variants(runs)
    names = lines.combinations
    points, theory, too_short = points_of(runs, name_of)
    if not points:
        refuse(f"{chosen.file}: no run has enough steps to measure")

    schemes = list(dict.fromkeys(run["discretization"] for run in runs))
    # Integrators with growing waves in theory have a bounded stable range; the others get a logarithmic axis.
    ends = {name for name, values in theory.items() if any(modulus > 1 + 1e-9 for _, modulus, _ in values)}
    columns = {"stable up to a limit": [name for name in names if name in ends],
               "stable at any step": [name for name in names if name not in ends]}
    columns = {title: members for title, members in columns.items() if members}
    page = Page(["modulus", "phase"], columns, chosen.width or "two", 56, sharex="col", sharey="row")
    for title, members in columns.items():
        draw_theory(page, title, theory, lines, members)
        top, bottom = page.column(title)
        for (discretization, name), values in points.items():
            if name not in members:
                continue
            first = (names.index(name) + (discretization != schemes[0])) % EVERY
            a, modulus, phase, _, _ = np.array(values[first::EVERY] or values).T
            for axes, marks in ((top, modulus), (bottom, phase / a)):
                axes.plot(a, marks, linestyle="", color=lines.look[name]["color"], markersize=4.2, markeredgewidth=1.0,
                          marker=MARKERS.get(discretization, "s"), fillstyle="none", zorder=3, gid=layout.PART)
        if members[0] not in ends:
            top.set_xscale("log")
        top.set_ylim(-0.05, 1.6)
        bottom.set_ylim(-0.1, 1.9)
        page.title(("modulus", title), title)
        page.legend([("", {lines.label[name]: Line2D([], [], **look_of(lines, name, members)) for name in members})], title)
    page.ylabel("modulus", "modulus |z| of the amplification (1)")
    page.ylabel("phase", "phase of z / ωΔt")
    page.xlabel("ωΔt (1)")
    page.note("lines: theory; marks: runs, " + ", ".join(
        f"{ {'o': 'circles', 'x': 'crosses'}.get(MARKERS.get(name), 'squares')} {name}" for name in schemes),
        f"{len(too_short)} runs have too few steps to measure" if too_short else "")
    write_table(chosen.output / "table.md",
                [[discretization, lines.label[name], *summary(values)] for (discretization, name), values in points.items()])
    page.save(chosen, chosen.name)


if __name__ == "__main__":
    main()
