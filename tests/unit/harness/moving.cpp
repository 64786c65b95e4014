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

TEST(BreathingSphere, changes_nothing_but_the_depth) {
  for_every_pair([](const std::string& pair) {
    const RunConfiguration c =
        configured("scene = 'breathing-sphere'\nmesh = 'icosphere:2'\ndt = 0.01\nend = 1\n" + pair);
    const Surface surface = load_surface(c);
    Simulation simulation(c, surface);
    StageClock clock;
    const double mass = simulation.state().volume.sum();
    while (simulation.steps_done() < simulation.steps()) {
      ASSERT_TRUE(simulation.step(clock).ok) << pair;
      const Cells& cells = simulation.discretization().cells();
      const Vector depth = simulation.state().volume.cwiseQuotient(cells.area);
      Vector exact;
      simulation.scene().references.front().depth(cells.points, simulation.time(), exact);
      ASSERT_LT((depth - exact).lpNorm<Eigen::Infinity>(), 1e-11) << pair << simulation.time();
      ASSERT_NEAR(simulation.state().volume.sum(), mass, 1e-13 * mass) << pair;
      if (simulation.state().flow.size()) {
        Points velocity;
        simulation.discretization().face_velocity(simulation.state(), velocity);
        ASSERT_LT(velocity.lpNorm<Eigen::Infinity>(), 1e-11) << pair;
      }
    }
  });
}

}  // namespace
}  // namespace shoal
