// Dry cells that let no water out: the rule of Angst 2007, appendix A, in the schemes that have it.
#include "discretizations/capabilities.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

constexpr double round_off = 1e-11;

/// V_t of a scheme whose unknowns are those of `trial`.
Vector volume_rate(const Trial& trial) {
  State rate = trial.zero();
  trial.right_side.add_depth_rate(trial.state, waves_and_forces, 1, rate);
  return rate[trial.discretization->volume()];
}

using ParameterMap = std::map<std::string, Value>;

struct Scheme {
  std::string name;
  ParameterMap parameters;
};
const Scheme schemes[] = {{"fefv", {}},
                          {"fefv", {{"flux_depth", "edge"}}},
                          {"dec", {{"dual", "barycentric"}}},
                          {"dec", {{"dual", "intrinsic"}}}};

Configuration with(const Scheme& scheme, const std::string& mesh, ParameterMap parameters) {
  parameters.insert(scheme.parameters.begin(), scheme.parameters.end());
  return {.mesh = mesh, .discretization = scheme.name, .parameters = std::move(parameters)};
}

TEST(DryOutflow, is_closed_where_cells_are_dry_and_nowhere_else) {
  for (const Scheme& scheme : schemes) {
    const auto rate = [&](const std::string& dry_outflow, double lowest) {
      Trial trial(with(scheme, "blob:3:slivers", {{"dry_outflow", dry_outflow}}));
      const Vector random = random_vector(trial.volume().size(), 5);
      trial.volume().array() *= lowest + (1 - lowest) * 0.5 * (1 + random.array());
      trial.velocity() = random_vector(trial.velocity().size(), 3);
      const Vector volume = trial.volume();
      return std::pair(volume, volume_rate(trial));
    };
    const auto [wet, closed_wet] = rate("closed", 0.1);
    if (scheme.name != "dec") {  // whose shares of obtuse triangles are others
      EXPECT_LT((closed_wet - rate("open", 0.1).second).cwiseAbs().maxCoeff(), round_off) << scheme.name;
    }
    const auto [volume, closed] = rate("closed", -1);
    const Vector open = rate("open", -1).second;
    Index dry = 0, drying = 0;
    for (Index i = 0; i < volume.size(); ++i) {
      if (volume[i] > 0) continue;
      ++dry;
      drying += open[i] < 0;
      EXPECT_GE(closed[i], 0) << scheme.name;
    }
    EXPECT_GT(drying, dry / 4) << scheme.name;
    EXPECT_LT(std::abs(closed.sum()), round_off) << scheme.name;
  }
}

TEST(DryOutflow, is_closed_by_explicit_integrators_only) {
  for (const Scheme& scheme : schemes)
    for (const std::string integrator : {"semi-implicit", "newmark", "implicit-euler"}) {
      Configuration setup = with(scheme, "icosphere:1", {{"dry_outflow", "closed"}});
      setup.integrator = integrator;
      EXPECT_THROW(Trial{setup}, Refusal) << scheme.name;
    }
  EXPECT_THROW(
      Trial(with({"fefv", {}}, "icosphere:1", {{"dry_outflow", "closed"}, {"continuity", "advective"}})),
      Refusal);
}

/// Water that a force a along x gathers at one end of a basin, with friction, comes to rest as a wedge of the slope a/g
/// and leaves the rest dry.
TEST(DryOutflow, lets_a_wedge_stand_beside_dry_land_where_it_is_closed) {
  static constexpr double depth = 0.1, length = 10, force = 0.5;
  const double wedge = std::sqrt(2 * depth * length * gravity / force);
  const auto stand = [wedge](const Scheme& scheme, const std::string& dry_outflow) {
    Configuration setup =
        with(scheme, "rectangle:100x10:10x1", {{"dry_outflow", dry_outflow}, {"friction", 1.0}});
    setup.bed_depth = [](const Vector3&) { return depth; };
    setup.initial.depth = [](const Vector3&) { return depth; };
    setup.body_acceleration = [](const Vector3&) -> Vector3 { return force * Vector3::UnitX(); };
    auto basin = std::make_unique<Trial>(setup);
    const double before = basin->mass();
    basin->prepare(0.02);
    double lowest = 0;
    for (int i = 0; i < 1500; ++i) {
      basin->run(1);
      lowest = std::min(lowest, basin->elevation().minCoeff() + depth);
    }
    if (dry_outflow == "closed") {
      EXPECT_LT(std::abs(basin->mass() / before - 1), 1e-12) << scheme.name;
    }
    const Cells& cells = basin->discretization->cells();
    double error = 0;
    for (Index i = 0; i < basin->volume().size(); ++i) {
      const double x = cells.points(0, i), exact = std::max(0.0, (x - length + wedge) * force / gravity);
      error += std::abs(basin->volume()[i] - exact * cells.area[i]);
    }
    return std::pair(lowest, error / before);
  };
  for (const Scheme& scheme : schemes) {
    if (scheme.parameters.count("dual") && scheme.parameters.at("dual") == Value("barycentric"))
      continue;  // whose gradient is not exact here
    const auto [lowest, error] = stand(scheme, "closed");
    EXPECT_GT(lowest, -1e-3 * depth) << scheme.name;
    EXPECT_LT(error, 1e-3) << scheme.name;
    EXPECT_FALSE(stand(scheme, "open").first > 10 * lowest) << scheme.name;  // which may be no number
  }
}

/// A layer that ends in the middle of a sphere, flowing everywhere as if the dry half were wet.
Trial half_dry(const Scheme& scheme, ParameterMap parameters) {
  Configuration setup = with(scheme, "icosphere:3", std::move(parameters));
  setup.integrator = "ssprk3";
  setup.advection = "vector-invariant";
  setup.initial.depth = [](const Vector3& x) { return std::max(0.0, 0.5 * x.x()); };
  setup.initial.velocity = [](const Vector3& x) { return Vector3(-x.y(), x.x(), 0); };
  setup.body_acceleration = [](const Vector3&) -> Vector3 { return Vector3::UnitZ(); };
  return Trial(setup);
}

/// [sites] η̄ where it is positive.
Vector site_depth(const Trial& trial) {
  Vector depth;
  WaveSide(trial.right_side).site_depth(trial.state[trial.discretization->volume()], depth);
  return depth;
}

// The rates of places without water would be those of an equation without pressure; nothing bounds its solutions.
TEST(DryLand, has_no_velocity_and_gets_none) {
  constexpr double dry_depth = 0.01;
  for (const Scheme& scheme : schemes) {
    Trial trial = half_dry(scheme, {{"dry_outflow", "closed"}, {"dry_depth", dry_depth}});
    const Vector depth = site_depth(trial);
    Vector rate = Vector::Zero(trial.velocity().size());
    trial.right_side.add_velocity_rate(trial.state, Terms::all(), 1, rate);
    trial.prepare(1e-3);
    trial.step();
    const Vector after = site_depth(trial), flow = std::as_const(trial).velocity();
    Index dry = 0;
    for (Index i = 0; i < rate.size(); ++i) {
      const Index site = i % depth.size();
      if (depth[site] <= dry_depth) {
        ++dry;
        EXPECT_EQ(rate[i], 0) << scheme.name;
      }
      if (after[site] <= dry_depth) {
        EXPECT_EQ(flow[i], 0) << scheme.name;
      }
    }
    EXPECT_GT(dry, rate.size() / 4) << scheme.name;
    EXPECT_LT(dry, rate.size() / 2 + rate.size() / 4) << scheme.name;
    EXPECT_GT(rate.cwiseAbs().maxCoeff(), 0.1) << scheme.name;
  }
}

/// Angst 2007, appendix A, on cells with a state of their own: emptied they make as much water as was missing in them.
TEST(DryLand, is_emptied_where_it_is_asked_to_be) {
  for (const Scheme& scheme : schemes) {
    for (const std::string cells : {"kept", "emptied"}) {
      Trial trial = half_dry(scheme, {{"dry_outflow", "closed"}, {"dry_cells", cells}});
      Block volume = trial.state[trial.discretization->volume()];
      volume[3] = -0.25;
      volume[5] = -0.5;
      volume[7] = 2;
      const Vector before = volume;
      offered<DryLand>(*trial.discretization)
          ->stop_on_dry_land(trial.state, trial.right_side.forces(), trial.right_side.scratch());
      EXPECT_NEAR(volume.sum() - before.sum(), cells == "kept" ? 0 : 0.75, 1e-12) << scheme.name;
      EXPECT_EQ(volume[3], cells == "kept" ? -0.25 : 0) << scheme.name;
      EXPECT_EQ(volume[7], 2) << scheme.name;
    }
  }
}

TEST(DryLand, leaves_water_that_is_deep_everywhere_as_it_is_to_the_last_bit) {
  for (const Scheme& scheme : schemes) {
    const auto end = [&](const std::string& dry_outflow) -> Vector {
      Configuration setup = with(scheme, "icosphere:3", {{"dry_outflow", dry_outflow}});
      setup.integrator = "ssprk3";
      setup.advection = "vector-invariant";
      setup.initial.depth = [](const Vector3& x) { return 0.5 + 0.1 * x.x() * x.z(); };
      setup.initial.velocity = [](const Vector3& x) { return Vector3(-x.y(), x.x(), 0); };
      Trial trial(setup);
      trial.prepare(1e-3);
      trial.run(5);
      return trial.velocity();
    };
    // With edge depths, and with a mean of the triangle, sums are taken in another order for closed outflow.
    const double difference = (end("closed") - end("open")).cwiseAbs().maxCoeff();
    if (scheme.name == "dec") {
      EXPECT_EQ(difference, 0);
    } else {
      EXPECT_LT(difference, round_off);
    }
  }
}

// In and beside films v·∇v is taken from upstream. Everywhere else it is what it is without them.
TEST(DryLand, changes_the_transport_of_momentum_in_films_alone) {
  constexpr double film = 0.05;
  for (const Scheme& scheme : schemes) {
    if (scheme.name == "fefv" && scheme.parameters.empty())
      continue;  // projected: what is left out has effects around
    ParameterMap parameters = {{"dry_outflow", "closed"}, {"advection_depth", film}};
    if (scheme.name == "fefv") parameters["rotation"] = "plain";
    const auto rate = [&](ParameterMap with) {
      Trial trial = half_dry(scheme, std::move(with));
      Vector result = Vector::Zero(trial.velocity().size());
      trial.right_side.add_velocity_rate(trial.state, Term::advection, 1, result);
      return std::pair(result, site_depth(trial));
    };
    const auto [with_films, depth] = rate(parameters);
    parameters["dry_outflow"] = "open";
    const Vector without = rate(parameters).first;
    Index equal = 0;
    for (Index i = 0; i < with_films.size(); ++i) {
      const double deep = depth[i % depth.size()];
      if (deep > film + 0.15) {  // two triangles from the film
        EXPECT_NEAR(with_films[i], without[i], round_off) << scheme.name;
        ++equal;
      }
    }
    EXPECT_GT(equal, with_films.size() / 6) << scheme.name;
    EXPECT_GT((with_films - without).cwiseAbs().maxCoeff(), 1e-3) << scheme.name;
  }
}

}  // namespace
}  // namespace shoal::test
