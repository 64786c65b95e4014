// A wave on a beach: Newton's method in the variables of Carrier & Greenspan.
#include "experiments/scenes/beach_wave.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

// J₁(σ)/σ, even, and its derivative divided by σ: −J₂(σ)/σ².
double j1_over(double s) {
  return std::abs(s) < 1e-4 ? 0.5 - s * s / 16 : std::cyl_bessel_j(1.0, std::abs(s)) / std::abs(s);
}
double j2_over_square(double s) {
  return std::abs(s) < 1e-2 ? 0.125 - s * s / 96 : std::cyl_bessel_j(2.0, std::abs(s)) / (s * s);
}

constexpr int max_iterations = 100;
constexpr double converged = 1e-14;

}  // namespace

BeachWave::BeachWave(double slope, double length, double amplitude, double gravity)
    : slope_(slope),
      length_(length),
      amplitude_(amplitude),
      time_unit_(std::sqrt(length / (slope * gravity))) {}

double BeachWave::period() const {
  return std::numbers::pi * time_unit_;
}

// At σ = 0: u = −(A/2) cos λ, h = −(A/4) sin λ − u²/2 = x.
double BeachWave::shoreline(double time) const {
  const double t = time / time_unit_;
  double lambda = 2 * t;
  for (int i = 0; i < max_iterations; ++i) {
    const double residual = lambda - 2 * t + amplitude_ * std::cos(lambda);
    lambda -= residual / (1 - amplitude_ * std::sin(lambda));
    if (std::abs(residual) < converged * (1 + std::abs(lambda))) break;
  }
  const double u = -0.5 * amplitude_ * std::cos(lambda);
  return length_ * (-0.25 * amplitude_ * std::sin(lambda) - 0.5 * u * u);
}

BeachWave::Flow BeachWave::at(double position, double time) const {
  const double land = slope_ * position;  // elevation of the bed
  if (position >= shoreline(time)) return {land, 0, 0};
  const double x = position / length_, t = time / time_unit_, a = amplitude_;
  // Unknown: s = σ²/16 = h − x and λ. Residuals s + x − h(σ, λ) and λ − 2(t + u(σ, λ)).
  double s = x < 0 ? -x : 1e-3, lambda = 2 * t, u = 0, h = 0;
  for (int i = 0; i < max_iterations; ++i) {
    const double sigma = 4 * std::sqrt(s), j0 = std::cyl_bessel_j(0.0, sigma), c = std::cos(lambda),
                 sine = std::sin(lambda);
    const double j1 = j1_over(sigma), j2 = j2_over_square(sigma);
    u = -a * j1 * c;
    h = -0.25 * a * j0 * sine - 0.5 * u * u;
    const double first = s + x - h, second = lambda - 2 * (t + u);
    // dσ/ds = 8/σ, dJ₀/dσ = −σ (J₁/σ), d(J₁/σ)/dσ = −σ J₂/σ².
    const double u_s = 8 * a * j2 * c, u_l = a * j1 * sine;
    const double h_s = 2 * a * j1 * sine - u * u_s, h_l = -0.25 * a * j0 * c - u * u_l;
    const double determinant = (1 - h_s) * (1 - 2 * u_l) - 2 * u_s * h_l;
    const double ds = (first * (1 - 2 * u_l) + second * h_l) / determinant,
                 dl = ((1 - h_s) * second + 2 * u_s * first) / determinant;
    s = s > ds ? s - ds : 0.5 * s;
    lambda -= dl;
    if (std::abs(ds) + std::abs(dl) < converged * (1 + std::abs(x) + std::abs(lambda))) break;
  }
  return {slope_ * length_ * h, slope_ * length_ * s, length_ / time_unit_ * u};
}

}  // namespace shoal
