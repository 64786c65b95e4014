// The one-dimensional finite volumes on the sphere and in the plane that provide the nonlinear references.
#include "experiments/scenes/axisymmetric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace shoal {
namespace {

using Array = Eigen::ArrayXd;

constexpr double courant = 0.8;  // SSPRK3 with this reconstruction is stable to about 1
// Frames per transit time of `length`: the cubic interpolation in time is then off by less than 1e-6 of the
// amplitude.
constexpr double frames_per_transit = 30;
constexpr double max_speed = 32;  // multiple of the celerity; a dam break onto dry land reaches 3

// Two rings beyond each pole, and beyond the wall of a plane basin, mirror the flow: depth is even there, velocity odd.
void mirror(const Array& values, double parity, Array& extended) {
  const Eigen::Index n = values.size();
  extended.resize(n + 4);
  extended.segment(2, n) = values;
  extended[1] = parity * values[0];
  extended[0] = parity * values[1];
  extended[n + 2] = parity * values[n - 1];
  extended[n + 3] = parity * values[n - 2];
}

// One side of a face: conserved quantities, their fluxes, slowest and fastest signal.
struct Side {
  double depth, motion, depth_flux, motion_flux, slowest, fastest;
};

template <bool advection>
Side side(double depth, double velocity, double gravity) {
  const double depth_flux = depth * velocity;
  if constexpr (advection) {
    const double celerity = std::sqrt(gravity * depth);
    return {depth,
            depth_flux,
            depth_flux,
            depth_flux * velocity + 0.5 * gravity * depth * depth,
            velocity - celerity,
            velocity + celerity};
  } else {
    // Jacobian of (ηu, gη) with respect to (η, u): λ² − uλ − gη = 0.
    const double root = std::sqrt(velocity * velocity + 4 * gravity * depth);
    return {depth, velocity, depth_flux, gravity * depth, 0.5 * (velocity - root), 0.5 * (velocity + root)};
  }
}

// A film: its front moves at u + 2c of the deep side, up to twice as fast as the signals of either side alone.
constexpr double film_ratio = 1e-2;

// Weights of the cubic through positions −1, 0, 1, 2 at x.
std::array<double, 4> cubic_weights(double x) {
  return {-x * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2, -(x + 1) * x * (x - 2) / 2,
          (x + 1) * x * (x - 1) / 6};
}

}  // namespace

AxisymmetricFlow::AxisymmetricFlow(AxisymmetricSetting setting)
    : setting_(std::move(setting)),
      radius_(setting_.plane() ? 1 : setting_.radius),
      spacing_((setting_.plane() ? setting_.plane_radius : std::numbers::pi) / setting_.cells) {
  const Index n = setting_.cells;
  const Array ends = Array::LinSpaced(n + 1, 0, n) * spacing_;
  const Array centers = (Array::LinSpaced(n, 0, n - 1) + 0.5) * spacing_;
  if (setting_.plane()) {
    face_sine_ = ends;
    ring_area_ = centers * spacing_;
  } else {
    face_sine_ = ends.sin();
    face_sine_[0] = face_sine_[n] = 0;
    ring_area_ = centers.sin() * (2 * std::sin(spacing_ / 2));
  }
  begin();
  celerity_ = std::sqrt(setting_.gravity * now_.depth.maxCoeff());
  frame_interval_ = setting_.length * radius_ / celerity_ / frames_per_transit;

  const double roughness = std::pow(spacing_ / setting_.length, 3);
  const double depth_scale =
      std::max(setting_.amplitude, 1e-12 * now_.depth.maxCoeff());  // no waves: not 0/0
  const double velocity_scale = depth_scale * std::sqrt(setting_.gravity / now_.depth.maxCoeff());
  smooth_depth_jump_ = roughness * depth_scale * depth_scale;
  smooth_velocity_jump_ = roughness * velocity_scale * velocity_scale;
  for (Array* faces : {&depth_trace_.left, &depth_trace_.right, &velocity_trace_.left, &velocity_trace_.right,
                       &depth_flux_, &motion_flux_})
    faces->resize(n + 1);
}

void AxisymmetricFlow::begin() {
  const Array centers = (Array::LinSpaced(setting_.cells, 0, setting_.cells - 1) + 0.5) * spacing_;
  now_.depth = centers.unaryExpr(setting_.depth);
  now_.motion = Array::Zero(setting_.cells);
  frames_.assign(1, now_.depth);
  first_frame_ = 0;
}

double AxisymmetricFlow::work_rate() const {
  const double step = courant * spacing_ * radius_ / celerity_;
  const double rate = setting_.cells * std::ceil(frame_interval_ / step) / frame_interval_;
  return rate > 0 ? rate : std::numeric_limits<double>::infinity();  // 0/0: waves faster than any number
}

// van Albada's limited κ = 1/3 reconstruction; `smooth` is the square of a negligible jump.
void AxisymmetricFlow::reconstruct(const Array& values, double parity, double smooth, Array& extended,
                                   Traces& traces) {
  mirror(values, parity, extended);
  const Eigen::Index faces = values.size() + 1;
  const double* v = extended.data();
  double* left = traces.left.data();
  double* right = traces.right.data();
  const auto half_slope = [smooth](double nearer, double farther) {
    const double limited = (2 * nearer * farther + smooth) / (nearer * nearer + farther * farther + smooth);
    const double s = limited > 0 ? limited : 0;
    return 0.25 * s * ((1 + s / 3) * nearer + (1 - s / 3) * farther);
  };
  for (Eigen::Index f = 0; f < faces; ++f) {  // between extended rings f+1 and f+2
    const double jump = v[f + 2] - v[f + 1];
    left[f] = v[f + 1] + half_slope(jump, v[f + 1] - v[f]);
    right[f] = v[f + 2] - half_slope(jump, v[f + 3] - v[f + 2]);
  }
}

// HLL fluxes through all faces; those of the depth times sin θ.
template <bool advection>
void AxisymmetricFlow::fluxes() {
  for (Eigen::Index f = 0; f < face_sine_.size(); ++f) {
    const Side left = side<advection>(depth_trace_.left[f], velocity_trace_.left[f], setting_.gravity);
    const Side right = side<advection>(depth_trace_.right[f], velocity_trace_.right[f], setting_.gravity);
    double slower = left.slowest < right.slowest ? left.slowest : right.slowest;
    double faster = left.fastest > right.fastest ? left.fastest : right.fastest;
    if (right.depth < film_ratio * left.depth)
      faster = std::max(faster, left.fastest + std::sqrt(setting_.gravity * left.depth));
    if (left.depth < film_ratio * right.depth)
      slower = std::min(slower, right.slowest - std::sqrt(setting_.gravity * right.depth));
    const double slowest = slower < 0 ? slower : 0;
    const double fastest = faster > 0 ? faster : 0;
    const double width = 1 / (fastest - slowest);
    depth_flux_[f] = face_sine_[f] * width *
                     (fastest * left.depth_flux - slowest * right.depth_flux +
                      slowest * fastest * (right.depth - left.depth));
    motion_flux_[f] = width * (fastest * left.motion_flux - slowest * right.motion_flux +
                               slowest * fastest * (right.motion - left.motion));
  }
}

void AxisymmetricFlow::rates(const Rings& rings, Rings& rate) {
  const Index n = setting_.cells;
  const double g = setting_.gravity, radius = radius_;
  if (setting_.advection)
    velocity_ = rings.motion / rings.depth;
  else
    velocity_ = rings.motion;
  reconstruct(rings.depth, 1, smooth_depth_jump_, extended_, depth_trace_);
  reconstruct(velocity_, -1, smooth_velocity_jump_, extended_, velocity_trace_);
  if (setting_.advection)
    fluxes<true>();
  else
    fluxes<false>();

  rate.depth = (depth_flux_.head(n) - depth_flux_.tail(n)) / (radius * ring_area_);
  if (setting_.advection) {
    // Subtracts the ring's own pressure from the flux, so that a flat surface gives zero to round-off.
    const auto pressure = 0.5 * g * rings.depth.square();
    rate.motion = (face_sine_.head(n) * (motion_flux_.head(n) - pressure) -
                   face_sine_.tail(n) * (motion_flux_.tail(n) - pressure)) /
                  (radius * ring_area_);
  } else {
    rate.motion = (motion_flux_.head(n) - motion_flux_.tail(n)) / (radius * spacing_);
  }
}

void AxisymmetricFlow::step(double dt) {
  rates(now_, rate_);
  stage_.depth = now_.depth + dt * rate_.depth;
  stage_.motion = now_.motion + dt * rate_.motion;
  rates(stage_, rate_);
  stage_.depth = 0.75 * now_.depth + 0.25 * (stage_.depth + dt * rate_.depth);
  stage_.motion = 0.75 * now_.motion + 0.25 * (stage_.motion + dt * rate_.motion);
  rates(stage_, rate_);
  now_.depth = (now_.depth + 2.0 * (stage_.depth + dt * rate_.depth)) / 3.0;
  now_.motion = (now_.motion + 2.0 * (stage_.motion + dt * rate_.motion)) / 3.0;
}

void AxisymmetricFlow::advance_one_frame() {
  const Array velocity = setting_.advection ? Array(now_.motion / now_.depth) : now_.motion;
  const Array speed = velocity.abs() + (setting_.gravity * now_.depth).sqrt();
  // Dry, NaN or blown up: no solution from here on.
  if (!(now_.depth > 0).all() || !(speed <= max_speed * celerity_).all()) {
    now_.depth.setConstant(std::numeric_limits<double>::quiet_NaN());
    frames_.push_back(now_.depth);
    return;
  }
  // A front over a film starts at 2c in the first step of a frame, and its depths stay positive at half of the Courant number.
  const bool film = now_.depth.minCoeff() < film_ratio * now_.depth.maxCoeff();
  const double largest_step = (film ? 0.5 : 1) * courant * spacing_ * radius_ / speed.maxCoeff();
  const int steps = static_cast<int>(std::ceil(frame_interval_ / largest_step));
  for (int i = 0; i < steps; ++i) step(frame_interval_ / steps);
  frames_.push_back(now_.depth);
}

// η of every ring at one time.
Vector AxisymmetricFlow::profile(double time) {
  const std::scoped_lock lock(mutex_);
  const double position = time / frame_interval_;
  const auto before = static_cast<std::size_t>(position);
  const std::size_t earliest = before == 0 ? 0 : before - 1;
  if (earliest < first_frame_) begin();
  const auto kept = std::max<std::size_t>(
      8, static_cast<std::size_t>(setting_.memory) / (sizeof(double) * now_.depth.size()));
  while (first_frame_ + frames_.size() < before + 3) {
    advance_one_frame();
    if (frames_.size() <= kept) continue;
    frames_.pop_front();
    ++first_frame_;
  }
  const std::array<double, 4> w = cubic_weights(position - static_cast<double>(before));
  // The flow starts at rest and the equations are reversible: η(−t) = η(t).
  const auto frame = [&](std::size_t number) -> const Array& { return frames_[number - first_frame_]; };
  return (w[0] * frame(before == 0 ? 1 : before - 1) + w[1] * frame(before) + w[2] * frame(before + 1) +
          w[3] * frame(before + 2))
      .matrix();
}

void AxisymmetricFlow::evaluate(const Vector& angle, double time, Vector& depth) {
  Array rings;
  mirror(profile(time).array(), 1, rings);
  depth.resize(angle.size());
  for (Eigen::Index i = 0; i < angle.size(); ++i) {
    const double position = angle[i] / spacing_ - 0.5;  // −½ at the pole; ring r is at position r
    const double before = std::clamp(std::floor(position), -1.0, static_cast<double>(setting_.cells - 1));
    const std::array<double, 4> w = cubic_weights(position - before);
    const auto first = static_cast<Eigen::Index>(before) + 1;  // ring before−1 in the mirrored array
    depth[i] =
        w[0] * rings[first] + w[1] * rings[first + 1] + w[2] * rings[first + 2] + w[3] * rings[first + 3];
  }
}

}  // namespace shoal
