// Sponges: their damping by theory under every scheme, their budget, and what they cannot be combined with.
#include "solvers/sponge.hpp"

#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal::test {
namespace {

struct Scheme {
  std::string discretization, integrator;
  std::map<std::string, Value> parameters = {};
};

/// Of second order where there is one, so that the waves are damped by the sponge and not by the scheme.
const std::vector<Scheme> schemes = {{"fefv", "ssprk3"},
                                     {"dec", "ssprk3"},
                                     {"hllc", "ssprk3", {{"reconstruction", "linear"}, {"limiter", "none"}}},
                                     {"height-map", "own"},
                                     {"packets", "own", {{"smoothing", 2.0}}},
                                     {"lattice-boltzmann", "own", {{"tau", 0.51}}}};

/// A hump of width 2 m that runs to the right into a channel of 40 m × 1 cell, on water of 1 m.
Configuration channel(const Scheme& scheme, const std::string& boundaries) {
  constexpr double amplitude = 1e-4;
  const auto hump = [=](const Vector3& x) { return amplitude * std::exp(-std::pow((x.x() - 12) / 2, 2)); };
  return {.mesh = "rectangle:160x1:40x0.25:structured",
          .discretization = scheme.discretization,
          .integrator = scheme.integrator,
          .parameters = scheme.parameters,
          .boundaries = parse_boundaries(boundaries),
          .initial = {[=](const Vector3& x) { return 1 + hump(x); },
                      [=](const Vector3& x) { return Vector3(std::sqrt(gravity) * hump(x), 0, 0); }}};
}

/// The largest elevation after the hump has come back from the right end to x = 22 m.
double returned(const Configuration& setup) {
  Trial trial(setup);
  const double end = 46 / std::sqrt(gravity);
  const int steps = static_cast<int>(std::ceil(end / (0.4 * trial.stable_dt())));
  trial.prepare(end / steps);
  trial.run(steps);
  return trial.elevation().maxCoeff();
}

TEST(Sponge, damps_a_wave_that_crosses_it_twice_as_theory_says) {
  constexpr double width = 8, rate = 0.5;
  const double expected = std::exp(-2 * rate * width / (3 * std::sqrt(gravity)));
  for (const Scheme& scheme : schemes) {
    const double left = returned(channel(scheme, "right = sponge 8 0.5")) / returned(channel(scheme, ""));
    EXPECT_NEAR(left / expected, 1, 0.02) << scheme.discretization;
  }
}

TEST(Sponge, books_the_water_and_the_energy_that_it_takes) {
  for (const Scheme& scheme : schemes) {
    SCOPED_TRACE(scheme.discretization);
    Trial trial(channel(scheme, "right = sponge 8 2; left = sponge 4 1 1e-3"));
    const double before = trial.mass();
    trial.prepare(0.4 * trial.stable_dt());
    const double energy = trial.water->energy().total();
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(trial.step().ok);
    const Ledger ledger = trial.water->ledger();
    EXPECT_NEAR(trial.water->total_volume() - ledger.mass_source / trial.water->density(), before,
                1e-13 * before);
    EXPECT_GT(std::abs(ledger.mass_source), 1e-4);
    // Schemes that dissipate lose more than the sponge takes; nothing is gained. (Steps of own change the energy by parts of C².)
    const double gained = trial.water->energy().total() - energy - ledger.work();
    EXPECT_LT(gained, 0.05 * energy);
  }
}

TEST(Sponge, keeps_still_water_at_its_level_over_a_bed_with_an_island) {
  for (Scheme scheme : schemes) {
    if (scheme.discretization == "lattice-boltzmann") continue;  // has no dry land
    // The exchange of overlapping packets at rest is that at the zero level.
    if (scheme.discretization == "packets") scheme.parameters["smoothing"] = 1.0;
    SCOPED_TRACE(scheme.discretization);
    Configuration setup = channel(scheme, "right = sponge 12 3 0.1; left = sponge 5 3 0.1");
    setup.bed_depth = [](const Vector3& x) { return 1 - 1.5 * std::exp(-std::pow((x.x() - 34) / 2, 2)); };
    setup.initial = {[bed = setup.bed_depth](const Vector3& x) { return std::max(0.0, bed(x) + 0.1); }, {}};
    if (scheme.discretization == "fefv" || scheme.discretization == "dec")
      setup.parameters["dry_outflow"] = "closed";
    Trial trial(setup);
    const Vector before = trial.volume();
    trial.prepare(0.4 * trial.stable_dt());
    trial.run(200);
    EXPECT_LT((trial.volume() - before).cwiseAbs().maxCoeff(), 1e-12 * before.maxCoeff());
  }
}

TEST(Sponge, fills_a_basin_to_its_level) {
  Configuration setup = channel({"height-map", "own"}, "left = sponge 40 2 0:0,1:0.2");
  setup.initial = {[](const Vector3&) { return 1.0; }, {}};
  Trial trial(setup);
  trial.prepare(0.4 * trial.stable_dt());
  while (trial.water->time() < 200) ASSERT_TRUE(trial.step().ok);
  EXPECT_NEAR(trial.elevation().minCoeff(), 0.2, 1e-6);
  EXPECT_NEAR(trial.elevation().maxCoeff(), 0.2, 1e-6);
}

TEST(Sponge, is_refused_where_it_cannot_act) {
  EXPECT_THROW(Trial(channel({"dec", "newmark"}, "right = sponge 8 1")).prepare(0.01), Refusal);
  for (const char* boundaries :
       {"right = sponge 0 1", "right = sponge 8 -1", "right = sponge 0:1,1:2 1", "right = sponge 1e-9 1"})
    EXPECT_THROW(Trial(channel({"dec", "ssprk3"}, boundaries)).prepare(0.01), SettingError) << boundaries;
}

}  // namespace
}  // namespace shoal::test
