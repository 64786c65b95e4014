// none: no advection.
#include "solvers/advection/advection.hpp"

namespace shoal {

AdvectionEntry no_advection() {
  AdvectionEntry entry;
  entry.name = "none";
  entry.summary = "no advection: v·∇v is omitted";
  entry.is_rate = true;  // no splitting required
  entry.incompatibility = [](const DiscretizationEntry&, const IntegratorEntry&, const Parameters&) {
    return std::string();
  };
  entry.make = [](const RightSide&, const Parameters&) { return std::unique_ptr<Advection>(); };
  return entry;
}

}  // namespace shoal
