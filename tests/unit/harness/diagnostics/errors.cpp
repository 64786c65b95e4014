// Errors relative to a scene's solution.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/diagnostics.hpp"

#include <algorithm>

namespace shoal {
namespace {

// The norm of a standing wave vanishes at its zeros, and a relative error would be arbitrarily large (0.27 in this run).
TEST(Errors, of_a_standing_wave_are_relative_to_the_wave_and_not_to_what_is_left_of_it_at_its_zeros) {
  const RunConfiguration c =
      expand(test::catalog(), parse_experiment("scene = 'sphere-mode'\nmesh = 'icosphere:4'\n"
                                               "integrator = 'newmark'\ndt = '1/120'\nend = 1\n"
                                               "parameters.l = 2\nparameters.amplitude = 1e-4",
                                               "test.toml"))
          .front()
          .configuration;
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  const std::vector<double> errors = test::series(simulation, "l2_error_elevation");
  constexpr double lateness = 0.03;  // rad in 1 s, of which the grid makes 0.01 and the step 0.003
  EXPECT_LT(*std::max_element(errors.begin(), errors.end()), lateness);
}

}  // namespace
}  // namespace shoal
