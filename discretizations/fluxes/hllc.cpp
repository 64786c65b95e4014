#include "discretizations/fluxes/hllc.hpp"

#include "discretizations/finite_volume.hpp"

namespace shoal {

DiscretizationEntry hllc() {
  DiscretizationEntry entry =
      describe_finite_volume<Hllc>("hllc",
                                   "depth and momentum on triangles; finite volumes with the HLLC flux, "
                                   "first or second order, well balanced");
  entry.positive = true;
  entry.order_limit = {2, "the bounds of wave speeds and the choice of the upwind side have kinks"};
  return entry;
}

}  // namespace shoal
