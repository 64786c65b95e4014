// The mass of connected components of a surface and of the whole.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/diagnostics.hpp"
#include "tests/support/surfaces.hpp"

namespace shoal {
namespace {

std::vector<double> component_drift(const Surface& surface, const std::string& settings) {
  const RunConfiguration c =
      expand(test::catalog(),
             parse_experiment("scene = 'bump'\ndt = '1/60'\nend = 1\nparameters.amplitude = 0.3\n" + settings,
                              "test.toml"))
          .front()
          .configuration;
  Simulation simulation(test::catalog(), c, surface);
  return test::series(simulation, "component_mass_drift");
}

// implicit-euler loses mass only where there is a wave, on one of the two spheres.
TEST(ComponentMass, is_watched_where_the_surface_has_several_parts) {
  const Surface two = test::two_spheres("icosphere:2");
  EXPECT_GT(component_drift(two, "integrator = 'implicit-euler'").back(), 1e-3);
  constexpr double round_off = 1e-13;
  for (const std::string settings :
       {"integrator = 'newmark'\nparameters.displacement_damping = 2", "integrator = 'explicit'"})
    EXPECT_LT(component_drift(two, settings).back(), round_off) << settings;
  EXPECT_TRUE(component_drift(load_surface("icosphere:2"), "").empty());
}

}  // namespace
}  // namespace shoal
