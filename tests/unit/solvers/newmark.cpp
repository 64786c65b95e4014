// newmark's options: the effect of each on mass and energy.
#include "tests/support/surfaces.hpp"
#include "tests/support/trial.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

namespace shoal {
namespace {

using test::Configuration;
using test::Trial;

Configuration bump(std::map<std::string, Value> parameters) {
  Configuration setup{.integrator = "newmark", .parameters = std::move(parameters)};
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * std::exp(3 * (x.z() - 1)); };
  return setup;
}

struct Drift {
  double mass, energy;
};

Drift drift(const Configuration& setup, int steps) {
  Trial simulation(setup);
  simulation.prepare(1.0 / 60);
  const double mass = simulation.mass(), energy = simulation.energy();
  simulation.run(steps);
  return {simulation.mass() / mass - 1, simulation.energy() / energy - 1};
}

TEST(Newmark, loses_or_gains_mass_with_local_depths_unless_it_is_rescaled) {
  EXPECT_GT(std::abs(drift(bump({{"reference_depth", "local"}}), 120).mass), 1e-4);
  EXPECT_NEAR(drift(bump({{"reference_depth", "local"}, {"mass_rescale", "on"}}), 120).mass, 0, 1e-14);
}

TEST(Newmark, rescaling_a_mass_that_does_not_drift_changes_nothing) {
  const Drift off = drift(bump({}), 300), on = drift(bump({{"mass_rescale", "on"}}), 300);
  EXPECT_NEAR(on.energy, off.energy, 1e-12);
}

TEST(Newmark, keeps_mass_at_very_large_steps) {
  Trial simulation(bump({}));
  simulation.prepare(4);
  const double before = simulation.mass();
  simulation.run(2000);
  EXPECT_NEAR(simulation.mass() / before, 1, 1e-13);
}

/// A wave on the second of two spheres; the relative change of mass of both in 120 steps.
std::array<double, 2> drifts_of_two_spheres(const std::map<std::string, Value>& parameters) {
  Configuration setup{
      .surface = test::two_spheres("icosphere:2"), .integrator = "newmark", .parameters = parameters};
  setup.initial.depth = [](const Vector3& x) {
    return x.x() > 2.5 ? 1 + 0.3 * std::exp(3 * (x.z() - 1)) : 1;
  };
  Trial simulation(setup);
  simulation.prepare(1.0 / 60);
  const auto masses = [&] {
    std::array<double, 2> sums{};
    const Cells& cells = simulation.discretization->cells();
    for (Index i = 0; i < cells.count(); ++i) sums[cells.points(0, i) > 2.5] += simulation.volume()[i];
    return sums;
  };
  const std::array<double, 2> before = masses();
  simulation.run(120);
  const std::array<double, 2> after = masses();
  return {after[0] / before[0] - 1, after[1] / before[1] - 1};
}

TEST(Newmark, moves_no_water_from_one_part_of_the_surface_to_another) {
  for (const std::map<std::string, Value>& options : {std::map<std::string, Value>{},
                                                      {{"displacement_damping", 2.0}},
                                                      {{"reference_depth", "local"}, {"mass_rescale", "on"}}})
    for (const double drift : drifts_of_two_spheres(options))
      EXPECT_NEAR(drift, 0, 1e-13) << (options.empty() ? "" : options.begin()->first);
}

TEST(Newmark, keeps_mass_and_loses_energy_under_each_damping) {
  for (const std::string damping : {"rayleigh", "displacement_damping"}) {
    const Drift slow = drift(bump({{damping, 0.5}}), 120), fast = drift(bump({{damping, 2.0}}), 120);
    EXPECT_NEAR(slow.mass, 0, 1e-13) << damping;
    // Energy falls like exp(−α t): half of it is kinetic, and only the kinetic is damped, or only the
    // potential.
    EXPECT_NEAR(std::log(1 + slow.energy), -0.5 * 2, 0.1) << damping;
    EXPECT_NEAR(std::log(1 + fast.energy), -2.0 * 2, 0.4) << damping;
  }
}

/// A wave on a sphere of 1.25 times the radius it started from, or on one that had that radius, the same
/// volumes and volume rates from the start.
Trial& grown(Trial& simulation, bool from_the_start) {
  const auto grow = [&] { simulation.move_to(1.25 * simulation.surface.x, simulation.forcing); };
  if (from_the_start) grow();
  simulation.prepare(1.0 / 60);
  if (!from_the_start) grow();
  return simulation;
}

TEST(Newmark, reference_depths_of_the_cells_and_the_damping_follow_a_surface_that_moves) {
  using Options = std::map<std::string, Value>;
  for (const std::string integrator : {"newmark", "implicit-euler"})
    for (const Options& options :
         {Options{{"reference_depth", "initial"}}, Options{{"reference_depth", "local"}},
          Options{{"reference_depth", "0.7"}, {"displacement_damping", 2.0}}}) {
      Configuration setup = bump(options);
      setup.integrator = integrator;
      Trial moved(setup), fresh(setup);
      grown(moved, false).run(20);
      grown(fresh, true).run(20);
      EXPECT_LT((moved.volume() - fresh.volume()).norm(), 1e-13 * fresh.volume().norm());
      EXPECT_NEAR(moved.energy(), fresh.energy(), 1e-11 * fresh.energy());
    }
}

TEST(Newmark, a_constant_reference_depth_stays_where_the_surface_moves) {
  Trial moved(bump({{"reference_depth", "mean"}}));
  const double mean = moved.mass() / moved.geometry.total_area();
  Trial given(bump({{"reference_depth", fmt::format("{}", mean)}}));
  grown(moved, false).run(20);
  grown(given, true).run(20);
  EXPECT_LT((moved.volume() - given.volume()).norm(), 1e-13 * moved.volume().norm());
}

}  // namespace
}  // namespace shoal
