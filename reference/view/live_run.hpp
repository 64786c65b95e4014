// A simulation as the source of pictures.
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
  const Vector& bed() const override { return simulation_.bed(); }
  const Geometry& geometry() const override { return simulation_.water().geometry(); }
  bool has_velocity() const override { return simulation_.water().has_velocity(); }
  std::vector<ShownField> fields() const override;
  void sample(const std::string& name, Values& values) const override;
  std::vector<ShownBody> bodies() const override;
  double dt() const override { return simulation_.dt(); }
  double time() const override { return simulation_.time(); }
  double gravity() const override { return simulation_.scene().gravity; }
  /// False for schemes whose flux includes the advection.
  bool has_acceleration() const override;
  void sample_acceleration(Values& values) const override;
  Points skeleton() const override { return simulation_.skeleton(); }
  std::vector<ShownSource> sources() const override;
  double wet_depth() const override {
    return simulation_.scene().regions.empty() ? 0 : simulation_.scene().wet_depth;
  }
  bool sample_cells(Vector& depth, Vector& elevation) const override;
  /// Locates sources on the surface that were added since the last call; after a change of cells by a new scheme, all of them. Call it
  /// while the surface is where it was when they were added.
  void find_sources();

 private:
  struct Place {
    Index face;
    Vector3 weights;
  };
  const Simulation& simulation_;
  std::vector<Place> places_;  // of sources
  Index cells_ = 0;            // number of cells when they were located
};

}  // namespace shoal
