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

}  // namespace shoal
