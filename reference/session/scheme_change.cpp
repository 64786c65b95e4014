#include "reference/session/scheme_change.hpp"

#include <algorithm>

namespace shoal {

std::optional<ChangeInput> scheme_change(const Catalog& catalog, const RunConfiguration& present,
                                         const std::string& key, const std::string& name) {
  const auto advection_after = [&](const ChangeInput& change) -> std::string {
    try {
      return changed(catalog, present, change).advection;
    } catch (const Error&) {
      return "";
    }
  };
  const ChangeInput plain{{{key, name}}};
  const std::string kept = advection_after(plain);
  if (!kept.empty() && kept != "none") return plain;
  for (const char* advection : {"semi-lagrangian", "vector-invariant", "none"}) {
    const ChangeInput change{{{key, name}, {"advection", advection}}};
    if (!advection_after(change).empty()) return change;
  }
  return {};
}

std::optional<ChangeInput> next_change(const Catalog& catalog, const RunConfiguration& present,
                                       const std::string& key, const std::string& tried, std::string& name) {
  const bool integrators = key == "integrator";
  const std::string& now = integrators ? present.integrator : present.discretization;
  std::vector<std::string> names;
  if (integrators)
    for (const auto& entry : catalog.integrators) names.push_back(entry.name);
  else
    for (const auto& entry : catalog.discretizations) names.push_back(entry.name);
  std::rotate(names.begin(), std::find(names.begin(), names.end(), now), names.end());
  auto next = tried.empty() ? names.begin() : std::find(names.begin(), names.end(), tried);
  if (next == names.end()) return {};
  for (++next; next != names.end(); ++next)
    if (const auto change = scheme_change(catalog, present, key, *next)) {
      name = *next;
      return change;
    }
  return {};
}

RunConfiguration with_scheme_of(const Catalog& catalog, const RunConfiguration& began,
                                const RunConfiguration& present) {
  ChangeInput change;
  const auto take = [&](const char* key, const std::string& before, const std::string& now) {
    if (!now.empty() && now != before && now != "built-in") change.values.emplace_back(key, now);
  };
  take("discretization", began.discretization, present.discretization);
  take("integrator", began.integrator, present.integrator);
  take("linear_solver", began.linear_solver, present.linear_solver);
  take("advection", began.advection, present.advection);
  if (present.substeps && present.substeps != began.substeps && began.substeps &&
      catalog.integrators.find(present.integrator).default_substeps > 0)
    take("substeps", "", std::to_string(*present.substeps));
  return change.values.empty() ? began : changed(catalog, began, change);
}

}  // namespace shoal
