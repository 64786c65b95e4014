// Differences between the finite-volume fluxes: shear, supercritical flow, fans, diverging flow, dissipation.
// tests/conformance/fluxes.cpp tests their common requirements.
#include "discretizations/finite_volume.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal::test {
namespace {

/// The flux of a listed scheme.
class Flux {
 public:
  explicit Flux(const std::string& scheme, std::map<std::string, Value> parameters = {})
      : simulation_({.mesh = "rectangle:2x2",
                     .discretization = scheme,
                     .integrator = "explicit",
                     .parameters = std::move(parameters)}) {}
  EdgeFlux operator()(const EdgeState& left, const EdgeState& right) const {
    return dynamic_cast<const FiniteVolume&>(*simulation_.discretization).edge_flux(left, right, gravity);
  }

 private:
  Trial simulation_;
};

constexpr double rounding = 1e-13;  // of fluxes of a few m³/s²

TEST(Fluxes, a_shear_at_rest_stays_as_it_is_under_hllc_and_roe_alone) {
  const EdgeState left = {1.5, 0, 2}, right = {1.5, 0, -1};
  for (const char* scheme : {"hllc", "roe"}) EXPECT_EQ(Flux(scheme)(left, right).tangential, 0) << scheme;
  // ½ s η (w_L − w_R), s = c; and the mass of the particles that cross from either side, η√3c̃/4.
  const double c = std::sqrt(gravity * 1.5);
  EXPECT_NEAR(Flux("rusanov")(left, right).tangential, 0.5 * c * 1.5 * 3, rounding);
  EXPECT_NEAR(Flux("kinetic")(left, right).tangential, 0.25 * std::sqrt(1.5) * c * 1.5 * 3, rounding);
}

TEST(Fluxes, supercritical_flow_takes_all_from_upstream_but_under_rusanov) {
  const EdgeState left = {1, 9, 0.5}, right = {0.8, 8, -0.3};  // Froude numbers 2.9
  for (const char* scheme : {"kinetic", "hllc", "roe"}) {
    const EdgeFlux flux = Flux(scheme)(left, right);
    EXPECT_NEAR(flux.volume, left.volume_flux(), rounding) << scheme;
    EXPECT_NEAR(flux.momentum, left.momentum_flux(gravity), 10 * rounding) << scheme;
    EXPECT_NEAR(flux.tangential, left.volume_flux() * left.tangential, rounding) << scheme;
  }
  EXPECT_GT(std::abs(Flux("rusanov")(left, right).volume - left.volume_flux()), 0.05);
}

/// Two states of the same discharge and the same momentum flux: a stationary hydraulic jump.
struct Jump {
  EdgeState shallow, deep;
};
Jump standing_jump() {
  constexpr double shallow = 0.5, deep = 1.2;
  const double discharge = std::sqrt(0.5 * gravity * shallow * deep * (shallow + deep));
  return {{shallow, discharge / shallow, 0}, {deep, discharge / deep, 0}};
}

TEST(Fluxes, a_standing_jump_stands_under_roe) {
  const auto [shallow, deep] = standing_jump();
  ASSERT_NEAR(shallow.momentum_flux(gravity), deep.momentum_flux(gravity), rounding);
  const EdgeFlux flux = Flux("roe")(shallow, deep);
  EXPECT_NEAR(flux.volume, shallow.volume_flux(), rounding);
  EXPECT_NEAR(flux.momentum, shallow.momentum_flux(gravity), rounding);
}

TEST(Fluxes, its_reverse_breaks_under_roe_with_the_entropy_fix_alone) {
  const auto [shallow, deep] = standing_jump();  // from deep to shallow, the energy would increase
  EXPECT_NEAR(Flux("roe", {{"entropy_fix", 0.0}})(deep, shallow).volume, deep.volume_flux(), rounding);
  EXPECT_GT(Flux("roe")(deep, shallow).volume, 1.05 * deep.volume_flux());
}

TEST(Fluxes, roe_takes_more_than_there_is_from_a_thin_layer_without_the_entropy_fix) {
  // The flux out of a layer that flows away from deep water, relative to the maximum admissible flux.
  const EdgeState layer = {1e-3, -29, 0}, deep = {0.124, 1.75, 0};
  const double bound = (29 + std::sqrt(gravity * 0.124)) * layer.depth;
  EXPECT_GT(Flux("roe", {{"entropy_fix", 0.0}})(layer, deep).volume / bound, 5);
  for (const char* scheme : {"kinetic", "rusanov", "hllc", "roe"})
    EXPECT_LE(Flux(scheme)(layer, deep).volume / bound, 1) << scheme;
}

/// The part of the energy that is left of a wave on a sphere after a second.
double energy_left(const std::string& scheme) {
  Configuration setup{.mesh = "icosphere:3", .discretization = scheme, .integrator = "ssprk3"};
  setup.initial.depth = [](const Vector3& x) {
    return 1 + 0.1 * std::exp(-4 * (x - Vector3::UnitZ()).squaredNorm());
  };
  Trial simulation(setup);
  const double before = simulation.energy();
  constexpr int steps = 200;
  simulation.prepare(1.0 / steps);
  EXPECT_LT(simulation.dt, simulation.stable_dt());
  simulation.run(steps);
  return simulation.energy() / before;
}

TEST(Fluxes, rusanov_damps_more_than_hllc_and_roe_which_are_alike) {
  const double rusanov = energy_left("rusanov"), hllc = energy_left("hllc"), roe = energy_left("roe");
  EXPECT_LT(rusanov, 0.9 * roe);
  EXPECT_NEAR(hllc, roe, 0.05 * roe);
  EXPECT_LT(roe, 1);
}

}  // namespace
}  // namespace shoal::test
