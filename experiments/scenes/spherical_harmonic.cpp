// Real spherical harmonics as polynomials in x, y, z: sin^m θ e^{imφ} = (x + iy)^m, so no angle is ever
// computed.
#include "experiments/scenes/spherical_harmonic.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>

namespace shoal {
namespace {

// Maximum of f near the middle of a bracket, by golden-section search.
template <class Function>
double bracketed_maximum(const Function& f, double low, double high) {
  constexpr double ratio = 1 / std::numbers::phi;
  for (int i = 0; i < 60; ++i) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    if (f(a) < f(b))
      low = a;
    else
      high = b;
  }
  return f(0.5 * (low + high));
}

}  // namespace

SphericalHarmonic::SphericalHarmonic(int l, int m) : l_(l), m_(m), scale_(1) {
  scale_ = 1 / largest();
}

double SphericalHarmonic::legendre(double z) const {
  const int m = std::abs(m_);
  double before = 0, now = 1;
  for (int k = m; k < l_; ++k) {  // (k+1−m) Q_{k+1} = (2k+1) z Q_k − (k+m) Q_{k−1}
    const double next = ((2 * k + 1) * z * now - (k + m) * before) / (k + 1 - m);
    before = now;
    now = next;
  }
  return now;
}

double SphericalHarmonic::largest() const {
  const auto magnitude = [this](double angle) {
    return std::abs(legendre(std::cos(angle))) * std::pow(std::sin(angle), std::abs(m_));
  };
  const int samples = 64 * (l_ + 1);  // 128 per wavelength: one bracket holds the highest lobe
  const double spacing = std::numbers::pi / samples;
  int best = 0;
  for (int i = 1; i <= samples; ++i)
    if (magnitude(i * spacing) > magnitude(best * spacing)) best = i;
  const double refined =
      bracketed_maximum(magnitude, std::max(0, best - 1) * spacing, std::min(samples, best + 1) * spacing);
  return std::max(refined, magnitude(best * spacing));  // a maximum at a pole is an end of the bracket
}

double SphericalHarmonic::operator()(const Vector3& direction) const {
  const std::complex<double> around(direction.x(), direction.y());
  std::complex<double> power = 1;
  for (int k = 0; k < std::abs(m_); ++k) power *= around;
  return scale_ * legendre(direction.z()) * (m_ >= 0 ? power.real() : power.imag());
}

}  // namespace shoal
