// Quality of the triangles of a moving surface.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

DiagnosticEntry shape_diagnostic() {
  return {"shape", [](const Simulation& simulation) -> std::vector<DiagnosticColumn> {
            if (!simulation.moves()) return {};
            return {{{"min_angle", "degree", "smallest angle of a triangle of the surface"},
                     [](Instant& now, double* value) {
                       *value =
                           std::atan2(1.0, max(now.discretization().mesh(), Location::face,
                                               [&](Index k) {
                                                 return now.water().geometry().cotangent.col(k).maxCoeff();
                                               })) *
                           180 / std::numbers::pi;
                     }},
                    {{"max_area_ratio", "1", "largest A/A(0) or A(0)/A of a triangle of the surface"},
                     [start = simulation.water().geometry().face_area](Instant& now, double* value) {
                       const auto growth = now.water().geometry().face_area.array() / start.array();
                       *value = std::max(max(now.discretization().mesh(), Location::face, growth),
                                         1 / min(now.discretization().mesh(), Location::face, growth));
                     }}};
          }};
}

}  // namespace shoal
