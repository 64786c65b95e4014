// The wet fraction of each region of the scene.
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
                  {{column_of(region), "1", "fraction of the area of this region deeper than wet_depth"},
                   [vertices = region.vertices](Instant& now, double* value) {
                     const Values& depth = now.output("depth_at_vertices");
                     const Vector& area = now.water().geometry().vertex_area;
                     const Range all{0, static_cast<Index>(vertices.size())};
                     const Eigen::Vector2d areas =  // total and wet area
                         sum(now.discretization().mesh(), all, [&](Index r) -> Eigen::Vector2d {
                           const Index i = vertices[r];
                           const bool wet = depth(0, i) > now.simulation().scene().wet_depth;
                           return {area[i], wet ? area[i] : 0};
                         });
                     *value = areas[1] / areas[0];
                   }});
            return columns;
          }};
}

}  // namespace shoal
