// Dry cells that let no water out: the rule of Angst 2007, appendix A, in the schemes that have it.
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

constexpr double round_off = 1e-11;

/// V_t of a scheme whose unknowns are those of `trial`.
Vector volume_rate(const Trial& trial) {
  State rate = trial.zero();
  offered<Split>(*trial.discretization)->add_depth_rate(trial.state, trial.forces, waves_and_forces, 1, rate);
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
    EXPECT_LT((closed_wet - rate("open", 0.1).second).cwiseAbs().maxCoeff(), round_off) << scheme.name;
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

}  // namespace
}  // namespace shoal::test
