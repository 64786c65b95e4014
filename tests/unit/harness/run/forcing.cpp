// Forces from scenes, users and inputs, in steps with and without stages.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

/// A run in memory to its end, on icosphere:1 if the text names no mesh.
class ForcedRun {
 public:
  explicit ForcedRun(const std::string& text)
      : configuration_(expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration),
        surface_(load_surface(test::catalog(), configuration_)),
        simulation_(test::catalog(), configuration_, surface_),
        start_(water().energy().total()),
        mass_(mass()) {
    StageClock clock;
    while (simulation_.steps_done() < simulation_.steps()) {
      const StepReport report = simulation_.step(clock);
      EXPECT_TRUE(report.ok) << report.reason;
      if (!report.ok) break;
    }
  }
  const ShallowWater& water() const { return simulation_.water(); }
  double mass() const { return water().density() * water().volume().sum(); }
  double gained_mass() const { return mass() - mass_; }
  /// (E − E(0) − all work and energy of sources)/E.
  double unaccounted() const {
    return std::abs(water().energy().total() - start_ - water().ledger().work()) / water().energy().total();
  }

 private:
  RunConfiguration configuration_;
  Surface surface_;
  Simulation simulation_;
  double start_, mass_;
};

const std::string methods[] = {
    "discretization = 'dec'\nadvection = 'vector-invariant'\nintegrator = 'ssprk3'\n",
    "discretization = 'fefv'\nadvection = 'vector-invariant'\nintegrator = 'ssprk3'\n",
    "discretization = 'kinetic'\nintegrator = 'ssprk3'\n", "discretization = 'roe'\nintegrator = 'ssprk2'\n"};

TEST(Push, acts_on_a_surface_that_moves_in_stages_as_on_one_at_rest) {
  std::vector<std::string> all(std::begin(methods), std::end(methods));
  all.push_back(methods[1] + "parameters.rotation = 'plain'\n");
  for (const std::string& method : all)
    for (const std::string splitting : {"none", "lie"}) {
      const auto after = [&](const std::string& more) {
        return ForcedRun("scene = 'rest'\nmesh = 'icosphere:2'\ndt = 0.005\nend = 0.1\nsplitting = '" +
                         splitting +
                         "'\ninputs = '0.02 push at=1,0,0 acceleration=0,30,0 width=0.5 lasting=0.03'\n" +
                         method + more)
            .water()
            .energy()
            .kinetic;
      };
      const double at_rest = after("");
      // The surface moves by 1e-9 of its size, and so the energies may differ.
      const double moving = after("motion = 'shake'\nparameters.motion_amplitude = 1e-9\n");
      EXPECT_GT(at_rest, 10) << method << splitting;
      // On moving meshes the projected scheme projects the force apart from the rotation: another discretization of it.
      const bool projects =
          method.find("'fefv'") != std::string::npos && method.find("rotation") == std::string::npos;
      // With a splitting the difference falls with the step: 1.1e-3, 6e-4, 3e-4 for 5, 2.5, 1.25 ms.
      const double bound = !projects ? 1e-6 : splitting == "lie" ? 2e-3 : 1e-3;
      EXPECT_NEAR(moving / at_rest, 1, bound) << method << splitting;
    }
}

TEST(Push, acts_on_a_surface_that_has_a_force_of_its_own) {
  const auto energy = [](double acceleration) {
    return ForcedRun(
               fmt::format("scene = 'pulsating-ellipsoid'\nmesh = 'icosphere:2'\ndt = 0.005\nend = 0.1\n"
                           "discretization = 'dec'\nadvection = 'vector-invariant'\nintegrator = 'ssprk3'\n"
                           "inputs = '0.02 push at=1,0,0 acceleration=0,{},0 width=0.5 lasting=0.03'\n",
                           acceleration))
        .water()
        .energy()
        .kinetic;
  };
  EXPECT_GT(std::abs(energy(30) / energy(1e-9) - 1), 0.01);
}

const std::string forced =
    "scene = 'custom'\nend = 0.25\n[parameters]\n"
    "body_acceleration = '2*cos(11*t)*y, 2*sin(9*t), x'\nnormal_acceleration = '-9.81 + 2*sin(12*t)*x'\n"
    "rain = '0.2*(1 + sin(14*t + z))'\n";

TEST(Ledger, of_forces_and_sources_that_depend_on_the_time_has_the_order_of_the_stages) {
  constexpr double min_order = 2.8;
  for (const std::string scheme : {"dec", "fefv"})
    for (const std::string motion : {"none", "squash"}) {
      const auto error = [&](int steps) {
        return ForcedRun(
                   fmt::format("mesh = 'icosphere:1'\ndiscretization = '{}'\nadvection = 'vector-invariant'\n"
                               "integrator = 'ssprk3'\nmotion = '{}'\ndt = '0.25/{}'\n{}",
                               scheme, motion, steps, forced))
            .unaccounted();
      };
      const double coarse = error(32), fine = error(64);
      EXPECT_GT(std::log2(coarse / fine), min_order)
          << scheme << " " << motion << ": " << coarse << ", " << fine;
    }
}

TEST(Ledger, of_forces_and_sources_that_stay_as_they_are_has_that_order_too) {
  constexpr double min_order = 2.8;
  for (const std::string method : {"discretization = 'dec'\nparameters.dual = 'intrinsic'\n",
                                   "discretization = 'fefv'\n", "discretization = 'fefv'\nsubsteps = 2\n"})
    for (const std::string what :
         {"scene = 'torus-force'\nmesh = 'torus:12x8'\nend = 0.25\n",
          "scene = 'rest'\nmesh = 'icosphere:1'\nend = 0.25\ninputs = '''\n"
          "0 push at=1,0,0 acceleration=0,3,0 width=0.5 lasting=1\n"
          "0 source at=0,0,1 radius=0.5 discharge=0.3'''\n",
          "scene = 'custom'\nmesh = 'icosphere:1'\nend = 0.25\nparameters.friction = 0.3\n"
          "parameters.rain = '0.1*(1 + z)'\nparameters.body_acceleration = '3*y,x,0.2*z'\n"}) {
      const auto error = [&](int steps) {
        return ForcedRun(fmt::format("{}{}dt = '0.25/{}'\nadvection = 'vector-invariant'\n"
                                     "integrator = 'ssprk3'\n",
                                     what, method, steps))
            .unaccounted();
      };
      const double coarse = error(32), fine = error(64);
      EXPECT_GT(std::log2(coarse / fine), min_order)
          << method << " " << what << ": " << coarse << ", " << fine;
    }
}

/// The deficit is compensated in each wave and does not accumulate.
TEST(Ledger, of_explicit_follows_the_energy_where_water_is_pressed_harder_than_by_gravity) {
  for (const std::string scheme : {"dec", "fefv"})
    for (const int substeps : {1, 3})
      for (const std::string end : {"1", "3"}) {
        const ForcedRun run(
            "scene = 'custom'\nmesh = 'icosphere:2'\nintegrator = 'explicit'\ndt = 0.002\n"
            "parameters.normal_acceleration = 't > 0.5 ? -200 : -9.81'\n"
            "parameters.initial_elevation = '0.002*exp(-((x-1)^2+y^2)/0.1)'\n"
            "discretization = '" +
            scheme + "'\nend = " + end + "\nsubsteps = " + std::to_string(substeps));
        const double lacks = run.unaccounted() * run.water().energy().total();
        constexpr double part = 0.05;
        EXPECT_LT(lacks, part * std::abs(run.water().ledger().work())) << scheme << substeps << " " << end;
      }
}

TEST(Ledger, has_the_mass_that_stages_took) {
  for (const std::string& method : methods)
    for (const std::string motion : {"none", "squash"}) {
      const ForcedRun run("mesh = 'icosphere:1'\nmotion = '" + motion + "'\ndt = 0.01\n" + method + forced);
      EXPECT_NEAR(run.water().ledger().mass_source / run.gained_mass(), 1, 1e-12) << method << motion;
    }
}

/// ∫ of 0:0.1, 0.037:0.5, 0.2:-0.1 over 0.25 s.
/// Rain and a sink in the same cells, more of both in a step than there is water: neither can accelerate it.
TEST(Rain, that_a_sink_takes_again_accelerates_nothing) {
  for (const std::string method : {"discretization = 'hllc'\nintegrator = 'ssprk3'\n",
                                   "discretization = 'kinetic'\nintegrator = 'explicit'\n",
                                   "discretization = 'rusanov'\nintegrator = 'ssprk2'\n"})
    for (const std::string dt : {"'auto'", "0.001"}) {
      const ForcedRun run("scene = 'custom'\nmesh = 'rectangle:10x10:1x1'\nend = 0.6\ndt = " + dt + "\n" +
                          method +
                          "inputs = '0.1 source at=0.5,0.5,0 radius=0.2 discharge=-0.2'\n"
                          "parameters.depth = 0.02\nparameters.rain = 0.02\n");
      Values velocity;
      run.water().sample("velocity", velocity);
      const double fastest = velocity.colwise().norm().maxCoeff();
      // Water falls into the sink from 0.02 m with at most 2 √(gη).
      EXPECT_LT(fastest, 2 * std::sqrt(9.81 * 0.02)) << method << dt;
      EXPECT_GT(fastest, 1e-3) << method << dt;
      EXPECT_GE(run.water().volume().minCoeff(), 0) << method << dt;
    }
}

TEST(Discharge, through_a_boundary_is_the_integral_of_its_series_whatever_the_steps) {
  const double integral = 0.037 * 0.3 + 0.163 * 0.2 - 0.05 * 0.1;
  for (const std::string& method : methods) {
    const ForcedRun run(
        "scene = 'custom'\nmesh = 'rectangle:6x5:3x2'\nend = 0.25\ndt = 0.01\n"
        "boundaries = 'left = discharge 0:0.1,0.037:0.5,0.2:-0.1'\n" +
        method);
    EXPECT_NEAR(run.gained_mass() / 1000, integral, 1e-12) << method;
    EXPECT_NEAR(run.water().ledger().mass_source / run.gained_mass(), 1, 1e-12) << method;
  }
}

/// With the values of the last stage, half a step earlier, velocities at openings of dec would be of first order.
TEST(Outputs, have_the_boundary_values_of_their_time) {
  constexpr double min_order = 2.6;
  for (const std::string scheme : {"dec", "fefv"}) {
    const auto velocity = [&](int steps) {
      const ForcedRun run(fmt::format(
          "scene = 'custom'\nmesh = 'rectangle:6x5:3x2'\nend = 0.25\ndt = '0.25/{}'\ndiscretization = '{}'\n"
          "advection = 'vector-invariant'\nintegrator = 'ssprk3'\n"
          "boundaries = 'left = inflow 0:1,0.25:1.1 0:0.3,0.25:0.5 0:0,0.25:0.1; right = level "
          "0:0,0.25:-0.05'\n"
          "parameters.initial_velocity = '0.3,0,0'\n",
          steps, scheme));
      Values values;
      run.water().sample("velocity", values);
      return values;
    };
    const Values coarse = velocity(32), middle = velocity(64), fine = velocity(128);
    const double first = (coarse - middle).cwiseAbs().maxCoeff(),
                 then = (middle - fine).cwiseAbs().maxCoeff();
    EXPECT_GT(std::log2(first / then), min_order) << scheme << ": " << first << ", " << then;
  }
}

/// A force that lasts for a part of a step acts in it with that part of its strength.
TEST(TimedForces, have_their_impulse_whatever_the_steps) {
  const auto energy = [](double dt) {
    return ForcedRun(
               fmt::format("scene = 'torus-force'\nmesh = 'torus:16x12'\nend = 0.1\ndt = {}\n"
                           "discretization = 'fefv'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n"
                           "parameters.push_duration = 0.0533\n",
                           dt))
        .water()
        .energy()
        .total();
  };
  const double exact = energy(0.1 / 512), coarse = energy(0.1 / 32), fine = energy(0.1 / 64);
  // Whole steps only would have errors of at least 1 %.
  EXPECT_LT(std::abs(coarse / exact - 1), 2e-3);
  EXPECT_LT(std::abs(fine / exact - 1), 5e-4);
}

}  // namespace
}  // namespace shoal
