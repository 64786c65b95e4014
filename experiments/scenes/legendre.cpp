// Legendre expansions of axisymmetric linear waves.
#include "experiments/scenes/legendre.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

// Σ c_l P_l(x) by Clenshaw's recurrence from (l+1)P_{l+1} = (2l+1) x P_l − l P_{l−1}.
Eigen::ArrayXd sum_series(const Vector& c, const Eigen::ArrayXd& x) {
  Eigen::ArrayXd next = Eigen::ArrayXd::Zero(x.size()), after_next = next, current = next;
  for (Eigen::Index l = c.size() - 1; l >= 0; --l) {
    const auto k = static_cast<double>(l);
    current = c[l] + (2 * k + 1) / (k + 1) * x * next - (k + 1) / (k + 2) * after_next;
    after_next.swap(next);
    next.swap(current);
  }
  return next;
}

// P_n(x) and P_{n−1}(x), n ≥ 1.
std::pair<double, double> last_two(Index n, double x) {
  double before = 1, now = x;
  for (Index l = 1; l < n; ++l) {
    const double next = ((2 * l + 1) * x * now - l * before) / (l + 1);
    before = now;
    now = next;
  }
  return {now, before};
}

}  // namespace

GaussLegendre gauss_legendre(Index n) {
  GaussLegendre rule{Vector(n), Vector(n)};
  for (Index i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 8; ++iteration) {  // Newton, quadratic from this guess: 4 suffice
      const auto [value, before] = last_two(n, x);
      slope = n * (before - x * value) / (1 - x * x);
      x -= value / slope;
    }
    rule.node[i] = x;
    rule.weight[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

LegendreWave::LegendreWave(const std::function<double(double)>& elevation, Index degree, double radius,
                           double depth, double gravity)
    : coefficient_(Vector::Zero(degree + 1)), radius_(radius), depth_(depth), gravity_(gravity) {
  const GaussLegendre rule = gauss_legendre(2 * degree + 2);
  for (Eigen::Index i = 0; i < rule.node.size(); ++i) {
    const double x = rule.node[i], weighted = rule.weight[i] * elevation(std::acos(x));
    double before = 0, now = 1;
    for (Index l = 0; l <= degree; ++l) {
      coefficient_[l] += (l + 0.5) * weighted * now;
      const double next = ((2 * l + 1) * x * now - l * before) / (l + 1);
      before = now;
      now = next;
    }
  }
}

double LegendreWave::angular_frequency(Index l) const {
  return std::sqrt(gravity_ * depth_ * l * (l + 1.0)) / radius_;
}

void LegendreWave::evaluate(const Vector& cosine, double time, Vector& depth) const {
  Vector now = coefficient_;
  for (Index l = 0; l < now.size(); ++l) now[l] *= std::cos(angular_frequency(l) * time);
  depth = (depth_ + sum_series(now, cosine.array())).matrix();
}

}  // namespace shoal
