#include "experiments/harness/plan/keys.hpp"

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/plan/inputs.hpp"

#include "discretizations/common/error.hpp"
#include "solvers/shallow_water.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

using C = RunConfiguration;

constexpr std::int64_t largest_whole_number = std::int64_t{1} << 53;  // beyond it doubles skip some
constexpr std::int64_t max_substeps = 1'000'000, max_threads = 256;

std::string word(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  throw Error(fmt::format("{} is a number; a name is required", to_string(value)));
}

/// NaN if it is not a number, which is then reported with the allowed values.
double number(const Value& value) {
  try {
    return parse_number(to_string(value), "");
  } catch (const Error&) {
    return std::nan("");
  }
}

double positive_number(const Value& value, const std::string& allowed) {
  const double result = number(value);
  if (!std::isfinite(result) || result <= 0)
    throw Error(fmt::format("'{}' is not {}", to_string(value), allowed));
  return result;
}

/// A whole number from `min` to `max`; messages mention `max` only if it is exceeded.
std::int64_t whole_number(const Value& value, std::int64_t min, std::int64_t max,
                          const std::string& allowed) {
  const double result = number(value);
  if (!(result >= static_cast<double>(min)) || result != std::floor(result))
    throw Error(fmt::format("'{}' is not {}", to_string(value), allowed));
  if (result > static_cast<double>(max))
    throw Error(fmt::format("'{}' is too large; at most {} is allowed", to_string(value), max));
  return static_cast<std::int64_t>(result);
}

bool is_auto(const Value& value) {
  return value == Value("auto");
}

template <class Number>
std::optional<Value> value_of(const std::optional<Number>& number) {
  return number ? std::optional<Value>(static_cast<double>(*number)) : std::nullopt;
}

const DiscretizationEntry& scheme_of(const Catalog& catalog, const C& c) {
  return catalog.discretizations.find(c.discretization);
}
const IntegratorEntry& integrator_of(const Catalog& catalog, const C& c) {
  return catalog.integrators.find(c.integrator);
}
const SceneEntry& scene_of(const Catalog& catalog, const C& c) {
  return catalog.scenes.find(c.scene);
}

KeyEntry entry(const char* name, const char* placeholder, const char* help, KeyKind kind) {
  return {.name = name, .attribute = name, .placeholder = placeholder, .help = help, .kind = kind};
}

KeyEntry text(const char* name, const char* placeholder, const char* help, std::string C::*value) {
  KeyEntry key = entry(name, placeholder, help, KeyKind::text);
  key.set = [value](const Catalog&, C& c, const Value& given) { c.*value = word(given); };
  key.get = [value](const C& c) {
    return (c.*value).empty() ? std::nullopt : std::optional<Value>(c.*value);
  };
  return key;
}

/// The name of an entry of a list.
template <class Entry>
KeyEntry part(const char* name, const char* help, std::string C::*value, List<Entry> Catalog::*list) {
  KeyEntry key = text(name, help ? "NAME" : nullptr, help, value);
  key.column = KeyColumn::in_orders_too;
  key.set = [=](const Catalog& catalog, C& c, const Value& given) {
    c.*value = (catalog.*list).find(word(given)).name;
  };
  key.names = [=](const Catalog& catalog) {
    std::vector<std::string> names;
    for (const Entry& entry : catalog.*list) names.push_back(entry.name);
    return names;
  };
  if constexpr (requires(Entry entry) { entry.parameters; }) {
    key.parameters = [=](const Catalog& catalog, const std::string& one) {
      return (catalog.*list).find(one).parameters;
    };
  }
  return key;
}

/// The name of an entry that can be changed during a run.
template <class Entry>
KeyEntry exchangeable(const char* name, const char* help, std::string C::*value, List<Entry> Catalog::*list) {
  KeyEntry key = part(name, help, value, list);
  key.change = key.set;
  return key;
}

KeyEntry scene() {
  return part("scene", nullptr, &C::scene, &Catalog::scenes);
}

KeyEntry discretization() {
  KeyEntry key = exchangeable("discretization", "spatial scheme (list discretizations); default: the first",
                              &C::discretization, &Catalog::discretizations);
  key.column = KeyColumn::always;
  key.set_default = [](const Catalog& catalog, C& c) {
    c.discretization = catalog.discretizations.front().name;
  };
  return key;
}

KeyEntry integrator() {
  KeyEntry key = exchangeable(
      "integrator",
      "time integrator (list integrators); default: the first that calls rates, or own for schemes with a "
      "step\nof their own",
      &C::integrator, &Catalog::integrators);
  key.column = KeyColumn::always;
  key.set_default = [](const Catalog& catalog, C& c) {
    const bool steps_itself = scheme_of(catalog, c).offers_capability<OwnStep>();
    for (const IntegratorEntry& entry : catalog.integrators)
      if (entry.calls_own_step == steps_itself) {
        c.integrator = entry.name;
        return;
      }
  };
  key.parameters = [](const Catalog& catalog, const std::string& name) {
    const IntegratorEntry& entry = catalog.integrators.find(name);
    ParameterInfos all = entry.parameters;
    for (const ParameterInfo& info : shallow_water_parameters(entry)) all.push_back(info);
    return all;
  };
  return key;
}

KeyEntry linear_solver() {
  KeyEntry key = exchangeable("linear_solver", "linear solver of implicit integrators (list linear-solvers)",
                              &C::linear_solver, &Catalog::linear_solvers);
  key.absent = "none";
  key.unused = "no integrator of this experiment solves a linear system";
  key.applies = [](const Catalog&, const C& c) { return !c.linear_solver.empty(); };
  key.set_default = [](const Catalog& catalog, C& c) {
    c.linear_solver = integrator_of(catalog, c).uses_linear_solver ? catalog.linear_solvers.front().name : "";
  };
  return key;
}

/// That of the scene, if scheme and integrator support it with their defaults.
std::string default_advection(const Catalog& catalog, C c) {
  const SceneEntry& scene = scene_of(catalog, c);
  c.mesh = scene.default_mesh;
  c.advection = scene.default_advection;
  const AdvectionEntry* entry = added_advection(catalog, c);
  if (!entry) return c.advection;
  const Parameters options(declared_parameters(catalog, c), {});
  return advection_incompatibility(entry, scheme_of(catalog, c), integrator_of(catalog, c), options).empty()
             ? c.advection
             : "none";
}

KeyEntry advection() {
  KeyEntry key =
      exchangeable("advection", "advection of the velocity, for schemes without their own (list advections)",
                   &C::advection, &Catalog::advections);
  key.unused = "the fluxes of the schemes of this experiment include the advection; no other can be added";
  key.applies = [](const Catalog&, const C& c) { return c.advection != "built-in"; };
  key.set_default = [](const Catalog& catalog, C& c) {
    c.advection = scheme_of(catalog, c).transports_momentum() ? "built-in" : default_advection(catalog, c);
  };
  return key;
}

KeyEntry splitting() {
  KeyEntry key =
      exchangeable("splitting",
                   "coupling of transport, rotation and friction to the integrator (list splittings); "
                   "default: none if the\nintegrator includes every term, otherwise lie",
                   &C::splitting, &Catalog::splittings);
  key.unrecorded_value = "lie";
  key.unused = "no integrator of this experiment carries a velocity";
  key.applies = [](const Catalog& catalog, const C& c) { return integrator_of(catalog, c).carries_velocity; };
  key.set_default = [](const Catalog& catalog, C& c) {
    c.splitting = default_splitting(integrator_of(catalog, c), added_advection(catalog, c)).name;
  };
  return key;
}

KeyEntry mesh() {
  KeyEntry key = text("mesh", "NAME[:args]|FILE",
                      "surface, e.g. icosphere:4 or bunny.obj (list meshes); default: the scene's", &C::mesh);
  key.attribute = "mesh_name";
  key.has_commas = true;
  key.set_default = [](const Catalog& catalog, C& c) { c.mesh = scene_of(catalog, c).default_mesh; };
  return key;
}

KeyEntry motion() {
  KeyEntry key = part("motion", "motion of the surface, for scenes that do not move it (list motions)",
                      &C::motion, &Catalog::motions);
  key.may_be_absent = true;  // as in results of earlier versions
  key.set_default = [](const Catalog& catalog, C& c) { c.motion = scene_of(catalog, c).default_motion; };
  return key;
}

KeyEntry boundaries() {
  KeyEntry key = text(
      "boundaries", "'SET = KIND VALUE; ...'",
      "boundary conditions, e.g. 'left = discharge 0.3; right = outflow' (list boundaries; 'inspect MESH' "
      "shows\nthe names); a VALUE may be a list T:VALUE,T:VALUE in time; default: the scene's, or walls",
      &C::boundaries);
  key.column = KeyColumn::in_orders_too;
  key.has_commas = key.may_be_absent = true;
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.boundaries = word(value);
    if (c.boundaries.find_first_not_of(" \t\r\n;") == std::string::npos)
      throw Error("no condition given; write e.g. 'left = wall', or omit the key for those of the scene");
  };
  return key;
}

KeyEntry inputs() {
  KeyEntry key = text(
      "inputs", "'TIME KIND NAME=VALUE …'",
      "events applied during the run, one per line, e.g. '0.5 throw at=0,0,2 velocity=0,0,-3' (list "
      "inputs); sources and pushes act at their exact times, bodies from the next step on, others at the "
      "nearest step; default: none",
      &C::inputs);
  key.column = KeyColumn::on_demand;
  key.has_commas = key.may_be_absent = true;
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.inputs = word(value);
    parse_inputs(c.inputs);
  };
  return key;
}

KeyEntry dt() {
  KeyEntry key = entry(
      "dt", "S|auto",
      "time step, a number or a fraction, e.g. 1/60; auto: `safety` times the scheme's "
      "stable step, recomputed at every step (for implicit integrators, which have no CFL "
      "limit, and in the window, at the start) and shortened to resolve motions, forces, rain and boundary "
      "values in time and "
      "to "
      "meet snapshots, inputs, breakpoints of boundary time series and the end exactly; default: the scene's",
      KeyKind::number);
  key.column = KeyColumn::always;
  key.takes_auto = key.may_be_absent = true;
  key.set_default = [](const Catalog& catalog, C& c) {
    if (const double dt = scene_of(catalog, c).default_dt; dt > 0) c.dt = dt;
  };
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.dt.reset();
    if (!is_auto(value)) c.dt = positive_number(value, "a positive number, a fraction such as 1/60, or auto");
  };
  key.get = [](const C& c) { return value_of(c.dt); };
  return key;
}

int substeps_of_change(const std::string& text) {
  const double value = parse_number(text, "substeps");
  if (!(value >= 1 && value <= max_substeps && std::floor(value) == value))
    throw Error(fmt::format("substeps: {} is not a whole number from 1 to {:g}", text,
                            static_cast<double>(max_substeps)));
  return static_cast<int>(value);
}

KeyEntry substeps() {
  KeyEntry key =
      entry("substeps", "K|auto",
            "substeps per step of explicit integrators; auto: for a fixed dt, as many as the initial state "
            "requires (dt = auto also adapts to later speeds); with dt = auto, the integrator's own number",
            KeyKind::whole);
  key.column = KeyColumn::always;
  key.takes_auto = key.may_be_absent = true;
  key.applies = [](const Catalog& catalog, const C& c) {
    return integrator_of(catalog, c).default_substeps > 0;
  };
  key.set_default = [](const Catalog& catalog, C& c) {
    c.substeps = std::max(integrator_of(catalog, c).default_substeps, 1);
  };
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.substeps.reset();
    if (!is_auto(value))
      c.substeps = static_cast<int>(whole_number(value, 1, max_substeps, "a whole number ≥ 1 or auto"));
  };
  key.change = [](const Catalog&, C& c, const std::string& value) { c.substeps = substeps_of_change(value); };
  key.get = [](const C& c) { return value_of(c.substeps); };
  return key;
}

KeyEntry end() {
  KeyEntry key = entry("end", "S", "final time; default: the scene's", KeyKind::number);
  key.attribute = "t_end";
  key.may_be_absent = true;
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.end = positive_number(value, "a positive number of seconds");
  };
  key.get = [](const C& c) { return value_of(c.end); };
  return key;
}

KeyEntry snapshots() {
  KeyEntry key =
      text("snapshots", "T1,T2,...|every:S",
           "times of snapshots of the fields; default: the scene's, continued\nto the end of a longer run",
           &C::snapshots);
  key.column = KeyColumn::on_demand;
  key.has_commas = key.concerns_recording = key.may_be_absent = true;
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.snapshots = to_string(value);
    snapshot_times(c.snapshots, 0, 0, "snapshots");
  };
  return key;
}

KeyEntry diagnostics() {
  static const std::string every = "every:";
  KeyEntry key = entry("diagnostics", "every:N",
                       "number of steps between rows of diagnostics; default: every step", KeyKind::whole);
  key.attribute = "diagnostics_every";
  key.column = KeyColumn::on_demand;
  key.concerns_recording = true;
  key.set = [](const Catalog&, C& c, const Value& value) {  // "every:10" or 10
    const std::string text = to_string(value);
    c.diagnostics_every = whole_number(text.starts_with(every) ? text.substr(every.size()) : text, 1,
                                       largest_whole_number, "every:N with a whole number N of steps ≥ 1");
  };
  key.get = [](const C& c) { return Value(static_cast<double>(c.diagnostics_every)); };
  key.written = [](const C& c) {
    return c.diagnostics_every == 1 ? std::nullopt
                                    : std::optional<Value>(fmt::format("{}{}", every, c.diagnostics_every));
  };
  return key;
}

KeyEntry threads() {
  KeyEntry key =
      entry("threads", "N", "threads per run, without effect on the numbers; default 1", KeyKind::whole);
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.threads = static_cast<int>(whole_number(value, 1, max_threads, "a whole number ≥ 1"));
  };
  key.get = [](const C& c) { return Value(static_cast<double>(c.threads)); };
  key.written = [](const C& c) {
    return c.threads == 1 ? std::nullopt : std::optional<Value>(static_cast<double>(c.threads));
  };
  return key;
}

KeyEntry seed() {
  KeyEntry key = entry("seed", "N", "seed of a random motion (crumple); default 0", KeyKind::whole);
  key.applies = [](const Catalog& catalog, const C& c) { return catalog.motions.find(c.motion).random; };
  key.set = [](const Catalog&, C& c, const Value& value) {
    c.seed = whole_number(value, 0, largest_whole_number, "a whole number ≥ 0");
  };
  key.get = [](const C& c) { return Value(static_cast<double>(c.seed)); };
  return key;
}

}  // namespace

const std::vector<KeyEntry>& run_keys() {
  static const std::vector<KeyEntry> keys = {
      scene(), discretization(), integrator(),  linear_solver(), advection(), splitting(),
      mesh(),  motion(),         boundaries(),  inputs(),        dt(),        substeps(),
      end(),   snapshots(),      diagnostics(), threads(),       seed()};
  return keys;
}

const KeyEntry* find_key(const std::string& name) {
  for (const KeyEntry& key : run_keys())
    if (key.name == name) return &key;
  return nullptr;
}

const AdvectionEntry* added_advection(const Catalog& catalog, const RunConfiguration& c) {
  return c.advection == "built-in" || c.advection == "none" ? nullptr : &catalog.advections.find(c.advection);
}

}  // namespace shoal
