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

std::string advection_incompatibility(const AdvectionEntry* advection, const DiscretizationEntry& scheme,
                                      const IntegratorEntry& integrator, const Parameters& options) {
  if (advection) {
    const std::string reason = advection->incompatibility(scheme, integrator, options);
    if (!reason.empty()) return "advection = " + advection->name + ": " + reason;
  }
  if (scheme.leaves_depth_to_transport(options) && (!advection || advection->is_rate))
    return "continuity = advective needs an advection that transports the depth: semi-lagrangian or bfecc";
  return "";
}

Options<AdvectionIntervalOptions> AdvectionIntervalOptions::describe() {
  return Options<AdvectionIntervalOptions>().choice(
      "advection_interval", &AdvectionIntervalOptions::per_substep, {{"frame", false}, {"substep", true}},
      "what the advection precedes: steps or their substeps");
}

}  // namespace shoal
