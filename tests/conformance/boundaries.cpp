// Boundaries under every pair of the lists: mass and energy through them are accounted for, and a model with boundaries is
// turned, saved and changed like any other.
#include "tests/conformance/basin.hpp"

#include <algorithm>
#include <numbers>
#include <random>

using namespace shoal;
using namespace shoal::test;

TEST_CASE("what crosses a boundary is booked to round-off, or the pair refuses", "[boundaries]") {
  // Steps of random length make the highest waves grow, the faster the longer they are (largest-stable-step.md).
  std::uniform_real_distribution<double> part(0.05, 0.5);
  for (Setup setup : possible_pairs())
    for (const char* boundaries :
         {"left = discharge 0.3", "right = discharge -0.2", "left = level 0.05", "right = outflow",
          "left = inflow 1.02 0.5", "left = inflow 1 0.3 0.1; right = level 0:0,1:-0.05",
          "left = discharge 0:0,0.5:0.6; right = level 0:0,1:-0.05; top = outflow; bottom = wall"}) {
      setup.boundaries = boundaries;
      setup.initial = packet(0.1, 5, 2);
      INFO(setup.name());
      const BoundaryConditions conditions = parse_boundaries(boundaries);
      const bool takes = boundary_incompatibility(setup.stepper(), conditions).empty() &&
                         setup.stepper().mass_drift(Basin::setting(setup).parameters).empty();
      if (!takes) {
        CHECK_THROWS_AS(Basin(setup), Refusal);
        continue;
      }
      Basin basin(setup);
      std::mt19937 random(1);  // of its own: what is listed besides changes nothing here
      const double before = basin->volume().sum(), dt = basin->stable_dt();
      double booked = 0;
      for (int i = 0; i < 200; ++i) {
        REQUIRE(basin.step(part(random) * dt));
        constexpr double tolerance = 1e-12;
        const double added = basin->ledger().mass_source / 1000;
        booked = std::max(booked, std::abs(basin->volume().sum() - before - added));
        REQUIRE(booked < tolerance * before);
      }
      if (conditions.size() == 1 && conditions[0].kind == BoundaryKind::discharge)
        CHECK(basin->ledger().mass_source / 1000 ==
              Approx(conditions[0].value.at(0) * basin->time()).epsilon(1e-12));
      CHECK(std::isfinite(basin->ledger().work_source));
    }
}

TEST_CASE("a discharge that changes in time brings its integral", "[boundaries]") {
  for (Setup setup : one_per_scheme()) {
    setup.boundaries = "left = discharge 0:0,0.3:0.6,0.4:-0.2";
    INFO(setup.name());
    Basin basin(setup);
    for (int i = 0; i < 50; ++i) REQUIRE(basin.step(0.013));
    CHECK(basin->ledger().mass_source / 1000 == Approx(0.09 + 0.02 - 0.2 * 0.25).epsilon(1e-11));
  }
}

TEST_CASE("a discharge outwards takes what the water can give, and lacks the rest", "[boundaries]") {
  // On a bed that falls to the boundary, with a shore at the other end and a drop of 0.75 m in all.
  for (Setup setup : explicit_pairs()) {
    if (!setup.scheme().positive || !setup.stepper().claims.positive) continue;
    setup.mesh = "rectangle:20x1:2.5x0.125:structured";
    setup.bed = [](const Vector3& x) { return 0.5 - 0.3 * x.x(); };
    setup.initial.depth = [bed = setup.bed](const Vector3& x) { return std::max(0.0, bed(x)); };
    for (const double discharge : {-0.01, -0.1, -10.0}) {
      setup.boundaries = "left = discharge " + std::to_string(discharge);
      INFO(setup.name());
      Basin basin(setup);
      const double before = basin->volume().sum();
      double fastest = 0;
      basin.run_until(2, [&] {
        REQUIRE(basin->volume().minCoeff() >= 0);
        fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
      });
      CHECK(fastest < std::sqrt(2 * g * 0.75));
      const Ledger ledger = basin->ledger();
      constexpr double round_off = 1e-12;
      CHECK(basin->volume().sum() == Approx(before + ledger.mass_source / 1000).margin(round_off * before));
      CHECK(ledger.mass_source - ledger.mass_lacking ==
            Approx(1000 * discharge * basin->time()).epsilon(round_off));
    }
  }
}

TEST_CASE("land above the water outside drains to nothing and no further", "[boundaries]") {
  for (Setup setup : explicit_pairs()) {
    const bool has_dry_outflow = std::ranges::any_of(
        setup.scheme().parameters, [](const ParameterInfo& one) { return one.name == "dry_outflow"; });
    setup.dry_closed = has_dry_outflow;
    const bool positive = setup.scheme().positive || has_dry_outflow;
    if (!positive || !setup.stepper().claims.positive || !possible(setup)) continue;
    setup.mesh = "rectangle:20x8:2.5x1";
    setup.bed = [](const Vector3& x) { return 0.1 - 0.8 * std::abs(x.y() - 0.5) - 0.3 * x.x(); };
    setup.initial.depth = [](const Vector3&) { return 0.1; };
    setup.boundaries = "left = outflow";
    INFO(setup.name());
    Basin basin(setup);
    const double before = basin->volume().sum();
    basin.run_until(4, [&] { REQUIRE(basin->volume().minCoeff() >= 0); });
    CHECK(basin->volume().sum() < 0.1 * before);
  }
}

TEST_CASE("a flood from a level brings no more energy than is booked", "[boundaries]") {
  // Onto dry land, where films and the bore behind them lose some. At both ends of staggered rows dec has right angles.
  for (const std::string discretization : {"fefv", "dec"})
    for (const std::string kind : {"", ":structured"}) {
      Setup setup{discretization, "ssprk3"};
      setup.mesh = "rectangle:60x10:6x1" + kind;
      setup.advection = "vector-invariant";
      setup.dry_closed = true;
      setup.bed = [](const Vector3&) { return 0.0; };
      setup.initial.depth = setup.bed;
      setup.boundaries = "left = level 0.2";
      INFO(setup.name());
      Basin basin(setup);
      double gained = 0, fastest = 0;
      for (int i = 0; i < 600; ++i) {
        REQUIRE(basin.step(0.0025));
        gained = std::max(gained, basin->energy().total() - basin->ledger().work());
        fastest = std::max(fastest, basin.sample("velocity").colwise().norm().maxCoeff());
      }
      CHECK(gained < 0.01 * basin->energy().kinetic);
      CHECK(fastest < 2.2 * std::sqrt(g * 0.2));  // 2c at the front of a dam that breaks
    }
}

TEST_CASE("what does not fit an inflow is refused", "[boundaries][own]") {
  Setup setup{"fefv", "ssprk3"};
  for (const char* boundaries : {"left = inflow 0 1", "left = inflow 1 -1", "left = inflow 0:1,1:0 2"}) {
    setup.boundaries = boundaries;
    CHECK_THROWS_AS(Basin(setup), SettingError);
  }
}

namespace {

/// The power of what the fluxes between cells do to the energy of the mean of both states, W: zero but for schemes that dissipate.
double dissipated_power(const ShallowWater& water, const DiscretizationEntry& entry, const State& before) {
  if (!entry.dissipative) return 0;
  const Discretization& scheme = water.discretization();
  State mean = before, rate = before;
  mean.q = 0.5 * (before.q + water.state().q);
  rate.q.setZero();
  scheme.add_rates(mean, water.forces(), Terms(Term::gravity) | entry.inseparable, 1, rate);
  offered<OpensBoundaries>(scheme)->add_boundary_rates(mean, water.forces(), -1, rate, water.scratch());
  constexpr double delta = 1e-5, density = 1000;
  const auto energy = [&](double dt) {
    State state = mean;
    state.q += dt * rate.q;
    const Vector h = state[scheme.volume()].cwiseQuotient(scheme.cells().area) - scheme.cells().bed;
    return density * (scheme.kinetic_energy(state) + 0.5 * g * scheme.cells().area.dot(h.cwiseAbs2()));
  };
  const double of_openings = offered<OpensBoundaries>(scheme)->opening_power(
      mean, water.forces(), Terms(Term::gravity) | entry.inseparable, water.scratch());
  return (energy(delta) - energy(-delta)) / (2 * delta) - density * of_openings;
}

}  // namespace

TEST_CASE("energy = what there was + work + what came through the boundary, for every kind and friction",
          "[boundaries]") {
  // The ledger takes powers in the middle of steps, of second order; the schemes and ssprk3 are of higher order. What fluxes of
  // finite volumes dissipate between cells stands in no ledger and is measured here.
  constexpr double negligible = 1e-6, second_order = 3;
  constexpr int order = 3;  // whose steps are no longer than those of ssprk3
  std::vector<Setup> setups = with_advection(one_per_scheme(order));
  for (const Setup& setup : std::vector(setups))
    if (setup.discretization == "dec" && setup.advection == "vector-invariant") {
      setups.push_back(setup);
      setups.back().vorticity = "linear";
    }
  for (Setup setup : setups)
    for (const char* boundaries :
         {"left = wall", "left = discharge 0.6; right = level 0", "right = discharge -0.6; left = level 0",
          "left = level 0.05; right = level -0.05", "left = discharge 0.6; right = outflow",
          "left = inflow 1.02 0.4; right = level 0", "left = inflow 1 4; right = outflow",
          "left = discharge 0:0.6,1:0.7; top = outflow; right = level 0:0,1:0.05"})
      for (const double friction : {0.0, 0.2}) {
        if (setup.stepper().claims.order < order) continue;  // whose own error of the energy is as large
        // Without v·∇v the energy of waves of finite height changes in closed basins, too (wave_scheme.md).
        if (setup.advection == "none" && !setup.scheme().transports_momentum()) continue;
        const std::string given = boundaries;
        const double speed = given.find("inflow 1 4") != std::string::npos ? 4 : 0.3;
        setup.mesh = "rectangle:16x4:4x1:structured";
        setup.boundaries = boundaries;
        setup.friction = friction;
        setup.initial = packet(0.1, 2, 1);
        setup.initial.velocity = [=, hump = setup.initial.velocity](const Vector3& x) -> Vector3 {
          return Vector3(given == "left = wall" ? 0 : speed, 0, 0) + hump(x);
        };
        INFO(setup.name() << ", friction " << friction);
        std::vector<double> left;
        for (const double part : {1.0 / 16, 1.0 / 32}) {
          Basin basin(setup);
          const double before = basin->energy().total();
          const int steps = step_count(1, part * basin->stable_dt());
          double dissipated = 0;
          for (int i = 0; i < steps; ++i) {
            const State begin = basin->state();
            REQUIRE(basin.step(1.0 / steps));
            dissipated += dissipated_power(*basin.operator->(), setup.scheme(), begin) / steps;
          }
          left.push_back(std::abs(basin->energy().total() - basin->ledger().work() - dissipated - before) /
                         before);
        }
        CAPTURE(left);
        CHECK((left[1] < negligible || left[0] / left[1] > second_order));
      }
}

TEST_CASE("turned, raised on edge and in kilometres a basin does the same", "[boundaries]") {
  constexpr double scale = 1000;
  const Eigen::Matrix3d turn =
      (Eigen::AngleAxisd(std::numbers::pi / 2, Vector3::UnitX()) * Eigen::AngleAxisd(0.7, Vector3::UnitY()))
          .toRotationMatrix();
  for (Setup setup : explicit_pairs()) {
    setup.mesh = "rectangle:20x4:10x2";
    setup.boundaries = "left = discharge 0.3; right = outflow; top = level 0.02";
    setup.initial = packet(0.1, 5, 2);
    INFO(setup.name());
    Basin basin(setup);
    Setup large = setup;
    large.place = [&](const Vector3& x) { return Vector3(scale * (turn * x)); };
    const auto back = [&](const Vector3& x) { return Vector3(turn.transpose() * x / scale); };
    large.bed = [&](const Vector3& x) { return scale * setup.bed(back(x)); };
    large.initial = {[&](const Vector3& x) { return scale * setup.initial.depth(back(x)); },
                     [&](const Vector3& x) {
                       return Vector3(std::sqrt(scale) * (turn * setup.initial.velocity(back(x))));
                     }};
    large.boundaries = "left = discharge " + std::to_string(0.3 * std::pow(scale, 2.5)) +
                       "; right = outflow; top = level 20";
    Basin big(large);
    const double dt = 0.3 * basin->stable_dt();
    for (int i = 0; i < 100; ++i) REQUIRE((basin.step(dt) && big.step(std::sqrt(scale) * dt)));
    const Vector a = basin->volume(), b = big->volume();
    constexpr double tolerance = 1e-10;
    CHECK((b / std::pow(scale, 3) - a).cwiseAbs().maxCoeff() < tolerance * a.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("saved and restored with boundaries, a model goes on with the same bits", "[boundaries]") {
  for (Setup setup : explicit_pairs()) {
    setup.boundaries = "left = discharge 0:0,1:0.3; right = outflow; top = inflow 0:1,1:1.1 0.2 0:0,1:-0.1";
    INFO(setup.name());
    Basin whole(setup);
    Archive saved;
    for (int i = 0; i < 12; ++i) {
      if (i == 6) whole->save(saved);
      REQUIRE(whole.step(0.02));
    }
    Setup walls = setup;
    walls.boundaries.clear();
    Basin resumed(walls);
    resumed->restore(saved);
    for (int i = 6; i < 12; ++i) REQUIRE(resumed.step(0.02));
    CHECK((whole->state().q.array() == resumed->state().q.array()).all());
    CHECK(whole->ledger().mass_source == resumed->ledger().mass_source);
    CHECK(whole->ledger().work_source == resumed->ledger().work_source);
  }
}

TEST_CASE("a change of scheme keeps the boundaries", "[boundaries]") {
  for (Setup from : explicit_pairs())
    for (const Setup& to : explicit_pairs()) {
      from.boundaries = "left = discharge 0.3; right = level 0";
      INFO(from.name() + " → " + to.name());
      Basin basin(from);
      for (int i = 0; i < 5; ++i) REQUIRE(basin.step(0.01));
      const double before = basin->volume().sum() - basin->ledger().mass_source / 1000;
      basin->change(Basin::setting(to));
      const double source = basin->ledger().mass_source;
      for (int i = 0; i < 5; ++i) REQUIRE(basin.step(0.01));
      CHECK(std::abs(basin->volume().sum() - basin->ledger().mass_source / 1000 - before) < 1e-12 * before);
      CHECK(basin->ledger().mass_source - source > 5);  // 15 kg came in, some has left by then
    }
}
