#include "experiments/harness/plan/change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace shoal {
namespace {

Value value_of(const ParameterInfo& info, const std::string& text) {
  if (std::holds_alternative<double>(info.fallback)) return parse_parameter(text, info.name);
  return text;
}

int substeps_of(const std::string& text) {
  constexpr double most = 1e6;
  const double value = parse_number(text, "substeps");
  if (!(value >= 1 && value <= most && std::floor(value) == value))
    throw Error(fmt::format("substeps: {} is not a whole number from 1 to {:g}", text, most));
  return static_cast<int>(value);
}

/// Sets a key whose parts are listed; false if it is none.
bool set_part(const Catalog& catalog, const std::string& key, const std::string& value, RunConfiguration& c) {
  if (key == "discretization")
    c.discretization = catalog.discretizations.find(value).name;
  else if (key == "integrator")
    c.integrator = catalog.integrators.find(value).name;
  else if (key == "linear_solver")
    c.linear_solver = catalog.linear_solvers.find(value).name;
  else if (key == "advection")
    c.advection = catalog.advections.find(value).name;
  else if (key == "splitting")
    c.splitting = catalog.splittings.find(value).name;
  else
    return false;
  return true;
}

}  // namespace

std::vector<Setting> settings_of(const Catalog& catalog, const RunConfiguration& c,
                                 const std::string& where) {
  std::vector<Setting> settings;
  const auto add = [&](const char* key, Value value) {
    settings.push_back({key, false, {std::move(value)}, where + ": " + key});
  };
  const IntegratorEntry& integrator = catalog.integrators.find(c.integrator);
  add("scene", c.scene);
  add("discretization", c.discretization);
  add("integrator", c.integrator);
  if (!c.linear_solver.empty()) add("linear_solver", c.linear_solver);
  if (c.advection != "built-in") add("advection", c.advection);
  if (integrator.carries_velocity) add("splitting", c.splitting);
  add("mesh", c.mesh);
  add("motion", c.motion);
  if (!c.boundaries.empty()) add("boundaries", c.boundaries);
  if (!c.inputs.empty()) add("inputs", c.inputs);
  add("dt", c.dt ? Value(*c.dt) : Value("auto"));
  if (integrator.default_substeps > 0)
    add("substeps", c.substeps ? Value(static_cast<double>(*c.substeps)) : Value("auto"));
  if (c.end) add("end", *c.end);
  if (!c.snapshots.empty()) add("snapshots", c.snapshots);
  if (c.diagnostics_every != 1) add("diagnostics", fmt::format("every:{}", c.diagnostics_every));
  if (c.threads != 1) add("threads", static_cast<double>(c.threads));
  if (catalog.motions.find(c.motion).random) add("seed", static_cast<double>(c.seed));
  for (const auto& [name, value] : c.parameters)
    settings.push_back({name, true, {value}, where + ": " + name});
  return settings;
}

RunConfiguration changed(const Catalog& catalog, const RunConfiguration& configuration,
                         const ChangeInput& change) {
  RunConfiguration c = configuration;
  std::set<std::string> keys;
  for (const auto& [key, value] : change.values) {
    if (key == "substeps")
      c.substeps = substeps_of(value);
    else if (!set_part(catalog, key, value, c))
      continue;
    keys.insert(key);
  }
  const IntegratorEntry& integrator = catalog.integrators.find(c.integrator);
  if (!integrator.uses_linear_solver && !keys.count("linear_solver")) c.linear_solver.clear();
  if (integrator.uses_linear_solver && c.linear_solver.empty())
    c.linear_solver = catalog.linear_solvers.front().name;
  if (catalog.discretizations.find(c.discretization).transports_momentum())
    c.advection = "built-in";
  else if (c.advection == "built-in")
    c.advection = "none";
  const AdvectionEntry* advection =
      c.advection == "built-in" || c.advection == "none" ? nullptr : &catalog.advections.find(c.advection);
  if (!keys.count("splitting") && !keys.empty()) c.splitting = default_splitting(integrator, advection).name;
  if (integrator.default_substeps == 0 && !keys.count("substeps")) c.substeps = 1;

  const ParameterInfos declared = declared_parameters(catalog, c);
  const auto info_of = [&](const std::string& name) {
    return std::find_if(declared.begin(), declared.end(),
                        [&](const ParameterInfo& info) { return info.name == name; });
  };
  // What has its default has that of the new parts, whether it was written down or not: results hold all values.
  const ParameterInfos before = declared_parameters(catalog, configuration);
  const auto was_default = [&](const std::string& name, const Value& value) {
    return std::any_of(before.begin(), before.end(), [&](const ParameterInfo& info) {
      return info.name == name && info.fallback == value;
    });
  };
  std::erase_if(c.parameters, [&](const auto& given) {
    return info_of(given.first) == declared.end() || was_default(given.first, given.second);
  });
  for (const auto& [key, value] : change.values) {
    if (keys.count(key)) continue;
    const auto info = info_of(key);
    if (info == declared.end()) {
      std::vector<std::string> names = {"discretization", "integrator", "linear_solver",
                                        "advection",      "splitting",  "substeps"};
      for (const ParameterInfo& one : declared) names.push_back(one.name);
      throw Error(fmt::format("the run has no '{}' that could change{}", key, did_you_mean(key, names)));
    }
    c.parameters[key] = value_of(*info, value);
  }

  Experiment experiment;
  experiment.name = "change";
  experiment.settings = settings_of(catalog, c, "change");
  const PlannedRun planned = expand(catalog, experiment).front();
  if (!planned.refusal.empty()) throw Refusal(planned.refusal);
  return planned.configuration;
}

}  // namespace shoal
