#include "reference/session/plan_to_play.hpp"

#include "experiments/harness/plan/inputs.hpp"

#include <algorithm>

namespace shoal {
namespace {

/// Defaults of Angst 2007, table C.2: the limit of external accelerations, the smoothing of the inertia and of aₙ. On a surface moved only by
/// hand, velocities are carried as there, so that dragging acts on the water only through these accelerations.
void set_drag_defaults(const Catalog& catalog, RunConfiguration& c) {
  const auto declares = [](const ParameterInfos& infos, const std::string& name) {
    return std::any_of(infos.begin(), infos.end(),
                       [&](const ParameterInfo& info) { return info.name == name; });
  };
  if (declares(catalog.scenes.find(c.scene).parameters, "inertia")) return;  // the scene moves the surface
  std::vector<std::pair<const char*, Value>> defaults = {
      {"acceleration_limit", 4.0}, {"inertia_smoothing", 0.5}, {"normal_smoothing", 0.5}};
  if (c.motion == "none") {
    defaults.emplace_back("inertia", "on");
    defaults.emplace_back("carried_velocity", "barycentric");
  }
  const ParameterInfos declared = declared_parameters(catalog, c);
  for (const auto& [name, value] : defaults)
    if (declares(declared, name)) c.parameters.emplace(name, value);
}

}  // namespace

PlannedRun plan_to_play(const Catalog& catalog, const Experiment& experiment) {
  const auto given = [&](const char* key) {
    return std::any_of(experiment.settings.begin(), experiment.settings.end(),
                       [&](const Setting& one) { return one.key == key; });
  };
  Experiment open = experiment;
  if (!given("inputs")) open.settings.push_back({"inputs", false, {no_inputs}, "inputs"});
  if (!given("advection")) try {
      Experiment carried = open;
      carried.settings.push_back({"advection", false, {"semi-lagrangian"}, "advection"});
      if (PlannedRun planned = expand(catalog, carried).front(); planned.refusal.empty()) {
        set_drag_defaults(catalog, planned.configuration);
        return planned;
      }
    } catch (const Error&) {  // tried again below as written
    }
  PlannedRun planned = expand(catalog, open).front();
  if (planned.refusal.empty()) set_drag_defaults(catalog, planned.configuration);
  return planned;
}

}  // namespace shoal
