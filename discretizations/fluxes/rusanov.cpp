#include "discretizations/fluxes/rusanov.hpp"

#include "discretizations/finite_volume.hpp"

namespace shoal {

DiscretizationEntry rusanov() {
  DiscretizationEntry entry =
      describe_finite_volume<Rusanov>("rusanov",
                                      "depth and momentum on triangles; finite volumes with Rusanov's flux, "
                                      "first or second order, well balanced");
  entry.positive = true;
  entry.order_limit = {2, "the maximum of two speeds has kinks"};
  return entry;
}

}  // namespace shoal
