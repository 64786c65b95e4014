// Forcing from the state of the water.
#include "solvers/coupling/coupling.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

/// [cells] of a source's discharge, adding up to 1.
Vector shares_of(const Source& source, const Cells& cells) {
  Vector shares(cells.count());
  for (Index i = 0; i < shares.size(); ++i) {
    const double distance = (cells.points.col(i) - source.point).norm() / source.radius;
    shares[i] = cells.area[i] * std::exp(-distance * distance);
  }
  const double sum = shares.sum();
  if (!(sum > 0))
    throw Error("a source reaches no cell: it is too far from the surface for its radius of " +
                std::to_string(source.radius) + " m");
  return shares / sum;
}

}  // namespace

Coupling::Coupling(const CouplingSetting& setting, Vector bed, const ShallowWater& water)
    : sources_(setting.sources), bed_(std::move(bed)) {
  if (setting.artificial_acceleration) acceleration_.emplace(*setting.artificial_acceleration);
  for (const Source& source : sources_) shares_.push_back(shares_of(source, water.discretization().cells()));
}

void Coupling::act(const Forcing& own, double dt, ShallowWater& water) {
  forcing_ = own;
  if (acceleration_) {
    if (forcing_.body_acceleration.size() == 0) forcing_.body_acceleration.setZero(3, bed_.size());
    water.sample("depth_at_vertices", depth_);
    elevation_ = depth_.row(0).transpose() - bed_;
    limited_ = acceleration_->add(elevation_, forcing_.body_acceleration);
  }
  if (!sources_.empty()) {
    if (forcing_.inflow.size() == 0) forcing_.inflow.setZero(shares_.front().size());
    add_inflow(water.time(), dt);
  }
  water.set_forcing(forcing_);
}

/// Of the part of the step during which a source is on.
void Coupling::add_inflow(double time, double dt) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Source& source = sources_[i];
    const double open = std::min(time + dt, source.end) - std::max(time, source.begin);
    if (open > 0) forcing_.inflow += source.discharge * std::min(open / dt, 1.0) * shares_[i];
  }
}

}  // namespace shoal
