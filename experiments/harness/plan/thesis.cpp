#include "experiments/harness/plan/thesis.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {

const std::vector<std::pair<std::string, Value>>& thesis_parameters() {
  static const std::vector<std::pair<std::string, Value>> values = {
      {"density", 1000.0},        {"depth", 0.2},
      {"lower_angle", 10.0},      {"max_divergence_edge", "10"},
      {"friction", 0.01},         {"acceleration_limit", 4.0},
      {"inertia", "on"},          {"carried_velocity", "barycentric"},
      {"inertia_smoothing", 0.5}, {"normal_smoothing", 0.5},
      {"artificial_level", 0.2},  {"artificial_width", 0.125},
      {"body_drag", 1.0},         {"body_density", 500.0}};
  return values;
}

std::string thesis_parameters_text() {
  std::vector<std::string> parts;
  for (const auto& [name, value] : thesis_parameters())
    parts.push_back(fmt::format("{} = {}", name, to_string(value)));
  return join(parts);
}

void add_thesis_settings(const Catalog& catalog, Experiment& experiment) {
  const ParameterInfos declared =
      declared_parameters(catalog, expand(catalog, experiment).front().configuration);
  for (const auto& [name, value] : thesis_parameters()) {
    const bool is_declared =
        std::ranges::any_of(declared, [&](const ParameterInfo& info) { return info.name == name; });
    const bool is_given = std::ranges::any_of(experiment.settings, [&](const Setting& setting) {
      return setting.is_parameter && (setting.key == name || setting.key.ends_with("." + name));
    });
    if (is_declared && !is_given) experiment.settings.push_back({name, true, {value}, "--thesis"});
  }
}

}  // namespace shoal
