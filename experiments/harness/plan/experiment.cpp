// From keys and lists to runs.
#include "experiments/harness/plan/experiment.hpp"

#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/system/terminal.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/given_fields.hpp"
#include "solvers/shallow_water.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>

namespace shoal {
namespace {

constexpr std::int64_t largest_whole_number = std::int64_t{1} << 53;  // beyond it doubles skip some
constexpr std::int64_t max_substeps = 1'000'000, max_threads = 256;
constexpr double max_snapshots = 1e6;
constexpr std::size_t max_combinations = 100'000, max_runs = 9999;  // the names of runs have four digits

/// One setting with the value that it takes in one combination.
struct Choice {
  const Setting* setting;
  const Value* value;
};
using Combination = std::vector<Choice>;
using UsedSettings = std::set<const Setting*>;

bool takes_radius(const std::string& mesh) {
  const std::string family = mesh.substr(0, mesh.find(':'));
  const auto& families = mesh_families();
  return std::any_of(families.begin(), families.end(),
                     [&](const MeshFamily& f) { return f.name == family && f.has_radius; });
}

bool is_of_carried_velocity(const std::string& parameter) {
  const ParameterInfos infos = describe_options<MovingSurfaceOptions>();
  return std::any_of(infos.begin(), infos.end(), [&](const auto& info) { return info.name == parameter; });
}

void add_parameters(ParameterInfos& all, const ParameterInfos& more) {
  for (const ParameterInfo& info : more)
    if (std::none_of(all.begin(), all.end(), [&](const auto& other) { return other.name == info.name; }))
      all.push_back(info);
}

std::string word(const Choice& choice) {
  if (const auto* text = std::get_if<std::string>(choice.value)) return *text;
  throw Error(
      fmt::format("{}: {} is a number, a name is allowed", choice.setting->where, to_string(*choice.value)));
}

double positive_number(const Choice& choice, const std::string& allowed) {
  const std::string text = to_string(*choice.value);
  double value = 0;
  try {
    value = parse_number(text, "");
  } catch (const Error&) {
    value = -1;  // reported below with what is allowed
  }
  if (!std::isfinite(value) || value <= 0)
    throw Error(fmt::format("{}: '{}' is not {}", choice.setting->where, text, allowed));
  return value;
}

/// A whole number from `least` to `most`; the latter is named only where it is exceeded.
std::int64_t whole_number(const Choice& choice, std::int64_t least, std::int64_t most,
                          const std::string& allowed) {
  const std::string text = to_string(*choice.value);
  double value = std::nan("");
  try {
    value = parse_number(text, "");
  } catch (const Error&) {
    // stays NaN and is reported below with what is allowed
  }
  if (!(value >= static_cast<double>(least)) || value != std::floor(value))
    throw Error(fmt::format("{}: '{}' is not {}", choice.setting->where, text, allowed));
  if (value > static_cast<double>(most))
    throw Error(
        fmt::format("{}: '{}' is too large, at most {} is allowed", choice.setting->where, text, most));
  return static_cast<std::int64_t>(value);
}

bool is_auto(const Choice& choice) {
  const auto* text = std::get_if<std::string>(choice.value);
  return text && *text == "auto";
}

/// "every:10" or 10.
std::int64_t diagnostics_interval(const Choice& choice) {
  static const std::string every = "every:";
  const std::string text = to_string(*choice.value);
  const Value number = text.rfind(every, 0) == 0 ? text.substr(every.size()) : text;
  return whole_number({choice.setting, &number}, 1, largest_whole_number,
                      "every:N with a whole number N of steps ≥ 1");
}

/// Reads one combination, noting the settings that it uses.
class Resolver {
 public:
  Resolver(const Catalog& catalog, const Combination& combination, UsedSettings& used)
      : catalog_(catalog), combination_(combination), used_(used) {}

  PlannedRun resolve() {
    PlannedRun run;
    RunConfiguration& c = run.configuration;
    const Choice* scene_choice = take("scene");
    assert(scene_choice && "expand() asks for one");
    c.scene = word(*scene_choice);
    const auto& scene = with_context(
        scene_choice->setting->where, [&]() -> const auto& { return catalog_.scenes.find(c.scene); });

    const auto named = [&](const std::string& key, std::string& name, const auto& list) -> const auto& {
      const Choice* choice = take(key);
      if (choice) name = word(*choice);
      return with_context(
          choice ? choice->setting->where : key, [&]() -> const auto& { return list.find(name); });
    };
    c.discretization = catalog_.discretizations.front().name;
    c.integrator = catalog_.integrators.front().name;
    const auto& scheme = named("discretization", c.discretization, catalog_.discretizations);
    const auto& integrator = named("integrator", c.integrator, catalog_.integrators);
    if (integrator.uses_linear_solver) {
      c.linear_solver = catalog_.linear_solvers.front().name;
      named("linear_solver", c.linear_solver, catalog_.linear_solvers);
    }
    c.mesh = scene.default_mesh;
    const AdvectionEntry* advection = nullptr;
    if (scheme.transports_momentum()) {
      c.advection = "built-in";
    } else {
      c.advection = default_advection(scene, scheme, integrator, c);
      advection = &named("advection", c.advection, catalog_.advections);
      if (advection->name == "none") advection = nullptr;
    }
    c.splitting = default_splitting(integrator, advection).name;
    if (integrator.carries_velocity) named("splitting", c.splitting, catalog_.splittings);
    if (const Choice* choice = take("mesh")) c.mesh = word(*choice);
    c.motion = scene.default_motion;
    named("motion", c.motion, catalog_.motions);
    if (const Choice* choice = take("boundaries")) {
      c.boundaries = word(*choice);
      if (c.boundaries.find_first_not_of(" \t\r\n;") == std::string::npos)
        throw Error(choice->setting->where +
                    ": no condition is given: write 'left = wall', or leave it out for those of the scene");
    }
    if (const Choice* choice = take("inputs")) {
      c.inputs = word(*choice);
      with_place(places_, [&] { parse_inputs(c.inputs); });
    }
    read_steps(scene, integrator, c);
    read_recording(c);
    read_parameters(c);
    run.refusal = with_place(places_, [&] { return incompatibility(c, scheme, integrator, advection); });
    run.places = std::move(places_);
    return run;
  }

 private:
  /// The scene's, where scheme and integrator take it with their defaults.
  std::string default_advection(const SceneEntry& scene, const DiscretizationEntry& scheme,
                                const IntegratorEntry& integrator, RunConfiguration c) const {
    c.advection = scene.default_advection;
    if (c.advection == "none") return c.advection;
    const Parameters options(declared_parameters(catalog_, c), {});
    const AdvectionEntry& entry = catalog_.advections.find(c.advection);
    return advection_incompatibility(&entry, scheme, integrator, options).empty() ? c.advection : "none";
  }

  std::string incompatibility(const RunConfiguration& c, const DiscretizationEntry& scheme,
                              const IntegratorEntry& integrator, const AdvectionEntry* advection) const {
    const Parameters options = parameters_of(catalog_, c);
    std::string reason = integrator.incompatibility(scheme, options);
    if (!reason.empty()) return reason;
    reason = boundary_incompatibility(integrator, parse_boundaries(c.boundaries));
    if (!reason.empty()) return "boundaries: " + reason;
    reason = advection_incompatibility(advection, scheme, integrator, options);
    if (!reason.empty()) return reason;
    reason = splitting_incompatibility(catalog_.splittings.find(c.splitting), integrator, advection);
    return reason.empty() ? "" : fmt::format("splitting = {}: {}", c.splitting, reason);
  }

  const Choice* take(const std::string& key) {
    for (const Choice& choice : combination_) {
      if (choice.setting->is_parameter || choice.setting->key != key) continue;
      use(*choice.setting);
      return &choice;
    }
    return nullptr;
  }

  void use(const Setting& setting) {
    used_.insert(&setting);
    places_[setting.key] = setting.where;
  }

  void read_steps(const SceneEntry& scene, const IntegratorEntry& integrator, RunConfiguration& c) {
    if (scene.default_dt > 0) c.dt = scene.default_dt;
    if (const Choice* choice = take("dt")) {
      c.dt.reset();
      if (!is_auto(*choice))
        c.dt = positive_number(*choice, "a positive number, a fraction such as 1/60, or auto");
    }
    const bool uses_substeps = integrator.default_substeps > 0;
    c.substeps = uses_substeps ? integrator.default_substeps : 1;
    const Choice* substeps = uses_substeps ? take("substeps") : nullptr;
    if (substeps) {
      c.substeps.reset();
      if (!is_auto(*substeps))
        c.substeps = static_cast<int>(whole_number(*substeps, 1, max_substeps, "a whole number ≥ 1 or auto"));
    }
    if (const Choice* choice = take("end")) c.end = positive_number(*choice, "a positive number of seconds");
  }

  void read_recording(RunConfiguration& c) {
    if (const Choice* choice = take("snapshots")) {
      c.snapshots = to_string(*choice->value);
      snapshot_times(c.snapshots, 0, 0, choice->setting->where);
    }
    if (const Choice* choice = take("diagnostics")) c.diagnostics_every = diagnostics_interval(*choice);
    if (const Choice* choice = take("threads"))
      c.threads = static_cast<int>(whole_number(*choice, 1, max_threads, "a whole number ≥ 1"));
    const Choice* seed = catalog_.motions.find(c.motion).random ? take("seed") : nullptr;
    if (seed) c.seed = whole_number(*seed, 0, largest_whole_number, "a whole number ≥ 0");
  }

  void read_parameters(RunConfiguration& c) {
    ParameterInfos declared = declared_parameters(catalog_, c);
    add_parameters(declared, describe_options<GivenFieldOptions>());  // which every scene takes
    for (const Choice& choice : combination_) {
      if (!choice.setting->is_parameter) continue;
      for (const ParameterInfo& info : declared) {
        if (info.name != choice.setting->key) continue;
        use(*choice.setting);
        try {
          c.parameters[info.name] = Parameters({info}, {{info.name, *choice.value}}).values().at(info.name);
        } catch (const Error& error) {
          throw Error(choice.setting->where + ": " + without_name(error.what(), info.name));
        }
      }
    }
  }

  const Catalog& catalog_;
  const Combination& combination_;
  UsedSettings& used_;
  Places places_;
};

/// The settings of one case: those of the experiment, overridden in place, and then the case's own.
std::vector<const Setting*> merged(const std::vector<Setting>& inherited, const std::vector<Setting>& own) {
  std::vector<const Setting*> result;
  for (const Setting& setting : inherited) result.push_back(&setting);
  for (const Setting& setting : own) {
    const auto same = std::find_if(result.begin(), result.end(), [&](const Setting* other) {
      return other->key == setting.key && other->is_parameter == setting.is_parameter;
    });
    if (same == result.end())
      result.push_back(&setting);
    else
      *same = &setting;
  }
  return result;
}

/// Settings that advance together, most often one alone.
using Axis = std::vector<const Setting*>;

std::size_t length(const Axis& axis) {
  return axis.front()->alternatives.size();
}

/// The setting that a name of `together` stands for, or nullptr.
const Setting* named(const std::string& name, const std::vector<const Setting*>& settings) {
  static const std::string prefix = "parameters.";
  const bool parameter_only = name.rfind(prefix, 0) == 0;
  for (const bool is_parameter : {false, true})
    for (const Setting* setting : settings)
      if (setting->is_parameter == is_parameter && (is_parameter || !parameter_only) &&
          setting->key == (parameter_only ? name.substr(prefix.size()) : name))
        return setting;
  return nullptr;
}

/// The settings of one group, which must be there and have equally many values.
Axis settings_of(const Together& group, const std::vector<const Setting*>& settings) {
  Axis axis;
  for (const std::string& name : group.names) {
    const Setting* setting = named(name, settings);
    if (!setting) {
      std::vector<std::string> keys;
      for (const Setting* other : settings) keys.push_back(other->key);
      throw Error(fmt::format("{}: '{}' has no list that it could advance{}", group.where, name,
                              did_you_mean(name, keys)));
    }
    if (std::find(axis.begin(), axis.end(), setting) != axis.end())
      throw Error(fmt::format("{}: '{}' stands in it twice", group.where, name));
    axis.push_back(setting);
    if (length(axis) != setting->alternatives.size())
      throw Error(
          fmt::format("{}: the lists that advance together are not equally long: '{}' ({}) has length {}, "
                      "'{}' ({}) has {}",
                      group.where, group.names.front(), axis.front()->where, length(axis), name,
                      setting->where, setting->alternatives.size()));
  }
  return axis;
}

/// The axes of a product, in the order written.
std::vector<Axis> axes_of(const std::vector<const Setting*>& settings,
                          const std::vector<Together>& together) {
  std::vector<Axis> groups;
  for (const Together& group : together) {
    groups.push_back(settings_of(group, settings));
    for (std::size_t other = 0; other + 1 < groups.size(); ++other)
      for (const Setting* setting : groups.back())
        if (std::find(groups[other].begin(), groups[other].end(), setting) != groups[other].end())
          throw Error(fmt::format("{}: '{}' stands in two groups", group.where, setting->key));
  }
  std::vector<Axis> axes;
  std::set<const Setting*> placed;
  for (const Setting* setting : settings) {
    if (placed.count(setting)) continue;
    Axis axis = {setting};
    for (const Axis& group : groups)
      if (std::find(group.begin(), group.end(), setting) != group.end()) axis = group;
    placed.insert(axis.begin(), axis.end());
    axes.push_back(std::move(axis));
  }
  return axes;
}

/// How many combinations there are, as a number that cannot overflow.
double count_combinations(const std::vector<Axis>& axes) {
  double count = 1;
  for (const Axis& axis : axes) count *= static_cast<double>(length(axis));
  return count;
}

/// Calls `visit` with every combination of alternatives; the last axis varies fastest.
template <class Visit>
void for_each_combination(const std::vector<Axis>& axes, const Visit& visit) {
  std::vector<std::size_t> digits(axes.size(), 0);
  while (true) {
    Combination combination;
    for (std::size_t i = 0; i < axes.size(); ++i)
      for (const Setting* setting : axes[i])
        combination.push_back({setting, &setting->alternatives[digits[i]]});
    visit(combination);
    std::size_t place = axes.size();
    while (place > 0 && ++digits[place - 1] == length(axes[place - 1])) digits[--place] = 0;
    if (place == 0) return;
  }
}

[[noreturn]] void complain_about_unused(const Catalog& catalog, const Setting& setting) {
  if (!setting.is_parameter && setting.key == "linear_solver") {
    for (const Value& name : setting.alternatives)
      with_context(setting.where, [&] { catalog.linear_solvers.find(to_string(name)); });
    throw Error(fmt::format("{}: no integrator of this experiment solves a linear system", setting.where));
  }
  if (!setting.is_parameter && setting.key == "advection") {
    for (const Value& name : setting.alternatives)
      with_context(setting.where, [&] { catalog.advections.find(to_string(name)); });
    throw Error(fmt::format(
        "{}: the schemes of this experiment advect by their own flux, no other advection is added",
        setting.where));
  }
  if (!setting.is_parameter && setting.key == "splitting") {
    for (const Value& name : setting.alternatives)
      with_context(setting.where, [&] { catalog.splittings.find(to_string(name)); });
    throw Error(fmt::format("{}: no integrator of this experiment carries a velocity", setting.where));
  }
  if (!setting.is_parameter)
    throw Error(fmt::format("{}: no combination of this experiment uses it", setting.where));
  std::set<std::string> names;
  const std::string owners = declarers(catalog, setting.key, &names);
  if (!owners.empty())
    throw Error(fmt::format("{}: no combination uses the parameter '{}'; it belongs to {}", setting.where,
                            setting.key, owners));
  throw Error(fmt::format("{}: there is no parameter '{}'{}", setting.where, setting.key,
                          did_you_mean(setting.key, {names.begin(), names.end()})));
}

/// Results record every setting, as UTF-8: what they cannot hold could not be gone on with or repeated.
void require_recordable(const Setting& setting) {
  for (const Value& value : setting.alternatives)
    if (const auto* text = std::get_if<std::string>(&value); text && !is_recordable(*text))
      throw Error(fmt::format("{}: '{}' is not UTF-8, in which results record it; a file can be renamed",
                              setting.where, visible(*text)));
}

}  // namespace

std::string declarers(const Catalog& catalog, const std::string& parameter,
                      std::set<std::string>* all_names) {
  std::set<std::string> names;
  std::vector<std::string> owners;
  const auto search = [&](const auto& entries) {
    for (const auto& entry : entries) {
      for (const ParameterInfo& info : entry.parameters) {
        names.insert(info.name);
        if (info.name == parameter && !is_of_carried_velocity(parameter)) owners.push_back(entry.name);
      }
    }
  };
  search(catalog.scenes);
  search(catalog.discretizations);
  search(catalog.integrators);
  search(catalog.linear_solvers);
  search(catalog.advections);
  search(catalog.motions);
  for (const IntegratorEntry& integrator : catalog.integrators)
    for (const ParameterInfo& info : shallow_water_parameters(integrator)) {
      if (info.name == parameter) owners.push_back(integrator.name);
      names.insert(info.name);
    }
  const auto add_own = [&](const ParameterInfos& declared, const std::string& owner) {
    for (const ParameterInfo& info : declared) {
      names.insert(info.name);
      if (info.name == parameter) owners.push_back(owner);
    }
  };
  add_own(describe_options<MovingSurfaceOptions>(),
          "integrators that carry a velocity, on surfaces that move");
  add_own(describe_options<MeshOptions>(), "generated meshes other than rectangles");
  add_own(describe_options<MeshFileOptions>(), "mesh files");
  add_own(describe_options<StepOptions>(), "dt = auto and substeps = auto");
  add_own(describe_options<AutoStepOptions>(), "dt = auto");
  add_own(describe_options<GivenFieldOptions>(), "all scenes");
  if (all_names) *all_names = std::move(names);
  return join(owners);
}

std::string without_name(const std::string& message, const std::string& name) {
  for (const std::string& prefix : {fmt::format("parameter '{}': ", name), name + ": "})
    if (message.rfind(prefix, 0) == 0) return message.substr(prefix.size());
  return message;
}

const std::vector<std::string>& run_keys() {
  static const std::vector<std::string> keys = {
      "scene", "discretization", "integrator",  "linear_solver", "advection", "splitting",
      "mesh",  "motion",         "boundaries",  "inputs",        "dt",        "substeps",
      "end",   "snapshots",      "diagnostics", "threads",       "seed"};
  return keys;
}

Options<StepOptions> StepOptions::describe() {
  return Options<StepOptions>().number("safety", "1", &StepOptions::safety, 1e-6, 100,
                                       "target CFL number: dt = auto (at every step; with implicit "
                                       "integrators at the start) and substeps = auto "
                                       "(at the start) take this part of the scheme's stable step");
}

Options<AutoStepOptions> AutoStepOptions::describe() {
  using O = AutoStepOptions;
  return Options<O>()
      .number("dt_growth", "1", &O::growth, 1, 1e6,
              "dt = auto: a step is at most this many times the one before")
      .number("dt_least", "1", &O::least, 0, 1,
              "dt = auto: where the water asks for a step below this part of the first, the run ends as "
              "unstable");
}

Options<MeshOptions> MeshOptions::describe() {
  return Options<MeshOptions>().number("radius", "m", &MeshOptions::radius, 1e-12,
                                       std::numeric_limits<double>::infinity(),
                                       "scale of the generated surfaces");
}

Options<MeshFileOptions> MeshFileOptions::describe() {
  return Options<MeshFileOptions>().number(
      "weld", "m", &MeshFileOptions::weld, 0, std::numeric_limits<double>::infinity(),
      "vertices nearer than this become one; 0: those within 1e-12 of the diagonal of the box, of STL 1e-6");
}

ParameterInfos declared_parameters(const Catalog& catalog, const RunConfiguration& c) {
  const SceneEntry& scene = catalog.scenes.find(c.scene);
  ParameterInfos all = scene.parameters;
  const IntegratorEntry& integrator = catalog.integrators.find(c.integrator);
  add_parameters(all, catalog.discretizations.find(c.discretization).parameters);
  add_parameters(all, integrator.parameters);
  add_parameters(all, shallow_water_parameters(integrator));
  if (!c.linear_solver.empty()) add_parameters(all, catalog.linear_solvers.find(c.linear_solver).parameters);
  if (c.advection != "built-in") add_parameters(all, catalog.advections.find(c.advection).parameters);
  add_parameters(all, catalog.motions.find(c.motion).parameters);
  if (!c.inputs.empty()) {  // which may drag a surface that does not move by itself
    add_parameters(all, describe_options<CouplingOptions>());
    add_parameters(all, describe_options<MovingOptions>());
  }
  if (!integrator.carries_velocity)  // then nothing is carried along with the surface but volumes
    std::erase_if(all, [](const ParameterInfo& info) { return is_of_carried_velocity(info.name); });
  add_parameters(all, given_field_parameters(c.parameters));
  if (takes_radius(c.mesh)) add_parameters(all, describe_options<MeshOptions>());
  if (!is_generated(c.mesh)) add_parameters(all, describe_options<MeshFileOptions>());
  if (!c.dt || !c.substeps) add_parameters(all, describe_options<StepOptions>());
  if (!c.dt) add_parameters(all, describe_options<AutoStepOptions>());
  for (ParameterInfo& info : all)
    if (const auto found = scene.defaults.find(info.name); found != scene.defaults.end())
      info.fallback = found->second;
  return all;
}

Parameters parameters_of(const Catalog& catalog, const RunConfiguration& c) {
  return {declared_parameters(catalog, c), c.parameters};
}

std::vector<PlannedRun> expand(const Catalog& catalog, const Experiment& experiment) {
  std::vector<std::vector<Axis>> products;
  double combinations = 0;
  const auto add_product = [&](const std::vector<Setting>& own, const std::vector<Together>& together) {
    const std::vector<const Setting*> settings = merged(experiment.settings, own);
    for (const Setting* setting : settings) require_recordable(*setting);
    if (std::none_of(settings.begin(), settings.end(),
                     [](const Setting* s) { return s->key == "scene" && !s->is_parameter; }))
      throw Error(
          fmt::format("experiment '{}': no scene is given; 'shoal list scenes' shows them", experiment.name));
    products.push_back(axes_of(settings, together));
    combinations += count_combinations(products.back());
  };
  if (experiment.cases.empty()) add_product({}, experiment.together);
  for (const Case& one : experiment.cases)
    add_product(one.settings, one.together.value_or(experiment.together));
  if (combinations > static_cast<double>(max_combinations))
    throw Error(fmt::format("experiment '{}': its lists come to {:.6g} combinations, at most {} are allowed",
                            experiment.name, combinations, max_combinations));

  std::vector<PlannedRun> plan;
  UsedSettings used;
  std::set<RunConfiguration> known;
  for (const std::vector<Axis>& axes : products)
    for_each_combination(axes, [&](const Combination& combination) {
      PlannedRun run = Resolver(catalog, combination, used).resolve();
      if (known.insert(run.configuration).second) plan.push_back(std::move(run));
    });
  if (plan.size() > max_runs)
    throw Error(fmt::format("experiment '{}': its lists come to {} runs, at most {} are allowed",
                            experiment.name, plan.size(), max_runs));

  const auto check = [&](const std::vector<Setting>& settings) {
    for (const Setting& setting : settings)
      if (!used.count(&setting)) complain_about_unused(catalog, setting);
  };
  check(experiment.settings);
  for (const Case& one : experiment.cases) check(one.settings);
  return plan;
}

std::vector<double> snapshot_times(const std::string& text, double end, double dt, const std::string& where) {
  static const std::string every = "every:";
  const auto seconds = [&](const std::string& part) {
    const double value = parse_number(part, where);
    if (!std::isfinite(value) || value < 0)
      throw SettingError("snapshots", fmt::format("{}: '{}' is not a time ≥ 0", where, part));
    return value;
  };
  std::vector<double> times;
  if (text.empty()) return times;
  if (text.rfind(every, 0) == 0) {
    const double interval = seconds(text.substr(every.size()));
    if (interval == 0)
      throw SettingError("snapshots",
                         fmt::format("{}: '{}' asks for infinitely many snapshots", where, text));
    if (interval < dt * (1 - 1e-9))
      throw SettingError(
          "snapshots",
          fmt::format("{}: '{}' is shorter than the time step of {} s, of which each is kept once at most",
                      where, text, dt));
    if (end / interval > max_snapshots)
      throw SettingError(
          "snapshots",
          fmt::format("{}: '{}' asks for {:.3g} snapshots until {} s, at most {:.0f} are allowed", where,
                      text, end / interval, end, max_snapshots));
    for (std::int64_t i = 0; static_cast<double>(i) * interval <= end * (1 + 1e-12); ++i)
      times.push_back(static_cast<double>(i) * interval);
    return times;
  }
  for (const std::string& part : split_at_commas(text)) times.push_back(seconds(part));
  return times;
}

}  // namespace shoal
