#include "experiments/harness/plan/change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace shoal {
namespace {

Value value_of(const ParameterInfo& info, const std::string& text) {
  if (std::holds_alternative<double>(info.fallback)) return parse_parameter(text, info.name);
  return text;
}

}  // namespace

std::vector<Setting> settings_of(const Catalog& catalog, const RunConfiguration& c,
                                 const std::string& where) {
  std::vector<Setting> settings;
  for (const KeyEntry& key : run_keys()) {
    if (!key.is_used(catalog, c)) continue;
    std::optional<Value> value = key.written ? key.written(c) : key.get(c);
    if (!value && key.takes_auto) value = "auto";
    if (value) settings.push_back({key.name, false, {*value}, where + ": " + key.name});
  }
  for (const auto& [name, value] : c.parameters)
    settings.push_back({name, true, {value}, where + ": " + name});
  return settings;
}

RunConfiguration changed(const Catalog& catalog, const RunConfiguration& configuration,
                         const ChangeInput& change) {
  RunConfiguration c = configuration;
  std::set<std::string> keys;
  for (const auto& [key, value] : change.values) {
    const KeyEntry* entry = find_key(key);
    if (!entry || !entry->change) continue;
    entry->change(catalog, c, value);
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
  if (!keys.count("splitting") && !keys.empty())
    c.splitting = default_splitting(integrator, added_advection(catalog, c)).name;
  if (integrator.default_substeps == 0 && !keys.count("substeps")) c.substeps = 1;
  for (const auto& [key, value] : change.values) {
    const KeyEntry* entry = find_key(key);
    const bool means_absent = key == "advection" && value == "none";  // beside built-in advection
    if (keys.count(key) && !means_absent && entry->applies && !entry->applies(catalog, c))
      throw Error(fmt::format("'{}' has no effect with discretization {} and integrator {}", key,
                              c.discretization, c.integrator));
  }

  const ParameterInfos declared = declared_parameters(catalog, c);
  const auto info_of = [&](const std::string& name) {
    return std::ranges::find_if(declared, [&](const ParameterInfo& info) { return info.name == name; });
  };
  // Values equal to their default take the default of the new parts, even if given explicitly: results record all values.
  const ParameterInfos before = declared_parameters(catalog, configuration);
  const auto was_default = [&](const std::string& name, const Value& value) {
    return std::ranges::any_of(
        before, [&](const ParameterInfo& info) { return info.name == name && info.fallback == value; });
  };
  std::erase_if(c.parameters, [&](const auto& given) {
    return info_of(given.first) == declared.end() || was_default(given.first, given.second);
  });
  for (const auto& [key, value] : change.values) {
    if (keys.count(key)) continue;
    const auto info = info_of(key);
    if (info == declared.end()) {
      for (const ParameterInfo& one : step_parameters())
        if (one.name == key)
          throw Error(fmt::format("'{}' applies to the whole run and cannot be changed during it", key));
      std::vector<std::string> names;
      for (const KeyEntry& one : run_keys())
        if (one.change) names.push_back(one.name);
      for (const ParameterInfo& one : declared) names.push_back(one.name);
      throw Error(fmt::format("the run has no '{}' to change{}", key, did_you_mean(key, names)));
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
