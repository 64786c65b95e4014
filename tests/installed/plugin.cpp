// What this project adds to the catalogue of the program that loads it.
#include "experiments/harness/catalog/plugin.hpp"

namespace shoal {
IntegratorEntry rk4();
DiscretizationEntry lax_friedrichs();
DiscretizationEntry smooth_rusanov();
SceneEntry two_bumps_scene();
}  // namespace shoal

SHOAL_PLUGIN(catalog) {
  catalog.integrators.add(shoal::rk4());
  catalog.discretizations.add(shoal::lax_friedrichs());
  catalog.discretizations.add(shoal::smooth_rusanov());
  catalog.scenes.add(shoal::two_bumps_scene());
}
