#include "reference/session/scheme_change.hpp"

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

}  // namespace shoal
