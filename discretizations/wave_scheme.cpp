// Rates and forcing of the schemes with adjoint operators.
#include "discretizations/wave_scheme.hpp"

#include "discretizations/common/parallel.hpp"

namespace shoal {

void WaveScheme::add_rates(const State& state, double scale, State& target) const {
  add_depth_rate(state, scale, target.volume);
  add_velocity_rate(state, scale, target.flow);
}

void WaveScheme::add_velocity_rate(const State& state, double scale, Vector& flow) const {
  pressure(state.volume, pressure_);
  add_gradient(pressure_, -scale, site_root_acceleration_, flow);
  if (forced_) flow += scale * force_;
}

void WaveScheme::compute_cell_depth(const Vector& volume) const {
  cell_depth_.resize(volume.size());
  const double* __restrict v = volume.data();
  const double* __restrict inverse_area = inverse_area_.data();
  double* __restrict depth = cell_depth_.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) depth[i] = v[i] * inverse_area[i];
  });
}

void WaveScheme::pressure(const Vector& volume, Vector& p) const {
  p.resize(volume.size());
  const double *__restrict v = volume.data(), *__restrict inverse_area = inverse_area_.data(),
                           *__restrict bed = cells_.bed.data(), *__restrict root = root_acceleration_.data();
  double* __restrict value = p.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) value[i] = root[i] * (v[i] * inverse_area[i] - bed[i]);
  });
}

void WaveScheme::site_depth(const Vector& volume, Vector& depth) const {
  compute_cell_depth(volume);
  site_mean(cell_depth_, depth);
  for (double& value : depth)
    if (value < 0) value = 0;  // a NaN stays one
}

std::vector<ClampCount> WaveScheme::clamp_counts(const State& state) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state);
  compute_cell_depth(state.volume);
  site_mean(cell_depth_, site_depth_);
  counts.push_back({"clamped_depths", static_cast<Index>((site_depth_.array() < 0).count())});
  return counts;
}

void WaveScheme::forcing_changed() {
  const double first = normal_acceleration_[0];
  forced_ = body_acceleration_.size() > 0;
  if (forced_) {
    split_body_acceleration(body_force_);
    force_ = body_force_;
  }
  if ((normal_acceleration_.array() == first)
          .all()) {  // the same root everywhere, to the last bit: rest is exact
    root_acceleration_.setConstant(cells_.count(), std::sqrt(-first));
    site_root_acceleration_.setConstant(sites(), std::sqrt(-first));
    return;
  }
  cell_acceleration(normal_acceleration_, root_acceleration_);
  root_acceleration_ = (-root_acceleration_.array()).sqrt();
  site_mean(root_acceleration_, site_root_acceleration_);
  // b = −s (G(√|a| H) − s G H)
  weighted_bed_ = root_acceleration_.cwiseProduct(cells_.bed);
  squared_ = site_root_acceleration_.cwiseAbs2();
  if (!forced_) force_.setZero(flow_size());
  forced_ = true;
  add_gradient(weighted_bed_, -1, site_root_acceleration_, force_);
  add_gradient(cells_.bed, 1, squared_, force_);
}

}  // namespace shoal
