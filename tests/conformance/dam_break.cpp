// The kinetic scheme against Stoker's dam break: error, shock position, positivity.
#include "experiments/scenes/scene.hpp"
#include "tests/support/trial.hpp"

#include <catch2/catch.hpp>

using namespace shoal;
using namespace shoal::test;

namespace {

struct DamBreak {
  double relative_l1 = 0;
  double shock = 0;  ///< x where the depth crosses the mean of h* and the right depth
  double smallest_depth = 0;
};

DamBreak run_dam_wet(const std::string& integrator, int cells_along) {
  const SceneEntry& entry = catalog().scenes.find("dam-wet");
  const Parameters parameters(entry.parameters, {});
  Configuration setup{
      .mesh = "rectangle:" + std::to_string(cells_along) + "x2:10x" + std::to_string(20.0 / cells_along),
      .discretization = "kinetic",
      .integrator = integrator,
      .substeps = 1};
  const Surface surface = load_surface(setup.mesh);
  const SceneInstance scene = entry.make(surface, make_geometry(surface.mesh, surface.x), parameters);
  setup.bed_depth = scene.bed_depth;
  setup.initial = scene.initial;
  Trial simulation(setup);
  const double limit = simulation.stable_dt();
  const int steps = static_cast<int>(scene.end / (0.5 * limit)) + 1;
  simulation.prepare(scene.end / steps);
  simulation.run(steps);

  const Cells& cells = simulation.discretization->cells();
  const Vector depth = simulation.volume().cwiseQuotient(cells.area);
  Vector exact;
  scene.references.front().depth(cells.points, scene.end, exact);
  DamBreak result;
  result.relative_l1 = cells.area.dot((depth - exact).cwiseAbs()) / cells.area.dot(exact);
  result.smallest_depth = depth.minCoeff();
  for (Index i = 0; i < cells.count(); ++i)
    if (depth[i] > 0.5 * (0.002539357 + 0.001)) result.shock = std::max(result.shock, cells.points(0, i));
  return result;
}

}  // namespace

TEST_CASE("a wet dam break has the error and the shock that note the exact solution", "[dam]") {
  constexpr double exact_shock = 6.259780;
  const DamBreak result = run_dam_wet("explicit", 1000);
  CHECK(result.relative_l1 <= 0.005);
  CHECK(std::abs(result.shock - exact_shock) <= 0.03);  // three cells
  CHECK(result.smallest_depth >= 0.001 * (1 - 1e-12));
}

TEST_CASE("the dam break's error falls with refinement", "[dam]") {
  const double coarse = run_dam_wet("explicit", 250).relative_l1,
               fine = run_dam_wet("explicit", 500).relative_l1;
  CAPTURE(coarse, fine);
  CHECK(fine < 0.7 * coarse);
}
