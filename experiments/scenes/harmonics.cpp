// Sums of spherical harmonics at points, by the recursion of normalised Legendre functions in the degree.
#include "experiments/scenes/harmonics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// The direction in angles.
struct Direction {
  double sine, cosine;              // of the colatitude
  std::complex<double> turn{1, 0};  // e^iλ

  explicit Direction(const Vector3& x) {
    const double across = x.head<2>().norm(), length = x.norm();
    sine = across / length;
    cosine = x.z() / length;
    if (across > 0) turn = {x.x() / across, x.y() / across};
  }
  Vector3 east() const { return {-turn.imag(), turn.real(), 0}; }
  Vector3 south() const { return {cosine * turn.real(), cosine * turn.imag(), -sine}; }
};

/// e^imλ for one m after the other.
class Turns {
 public:
  explicit Turns(std::complex<double> once) : once_(once) {}
  std::complex<double> of(int m) {
    for (; m_ < m; ++m_) now_ *= once_;
    return now_;
  }

 private:
  std::complex<double> once_, now_{1, 0};
  int m_ = 0;
};

}  // namespace

HarmonicSum::HarmonicSum(int truncation) : truncation_(truncation) {
  const auto count = static_cast<Eigen::Index>(harmonics_count(truncation));
  rise_.setZero(count);
  fall_.setZero(count);
  slope_.setZero(count);
  for_each_harmonic(truncation, [&](std::size_t i, int l, int m) {
    const auto at = static_cast<Eigen::Index>(i);
    if (l == m) return;
    const double l2 = double(l) * l, m2 = double(m) * m, before = double(l - 1) * (l - 1);
    rise_[at] = std::sqrt((4 * l2 - 1) / (l2 - m2));
    fall_[at] = std::sqrt((before - m2) / (4 * before - 1));
    slope_[at] = std::sqrt((2 * l + 1.0) * (l2 - m2) / (2 * l - 1.0));
  });
}

template <class Visit>
void HarmonicSum::visit(double cosine, double sine, const Visit& visit) const {
  double first = std::sqrt(0.25 / std::numbers::pi);  // of l = m
  double before = 0, last = 0;
  for_each_harmonic(truncation_, [&](std::size_t i, int l, int m) {
    const auto at = static_cast<Eigen::Index>(i);
    double now = first;
    if (l == m) {
      last = before = 0;
      first *= -std::sqrt((2 * m + 3.0) / (2 * m + 2.0)) * (m > 0 ? sine : 1);
    } else {
      now = rise_[at] * (cosine * last - fall_[at] * before);
    }
    visit(i, l, m, now, l * cosine * now - slope_[at] * last);
    before = last;
    last = now;
  });
}

double HarmonicSum::scalar(const Harmonics& harmonics, const Vector3& x) const {
  const Direction direction(x);
  Turns turns(direction.turn);
  double sum = 0;
  visit(direction.cosine, direction.sine, [&](std::size_t i, int, int m, double value, double) {
    sum += (m == 0 ? value : 2 * direction.sine * value) * (harmonics[i] * turns.of(m)).real();
  });
  return sum;
}

Vector3 HarmonicSum::vector(const VectorHarmonics& harmonics, const Vector3& x) const {
  const Direction direction(x);
  Turns turns(direction.turn);
  double south = 0, east = 0;
  visit(direction.cosine, direction.sine, [&](std::size_t i, int l, int m, double value, double derivative) {
    if (m == 0) return;
    if (m == 1) {  // Y_l0' = √(l(l+1)) Y_l1
      const auto zonal = static_cast<std::size_t>(l);
      south += direction.sine * value * harmonics.gradient[zonal].real();
      east += direction.sine * value * harmonics.curl[zonal].real();
    }
    const double weight = 2 / std::sqrt(l * (l + 1.0));
    const std::complex<double> a = weight * harmonics.gradient[i] * turns.of(m),
                               b = weight * harmonics.curl[i] * turns.of(m);
    south += derivative * a.real() + m * value * b.imag();
    east += derivative * b.real() - m * value * a.imag();
  });
  return south * direction.south() + east * direction.east();
}

}  // namespace shoal
