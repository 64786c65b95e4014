// Transfer of water from the cells of one scheme to those of another.
#include "solvers/water_transfer.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

/// A lake beside a sloping shore whose land is wet with films of this depth.
Trial lake(const std::string& scheme, double film) {
  Configuration setup = {.mesh = "rectangle:24x12:2x1:jittered", .discretization = scheme};
  if (scheme == "dec") setup.parameters["dual"] = "intrinsic";
  setup.bed_depth = [](const Vector3& x) { return 0.3 - 0.4 * x.x(); };
  setup.initial.depth = [=, bed = setup.bed_depth](const Vector3& x) { return std::max(film, bed(x)); };
  return Trial(setup);
}

PlacedCells placed(const Trial& trial) {
  const Discretization& scheme = *trial.discretization;
  return {scheme.own_triangulation() ? *scheme.own_triangulation() : trial.surface.mesh, scheme.cells(),
          scheme.find_output("velocity")->area()};
}

// Round-off leaves films on a shore, at the level of the land, which would raise the mean level of the lake.
TEST(WaterTransfer, keeps_a_lake_level_beside_films_of_round_off) {
  for (const std::string from : {"fefv", "dec", "hllc"})
    for (const std::string to : {"fefv", "dec", "hllc"}) {
      const Trial before = lake(from, 1e-16), after = lake(to, 0);
      const Vector volume = transferred_volume(placed(before), before.volume(), placed(after), from == to);
      const Cells& cells = after.discretization->cells();
      double lowest = 1, highest = -1;
      for (Index i = 0; i < cells.count(); ++i) {
        if (!(volume[i] > 1e-12 * cells.area[i])) continue;
        const double level = volume[i] / cells.area[i] - cells.bed[i];
        lowest = std::min(lowest, level);
        highest = std::max(highest, level);
      }
      EXPECT_LT(highest - lowest, 1e-12) << from << " to " << to;
      EXPECT_NEAR(volume.sum(), before.mass(), 1e-12) << from << " to " << to;
    }
}

}  // namespace
}  // namespace shoal::test
