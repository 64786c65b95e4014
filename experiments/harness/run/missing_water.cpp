// The depth to be expected minus the present depth.
#include "experiments/harness/run/missing_water.hpp"

#include "experiments/scenes/scene.hpp"
#include "solvers/shallow_water.hpp"

namespace shoal {

MissingWater missing_water(const SceneInstance& scene, const ShallowWater& water) {
  constexpr double rounding = 1e-12;
  const Cells& cells = water.discretization().cells();
  const Vector depth = water.volume().cwiseQuotient(cells.area);
  const auto gathering = scene.coupling ? scene.coupling->artificial_acceleration
                                        : std::optional<ArtificialAccelerationOptions>();
  const bool gathers = gathering && gathering->depth_dependent && gathering->strength > 0;
  const Mesh& mesh = water.discretization().mesh();
  if (!gathers && !(min(mesh, cells, depth) <= 0)) return {};
  const Vector filled = gathers ? Vector(cells.bed.array() + gathering->level)
                                : Vector(Vector::Constant(cells.count(), scene.depth));
  const Vector missing = (filled - depth).cwiseMax(0.0);
  const double deepest = max(mesh, cells, filled);
  if (!(max(mesh, cells, missing) > rounding * deepest)) return {};
  return {missing.cwiseProduct(cells.area), deepest};
}

}  // namespace shoal
