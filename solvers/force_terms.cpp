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

/// The fraction of the step within the interval; at an instant outside of steps, 1 or 0.
double share_of(const Interval& interval, const StepInstant& at) {
  if (at.step > 0) return interval.part(at.begin, at.step);
  return interval.begin <= at.time && at.time < interval.end ? 1 : 0;
}

}  // namespace

ForceTerm::Change TimedForces::change(const StepInstant& before, const StepInstant& now,
                                      bool surface_moves) const {
  Change result = Change::none;
  for (const TimedForce& force : forces_) {
    const double share = share_of(force.interval, now);
    if (share > 0 && (force.varies || (force.in_space && surface_moves))) return Change::within_steps;
    if (share != share_of(force.interval, before)) result = Change::between_steps;
  }
  return result;
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

/// Resets the sum to the constant part. Inflows in space and boundaries stay, except for discharges.
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

namespace {

/// The parts of a forcing that terms change.
void save_forcing(const Forcing& forcing, const std::string& prefix, Archive& archive) {
  archive.put(prefix + "normal_acceleration", Location::vertex, forcing.normal_acceleration);
  archive.put_points(prefix + "body_acceleration", forcing.body_acceleration);
  archive.put(prefix + "inflow", Location::cell, forcing.inflow);
  Vector discharges(static_cast<Index>(forcing.distributed_inflows.size()));
  for (Index i = 0; i < discharges.size(); ++i)
    discharges[i] = forcing.distributed_inflows.begin()[i].discharge;
  archive.put(prefix + "discharges", discharges);
}

void restore_forcing(const Archive& archive, const std::string& prefix, Forcing& forcing) {
  forcing.normal_acceleration = archive.vector(prefix + "normal_acceleration");
  forcing.body_acceleration = archive.points(prefix + "body_acceleration");
  forcing.inflow = archive.vector(prefix + "inflow");
  const Vector& discharges = archive.vector(prefix + "discharges");
  if (discharges.size() != static_cast<Index>(forcing.distributed_inflows.size()))
    throw Error("the checkpoint belongs to another model: it has " + std::to_string(discharges.size()) +
                " inflows in space instead of " + std::to_string(forcing.distributed_inflows.size()));
  for (Index i = 0; i < discharges.size(); ++i)
    forcing.distributed_inflows.begin()[i].discharge = discharges[i];
}

/// Calls visit(name, series) for each series of a condition.
template <class Condition, class Visit>
void each_series(Condition& condition, const std::string& name, const Visit& visit) {
  visit(name, condition.value);
  visit(name + "/speed", condition.speed);
  visit(name + "/tangential", condition.tangential);
}

std::string name_of_boundary(std::size_t i) {
  return "forcing/boundaries/" + std::to_string(i);
}

void save_boundaries(const BoundaryConditions& conditions, const Mesh& mesh, Archive& archive) {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const BoundaryCondition& condition = conditions[i];
    const std::string name = name_of_boundary(i);
    archive.put(name, Vector(Eigen::Vector2d(find_boundary_set(mesh, condition.set),
                                             static_cast<int>(condition.kind))));
    each_series(condition, name, [&](const std::string& part, const TimeSeries& series) {
      const auto put = [&](const char* what, const std::vector<double>& values) {
        archive.put(part + what, Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
      };
      put("/times", series.times());
      put("/values", series.values());
    });
  }
}

BoundaryConditions restored_boundaries(const Mesh& mesh, const Archive& archive) {
  BoundaryConditions conditions;
  for (std::size_t i = 0; archive.has(name_of_boundary(i)); ++i) {
    const Vector& which = archive.vector(name_of_boundary(i));
    const auto set = static_cast<Index>(which[0]);
    if (set < 0 || set >= static_cast<Index>(mesh.boundary_sets.size()))
      throw Error("the checkpoint belongs to another model: this mesh has no boundary " +
                  std::to_string(set));
    BoundaryCondition condition;
    condition.set = mesh.boundary_sets.begin()[set].name;
    condition.kind = static_cast<BoundaryKind>(static_cast<int>(which[1]));
    each_series(condition, name_of_boundary(i), [&](const std::string& part, TimeSeries& series) {
      const Vector &times = archive.vector(part + "/times"), &values = archive.vector(part + "/values");
      series = TimeSeries({times.begin(), times.end()}, {values.begin(), values.end()});
    });
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

}  // namespace

void ForceTerms::save(const Mesh& mesh, Archive& archive) const {
  save_forcing(base_, "forcing/", archive);
  archive.put("forcing/rotation", Vector(base_.rotation));
  archive.put("forcing/gravity", base_.gravity);
  archive.put("forcing/friction", base_.friction);
  save_boundaries(base_.boundaries, mesh, archive);
  save_forcing(sum(), "acting/", archive);
  archive.put("acting/instant", Vector(Eigen::Vector4d(evaluated_.time, evaluated_.begin, evaluated_.step,
                                                       evaluated_.of_stage)));
}

void ForceTerms::restore_base(const Mesh& mesh, const Archive& archive) {
  Forcing base = base_;  // keeps its functions in space
  restore_forcing(archive, "forcing/", base);
  base.rotation = archive.vector("forcing/rotation");
  base.gravity = archive.number("forcing/gravity");
  base.friction = archive.number("forcing/friction");
  base.boundaries = restored_boundaries(mesh, archive);
  const Vector& instant = archive.vector("acting/instant");
  base_ = base;
  sum_ = {};
  sum_.forcing_ = base;
  evaluated_ = {instant[0], instant[1], instant[2], instant[3] != 0};
}

void ForceTerms::restore_sum(const WaterNow& water, const Archive& archive) {
  if (!std::isnan(evaluated_.time)) evaluate(evaluated_, water);
  Forcing acting = sum();
  restore_forcing(archive, "acting/", acting);
  sum_ = {};
  sum_.forcing_ = std::move(acting);
}

void ForceTerms::drop_inflow() {
  base_.inflow.resize(0);
  sum_.forcing_.inflow.resize(0);
  evaluated_ = never;
}

}  // namespace shoal
