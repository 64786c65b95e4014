#include "solvers/moving_surface.hpp"

#include "discretizations/mesh/whole.hpp"
#include "discretizations/operators/p1.hpp"

#include <algorithm>

namespace shoal {
namespace {

/// Spacing of the differences for velocities and accelerations, as a fraction of the step.
constexpr double velocity_delta = 1.0 / 16, acceleration_delta = 1.0 / 4;

}  // namespace

void MovingSurface::place(const Points& x) {
  if (rest_.size() == 0) rest_ = geometry_.x;
  before_ = geometry_.x;
  together(ranks_of(mesh_), [&] { compute_geometry(mesh_, x, geometry_); });
}

void MovingSurface::follow(Motion motion, double time, double dt, bool smooth) {
  motion_ = std::move(motion);
  smooth_ = smooth;
  begin_ = time;
  constexpr double of_differences = 1e-2;  // relative change below which the velocity counts as continuous
  Points before;
  one_sided_derivative(motion_, time, -velocity_delta * dt, 1, work_, before);
  one_sided_derivative(motion_, time, velocity_delta * dt, 1, work_, end_velocity_);
  const auto largest_part = [&](const auto& velocity) {
    return max(mesh_, Location::vertex, [&](Index i) { return velocity.col(i).cwiseAbs().maxCoeff(); });
  };
  const double largest = std::max(largest_part(before), largest_part(end_velocity_));
  jumps_ = largest_part(end_velocity_ - before) > of_differences * largest;
  corners_ = motion_.corners;
  if (jumps_) corners_.push_back(time);
  begin_step(time, time + dt);
}

void MovingSurface::begin_step(double begin, double end) {
  const double rounding = 1e-9 * (end - begin);
  after_ = -std::numeric_limits<double>::infinity();
  before_next_ = std::numeric_limits<double>::infinity();
  for (const double corner : corners_) {
    if (corner <= begin + rounding) after_ = std::max(after_, std::min(corner, begin));
    if (corner >= end - rounding) before_next_ = std::min(before_next_, std::max(corner, end));
  }
}

void MovingSurface::positions_before(double dt, Points& x) {
  if (!jumps_) return motion_(begin_ - dt, x);
  motion_(begin_, x);
  motion_(begin_ + dt, work_);
  x = 3 * (x - work_);
  motion_(begin_ + 2 * dt, work_);
  x += work_;
}

void MovingSurface::velocity_at(double time, double dt, Points& velocity) {
  const double delta = velocity_delta * dt;
  if (const int side = side_of(time, 2 * delta))
    one_sided_derivative(motion_, time, side * delta, 1, work_, velocity);
  else
    surface_velocity(motion_, time, delta, work_, velocity);
}

void MovingSurface::acceleration_at(double time, double dt, Points& acceleration) {
  const double delta = acceleration_delta * dt;
  if (const int side = side_of(time, 2 * delta))
    one_sided_derivative(motion_, time, side * delta, 2, work_, acceleration);
  else
    surface_acceleration(motion_, time, delta, work_, acceleration);
}

/// The parts follow each other, so that no displacement is missed, and their lengths do not resonate with a period.
const Points& MovingSurface::gain_within(double time, double dt) {
  constexpr double ends[] = {0.236, 0.618, 0.854, 1};  // golden sections
  double begin = 0, largest = -1;
  work_ = geometry_.x;
  for (const double end : ends) {
    motion_(time + end * dt, ahead_of_part_);
    gain_of_part_ = (ahead_of_part_ - work_) / ((end - begin) * dt);
    if (velocity_.size()) gain_of_part_ -= velocity_;
    const double gain =
        max(mesh_, Location::vertex, [&](Index i) { return gain_of_part_.col(i).squaredNorm(); });
    if (!(gain <= largest)) {
      largest = gain;
      gain_.swap(gain_of_part_);
    }
    work_.swap(ahead_of_part_);
    begin = end;
  }
  return gain_;
}

void MovingSurface::choose_frame(const Points& velocity) {
  frame_.setZero();
  if (!velocity.size()) return;
  frame_ = centroid_velocity(mesh_, geometry_, velocity);
}

void MovingSurface::update_seen_velocity() {
  if (velocity_.size())
    seen_velocity_ = velocity_.colwise() - frame_;
  else
    seen_velocity_ = (-frame_).replicate(1, frame_.isZero(0) ? 0 : geometry_.x.cols());
}

void MovingSurface::aim(const Points& x, double dt) {
  // Checks x, because the half move may be valid even if x is not.
  together(ranks_of(mesh_), [&] { compute_geometry(mesh_, x, ahead_); });
  mean_velocity_ = (x - geometry_.x) / dt;
  record_speed(mean_velocity_);
  target_ = x;
  has_target_ = true;
  middle_ = 0.5 * (x + geometry_.x);
  choose_frame(mean_velocity_);
}

const Points& MovingSurface::arrive(double time, double dt) {
  if (motion_)
    velocity_at(time, dt, end_velocity_);
  else if (dt_before_ > 0)
    end_velocity_ = mean_velocity_ + dt / (dt + dt_before_) * (mean_velocity_ - velocity_before_);
  else
    end_velocity_ = mean_velocity_;
  velocity_before_ = mean_velocity_;
  dt_before_ = dt;
  return end_velocity_;
}

void MovingSurface::record_speed(const Points& velocity) {
  const auto speed = [&](Index i) { return velocity.col(i).norm(); };
  largest_speed_ = std::max(largest_speed_, max(mesh_, Location::vertex, speed));
}

void MovingSurface::record_speed_of_move(double dt) {
  const auto distance = [&](Index i) { return (geometry_.x.col(i) - before_.col(i)).norm(); };
  largest_speed_ = std::max(largest_speed_, max(mesh_, Location::vertex, distance) / dt);
}

void MovingSurface::save(Archive& archive) const {
  archive.put_points("positions", geometry_.x);
  archive.put_points("surface/velocity", velocity_);
  archive.put_points("surface/velocity_before", velocity_before_);
  archive.put_points("surface/target", has_target_ ? target_ : Points(3, 0));
  archive.put("surface/dt_before", dt_before_);
  archive.put("surface/frame", Vector(frame_));
  archive.put("surface/largest_speed", largest_speed_);
  archive.put("surface/after", after_);
  archive.put("surface/before_next", before_next_);
}

void MovingSurface::restore(const Archive& archive) {
  velocity_ = archive.points("surface/velocity");
  velocity_before_ = archive.points("surface/velocity_before");
  target_ = archive.points("surface/target");
  has_target_ = target_.size() > 0;
  dt_before_ = archive.number("surface/dt_before");
  frame_ = archive.vector("surface/frame");
  largest_speed_ = archive.number("surface/largest_speed");
  after_ = archive.number("surface/after");
  before_next_ = archive.number("surface/before_next");
}

}  // namespace shoal
