// The entries that this project adds to the catalogue of the program that loads it.
#include "experiments/harness/catalog/plugin.hpp"
#include "solvers/integrators/runge_kutta.hpp"

namespace shoal {
DiscretizationEntry lax_friedrichs();
DiscretizationEntry smooth_rusanov();
SceneEntry two_bumps_scene();
}  // namespace shoal

SHOAL_PLUGIN(catalog) {
  catalog.integrators.add(
      shoal::runge_kutta({"three-eighths",
                          4,
                          {{{}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}}, {1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8}},
                          "the 3/8 rule, a Runge–Kutta method of four stages (Kutta 1901)"}));
  catalog.discretizations.add(shoal::lax_friedrichs());
  catalog.discretizations.add(shoal::smooth_rusanov());
  catalog.scenes.add(shoal::two_bumps_scene());
}
