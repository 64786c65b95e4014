#include "discretizations/finite_volume.hpp"

#include "discretizations/upwind_jacobian.hpp"

namespace shoal {

Options<FiniteVolumeOptions> FiniteVolumeOptions::describe() {
  using O = FiniteVolumeOptions;
  std::vector<std::string> names;
  for (const LimiterEntry& entry : limiters()) names.push_back(entry.name);
  Options<O> options;
  options.part(&O::scheme, FaceMomentumOptions::describe())
      .choice("reconstruction", &O::reconstruction,
              {{"constant", ReconstructionKind::constant}, {"linear", ReconstructionKind::linear}},
              "of the water in a triangle: first or second order")
      .word("limiter", &O::limiter, names, "of the slopes of a linear reconstruction");
  return options;
}

FiniteVolume::FiniteVolume(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                           const Parameters& parameters, const FiniteVolumeOptions& options)
    : FaceMomentum(mesh, geometry, bed_depth, parameters, options.scheme) {
  if (options.reconstruction == ReconstructionKind::constant) return;
  limiter_ = &limiters().find(options.limiter);
  measure_slopes();
}

void FiniteVolume::refresh(State* carried) {
  FaceMomentum::refresh(carried);
  if (limiter_) measure_slopes();
}

std::unique_ptr<Jacobian> FiniteVolume::make_jacobian() const {
  return std::make_unique<UpwindJacobian>(*this);
}

void FiniteVolume::measure_slopes() {
  linear_.measure(mesh_, frame_, place_of_edge_,
                  {normal_left_1_, normal_left_2_, normal_right_1_, normal_right_2_}, limiter_->at);
}

void FiniteVolume::reconstruct(const Forces& forces, FaceWater& water) const {
  if (!limiter_) return;
  const CellMeans means = {water.depth.data(), water.velocity_1.data(), water.velocity_2.data(),
                           cells_.bed.data(), options_.dry_depth};
  limiter_->extend(linear_, means, forces.open_boundary.places, water.traces);
}

}  // namespace shoal
