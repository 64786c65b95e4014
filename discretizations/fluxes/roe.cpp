#include "discretizations/fluxes/roe.hpp"

#include "discretizations/finite_volume.hpp"

namespace shoal {

DiscretizationEntry roe() {
  DiscretizationEntry entry =
      describe_finite_volume<Roe>("roe",
                                  "depth and momentum on triangles; finite volumes with Roe's flux, first or "
                                  "second order, well balanced");
  entry.order_limit = {2, "the absolute values of wave speeds have kinks"};
  return entry;
}

}  // namespace shoal
