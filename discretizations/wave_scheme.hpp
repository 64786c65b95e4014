// What fefv and dec share: depth and velocity on different elements, exchanged by a gradient and its adjoint.
// A scheme derives from this, gives the operators of Wave, and says where its accelerations and means come
// from.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

class WaveScheme : public Discretization, public Split, public Wave {
 public:
  void add_rates(const State& state, double scale, State& target) const override;
  void add_velocity_rate(const State& state, double scale, Vector& flow) const override;

  const Vector& root_acceleration() const override { return root_acceleration_; }
  const Vector& site_root_acceleration() const override { return site_root_acceleration_; }
  const Vector& force() const override { return forced_ ? force_ : no_force_; }
  const Vector& body_force() const override { return body_acceleration_.size() ? body_force_ : no_force_; }
  void pressure(const Vector& volume, Vector& p) const override;

  /// Adds clamped_depths, the sites whose mean depth is negative and taken as zero.
  std::vector<ClampCount> clamp_counts(const State& state) const override;

 protected:
  using Discretization::Discretization;

  /// The tangential part of body_acceleration_ at the velocity sites.
  virtual void split_body_acceleration(Vector& body_force) const = 0;
  /// aₙ at cells from the field at vertices.
  virtual void cell_acceleration(const Vector& at_vertices, Vector& at_cells) const = 0;
  /// Mean of the cells around each velocity site; of depths, η̄ before it is cut at zero.
  virtual void site_mean(const Vector& at_cells, Vector& at_sites) const = 0;
  void site_depth(const Vector& volume, Vector& depth) const override;
  void forcing_changed() override;
  /// cell_depth_ = V/A.
  void compute_cell_depth(const Vector& volume) const;
  /// To be called once cells_.area is known.
  void cells_changed() { inverse_area_ = cells_.area.cwiseInverse(); }

  Vector inverse_area_;  ///< [cells]

  // Work space, so that a step allocates nothing. A discretization serves one thread at a time.
  mutable Vector cell_depth_, site_depth_;

 private:
  Vector root_acceleration_, site_root_acceleration_;
  bool forced_ = false;
  Vector force_, body_force_;      // [flow] kept, also while nothing acts
  Vector weighted_bed_, squared_;  // [cells] √|a| H, [sites] s²
  const Vector no_force_;          // empty
  mutable Vector pressure_;
};

}  // namespace shoal
