// Surfaces that move: what must stay exactly as it was.
#include "discretizations/list.hpp"
#include "experiments/harness/diagnostics.hpp"
#include "solvers/integrators/list.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

RunConfiguration configured(const std::string& text) {
  return expand(parse_experiment(text, "test.toml")).front().configuration;
}

/// Calls `check` with "discretization = …, integrator = …" of every pair that exists.
template <class Check>
void for_every_pair(const Check& check) {
  for (const DiscretizationEntry& scheme : discretizations())
    for (const IntegratorEntry& integrator : integrators())
      if (integrator.obstacle(scheme).empty())
        check("discretization = '" + scheme.name + "'\nintegrator = '" + integrator.name + "'\n");
}

/// A breathing sphere under `settings`: depths are exact and nothing flows.
void expect_nothing_but_the_depth_changes(const std::string& settings) {
  const RunConfiguration c =
      configured("scene = 'breathing-sphere'\nmesh = 'icosphere:2'\ndt = 0.01\nend = 1\n" + settings);
  const Surface surface = load_surface(c);
  Simulation simulation(c, surface);
  StageClock clock;
  const double mass = simulation.state().volume.sum();
  while (simulation.steps_done() < simulation.steps()) {
    ASSERT_TRUE(simulation.step(clock).ok) << settings;
    const Cells& cells = simulation.discretization().cells();
    const Vector depth = simulation.state().volume.cwiseQuotient(cells.area);
    Vector exact;
    simulation.scene().references.front().depth(cells.points, simulation.time(), exact);
    ASSERT_LT((depth - exact).lpNorm<Eigen::Infinity>(), 1e-11) << settings << simulation.time();
    ASSERT_NEAR(simulation.state().volume.sum(), mass, 1e-13 * mass) << settings;
    if (simulation.state().flow.size()) {
      Points velocity;
      simulation.discretization().face_velocity(simulation.state(), velocity);
      ASSERT_LT(velocity.lpNorm<Eigen::Infinity>(), 1e-11) << settings;
    }
  }
}

TEST(BreathingSphere, changes_nothing_but_the_depth) {
  for_every_pair(expect_nothing_but_the_depth_changes);
}

TEST(BreathingSphere, changes_nothing_but_the_depth_with_any_option_of_the_integrators) {
  for (const std::string reference : {"mean", "initial", "local"})
    for (const std::string integrator : {"newmark", "implicit-euler", "newmark-analytic"})
      expect_nothing_but_the_depth_changes("integrator = '" + integrator +
                                           "'\n[parameters]\nreference_depth = '" + reference + "'\n");
  for (const std::string option : {"displacement_damping = 3", "rayleigh = 2", "mass_rescale = 'on'"})
    expect_nothing_but_the_depth_changes("integrator = 'newmark'\n[parameters]\n" + option + "\n");
}

}  // namespace
}  // namespace shoal
