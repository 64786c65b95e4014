// The list of advections.
#include "discretizations/common/entries.hpp"
#include "solvers/advection/advection.hpp"

namespace shoal {
namespace {

AdvectionEntry none() {
  AdvectionEntry entry;
  entry.name = "none";
  entry.summary = "the velocity is not transported";
  entry.is_rate = true;  // there is nothing to split
  entry.incompatibility = [](const DiscretizationEntry&, const IntegratorEntry&, const Parameters&) {
    return std::string();
  };
  entry.make = [](const Discretization&, const Parameters&) { return std::unique_ptr<Advection>(); };
  return entry;
}

}  // namespace

const std::vector<AdvectionEntry>& advections() {
  static const std::vector<AdvectionEntry> list = {none(), semi_lagrangian(), bfecc(), vector_invariant()};
  return list;
}

const AdvectionEntry& find_advection(const std::string& name) {
  return find_entry(advections(), name, "advection");
}

Options<AdvectionIntervalOptions> AdvectionIntervalOptions::describe() {
  return Options<AdvectionIntervalOptions>().choice(
      "advection_interval", &AdvectionIntervalOptions::per_substep, {{"frame", false}, {"substep", true}},
      "what the advection precedes: steps or their substeps");
}

}  // namespace shoal
