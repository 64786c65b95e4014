#include "solvers/force_terms.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

double Interval::part(double time, double dt) const {
  if (begin <= time && time + dt <= end) return 1;
  const double open = std::min(time + dt, end) - std::max(time, begin);
  return open > 0 ? std::min(open / dt, 1.0) : 0;
}

Points& ForceSum::body_acceleration() {
  Points& acceleration = forcing_.body_acceleration;
  if (acceleration.size() == 0) {
    acceleration.swap(spare_acceleration_);
    acceleration.setZero(3, forcing_.normal_acceleration.size());
  }
  return acceleration;
}

Vector& ForceSum::inflow(Index cells) {
  Vector& inflow = forcing_.inflow;
  if (inflow.size() == 0) {
    inflow.swap(spare_inflow_);
    inflow.setZero(cells);
  }
  return inflow;
}

namespace {

/// The part of a step, or 1 and 0 at an instant that stands alone.
double share_of(const Interval& interval, const StepInstant& at) {
  if (at.step > 0) return interval.part(at.begin, at.step);
  return interval.begin <= at.time && at.time < interval.end ? 1 : 0;
}

}  // namespace

ForceTerm::Change TimedForces::change(const StepInstant& before, const StepInstant& now,
                                      bool surface_moves) const {
  Change most = Change::none;
  for (const TimedForce& force : forces_) {
    const double share = share_of(force.interval, now);
    if (share > 0 && (force.varies || (force.in_space && surface_moves))) return Change::within_steps;
    if (share != share_of(force.interval, before)) most = Change::between_steps;
  }
  return most;
}

void TimedForces::add(const StepInstant& at, const WaterNow& water, ForceSum& sum) {
  for (const TimedForce& force : forces_)
    if (const double share = share_of(force.interval, at); share > 0) force.add(at.time, water, share, sum);
}

void ForceTerms::set_base(const Forcing& base) {
  base_ = base;
  sum_.forcing_ = base;
  evaluated_ = never;
}

bool ForceTerms::differ(const StepInstant& now, bool surface_moves) const {
  if (evaluated_ == now) return false;
  const bool never_asked = std::isnan(evaluated_.time);
  return std::any_of(terms_.begin(), terms_.end(), [&](const ForceTerm* term) {
    return never_asked || term->change(evaluated_, now, surface_moves) != ForceTerm::Change::none;
  });
}

bool ForceTerms::vary_within(const StepInstant& now, bool surface_moves) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const ForceTerm* term) {
    return term->change(now, now, surface_moves) == ForceTerm::Change::within_steps;
  });
}

/// Field by field: inflows in space and boundaries are the constant part's.
void ForceTerms::begin_sum() {
  Forcing& sum = sum_.forcing_;
  sum.normal_acceleration = base_.normal_acceleration;
  if (base_.body_acceleration.size())
    sum.body_acceleration = base_.body_acceleration;
  else if (sum.body_acceleration.size())
    sum.body_acceleration.swap(sum_.spare_acceleration_);
  if (base_.inflow.size())
    sum.inflow = base_.inflow;
  else if (sum.inflow.size())
    sum.inflow.swap(sum_.spare_inflow_);
  for (std::size_t i = 0; i < base_.distributed_inflows.size(); ++i)
    sum.distributed_inflows[i].discharge = base_.distributed_inflows[i].discharge;
}

const Forcing& ForceTerms::evaluate(const StepInstant& at, const WaterNow& water) {
  evaluated_ = at;
  if (terms_.empty()) return sum_.forcing_;
  begin_sum();
  for (ForceTerm* term : terms_) term->add(at, water, sum_);
  return sum_.forcing_;
}

void ForceTerms::restore(const Forcing& base, const Forcing& sum, const StepInstant& evaluated) {
  base_ = base;
  sum_ = {};
  sum_.forcing_ = sum;
  evaluated_ = evaluated;
}

void ForceTerms::drop_inflow() {
  base_.inflow.resize(0);
  sum_.forcing_.inflow.resize(0);
  evaluated_ = never;
}

}  // namespace shoal
