// How much of each region of the scene is wet.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <algorithm>

namespace shoal {
namespace {

/// "wet_left_leg"
std::string column_of(const Region& region) {
  std::string name = "wet_" + region.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

}  // namespace

DiagnosticEntry regions_diagnostic() {
  return {"regions", [](const Simulation& simulation) {
            std::vector<DiagnosticColumn> columns;
            for (const Region& region : simulation.scene().regions)
              columns.push_back(
                  {{column_of(region), "1", "share of the area of this region that is deeper than wet_depth"},
                   [vertices = region.vertices](Instant& now, double* value) {
                     const Values& depth = now.output("depth_at_vertices");
                     const Vector& area = now.water().geometry().vertex_area;
                     double wet = 0, all = 0;
                     for (const Index i : vertices) {
                       all += area[i];
                       if (depth(0, i) > now.simulation().scene().wet_depth) wet += area[i];
                     }
                     *value = wet / all;
                   }});
            return columns;
          }};
}

}  // namespace shoal
