// A spectral model of shallow water on a rotating sphere.
#include "experiments/spectral/spectral_model.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

/// a += scale · b
void add(const Harmonics& b, double scale, Harmonics& a) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += scale * b[i];
}
void add(const SpectralState& b, double scale, SpectralState& a) {
  add(b.velocity.gradient, scale, a.velocity.gradient);
  add(b.velocity.curl, scale, a.velocity.curl);
  add(b.depth, scale, a.depth);
}

}  // namespace

SpectralModel::SpectralModel(const SceneInstance& scene, double radius, const SpectralSetting& setting)
    : setting_(setting), radius_(radius), gravity_(scene.gravity), transform_(setting.truncation) {
  if (scene.motion || !scene.forces.empty() || scene.coupling || scene.discrete_initial_state)
    throw Refusal(
        "the spectral model takes scenes on a sphere at rest, with gravity and rotation alone, whose initial "
        "state is given by formulas");
  const Points& n = transform_.points();
  const Eigen::Index count = n.cols();
  const auto size = static_cast<Eigen::Index>(harmonics_count(setting.truncation));
  coriolis_ = 2 * n.transpose() * scene.forcing.rotation;
  bed_.resize(count);
  depth_.resize(count);
  velocity_.south.resize(count);
  velocity_.east.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Vector3 x = radius * n.col(i),
                  v = scene.initial.velocity ? scene.initial.velocity(x) : Vector3::Zero().eval();
    bed_[i] = scene.depth - scene.bed_depth(x);
    depth_[i] = scene.initial.depth(x);
    velocity_.south[i] = v.dot(transform_.south().col(i));
    velocity_.east[i] = v.dot(transform_.east().col(i));
  }
  if (!(depth_.minCoeff() > 0)) throw Refusal("the spectral model takes no dry land");
  // What the model sees of the bed, and of water at rest on it, are their harmonics up to L.
  transform_.analyse(bed_, bed_harmonics_);
  transform_.analyse(Vector(depth_ + bed_), state_.depth);
  add(bed_harmonics_, -1, state_.depth);
  transform_.synthesise(bed_harmonics_, bed_);
  transform_.analyse(velocity_, state_.velocity);

  root_.resize(size);
  decay_.resize(size);
  for_each_harmonic(setting.truncation, [&](std::size_t i, int l, int) {
    const auto at = static_cast<Eigen::Index>(i);
    root_[at] = std::sqrt(l * (l + 1.0)) / radius;
    const double ratio = l * (l + 1.0) / (setting.truncation * (setting.truncation + 1.0));
    decay_[at] =
        setting.damping_time > 0 ? std::exp(-setting.step / setting.damping_time * ratio * ratio) : 1;
  });
  stage_ = rate_ = sum_ = state_;
  first_mass_ = state_.depth[0];
  first_energy_ = energy();
}

void SpectralModel::rates(const SpectralState& state, SpectralState& rate) {
  transform_.synthesise(state.velocity, velocity_);
  transform_.synthesise(state.depth, depth_);
  scalar_ = state.velocity.curl;
  for (std::size_t i = 0; i < scalar_.size(); ++i) scalar_[i] *= -root_[static_cast<Eigen::Index>(i)];
  transform_.synthesise(scalar_, vorticity_);

  // n×south = east, n×east = −south
  const auto absolute = (vorticity_ + coriolis_).array();
  product_.south = absolute * velocity_.east.array();
  product_.east = -absolute * velocity_.south.array();
  transform_.analyse(product_, rate.velocity);
  head_ = 0.5 * (velocity_.south.cwiseAbs2() + velocity_.east.cwiseAbs2()) + gravity_ * (depth_ + bed_);
  transform_.analyse(head_, scalar_);
  product_.south = depth_.cwiseProduct(velocity_.south);
  product_.east = depth_.cwiseProduct(velocity_.east);
  transform_.analyse(product_, flux_);
  for (std::size_t i = 0; i < scalar_.size(); ++i) {
    const double root = root_[static_cast<Eigen::Index>(i)];
    rate.velocity.gradient[i] -= root * scalar_[i];
    rate.depth[i] = root * flux_.gradient[i];
  }
}

void SpectralModel::step() {
  const double dt = setting_.step;
  sum_ = state_;
  stage_ = state_;
  for (const auto& [weight, next] :
       {std::pair{1.0 / 6, 0.5}, {1.0 / 3, 0.5}, {1.0 / 3, 1.0}, {1.0 / 6, 0.0}}) {
    rates(stage_, rate_);
    add(rate_, dt * weight, sum_);
    stage_ = state_;
    add(rate_, dt * next, stage_);
  }
  std::swap(state_, sum_);
  for (std::size_t i = 0; i < state_.depth.size(); ++i) {
    const double left = decay_[static_cast<Eigen::Index>(i)];
    state_.velocity.gradient[i] *= left;
    state_.velocity.curl[i] *= left;
    state_.depth[i] = left * (state_.depth[i] + bed_harmonics_[i]) - bed_harmonics_[i];
  }
  time_ += dt;
  double sum = 0;
  for (std::size_t i = 0; i < state_.depth.size(); ++i)
    sum += std::norm(state_.velocity.gradient[i]) + std::norm(state_.velocity.curl[i]) +
           std::norm(state_.depth[i]);
  if (!std::isfinite(sum))
    throw Error(fmt::format("the spectral model is unstable at t = {:.6g} s; use a shorter step", time_));
}

double SpectralModel::mass_drift() const {
  return std::abs(state_.depth[0] / first_mass_ - 1.0);
}

/// ∫ ½ηv² + ½g(η² + 2ηb), divided by R².
double SpectralModel::energy() {
  transform_.synthesise(state_.velocity, velocity_);
  transform_.synthesise(state_.depth, depth_);
  head_ = 0.5 * depth_.array() * (velocity_.south.array().square() + velocity_.east.array().square()) +
          0.5 * gravity_ * depth_.array() * (depth_ + 2 * bed_).array();
  transform_.analyse(head_, scalar_);
  return scalar_[0].real();
}

}  // namespace shoal
