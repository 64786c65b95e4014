// Errors of a scheme's own unknowns and of the vectors that it reports.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

/// The errors after `steps` steps, by name.
std::map<std::string, double> errors(const std::string& scheme, const std::string& mesh, int steps) {
  const bool advects = test::catalog().discretizations.find(scheme).transports_momentum();
  const RunConfiguration c =
      expand(
          test::catalog(),
          parse_experiment("scene = 'williamson-2'\nintegrator = 'ssprk3'\ndt = 300\nsubsteps = 1\nmesh = '" +
                               mesh + "'\ndiscretization = '" + scheme + "'\n" +
                               (advects ? "" : "advection = 'vector-invariant'\n") +
                               (scheme == "fefv" ? "parameters.rotation = 'plain'\n" : ""),
                           "test.toml"))
          .front()
          .configuration;
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  StageClock clock;
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulation.step(clock).ok);
  const std::vector<double> row = diagnostics.evaluate(diagnostics.energy(), {});
  std::map<std::string, double> result;
  std::size_t at = 0;
  for (const Quantity& quantity : diagnostics.quantities()) {
    result[quantity.name] = row[at];
    at += static_cast<std::size_t>(quantity.components);
  }
  return result;
}

TEST(OwnVelocity, begins_without_error_where_the_reported_one_begins_with_that_of_a_reconstruction) {
  for (const char* norm : {"l1", "l2", "linf"}) {
    const auto at_start = errors("dec", "icosphere:3", 0);
    EXPECT_LT(at_start.at(norm + std::string("_error_own_velocity")), 1e-15) << norm;
    EXPECT_GT(at_start.at(norm + std::string("_error_velocity")), 1e-3) << norm;
  }
}

// What is compared is the same vector at the same place.
TEST(OwnVelocity, is_the_reported_one_where_that_is_a_vector_per_triangle) {
  constexpr double rounding = 1e-12;
  for (const char* scheme : {"fefv", "kinetic"}) {
    const auto later = errors(scheme, "jittered-sphere:2", 20);
    for (const std::string norm : {"l1", "l2", "linf"})
      EXPECT_NEAR(later.at(norm + "_error_own_velocity"), later.at(norm + "_error_velocity"), rounding)
          << scheme << ' ' << norm;
    EXPECT_GT(later.at("l2_error_own_velocity"), 1e-3);
  }
}

}  // namespace
}  // namespace shoal
