#include "solvers/inertial_forcing.hpp"

#include "discretizations/mesh/part.hpp"
#include "discretizations/operators/p1.hpp"

namespace shoal {

void InertialForcing::configure(const InertialForcingOptions& options, const Points& x) {
  options_ = options;
  if (!options.inertia.inertia)
    inertia_.reset();
  else if (inertia_)
    inertia_->configure(options.inertia);
  else
    inertia_.emplace(options.inertia, x);
  if (!smooths()) normal_before_.resize(0);
}

const Forcing& InertialForcing::with_inertia(const Forcing& acting, MovingSurface& surface, double time,
                                             double dt, bool in_circulation, bool beside_land) {
  const bool on_moving_mesh = in_circulation && surface.velocity().size();
  const bool sets_inertia = inertia_ && options_.inertia.smoothing == 0,
             accelerates_land = on_moving_mesh && surface.has_motion() && beside_land;
  if (on_moving_mesh && surface.has_motion() && (sets_inertia || beside_land))
    surface.acceleration_at(time, dt, acceleration_);
  if (on_moving_mesh && surface.has_motion() && sets_inertia) inertia_->set(acceleration_);
  const bool accelerates = inertia_ && inertia_->acceleration().size();
  const bool adds_body_acceleration = accelerates && !in_circulation;
  const bool adds_flow_inertia = options_.flow_inertia && flow_.size();
  find_factors(acting.body_acceleration, adds_body_acceleration || (on_moving_mesh && accelerates));
  if (!(limited_accelerations_ > 0 || adds_body_acceleration || on_moving_mesh || adds_flow_inertia ||
        smooths() || options_.friction > 0))
    return acting;

  Points kept;  // keeps its storage during the copy
  kept.swap(total_.surface_velocity);
  total_ = acting;
  kept.swap(total_.surface_velocity);
  if (on_moving_mesh) {
    surface.update_seen_velocity();
    total_.surface_velocity = surface.seen_velocity();
    total_.observer = surface.frame();
    if (accelerates_land) total_.surface_acceleration = acceleration_;
  } else {
    total_.surface_velocity.resize(3, 0);  // a mesh at rest: clear the old values
  }
  if (on_moving_mesh && accelerates) {  // only its normal part; circulations include the tangential part
    vertex_normals(surface.mesh(), surface.geometry(), normals_);
    normal_ = inertia_->acceleration().cwiseProduct(normals_).colwise().sum().transpose();
    if (limited_accelerations_ > 0) normal_.array() *= factor_.array();
    total_.normal_acceleration += normal_;
  }
  if (adds_flow_inertia) {
    flow_now_ = flow_;
    if (flow_before_.size())
      flow_now_ += (time - flow_time_) / (flow_time_ - flow_time_before_) * (flow_ - flow_before_);
    total_.normal_acceleration -= flow_now_;
  }
  total_.friction += options_.friction;
  if (adds_body_acceleration && acting.body_acceleration.size())
    total_.body_acceleration += inertia_->acceleration();
  else if (adds_body_acceleration)
    total_.body_acceleration = inertia_->acceleration();
  if (limited_accelerations_ > 0 && total_.body_acceleration.size())
    total_.body_acceleration *= factor_.asDiagonal();
  if (smooths()) smooth(surface);
  return total_;
}

/// Computes the factors that cut the vector sum at each vertex to the limit, and counts those below 1.
void InertialForcing::find_factors(const Points& body_acceleration, bool accelerates) {
  limited_accelerations_ = 0;
  const Eigen::Index count = accelerates ? inertia_->acceleration().cols() : body_acceleration.cols();
  if (options_.acceleration_limit == 0 || count == 0) return;
  factor_.setOnes(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    Vector3 sum = Vector3::Zero();
    if (body_acceleration.size()) sum += body_acceleration.col(i);
    if (accelerates) sum += inertia_->acceleration().col(i);
    const double length = sum.norm();
    if (!(length > options_.acceleration_limit)) continue;
    factor_[i] = options_.acceleration_limit / length;
    ++limited_accelerations_;
  }
}

/// Replaces aₙ, including the normal part of the body acceleration, by (1−σ) aₙ + σ (aₙ of the previous
/// step).
void InertialForcing::smooth(const MovingSurface& surface) {
  const double kept = options_.inertia.normal_smoothing;
  Vector& normal = total_.normal_acceleration;
  const Points& body = total_.body_acceleration;
  normal_ = normal;
  if (body.size()) {
    vertex_normals(surface.mesh(), surface.geometry(), normals_);
    normal_ += body.cwiseProduct(normals_).colwise().sum().transpose();
  }
  if (normal_before_.size() == 0) normal_before_ = normal_;
  normal -= normal_;  // the scheme adds the normal part of the body acceleration
  normal_ = (1 - kept) * normal_ + kept * normal_before_;
  normal += normal_;
}

void InertialForcing::add_to(const MovingSurface& surface, Vector& normal_acceleration) const {
  if (inertia_ && inertia_->acceleration().size()) {
    Points normals;
    vertex_normals(surface.mesh(), surface.geometry(), normals);
    Vector normal = inertia_->acceleration().cwiseProduct(normals).colwise().sum().transpose();
    if (limited_accelerations_ > 0) normal.array() *= factor_.array();
    normal_acceleration += normal;
  }
  if (options_.flow_inertia && flow_.size()) normal_acceleration -= flow_;
}

void InertialForcing::move_to(const Points& x, double dt) {
  if (inertia_) inertia_->move_to(x, dt);
}

void InertialForcing::set_past(const Points& before, double dt) {
  if (inertia_) inertia_->set_past(before, dt);
}

void InertialForcing::record_flow(double time, const State& state, const Forces& forces,
                                  const Discretization& discretization, const MovingSurface& surface,
                                  Scratch& scratch) {
  if (!options_.flow_inertia || (flow_.size() && flow_time_ == time)) return;
  flow_before_.swap(flow_);
  flow_time_before_ = flow_time_;
  flow_time_ = time;
  discretization.sample(state, forces, "velocity", velocity_, scratch);
  vertex_normals(surface.mesh(), surface.geometry(), normals_);
  of_flow_.measure(discretization.triangles(), surface.geometry().x, normals_, surface.velocity(), velocity_,
                   flow_);
  if (const Part* part = discretization.mesh().part.get()) {
    if (!renewal_) renewal_ = part->ranks->renewal({part->vertex_ghosts.begin(), part->vertex_ghosts.end()});
    (*renewal_)(flow_.data());
  }
}

void InertialForcing::save(Archive& archive) const {
  if (options_.flow_inertia) {
    archive.put("flow/acceleration", Location::vertex, flow_);
    archive.put("flow/acceleration_before", Location::vertex, flow_before_);
    archive.put("flow/time", flow_time_);
    archive.put("flow/time_before", flow_time_before_);
  }
  if (smooths()) archive.put("normal_acceleration_before", Location::vertex, normal_before_);
  if (inertia_) inertia_->save(archive);
}

void InertialForcing::restore(const Archive& archive) {
  if (inertia_) inertia_->restore(archive);
  if (archive.has("flow/time")) {
    flow_ = archive.vector("flow/acceleration");
    flow_before_ = archive.vector("flow/acceleration_before");
    flow_time_ = archive.number("flow/time");
    flow_time_before_ = archive.number("flow/time_before");
  }
  if (archive.has("normal_acceleration_before"))
    normal_before_ = archive.vector("normal_acceleration_before");
}

}  // namespace shoal
