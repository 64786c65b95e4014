// What couples the water on a surface to the space around it (Angst 2007, chapter 6): an acceleration that follows the
// depth, sources, pushes and bodies. Held constant over a step, set from the water as it is at its beginning.
#pragma once

#include "solvers/coupling/collision.hpp"

namespace shoal {

/// Throws Error where a source is too far from all cells to reach one.
void require_reach(const Source& source, const Cells& cells);

class Coupling {
 public:
  /// For water on a bed at the depth `bed` [nV].
  Coupling(const CouplingSetting& setting, Vector bed);

  void add(const Source& source);
  void add(const Push& push);
  /// It ends now, at `time`. Throws Error where there is none of this place in its list, or it has ended.
  void end_source(std::size_t place, double time);
  void end_push(std::size_t place, double time);
  /// From the next step on. Throws SettingError, and leaves all as it was.
  void configure(const CouplingOptions& options);

  /// Sets what acts on the water in the next step, of dt: `own`, which is all else, and what couples it; and what the
  /// bodies feel of the water. Throws Error where a source that begins is too far from all cells.
  void act(const Forcing& own, double dt, Bodies& bodies, ShallowWater& water);

  const Collision& collision() const { return collision_; }
  // In the order in which they came; what has ended too.
  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<Push>& pushes() const { return pushes_; }

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void add_inflow(double time, double dt, const Cells& cells);
  void add_pushes(double time, double dt, const Points& x);

  std::optional<ArtificialAcceleration> acceleration_;
  std::vector<Source> sources_;
  std::vector<Vector> shares_;  // [cells] of the discharge of each source; empty before it begins
  std::vector<Push> pushes_;
  Collision collision_;
  Vector bed_;  // [nV] m
  Forcing forcing_;
  Values depth_;
  Vector elevation_;  // [nV] h, m
};

}  // namespace shoal
