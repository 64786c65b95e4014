"""Names, symbols and units of attributes, diagnostics and columns of tables, as figures say them.

One rule for labels of axes: a unit in parentheses stands at the end, (m), (1/s), (1) where there is none; what says itself
to be a ratio, as E(t) / E(0), or a "number of" things, needs none. `has_unit` tests it.
"""

import re

NBSP = "\u00a0"

# Units of parameters and columns; HDF5 files contain those of diagnostics.
UNITS = {
    "amplitude": "m", "width": "m", "depth": "m", "radius": "m", "layer": "m", "wet_depth": "m", "dry_depth": "m",
    "max_divergence_edge": "m", "max_depth": "m", "min_depth": "m", "h": "m",
    "dt": "s", "dt_stable": "s", "dt_unstable": "s", "dt_theory": "s", "t_end": "s", "t_reached": "s", "period": "s",
    "motion_period": "s", "rayleigh_stiffness": "s",
    "manning": "s/m^(1/3)", "chezy": "m^(1/2)/s",
    "friction": "1/s", "rayleigh": "1/s", "coriolis": "1/s", "rate": "1/s", "frame_rate": "1/s",
    "gravity": "m/s²", "acceleration_limit": "m/s²", "inertia_limit": "m/s²", "artificial_limit": "m/s²", "artificial_strength": "m/s²",
    "body_density": "kg/m³", "max_speed": "m/s", "lower_angle": "°", "min_angle": "°",
    "l2_error_own_velocity_absolute": "1",
}
SYMBOLS = {"dt": "Δt", "amplitude": "A", "theta": "θ", "epsilon": "ε", "gravity": "g", "body_density": "ρ of the body"}
SPEAKS_FOR_ITSELF = {"integrator", "discretization", "mesh_name", "scene", "linear_solver", "preconditioner", "outcome", "mesh"}
NORMS = {"l1": "L₁", "l2": "L₂", "linf": "L∞"}
FIELDS = {"": "depth", "elevation": "elevation", "velocity": "velocity", "own_velocity": "velocity, own points",
          "own_velocity_absolute": "absolute velocity, own points"}
SOLUTIONS = {"linear": "linear theory", "nonlinear": "nonlinear theory",
             "nonlinear_no_advection": "nonlinear theory without advection"}
# Names of the values of a run's attribute `solution`.
EQUATIONS = {"linear": "linear", "nonlinear": "nonlinear", "no v·∇v": "nonlinear_no_advection"}
DISTANCE = "‖h − h'‖ / ‖h'‖".replace(" ", NBSP)
QUANTITIES = {
    "energy": "E(t) / E(0)", "mass": "m(t) / m(0)",
    "energy_change": "|1 − E(t) / E(0)|", "mass_change": "|1 − m(t) / m(0)|",
    "energy_left": "E(end) / E(0)", "|1-energy_left|": "|1 − E(end) / E(0)|",
    "energy_drift": "max |1 − E / E(0)|", "mass_drift": "max |1 − m / m(0)|",
    "enstrophy_drift": "max |1 − Z / Z(0)|, enstrophy",
    "angular_momentum_drift": "max |L − L(0)| / |L(0)|",
    "vertices": "number of vertices", "triangles": "number of triangles", "substeps": "number of substeps",
    "unknowns": "number of unknowns", "seconds": "computing time (s)",
    "solver_iterations": "number of iterations", "solver_iterations@mean": "number of iterations, mean",
    "solver_iterations@max": "number of iterations, max", "ms_per_step": "time per step (ms)",
    "motion_amplitude": "amplitude of the motion (1)", "dt": "Δt (s)", "dt_stable": "largest stable Δt (s)",
    "t_reached": "end of the run, t (s)", "energy_total": "energy (J)", "h": "mean edge length h (m)",
    "max_depth": "largest depth (m)", "min_depth": "smallest depth (m)", "max_depth@max": "largest depth ever (m)",
    "min_depth@min": "smallest depth ever (m)", "min_angle@min": "smallest angle ever (°)",
    "energy_kinetic": "kinetic energy (J)", "energy_potential": "potential energy (J)", "max_speed": "largest speed (m/s)",
    "body_height": "height of the body (m)", "wet_shape": "wet share of the area (1)",
    "shoreline_step": "step of the shoreline (1)", "shallow_volume": "volume not shown (m³)",
    "amplitude": "amplitude A (m)",
}


RENAMED = {}  # labels replaced by --rename


def renamed(text):
    """A label, or its replacement by --rename."""
    return RENAMED.get(text, text)


def plain(name):
    """The name of an attribute or a column in words: elevation_error@0.6 → elevation error at t = 0.6 s."""
    name, _, which = name.replace("_", " ").partition("@")
    if not which:
        return name
    return f"{name}, {which}" if which.isalpha() else f"{name} at t{NBSP}={NBSP}{which}{NBSP}s"


def fraction_text(value):
    """"1/60" if a number is a simple fraction whose decimal form is longer, otherwise the number."""
    inverse = round(1 / value) if value and abs(value) <= 0.5 else 0
    if inverse >= 2 and abs(value * inverse - 1) < 1e-9 and len(f"{value:.12g}") > 6:
        return f"1/{inverse}"
    return f"{value:.4g}".replace("-", "−") if value < 0 else f"{value:.4g}"


def seconds_text(value):
    return f"{fraction_text(value)} s"


def value_text(name, value):
    """The value of an attribute with its unit: 1/60 s, 0.1 m, 10°, mean."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    text, unit = fraction_text(number), UNITS.get(name, "")
    return text + ("" if unit in ("", "1") else unit if unit == "°" else f" {unit}")


def name_of(name):
    """The symbol or name of an attribute: Δt, A, lower angle."""
    return SYMBOLS.get(name, plain(name))


def attribute_text(name, value):
    """An attribute in a title or legend: "A = 0.3 m", "reference depth = mean"; self-explanatory attributes appear only with their value."""
    if name in SPEAKS_FOR_ITSELF:
        return renamed(str(value))
    if name == "advection":
        return renamed("no advection" if value == "none" else str(value))
    return renamed(f"{name_of(name)} = {value_text(name, value)}")


def joined(texts):
    """The non-empty parts of a label, separated by commas; or the replacement by --rename."""
    return renamed(", ".join(filter(None, texts)))


def unit_text(unit):
    """A unit from an HDF5 file: "kg m^2/s" → "kg m²/s"."""
    return "°" if unit == "degree" else (unit or "1").replace("^2", "²").replace("^3", "³").replace(" ", NBSP)


def error_text(name):
    """"l2_error_elevation_linear" → "L₂ error of elevation, linear theory"; None if it is not such a name."""
    match = re.fullmatch(r"(l1|l2|linf)_error(?:_(.+))?", name)
    if not match:
        return None
    rest, solution = match[2] or "", ""
    for suffix in sorted(SOLUTIONS, key=len, reverse=True):
        if rest == suffix or rest.endswith(f"_{suffix}"):
            rest, solution = rest.removesuffix(suffix).removesuffix("_"), SOLUTIONS[suffix]
            break
    if rest not in FIELDS:
        return None
    return f"{NORMS[match[1]]} error of {FIELDS[rest]}" + (f", {solution}" if solution else "")


def quantity_label(name, unit=None):
    """The label of an axis of a diagnostic or a column, with its unit."""
    if name in QUANTITIES:
        return with_nbsp(QUANTITIES[name])
    base, at, which = name.partition("@")
    when = ("" if not at else ", mean" if which == "mean" else f", {which}" if which.isalpha()
            else f" at t{NBSP}={NBSP}{which}{NBSP}s")
    if base == "elevation_error":
        base = "l2_error_elevation"
    if base.startswith("ms_"):
        return with_nbsp(f"{plain(base[3:])}{when} (ms)")
    unit = unit_text(unit) if unit else UNITS.get(base, "1")
    return with_nbsp(f"{error_text(base) or plain(base)}{when} ({unit})")


def with_nbsp(label):
    """The label with non-breaking spaces before its unit and within a ratio."""
    label = re.sub(r" (\([^()]+\))$", NBSP + r"\1", label)
    return label.replace(" / ", f"{NBSP}/{NBSP}").replace(" − ", f"{NBSP}−{NBSP}")


KNOWN_UNITS = {"1", "m", "s", "ms", "µs", "d", "J", "kg", "rad", "°", "%", "Pa", "Hz"}


def has_unit(label):
    """Whether the label of an axis contains its unit, by the rule above."""
    text = " ".join(label.replace("$", "").replace(NBSP, " ").split())
    if text.startswith("number of "):
        return True
    if "/" in re.sub(r"\([^()]*\)", "", text):
        return True
    match = re.search(r"\(([^()]+)\)$", text)
    return bool(match) and all(part.rstrip("²³⁴⁻¹") in KNOWN_UNITS or part in KNOWN_UNITS
                               for part in re.split(r"[ /·]+", match[1]))
