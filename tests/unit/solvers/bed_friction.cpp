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
/// k = g n²/η^(4/3) or g/(C² η). Euler steps with friction keep it; split into halves, the velocity between two steps is
/// v √(1+ε)/(1+ε/2), ε = k w Δt, where w follows from w² = v² (1 + ε).
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
          const double between = normal * (half + std::sqrt(1 + half * half)),
                       part = integrator.resists ? 0 : k * between * dt;
          EXPECT_NEAR(speed, normal * std::sqrt(1 + part) / (1 + part / 2), tolerance * normal);
          EXPECT_NEAR(v.x() / speed, 0.6, tolerance);
          EXPECT_NEAR(speed / normal, 1, 0.02);
        }
}

const std::string made_of_euler_steps[] = {"explicit", "ssprk2", "ssprk3", "ssprk43"};

bool works(const std::string& scheme, const std::string& integrator) {
  return test::catalog()
      .integrators.find(integrator)
      .incompatibility(test::catalog().discretizations.find(scheme), {})
      .empty();
}

struct Uniform {
  double depth, acceleration, speed;
  std::map<std::string, Value> parameters;
};

/// A uniform flow along (0.6, −0.8).
test::Configuration uniform_flow(const Uniform& flow, const std::string& scheme,
                                 const std::string& integrator) {
  const Vector3 direction(0.6, -0.8, 0);
  test::Configuration setup{.mesh = "rectangle:6x4:1.5x1:periodic",
                            .discretization = scheme,
                            .integrator = integrator,
                            .parameters = flow.parameters};
  setup.bed_depth = [depth = flow.depth](const Vector3&) { return depth; };
  setup.initial = {setup.bed_depth, [=, v = flow.speed](const Vector3&) { return Vector3(v * direction); }};
  if (flow.acceleration > 0)
    setup.body_acceleration = [=, a = flow.acceleration](const Vector3&) { return Vector3(a * direction); };
  return setup;
}

/// The flow down a slope at the normal velocity, in steps of up to 80 times the time in which friction acts. Froude number 0.5.
TEST(BedFriction, keeps_a_steady_film_at_the_stable_step) {
  constexpr double n = 0.03, c = 50, tolerance = 1e-11;
  for (const std::string scheme : {"hllc", "kinetic", "fefv", "dec"})
    for (const std::string& integrator : made_of_euler_steps)
      for (const double depth : {1e-2, 1e-3, 1e-4})
        for (const bool manning : {true, false}) {
          if (!works(scheme, integrator)) continue;
          SCOPED_TRACE(scheme + " " + integrator + (manning ? " manning " : " chezy ") +
                       std::to_string(depth));
          const double k = test::gravity * (manning ? n * n / std::pow(depth, 4.0 / 3) : 1 / (c * c * depth));
          const double v = 0.5 * std::sqrt(test::gravity * depth);
          test::Trial film(
              uniform_flow({depth, k * v * v, v, {{"manning", manning ? n : 0}, {"chezy", manning ? 0 : c}}},
                           scheme, integrator));
          const double dt = 0.5 * film.substeps * film.stable_dt();
          film.prepare(dt);
          film.run(100);
          const Values velocity = film.sample("velocity");
          EXPECT_LT((velocity.colwise() - Vector3(0.6 * v, -0.8 * v, 0)).cwiseAbs().maxCoeff(),
                    tolerance * v);
          EXPECT_LT(film.max_elevation(), tolerance * depth);
          const Ledger ledger = film.water->ledger();
          const double work = 100 * dt * film.water->density() * film.mass() * k * v * v * v;
          // explicit books it like a splitting, as the loss of what the force has added before
          const double booked = integrator == "explicit" ? -work : ledger.work_friction;
          EXPECT_NEAR(booked, -work, tolerance * work);
        }
}

/// Without forces, c Δt from 0.01 to 10⁴: the velocity becomes smaller but keeps its sign.
TEST(BedFriction, slows_any_flow_but_does_not_reverse_it) {
  constexpr double depth = 0.01, v = 0.2;
  for (const std::string scheme : {"hllc", "fefv", "dec"})
    for (const std::string& integrator : made_of_euler_steps) {
      if (!works(scheme, integrator)) continue;
      for (double part = 0.01; part < 2e4; part *= 2) {
        SCOPED_TRACE(scheme + " " + integrator + " " + std::to_string(part));
        constexpr double dt = 0.1;
        const double c = std::sqrt(test::gravity * v * dt / (depth * part));
        test::Trial water(uniform_flow({depth, 0, v, {{"chezy", c}}}, scheme, integrator));
        const Vector start = water.velocity();
        water.prepare(dt);
        water.run(1);
        const double scale = start.cwiseAbs().maxCoeff(), exact = 1 / (1 + part);
        const double left = water.velocity().dot(start) / start.squaredNorm();
        EXPECT_LT((water.velocity() - left * start).cwiseAbs().maxCoeff(), 1e-12 * scale);
        EXPECT_GT(left, 0.1 * exact);
        EXPECT_LT(left, std::max(1.5 * exact, 0.6));
      }
    }
}

/// The velocity tends to its normal value like tanh.
TEST(BedFriction, approaches_the_normal_velocity_to_second_order) {
  constexpr double depth = 0.1, c = 7, k = test::gravity / (c * c * depth), normal = 1, time = 0.7 / k;
  for (const std::string integrator : {"ssprk2", "ssprk3", "ssprk43"}) {
    const auto error = [&](int steps) {
      test::Trial water(uniform_flow({depth, k * normal * normal, 0, {{"chezy", c}}}, "kinetic", integrator));
      water.prepare(time / steps);
      water.run(steps);
      return std::abs(water.sample("velocity").col(0).norm() / normal - std::tanh(k * normal * time));
    };
    EXPECT_NEAR(std::log2(error(40) / error(80)), 2, 0.1) << integrator;
  }
}

TEST(BedFriction, is_of_second_order_in_time) {
  for (const std::string& scheme : schemes)
    for (const auto& [integrator, splitting] : {std::pair<std::string, std::string>{"ssprk2", "none"},
                                                {"ssprk43", "none"},
                                                {"ssprk3", "none"},
                                                {"ssprk3", "strang"}}) {
      if (!works(scheme, integrator)) continue;
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
      EXPECT_GT(order, min_order) << scheme << " " << integrator << " " << splitting;
      EXPECT_LT(order, 2.6) << scheme << " " << integrator << " "
                            << splitting;  // so that the friction is what is measured
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
