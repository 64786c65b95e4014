// What couples the water on a surface to the space around it (Angst 2007, chapter 6): an acceleration that follows the
// depth, and sources. Held constant over a step, set from the water as it is at its beginning.
#pragma once

#include "solvers/coupling/artificial_acceleration.hpp"
#include "solvers/shallow_water.hpp"

#include <limits>
#include <optional>

namespace shoal {

/// Water that comes in around a point, into the cells at distances r of it as exp(−(r/radius)²) times their area;
/// negative: goes out. The cells keep their shares where the surface moves.
struct Source {
  Vector3 point = Vector3::Zero();                                  ///< m
  double radius = 0;                                                ///< m
  double discharge = 0;                                             ///< m³/s
  double begin = 0, end = std::numeric_limits<double>::infinity();  ///< s
};

struct CouplingSetting {
  std::optional<ArtificialAccelerationOptions> artificial_acceleration;
  std::vector<Source> sources;
};

class Coupling {
 public:
  /// For the water as it lies now, on a bed at the depth `bed` [nV]. Throws Error where a source is too far from all
  /// cells.
  Coupling(const CouplingSetting& setting, Vector bed, const ShallowWater& water);
  /// Sets what acts on the water in the next step, of dt: `own`, which is all else, and what couples it.
  void act(const Forcing& own, double dt, ShallowWater& water);
  /// Vertices at which the artificial acceleration was cut to its limit in the last step.
  Index limited() const { return limited_; }

 private:
  void add_inflow(double time, double dt);

  std::optional<ArtificialAcceleration> acceleration_;
  std::vector<Source> sources_;
  std::vector<Vector> shares_;  // [cells] of the discharge of each source
  Vector bed_;                  // [nV] m
  Forcing forcing_;
  Values depth_;
  Vector elevation_;  // [nV] h, m
  Index limited_ = 0;
};

}  // namespace shoal
