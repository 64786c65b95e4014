// A simulation as pictures show it.
#pragma once

#include "experiments/harness/run/simulation.hpp"
#include "reference/view/shown_run.hpp"

namespace shoal {

class LiveRun final : public ShownRun {
 public:
  /// `simulation` must outlive this, and be at t = 0 or have a surface that has not moved.
  explicit LiveRun(const Simulation& simulation);

  const Mesh& mesh() const override { return simulation_.surface().mesh; }
  const Mesh& triangles() const override;
  const Vector& area() const override;
  const Vector& bed() const override { return bed_; }
  const Geometry& geometry() const override { return simulation_.water().geometry(); }
  bool has_velocity() const override { return simulation_.water().has_velocity(); }
  std::vector<ShownField> fields() const override;
  void sample(const std::string& name, Values& values) const override;
  std::vector<ShownBody> bodies() const override;
  double dt() const override { return simulation_.dt(); }
  /// Not of schemes whose flux has the advection in it.
  bool has_acceleration() const override;
  void sample_acceleration(Values& values) const override;
  Points skeleton() const override { return simulation_.skeleton(); }

 private:
  const Simulation& simulation_;
  Vector bed_;
};

}  // namespace shoal
