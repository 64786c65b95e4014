// The work of forces if water crosses boundaries: the energy of that water does not count.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

constexpr double gravity = 9.81;

/// A hump in a basin of 10 m × 2 m, depth 1 m.
class Basin {
 public:
  Basin(const std::string& scheme, const std::string& integrator, const std::string& boundaries,
        double friction, double pull)
      : scheme_(test::catalog().discretizations.find(scheme)),
        integrator_(test::catalog().integrators.find(integrator)),
        water(
            surface_.mesh, surface_.x, [](const Vector3&) { return 1.0; }, forcing(boundaries, pull),
            with_parameters({.discretization = scheme_, .integrator = integrator_, .forced = true},
                            {{"friction", friction}}),
            [](const Discretization& discretization, const Forces&) {
              return discretization.project(
                  {[](const Vector3& x) { return 1 + 0.1 * std::exp(-std::pow(x.x() - 7, 2)); },
                   [](const Vector3&) { return Vector3(0.3, 0, 0); }});
            }) {}

  void run(int steps, double part) {
    const double dt = part * water.stable_dt();
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(water.step(dt, clock_).ok);
  }

 private:
  Forcing forcing(const std::string& boundaries, double pull) const {
    Forcing forcing{Vector::Constant(surface_.mesh.vertex_count, -gravity)};
    forcing.boundaries = parse_boundaries(boundaries);
    if (pull != 0) forcing.body_acceleration = Vector3(pull, 0, 0).replicate(1, surface_.mesh.vertex_count);
    return forcing;
  }

  Surface surface_ = load_surface("rectangle:20x4:10x2");
  const DiscretizationEntry& scheme_;
  const IntegratorEntry& integrator_;
  StageClock clock_;

 public:
  ShallowWater water;
};

const std::vector<std::string> boundaries = {
    "left = level 0.05", "right = outflow", "left = discharge 0.5; right = outflow", "left = discharge -0.5"};

/// Each scheme that supports all kinds of boundaries, with an explicit integrator.
std::vector<std::pair<std::string, std::string>> pairs() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const char* integrator : {"explicit", "ssprk3"}) all.emplace_back(scheme.name, integrator);
  return all;
}

TEST(ForceWork, is_nothing_at_open_boundaries_where_no_force_acts) {
  for (const auto& [scheme, integrator] : pairs())
    for (const std::string& given : boundaries) {
      SCOPED_TRACE(scheme + " × " + integrator + ", " + given);
      Basin basin(scheme, integrator, given, 0, 0);
      basin.run(50, 0.5);
      constexpr double round_off = 1e-12;  // J, of some hundreds
      EXPECT_NEAR(basin.water.ledger().work_forces, 0, round_off);
      EXPECT_NE(basin.water.ledger().work_source, 0);
    }
}

TEST(ForceWork, is_that_of_friction_alone_at_open_boundaries) {
  for (const auto& [scheme, integrator] : pairs())
    for (const std::string& given : boundaries) {
      SCOPED_TRACE(scheme + " × " + integrator + ", " + given);
      Basin basin(scheme, integrator, given, 0.5, 0);
      basin.run(50, 0.5);
      const Ledger ledger = basin.water.ledger();
      constexpr double round_off = 1e-12;
      EXPECT_LT(ledger.work_forces, 0);
      EXPECT_NEAR(ledger.work_forces, ledger.work_friction, -round_off * ledger.work_friction);
    }
}

TEST(ForceWork, of_a_pull_is_its_power_on_the_water_whatever_the_boundaries) {
  // ∫ ρ Σ A η v·a dt from the diagnostics' own velocity, by the trapezoidal rule.
  for (const auto& [scheme, integrator] : pairs())
    for (const std::string& given : boundaries) {
      SCOPED_TRACE(scheme + " × " + integrator + ", " + given);
      constexpr double pull = 0.2, dt = 0.004;
      Basin basin(scheme, integrator, given, 0, pull);
      const auto power = [&] {
        Values velocity, depth;
        basin.water.sample("velocity", velocity);
        basin.water.sample("depth_at_faces", depth);
        const Vector& area = basin.water.discretization().find_output("depth_at_faces")->area();
        return 1000 * pull * velocity.row(0).cwiseProduct(depth.row(0)).dot(area.transpose());
      };
      double work = 0, before = power();
      StageClock clock;
      for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(basin.water.step(dt, clock).ok);
        const double now = power();
        work += 0.5 * dt * (before + now);
        before = now;
      }
      constexpr double of_vectors = 0.03;  // that dec makes of normal components; the others 0.001
      EXPECT_NEAR(basin.water.ledger().work_forces, work, of_vectors * work);
    }
}

}  // namespace
}  // namespace shoal
