// From keys and lists to runs.
#include "experiments/harness/plan/experiment.hpp"

#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/system/terminal.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/harness/fields/harmonic_solution.hpp"
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

constexpr double max_snapshots = 1e6;
constexpr std::size_t max_combinations = 100'000, max_runs = 9999;  // the names of runs have four digits

/// One setting with its value in one combination.
struct Choice {
  const Setting* setting;
  const Value* value;
};
using Combination = std::vector<Choice>;
using UsedSettings = std::set<const Setting*>;

/// For each setting with a plain name, the part that used it first and its meaning there.
struct FirstUse {
  std::string part;
  ParameterInfo info;
};
using FirstUses = std::map<const Setting*, FirstUse>;

bool takes_radius(const std::string& mesh) {
  const std::string family = mesh.substr(0, mesh.find(':'));
  const auto& families = mesh_families();
  return std::ranges::any_of(families, [&](const MeshFamily& f) { return f.name == family && f.has_radius; });
}

bool is_of_carried_velocity(const std::string& parameter) {
  const ParameterInfos infos = describe_options<MovingSurfaceOptions>();
  return std::ranges::any_of(infos, [&](const auto& info) { return info.name == parameter; });
}

void add_parameters(ParameterInfos& all, const ParameterInfos& more) {
  for (const ParameterInfo& info : more)
    if (std::ranges::none_of(all, [&](const auto& other) { return other.name == info.name; }))
      all.push_back(info);
}

/// Runs `body`; in the message of an Error, replaces the name of the value by its location.
template <class Body>
void in_place(const std::string& where, const std::string& name, const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    throw Error(where + ": " + without_name(error.what(), name));
  }
}

/// Reads one combination, noting the settings that it uses.
class Resolver {
 public:
  Resolver(const Catalog& catalog, const Combination& combination, UsedSettings& used, FirstUses& first_uses)
      : catalog_(catalog), combination_(combination), used_(used), first_uses_(first_uses) {}

  PlannedRun resolve() {
    PlannedRun run;
    RunConfiguration& c = run.configuration;
    for (const KeyEntry& key : run_keys()) {
      if (key.set_default) key.set_default(catalog_, c);
      if (!key.is_used(catalog_, c)) continue;
      if (const Choice* choice = take(key.name))
        in_place(choice->setting->where, key.name, [&] { key.set(catalog_, c, *choice->value); });
    }
    read_parameters(c);
    run.refusal = with_place(places_, [&] { return incompatibility(c); });
    run.places = std::move(places_);
    return run;
  }

 private:
  std::string incompatibility(const RunConfiguration& c) const {
    const DiscretizationEntry& scheme = catalog_.discretizations.find(c.discretization);
    const IntegratorEntry& integrator = catalog_.integrators.find(c.integrator);
    const AdvectionEntry* advection = added_advection(catalog_, c);
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
    places_[setting.key.substr(setting.key.find('.') + 1)] = setting.where;  // without a part
  }

  /// Plain names first; PART.NAME, for one part of the run, overrides them.
  void read_parameters(RunConfiguration& c) {
    ParameterInfos declared = declared_parameters(catalog_, c);
    add_parameters(declared, describe_options<GivenFieldOptions>());  // every scene accepts them
    add_parameters(declared, describe_options<SolutionFileOptions>());
    add_parameters(declared, describe_options<OrderOptions>());
    for (const Choice& choice : combination_) {
      if (!choice.setting->is_parameter) continue;
      for (const ParameterInfo& info : declared)
        if (info.name == choice.setting->key) {
          require_one_meaning(c, *choice.setting);
          give(c, choice, info);
        }
    }
    for (const Choice& choice : combination_) {
      const auto point = choice.setting->key.find('.');
      if (!choice.setting->is_parameter || point == std::string::npos) continue;
      const std::string part = choice.setting->key.substr(0, point),
                        name = choice.setting->key.substr(point + 1);
      for_each_part(c, [&](const std::string& kind, const std::string& entry, const ParameterInfos& own) {
        if (part != kind && part != entry) return;
        for (const ParameterInfo& info : own)
          if (info.name == name) give(c, choice, info);
      });
    }
  }

  void give(RunConfiguration& c, const Choice& choice, const ParameterInfo& info) {
    use(*choice.setting);
    in_place(choice.setting->where, info.name, [&] {
      c.parameters[info.name] = Parameters({info}, {{info.name, *choice.value}}).values().at(info.name);
    });
  }

  /// visit("advection", "bfecc", its parameters) for each part of a run.
  template <class Visit>
  void for_each_part(const RunConfiguration& c, const Visit& visit) const {
    for (const KeyEntry& key : run_keys()) {
      if (!key.parameters || !key.is_used(catalog_, c)) continue;
      const std::string entry = to_string(key.get(c).value_or(""));
      visit(key.name, entry, key.parameters(catalog_, entry));
    }
  }

  /// Equal names in scenes and motions mean the same kind of quantity; in schemes and solvers they may differ.
  void require_one_meaning(const RunConfiguration& c, const Setting& setting) {
    for_each_part(c, [&](const std::string& kind, const std::string& entry, const ParameterInfos& own) {
      if (kind == "scene" || kind == "motion") return;
      for (const ParameterInfo& info : own) {
        if (info.name != setting.key) continue;
        const auto [first, is_new] = first_uses_.try_emplace(&setting, FirstUse{entry, info});
        const ParameterInfo& other = first->second.info;
        const bool same = info.choices.empty()
                              ? info.meaning == other.meaning
                              : std::is_permutation(info.choices.begin(), info.choices.end(),
                                                    other.choices.begin(), other.choices.end());
        if (!same)
          throw Error(fmt::format("{}: ambiguous, a parameter of both {} and {}; write {}.{} or {}.{}",
                                  setting.where, first->second.part, entry, first->second.part, setting.key,
                                  entry, setting.key));
      }
    });
  }

  const Catalog& catalog_;
  const Combination& combination_;
  UsedSettings& used_;
  FirstUses& first_uses_;
  SourceLocations places_;
};

/// The settings of one case: those of the experiment, overridden in place, and then the case's own.
std::vector<const Setting*> merged(const std::vector<Setting>& inherited, const std::vector<Setting>& own) {
  std::vector<const Setting*> result;
  for (const Setting& setting : inherited) result.push_back(&setting);
  for (const Setting& setting : own) {
    const auto same = std::ranges::find_if(result, [&](const Setting* other) {
      return other->key == setting.key && other->is_parameter == setting.is_parameter;
    });
    if (same == result.end())
      result.push_back(&setting);
    else
      *same = &setting;
  }
  return result;
}

/// Settings that advance together, usually only one.
using Axis = std::vector<const Setting*>;

std::size_t length(const Axis& axis) {
  return axis.front()->alternatives.size();
}

/// The setting named in `together`, or nullptr.
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

/// The settings of one group, which must exist and have equal numbers of values.
Axis settings_of(const Together& group, const std::vector<const Setting*>& settings) {
  Axis axis;
  for (const std::string& name : group.names) {
    const Setting* setting = named(name, settings);
    if (!setting) {
      std::vector<std::string> keys;
      for (const Setting* other : settings) keys.push_back(other->key);
      throw Error(
          fmt::format("{}: '{}' has no list to advance{}", group.where, name, did_you_mean(name, keys)));
    }
    if (std::ranges::find(axis, setting) != axis.end())
      throw Error(fmt::format("{}: '{}' occurs twice", group.where, name));
    axis.push_back(setting);
    if (length(axis) != setting->alternatives.size())
      throw Error(fmt::format(
          "{}: lists that advance together must have the same length: '{}' ({}) has {}, '{}' ({}) has {}",
          group.where, group.names.front(), axis.front()->where, length(axis), name, setting->where,
          setting->alternatives.size()));
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
        if (std::ranges::find(groups[other], setting) != groups[other].end())
          throw Error(fmt::format("{}: '{}' occurs in two groups", group.where, setting->key));
  }
  std::vector<Axis> axes;
  std::set<const Setting*> placed;
  for (const Setting* setting : settings) {
    if (placed.count(setting)) continue;
    Axis axis = {setting};
    for (const Axis& group : groups)
      if (std::ranges::find(group, setting) != group.end()) axis = group;
    placed.insert(axis.begin(), axis.end());
    axes.push_back(std::move(axis));
  }
  return axes;
}

/// The number of combinations, as a number that cannot overflow.
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

[[noreturn]] void reject_unused(const Catalog& catalog, const Setting& setting) {
  if (!setting.is_parameter) {
    const KeyEntry* key = find_key(setting.key);
    if (!key || !key->unused)
      throw Error(fmt::format("{}: no run of this experiment uses it", setting.where));
    RunConfiguration scratch;
    for (const Value& name : setting.alternatives)  // the name may not exist
      in_place(setting.where, key->name, [&] { key->set(catalog, scratch, to_string(name)); });
    throw Error(fmt::format("{}: {}", setting.where, key->unused));
  }
  std::set<std::string> names;
  const std::string key = setting.key.substr(setting.key.find('.') + 1);  // the whole name without a part
  const std::string owners = declarers(catalog, key, &names);
  if (!owners.empty())
    throw Error(fmt::format("{}: no run of this experiment has the parameter '{}', which belongs to {}",
                            setting.where, setting.key, owners));
  throw Error(fmt::format("{}: there is no parameter '{}'{}", setting.where, setting.key,
                          did_you_mean(key, {names.begin(), names.end()})));
}

/// Results record every setting as UTF-8; other text could not be resumed or repeated.
void require_recordable(const Setting& setting) {
  for (const Value& value : setting.alternatives)
    if (const auto* text = std::get_if<std::string>(&value); text && !is_recordable(*text))
      throw Error(fmt::format("{}: '{}' is not UTF-8 and cannot be recorded; rename the file", setting.where,
                              visible(*text)));
}

}  // namespace

std::vector<Declaration> declarations(const Catalog& catalog) {
  std::vector<Declaration> all;
  for (const KeyEntry& key : run_keys())
    if (key.parameters)
      for (const std::string& entry : key.names(catalog))
        all.push_back({key.name, entry, key.parameters(catalog, entry)});
  all.insert(all.end(), {{"", "integrators that carry a velocity, on moving surfaces",
                          describe_options<MovingSurfaceOptions>()},
                         {"", "generated meshes other than rectangles", describe_options<MeshOptions>()},
                         {"", "mesh files", describe_options<MeshFileOptions>()},
                         {"", "dt = auto and substeps = auto", describe_options<StepOptions>()},
                         {"", "dt = auto", describe_options<AutoStepOptions>()},
                         {"", "all scenes", describe_options<GivenFieldOptions>()},
                         {"", "all scenes", describe_options<SolutionFileOptions>()},
                         {"", "all meshes", describe_options<OrderOptions>()}});
  return all;
}

std::string declarers(const Catalog& catalog, const std::string& parameter,
                      std::set<std::string>* all_names) {
  std::set<std::string> names;
  std::vector<std::string> owners;
  for (const Declaration& one : declarations(catalog))
    for (const ParameterInfo& info : one.parameters) {
      names.insert(info.name);
      if (info.name == parameter && (one.kind.empty() || !is_of_carried_velocity(parameter)))
        owners.push_back(one.owner);
    }
  if (all_names) *all_names = std::move(names);
  return join(owners);
}

std::string without_name(const std::string& message, const std::string& name) {
  for (const std::string& prefix : {fmt::format("parameter '{}': ", name), name + ": "})
    if (message.rfind(prefix, 0) == 0) return message.substr(prefix.size());
  return message;
}

Options<StepOptions> StepOptions::describe() {
  return Options<StepOptions>().number(
      "safety", "1", &StepOptions::safety, 1e-6, 100,
      "target CFL number: dt = auto (at every step; with implicit integrators at the start) and substeps = "
      "auto (at the start) use this fraction of the scheme's stable step");
}

Options<AutoStepOptions> AutoStepOptions::describe() {
  using O = AutoStepOptions;
  return Options<O>()
      .number("dt_growth", "1", &O::growth, 1, 1e6,
              "dt = auto: maximum growth of a step relative to the previous one")
      .number("dt_least", "1", &O::min_ratio, 0, 1,
              "dt = auto: if the stable step falls below this fraction of the first one, the run ends as "
              "unstable")
      .number("dt_of_period", "1", &O::part_of_period, 1e-6, 1e6,
              "dt = auto: maximum step relative to the shortest period or duration of the motion, and to the "
              "period of sines in given forces, rain and boundary values")
      .number(
          "dt_body_path", "1", &O::body_path, 1e-6, 1e6,
          "dt = auto: maximum path of a body near the water in one step, relative to its smallest extent");
}

ParameterInfos step_parameters() {
  ParameterInfos all = describe_options<StepOptions>();
  add_parameters(all, describe_options<AutoStepOptions>());
  return all;
}

Options<MeshOptions> MeshOptions::describe() {
  return Options<MeshOptions>().number("radius", "m", &MeshOptions::radius, 1e-12,
                                       std::numeric_limits<double>::infinity(), "size of generated surfaces");
}

Options<MeshFileOptions> MeshFileOptions::describe() {
  return Options<MeshFileOptions>().number("weld", "m", &MeshFileOptions::weld, 0,
                                           std::numeric_limits<double>::infinity(),
                                           "vertices closer than this are merged; 0: closer than 1e-12 of "
                                           "the diagonal of the bounding box, 1e-6 for STL");
}

Options<OrderOptions> OrderOptions::describe() {
  return Options<OrderOptions>().whole_number("parts", "1", &OrderOptions::parts, 1, 1 << 20,
                                              "number of compact parts in which the triangles are numbered, "
                                              "usually that of the processes; 1: along a curve");
}

ParameterInfos order_parameters(const std::map<std::string, Value>& given) {
  if (!given.contains("parts")) return {};
  return describe_options<OrderOptions>();
}

ParameterInfos declared_parameters(const Catalog& catalog, const RunConfiguration& c) {
  ParameterInfos all;
  for (const KeyEntry& key : run_keys())
    if (key.parameters && key.is_used(catalog, c))
      add_parameters(all, key.parameters(catalog, to_string(key.get(c).value_or(""))));
  if (!c.inputs.empty()) {  // inputs may drag a surface without its own motion
    add_parameters(all, describe_options<CouplingOptions>());
    add_parameters(all, describe_options<MovingOptions>());
  }
  if (!catalog.integrators.find(c.integrator)
           .carries_velocity)  // then only volumes are carried with the surface
    std::erase_if(all, [](const ParameterInfo& info) { return is_of_carried_velocity(info.name); });
  add_parameters(all, given_field_parameters(c.parameters));
  add_parameters(all, solution_file_parameters(c.parameters));
  add_parameters(all, order_parameters(c.parameters));
  if (takes_radius(c.mesh)) add_parameters(all, describe_options<MeshOptions>());
  if (!is_generated(c.mesh)) add_parameters(all, describe_options<MeshFileOptions>());
  if (!c.dt || !c.substeps) add_parameters(all, describe_options<StepOptions>());
  if (!c.dt) add_parameters(all, describe_options<AutoStepOptions>());
  const auto& defaults = catalog.scenes.find(c.scene).defaults;
  for (ParameterInfo& info : all)
    if (const auto found = defaults.find(info.name); found != defaults.end()) info.fallback = found->second;
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
    if (std::ranges::none_of(settings,
                             [](const Setting* s) { return s->key == "scene" && !s->is_parameter; }))
      throw Error(
          fmt::format("experiment '{}': the scene is missing; see 'shoal list scenes'", experiment.name));
    products.push_back(axes_of(settings, together));
    combinations += count_combinations(products.back());
  };
  if (experiment.cases.empty()) add_product({}, experiment.together);
  for (const Case& one : experiment.cases)
    add_product(one.settings, one.together.value_or(experiment.together));
  if (combinations > static_cast<double>(max_combinations))
    throw Error(fmt::format("experiment '{}': its lists give {:.6g} combinations; at most {} are allowed",
                            experiment.name, combinations, max_combinations));

  std::vector<PlannedRun> plan;
  UsedSettings used;
  FirstUses first_uses;
  std::set<RunConfiguration> known;
  for (const std::vector<Axis>& axes : products)
    for_each_combination(axes, [&](const Combination& combination) {
      PlannedRun run = Resolver(catalog, combination, used, first_uses).resolve();
      if (known.insert(run.configuration).second) plan.push_back(std::move(run));
    });
  if (plan.size() > max_runs)
    throw Error(fmt::format("experiment '{}': its lists give {} runs; at most {} are allowed",
                            experiment.name, plan.size(), max_runs));

  const auto check = [&](const std::vector<Setting>& settings) {
    for (const Setting& setting : settings)
      if (!used.count(&setting)) reject_unused(catalog, setting);
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
                         fmt::format("{}: '{}' would take infinitely many snapshots", where, text));
    if (interval < dt * (1 - 1e-9))
      throw SettingError(
          "snapshots",
          fmt::format("{}: '{}' is shorter than the time step of {} s; a step can be recorded only once",
                      where, text, dt));
    if (end / interval > max_snapshots)
      throw SettingError(
          "snapshots",
          fmt::format("{}: '{}' would take {:.3g} snapshots until {} s; at most {:.0f} are allowed", where,
                      text, end / interval, end, max_snapshots));
    for (std::int64_t i = 0; static_cast<double>(i) * interval <= end * (1 + 1e-12); ++i)
      times.push_back(static_cast<double>(i) * interval);
    return times;
  }
  for (const std::string& part : split_at_commas(text)) times.push_back(seconds(part));
  return times;
}

}  // namespace shoal
