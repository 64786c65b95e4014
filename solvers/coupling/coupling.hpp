// Couples the water on a surface to the space around it (Angst 2007, chapter 6): an acceleration that depends
// on the depth, sources, pushes and bodies. Bodies and sources are constant over a step.
#pragma once

#include "solvers/coupling/collision.hpp"

namespace shoal {

/// Throws Error if a source is too far from all cells to have any effect.
void require_reach(const Source& source, const Discretization& discretization);

class Coupling final : public ForceTerm {
 public:
  /// For water on a bed of depth `bed` [nV].
  Coupling(const CouplingSetting& setting, Vector bed);

  void add(const Source& source);
  void add(const Push& push);
  /// Ends a source or push at `time`, which must be the present. Throws Error if the index `place` is invalid
  /// or it has ended already.
  void end_source(std::size_t place, double time);
  void end_push(std::size_t place, double time);
  /// Sets the options from the next step on. Throws SettingError, and then changes nothing.
  void configure(const CouplingOptions& options);
  /// Sets the bed depth [nV] from the next step on.
  void set_bed(const Vector& bed) {
    bed_ = bed;
    collision_.set_bed(bed);
  }

  /// Computes, before a step of dt, the effects of sources and bodies on the water and of the water on the
  /// bodies. Throws Error if a source that begins is too far from all cells.
  void begin_step(double dt, Bodies& bodies, ShallowWater& water);
  Change change(const StepInstant& before, const StepInstant& now, bool surface_moves) const override;
  void add(const StepInstant& at, const WaterNow& water, ForceSum& sum) override;

  const Collision& collision() const { return collision_; }
  double dt_of_paths(const Bodies& bodies, double part, double dt, const ShallowWater& water) {
    return collision_.dt_of_paths(bodies, part, dt, water);
  }
  // In the order in which they were added, including those that have ended.
  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<Push>& pushes() const { return pushes_; }
  /// m³/s of a source that has begun, at present.
  double discharge(std::size_t place, const Discretization& discretization) const;

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void find_inflow(double time, double dt, const Discretization& discretization);

  std::optional<ArtificialAcceleration> acceleration_;
  std::vector<Source> sources_;
  std::vector<Vector> shares_;  // [cells] fractions of the discharge of each source; empty before it begins
  std::vector<Push> pushes_;
  Collision collision_;
  Vector bed_;     // [nV] m
  Vector inflow_;  // [cells] m³/s in this step
  bool has_inflow_ = false;
  bool without_bodies_ = false;
  Values depth_;
  Vector elevation_;  // [nV] h, m
};

}  // namespace shoal
