// The finite-volume schemes compared with dam breaks on wet and dry beds (Stoker, Ritter): error, front, positivity,
// and a transcritical fan without a jump.
#include "discretizations/finite_volume.hpp"
#include "experiments/scenes/stoker.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/trial.hpp"

#include <cmath>
#include <limits>

using namespace shoal;
using namespace shoal::test;

namespace {

constexpr double length = 10, dam = 5, end_time = 6;  // m, s

struct Dam {
  double left, right;  ///< depths, m

  double depth(double speed) const { return StokerDamBreak(left, right, gravity).depth(speed); }
  double front() const { return StokerDamBreak(left, right, gravity).shock_speed(); }
};

struct Outcome {
  double relative_l1 = 0;
  double shock = 0;  ///< x of the last cell deeper than the mean of both sides of the shock
  double smallest_depth = 0;
  double jump =
      0;  ///< largest difference of depth between neighbouring columns beside the dam, of the left depth
};

Outcome run_dam(const std::string& scheme, const Dam& dam_break, int cells_along, double time = end_time) {
  Configuration setup{
      .mesh = "rectangle:" + std::to_string(cells_along) + "x2:10x" + std::to_string(20.0 / cells_along),
      .discretization = scheme,
      .integrator = "explicit",
      .bed_depth = [=](const Vector3&) { return dam_break.left; },
      .substeps = 1};
  setup.initial.depth = [=](const Vector3& x) { return x.x() <= dam ? dam_break.left : dam_break.right; };
  Trial simulation(setup);
  // The bound belongs to the first state; the water accelerates.
  const double limit = simulation.stable_dt();
  const int steps = static_cast<int>(time / (0.5 * limit)) + 1;
  simulation.prepare(time / steps);
  simulation.run(steps);

  const Cells& cells = simulation.discretization->cells();
  const Vector depth = simulation.volume().cwiseQuotient(cells.area);
  Outcome result;
  result.smallest_depth = depth.minCoeff();
  const double behind = dam_break.depth(0.999 * dam_break.front());
  double error = 0, water = 0, low = dam_break.left, high = 0;
  for (Index i = 0; i < cells.count(); ++i) {
    const double exact = dam_break.depth((cells.points(0, i) - dam) / time);
    error += cells.area[i] * std::abs(depth[i] - exact);
    water += cells.area[i] * exact;
    if (depth[i] > 0.5 * (behind + dam_break.right))
      result.shock = std::max(result.shock, cells.points(0, i));
    if (std::abs(cells.points(0, i) - dam) > 2 * length / cells_along) continue;
    low = std::min(low, depth[i]);
    high = std::max(high, depth[i]);
  }
  result.relative_l1 = error / water;
  result.jump = (high - low) / dam_break.left;
  return result;
}

std::vector<std::string> finite_volume_schemes() {
  std::vector<std::string> names;
  for (const DiscretizationEntry& entry : surface_schemes()) {
    if (!is_tested(entry) || !entry.transports_momentum()) continue;
    const Trial simulation({.mesh = "rectangle:2x2", .discretization = entry.name, .integrator = "explicit"});
    if (dynamic_cast<const FiniteVolume*>(simulation.discretization.get())) names.push_back(entry.name);
  }
  return names;
}

bool is_positive(const std::string& scheme) {
  return catalog().discretizations.find(scheme).positive;
}

}  // namespace

TEST_CASE("a wet dam break has the error and the shock that note the exact solution", "[dam]") {
  constexpr double max_error = 0.005, within_shock = 0.03;  // three cells; first order
  const Dam dam_break = {0.005, 0.001};
  for (const std::string& scheme : finite_volume_schemes()) {
    const Outcome result = run_dam(scheme, dam_break, 1000);
    CAPTURE(scheme, result.relative_l1);
    CHECK(result.relative_l1 <= max_error);
    CHECK(std::abs(result.shock - 6.259780) <= within_shock);
    CHECK(result.smallest_depth >= 0.001 * (1 - 1e-12));
  }
}

TEST_CASE("a dam breaks onto dry land", "[dam]") {
  constexpr double max_error = 0.007;
  const Dam dam_break = {0.005, 0};
  for (const std::string& scheme : finite_volume_schemes()) {
    const Outcome result = run_dam(scheme, dam_break, 1000);
    CAPTURE(scheme, result.relative_l1, result.smallest_depth);
    CHECK(result.relative_l1 <= max_error);
    if (is_positive(scheme)) CHECK(result.smallest_depth >= -1e-18);
  }
}

TEST_CASE("a fan passes the critical point without a jump", "[dam]") {
  // Froude numbers above 1 behind the front. An expansion shock would be 0.24 of the depth, whatever the mesh.
  const Dam dam_break = {0.1, 0.001};
  for (const std::string& scheme : finite_volume_schemes()) {
    const Outcome coarse = run_dam(scheme, dam_break, 250, 1), fine = run_dam(scheme, dam_break, 500, 1);
    CAPTURE(scheme, coarse.jump, fine.jump);
    CHECK(fine.jump <= 0.7 * coarse.jump);
    CHECK(fine.jump <= 0.06);
  }
}

TEST_CASE("the dam break's error falls with refinement", "[dam]") {
  constexpr double factor = 0.7;
  for (const std::string& scheme : finite_volume_schemes())
    for (const Dam& dam_break : {Dam{0.005, 0.001}, Dam{0.005, 0}}) {
      const double coarse = run_dam(scheme, dam_break, 250).relative_l1,
                   fine = run_dam(scheme, dam_break, 500).relative_l1;
      CAPTURE(scheme, dam_break.right, coarse, fine);
      CHECK(fine < factor * coarse);
    }
}
