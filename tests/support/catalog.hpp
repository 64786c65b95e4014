// The catalogue for tests: the built-in entries and those of plugins.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

#include <ranges>

namespace shoal::test {

/// May be changed only before the first test.
inline Catalog& mutable_catalog() {
  static Catalog catalog = builtin();
  return catalog;
}
inline const Catalog& catalog() {
  return mutable_catalog();
}

/// The schemes and integrators whose pairs are tested; empty: all. May be changed only before the first test.
inline std::vector<std::string>& tested_entries() {
  static std::vector<std::string> names;
  return names;
}
/// Whether the pair contains one of tested_entries(), or there are none.
inline bool is_tested(const DiscretizationEntry& discretization, const IntegratorEntry& integrator) {
  const std::vector<std::string>& names = tested_entries();
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return name == discretization.name || name == integrator.name;
         });
}
inline bool is_tested(const DiscretizationEntry& discretization) {
  const std::vector<std::string>& names = tested_entries();
  return names.empty() || std::find(names.begin(), names.end(), discretization.name) != names.end();
}

/// The schemes for any surface, and those for square cells alone: most tests use spheres.
inline auto surface_schemes() {
  return catalog().discretizations |
         std::views::filter([](const DiscretizationEntry& entry) { return !entry.square_cells; });
}
/// Of the schemes for any surface, those with a capability.
template <class Capability>
auto surface_schemes_with() {
  return surface_schemes() | std::views::filter([](const DiscretizationEntry& entry) {
           return entry.offers_capability<Capability>();
         });
}
inline auto grid_schemes() {
  return catalog().discretizations |
         std::views::filter([](const DiscretizationEntry& entry) { return entry.square_cells; });
}

}  // namespace shoal::test
