// Sums of spherical harmonics at points, by the recursion of normalised Legendre functions in the degree.
#include "experiments/scenes/harmonics.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

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

void HarmonicSum::add_scalar(double value, const Vector3& x, Harmonics& sum) const {
  const Direction direction(x);
  Turns turns(direction.turn);
  visit(direction.cosine, direction.sine, [&](std::size_t i, int, int m, double y, double) {
    sum[i] += value * (m == 0 ? y : direction.sine * y) * std::conj(turns.of(m));
  });
}

void HarmonicSum::add_vector(const Vector3& value, const Vector3& x, VectorHarmonics& sum) const {
  const Direction direction(x);
  Turns turns(direction.turn);
  const double south = direction.south().dot(value), east = direction.east().dot(value);
  visit(direction.cosine, direction.sine, [&](std::size_t i, int l, int m, double y, double derivative) {
    if (m == 0) return;
    if (m == 1) {
      const auto zonal = static_cast<std::size_t>(l);
      sum.gradient[zonal] += direction.sine * y * south;
      sum.curl[zonal] += direction.sine * y * east;
    }
    const std::complex<double> turn = std::conj(turns.of(m)) / std::sqrt(l * (l + 1.0));
    sum.gradient[i] += turn * std::complex<double>(derivative * south, -m * y * east);
    sum.curl[i] += turn * std::complex<double>(derivative * east, m * y * south);
  });
}

namespace {

using Coefficients = std::vector<std::complex<double>>;

/// ∫ of the product of two sums: each harmonic with m > 0 stands for two.
double product(const Coefficients& a, const Coefficients& b, int truncation) {
  double sum = 0;
  for (std::size_t part = 0; part < a.size(); part += harmonics_count(truncation))
    for_each_harmonic(truncation, [&](std::size_t i, int, int m) {
      sum += (m == 0 ? 1 : 2) * (std::conj(a[part + i]) * b[part + i]).real();
    });
  return sum;
}

/// Solves project(c) = right for a symmetric positive definite `project`.
Coefficients fitted(const Coefficients& right, int truncation,
                    const std::function<Coefficients(const Coefficients&)>& project) {
  constexpr double tolerance = 1e-12;
  constexpr int max_iterations = 200;
  Coefficients c(right.size()), residual = right, direction = right;
  double norm = product(residual, residual, truncation);
  if (!std::isfinite(norm)) throw Error("a value or a weight is not finite");
  const double enough = tolerance * tolerance * norm;
  for (int iteration = 0; norm > enough; ++iteration) {
    if (iteration == max_iterations)
      throw Error(fmt::format("too few points for harmonics up to the degree {}", truncation));
    const Coefficients image = project(direction);
    const double step = norm / product(direction, image, truncation);
    for (std::size_t i = 0; i < c.size(); ++i) {
      c[i] += step * direction[i];
      residual[i] -= step * image[i];
    }
    const double before = std::exchange(norm, product(residual, residual, truncation));
    for (std::size_t i = 0; i < c.size(); ++i) direction[i] = residual[i] + norm / before * direction[i];
  }
  return c;
}

}  // namespace

Harmonics HarmonicSum::fit_scalars(const Points& points, const Vector& weight, const Vector& values) const {
  const auto project = [&](const auto& value_at) {
    Harmonics sum(harmonics_count(truncation_));
    for (Eigen::Index i = 0; i < points.cols(); ++i) add_scalar(weight[i] * value_at(i), points.col(i), sum);
    return sum;
  };
  return fitted(project([&](Eigen::Index i) { return values[i]; }), truncation_, [&](const Harmonics& c) {
    return project([&](Eigen::Index i) { return scalar(c, points.col(i)); });
  });
}

VectorHarmonics HarmonicSum::fit_vectors(const Points& points, const Vector& weight,
                                         const Points& values) const {
  const std::size_t count = harmonics_count(truncation_);
  const auto split = [&](const Coefficients& c) -> VectorHarmonics {
    const auto middle = c.begin() + static_cast<std::ptrdiff_t>(count);
    return {{c.begin(), middle}, {middle, c.end()}};
  };
  const auto project = [&](const auto& value_at) {
    VectorHarmonics sum{Harmonics(count), Harmonics(count)};
    for (Eigen::Index i = 0; i < points.cols(); ++i) add_vector(weight[i] * value_at(i), points.col(i), sum);
    sum.gradient.insert(sum.gradient.end(), sum.curl.begin(), sum.curl.end());
    return sum.gradient;
  };
  const Coefficients right = project([&](Eigen::Index i) -> Vector3 { return values.col(i); });
  return split(fitted(right, truncation_, [&](const Coefficients& c) {
    const VectorHarmonics parts = split(c);
    return project([&](Eigen::Index i) -> Vector3 { return vector(parts, points.col(i)); });
  }));
}

}  // namespace shoal
