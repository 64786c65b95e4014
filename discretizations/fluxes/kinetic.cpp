#include "discretizations/fluxes/kinetic.hpp"

#include "discretizations/finite_volume.hpp"

namespace shoal {

DiscretizationEntry kinetic() {
  DiscretizationEntry entry = describe_finite_volume<Kinetic>(
      "kinetic",
      "depth and momentum on triangles; kinetic finite volumes, first or second order, well balanced "
      "(Angst 2007, 4.3.3)");
  entry.positive = true;
  return entry;
}

}  // namespace shoal
