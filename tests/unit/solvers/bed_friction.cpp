// Friction at the bed in the steps of a model: normal flow, order in Δt, energy, and what it cannot be combined with.
#include "tests/support/order.hpp"
#include "tests/support/watched_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

using test::dec;
using test::fefv;
using test::kinetic;

const std::string schemes[] = {"fefv", "dec", "kinetic"};

/// Water under a constant acceleration a, as on a slope, tends to the velocity at which friction balances it: k v² = a, with
/// k = g n²/η^(4/3) or g/(C² η). Split into halves, the velocity between two steps is v √(1+ε)/(1+ε/2), ε = k w Δt, where w
/// follows from w² = v² (1 + ε).
TEST(BedFriction, and_a_slope_have_the_normal_velocity) {
  constexpr double depth = 0.5, acceleration = 0.2, n = 0.05, c = 20, dt = 0.5, tolerance = 1e-10;
  struct Law {
    const char* name;
    double value, per_length;
  };
  for (const Law& law : {Law{"manning", n, test::gravity * n * n / std::pow(depth, 4.0 / 3)},
                         Law{"chezy", c, test::gravity / (c * c * depth)}})
    for (const std::string& scheme : schemes)
      for (const IntegratorEntry& integrator : test::catalog().integrators)
        for (const double linear : {0.0, 0.1}) {
          const DiscretizationEntry& entry = test::catalog().discretizations.find(scheme);
          if (!integrator.carries_velocity || !integrator.incompatibility(entry, {}).empty()) continue;
          test::Configuration setup{.mesh = "rectangle:6x4:300x200:periodic",
                                    .discretization = scheme,
                                    .integrator = integrator.name};
          SCOPED_TRACE(scheme + " " + integrator.name + " " + law.name);
          setup.parameters = {{law.name, law.value}, {"friction", linear}};
          setup.bed_depth = [](const Vector3&) { return depth; };
          setup.initial.depth = setup.bed_depth;
          setup.body_acceleration = [](const Vector3&) {
            return Vector3(0.6 * acceleration, -0.8 * acceleration, 0);
          };
          test::Trial trial(setup);
          trial.prepare(dt);
          trial.run(500);
          const Values velocity = trial.sample("velocity");
          const Vector3 v = velocity.col(0);
          const double k = law.per_length, speed = v.norm();
          EXPECT_LT((velocity.colwise() - v).cwiseAbs().maxCoeff(), tolerance * speed);
          if (linear > 0) {  // the rate of ssprk3, or of the splitting: second order in Δt
            EXPECT_NEAR((linear * speed + k * speed * speed) / acceleration, 1, 0.01);
            continue;
          }
          const double normal = std::sqrt(acceleration / k), half = 0.5 * k * normal * dt;
          const double between = normal * (half + std::sqrt(1 + half * half)), part = k * between * dt;
          EXPECT_NEAR(speed, normal * std::sqrt(1 + part) / (1 + part / 2), tolerance * normal);
          EXPECT_NEAR(v.x() / speed, 0.6, tolerance);
          EXPECT_NEAR(speed / normal, 1, 0.02);
        }
}

TEST(BedFriction, is_of_second_order_in_time) {
  for (const std::string& scheme : schemes)
    for (const auto& [integrator, splitting] :
         {std::pair<std::string, std::string>{"ssprk3", "none"}, {"ssprk3", "strang"}}) {
      test::Configuration setup{.mesh = "icosphere:1",
                                .discretization = scheme,
                                .integrator = integrator,
                                .splitting = splitting,
                                .substeps = 1};
      if (scheme != "kinetic") setup.advection = "vector-invariant";
      setup.parameters = {{"manning", 0.5}, {"friction", 0.5}};
      setup.initial = {
          [](const Vector3& x) { return 1 + 0.1 * std::sin(2 * x.x() + 1) * std::cos(x.y() - x.z()); },
          [](const Vector3& x) { return Vector3(0.5 * Vector3(-x.y(), x.x(), 0.3)); }};
      const double order = test::order_in_time(setup, 2).order;
      constexpr double min_order = 1.8;  // 2 less a margin for a slope over three halvings
      EXPECT_GT(order, min_order) << scheme << " " << splitting;
      EXPECT_LT(order, 2.6) << scheme << " " << splitting;  // so that the friction is what is measured
    }
}

/// Energy less work stays what it was, on a surface at rest and on one that moves.
TEST(BedFriction, has_its_work_booked) {
  for (const std::string& scheme : {fefv, dec})
    for (const std::string motion : {"none", "squash"}) {
      const auto text = [&](double manning, int steps) {
        return fmt::format(
            "scene = 'custom'\nmesh = 'icosphere:2'\nmotion = '{}'\nend = 0.5\ndt = "
            "'0.5/{}'\n{}parameters.manning = {}\n"
            "parameters.initial_elevation = '0.1*z'\nparameters.initial_velocity = '-y,x,0'\n",
            motion, steps, scheme, manning);
      };
      test::WatchedRun run(text(0.3, 100));
      run.to_the_end();
      EXPECT_LT(run.end("work_friction"), -0.1 * run.start("energy_total")) << scheme << motion;
      test::WatchedRun coarse(text(0.3, 50)), without(text(0, 100));
      coarse.to_the_end();
      without.to_the_end();
      // The friction is booked to round-off; the rest is the error of the steps.
      EXPECT_LT(run.unaccounted(), std::max(1e-4, 2 * without.unaccounted())) << scheme << motion;
      EXPECT_GT(std::log2(coarse.unaccounted() / run.unaccounted()), 1.8) << scheme << motion;
    }
}

/// A layer that runs down a hill thins out on its top: nothing is divided by its depth.
TEST(BedFriction, keeps_thin_and_dry_water_finite) {
  for (const std::string& scheme :
       {fefv + "parameters.dry_outflow = 'closed'\n", dec + "parameters.dry_outflow = 'closed'\n", kinetic})
    for (const std::string law : {"manning = 0.03", "chezy = 30"}) {
      test::WatchedRun run(
          "scene = 'custom'\nmesh = 'rectangle:20x10:10x5'\nend = 2\ndt = 'auto'\n"
          "parameters.bed_depth = '0.2 - 0.4*exp(-((x-5)^2+(y-2.5)^2))'\nparameters.rain = '1e-3'\n"
          "parameters.initial_elevation = '0.2*exp(-(x-2)^2)'\nparameters." +
          law + "\n" + scheme);
      run.to_the_end();
      EXPECT_TRUE(run.state().q.allFinite());
      EXPECT_LT(run.end("work_friction"), 0);
    }
}

TEST(BedFriction, has_one_law) {
  test::Configuration setup;
  setup.parameters = {{"manning", 0.03}, {"chezy", 50.0}};
  try {
    test::Trial(setup).prepare(0.01);
    FAIL() << "no Error";
  } catch (const SettingError& error) {
    EXPECT_EQ(error.setting(), "chezy");
    EXPECT_STREQ(error.what(),
                 "parameter 'chezy': manning is another law of the same friction; set one of them to 0");
  }
}

}  // namespace
}  // namespace shoal
