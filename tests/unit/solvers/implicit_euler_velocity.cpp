// implicit-euler-velocity: amplification of a wave, order, states of rest, conservation of mass, and the
// schemes that it includes.
#include "solvers/wave_modes.hpp"
#include "tests/support/amplification.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

using test::Configuration;
using test::Trial;
using Parameter = std::map<std::string, Value>;

constexpr double of_mass = 1e-13;  // a few hundred steps of a few ulps each

Configuration with(Parameter parameters, const std::string& integrator = "implicit-euler-velocity") {
  return {.integrator = integrator, .parameters = std::move(parameters)};
}

Configuration bump(Configuration setup, double amplitude) {
  setup.initial.depth = [amplitude](const Vector3& x) { return 1 + amplitude * std::exp(3 * (x.z() - 1)); };
  setup.initial.velocity = [amplitude](const Vector3& x) {
    return Vector3(amplitude * Vector3(-x.y(), x.x(), x.x()));
  };
  return setup;
}

Vector volume_after(const Configuration& setup, double end, int steps) {
  Trial simulation(setup);
  simulation.prepare(end / steps);
  simulation.run(steps);
  return simulation.volume();
}

double mass_drift(const Configuration& setup) {
  Trial simulation(setup);
  simulation.prepare(1.0 / 60);
  const double before = simulation.mass();
  simulation.run(120);
  return std::abs(simulation.mass() / before - 1);
}

TEST(ImplicitEulerVelocity, damps_and_turns_every_wave_as_backward_Euler_does) {
  constexpr double amplitude = 1e-6, tolerance = 1e-4;
  for (const Parameter& parameters :
       {Parameter{}, Parameter{{"depth_rate", "linearized"}}, Parameter{{"reference_depth", "mean"}},
        Parameter{{"depth_gradient", "exact"}}}) {
    const Configuration setup = with(parameters);
    const Trial still(setup);
    const WaveSpectrum spectrum(*still.discretization, still.forces, still.volume());
    const WaveModes mode = spectrum.modes(spectrum.size() / 3, 1);
    const double omega = mode.angular_frequency[0];
    for (const double a : {0.05, 0.3, 1.0, 3.0}) {
      Trial simulation(setup);
      const Amplification measured =
          measure_amplification(simulation, {omega, mode.elevation.col(0)}, amplitude, a / omega);
      const Amplification claimed =
          simulation.integrator_entry.amplification({omega, a / omega, 1, simulation.parameters});
      EXPECT_NEAR(claimed.modulus, 1 / std::hypot(1, a), 1e-14);
      EXPECT_NEAR(claimed.phase, std::atan(a), 1e-14);
      EXPECT_NEAR(measured.modulus, claimed.modulus, tolerance * claimed.modulus) << a;
      EXPECT_NEAR(measured.phase, claimed.phase, tolerance) << a;
    }
  }
}

// Of the same equations as an explicit method, though V_tt leaves out two terms: they act over Δt² only.
TEST(ImplicitEulerVelocity, converges_to_the_explicit_solution_at_first_order) {
  constexpr double end = 0.25, amplitude = 0.1;
  Configuration fine = bump(with({}, "ssprk3"), amplitude);
  fine.splitting = "lie";  // without v·∇v, as the others
  fine.substeps = 1;
  const Vector exact = volume_after(fine, end, 1000);
  for (const std::string gradient : {"dropped", "exact"}) {
    std::vector<double> sizes, errors;
    for (const int steps : {64, 128, 256, 512}) {
      sizes.push_back(end / steps);
      errors.push_back(
          (volume_after(bump(with({{"depth_gradient", gradient}}), amplitude), end, steps) - exact).norm());
    }
    EXPECT_NEAR(test::slope(sizes, errors), 1, 0.1) << gradient;
  }
}

TEST(ImplicitEulerVelocity, leaves_water_over_a_bumpy_bed_at_rest) {
  constexpr double rounding = 1e-12;
  for (const std::string continuity : {"flux", "advective"})
    for (const std::string rate : {"exact", "linearized"}) {
      Configuration setup = with({{"continuity", continuity}, {"depth_rate", rate}});
      if (continuity == "advective") setup.advection = "semi-lagrangian";
      setup.bed_depth = [](const Vector3& x) {
        return 1 + 0.3 * std::sin(5 * x.x() + 2) * std::cos(4 * x.y() - 3 * x.z());
      };
      setup.initial.depth = setup.bed_depth;
      Trial simulation(setup);
      simulation.prepare(1.0 / 60);
      simulation.run(200);
      EXPECT_LE(simulation.max_elevation(), rounding) << continuity << ", " << rate;
      EXPECT_LE(simulation.sample("velocity").colwise().norm().maxCoeff(),
                rounding * std::sqrt(test::gravity));
    }
}

TEST(ImplicitEulerVelocity, keeps_the_mass_where_its_options_say_so) {
  const IntegratorEntry& entry = test::catalog().integrators.find("implicit-euler-velocity");
  for (const Parameter& parameters :
       {Parameter{}, Parameter{{"depth_rate", "linearized"}}, Parameter{{"reference_depth", "initial"}},
        Parameter{{"reference_depth", "mean"}}, Parameter{{"depth_gradient", "exact"}},
        Parameter{{"reference_depth", "mean"}, {"depth_rate", "linearized"}},
        Parameter{{"depth_gradient", "exact"}, {"depth_rate", "linearized"}}}) {
    const Configuration setup = bump(with(parameters), 0.1);
    const bool keeps = entry.mass_drift(Trial(setup).parameters).empty();
    if (keeps)
      EXPECT_LE(mass_drift(setup), of_mass);
    else
      EXPECT_GT(mass_drift(setup), 1e-6);
  }
}

TEST(ImplicitEulerVelocity, loses_less_mass_in_shorter_steps_where_the_depth_alone_loses_more) {
  constexpr double end = 1;
  const auto lost = [&](const std::string& integrator, int steps) {
    const Vector volume = volume_after(bump(with({}, integrator), 0.1), end, steps);
    return std::abs(volume.sum() / Trial(bump(with({}, integrator), 0.1)).mass() - 1);
  };
  EXPECT_NEAR(lost("implicit-euler-velocity", 240) / lost("implicit-euler-velocity", 60), 0.25, 0.1);
  EXPECT_GT(lost("implicit-euler", 240), lost("implicit-euler", 60));
}

TEST(ImplicitEulerVelocity, is_the_fully_implicit_flux_form_where_the_gradient_of_the_depth_is_kept) {
  const Vector a = volume_after(bump(with({{"depth_gradient", "exact"}}), 0.3), 1, 60),
               b = volume_after(bump(with({{"theta", 1.0}}, "semi-implicit"), 0.3), 1, 60);
  EXPECT_LT((a - b).norm(), 1e-12 * b.norm());
}

// Layton & van de Panne 2002: with the depth in front of the divergence local and no transport, −Δt η ∇·v on
// the right side is what depth_rate = linearized has.
TEST(ImplicitEulerVelocity, takes_a_scheme_that_leaves_the_depth_to_a_transport) {
  Trial still(bump(with({{"continuity", "advective"}}), 0.1));
  const auto integrator = make_integrator(still);
  State state = integrator->start(still.state);
  for (int step = 0; step < 60; ++step) ASSERT_TRUE(integrator->step(state, 0.5 / 60, still.clock).ok);
  const Vector advective = state[still.discretization->volume()],
               linearized = volume_after(bump(with({{"depth_rate", "linearized"}}), 0.1), 0.5, 60);
  EXPECT_LT((advective - linearized).norm(), 1e-13 * linearized.norm());
}

TEST(ImplicitEulerVelocity, is_not_what_a_scheme_without_a_flux_needs_elsewhere) {
  for (const std::string integrator : {"semi-implicit", "newmark", "implicit-euler"})
    EXPECT_THROW(Trial(with({{"continuity", "advective"}}, integrator)).prepare(0.01), Refusal) << integrator;
}

}  // namespace
}  // namespace shoal
