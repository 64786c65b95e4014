// The families of deformations.
#include "experiments/motions/motion.hpp"

#include "discretizations/common/error.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <random>

namespace shoal {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

double swing(double time, double period) {
  return std::sin(two_pi * time / period);
}

}  // namespace

Motion breathing(const Points& rest, double amplitude, double period) {
  return [=](double time, Points& x) { x = (1 + amplitude * swing(time, period)) * rest; };
}

Motion squash(const Points& rest, const Vector3& axis, double amplitude, double period) {
  const Points along = axis * (axis.transpose() * rest);
  return [=](double time, Points& x) { x = rest + amplitude * swing(time, period) * along; };
}

Motion twist(const Points& rest, const Vector3& axis, double angle, double period) {
  const Eigen::RowVectorXd height = axis.transpose() * rest;
  const double largest = height.cwiseAbs().maxCoeff();
  if (!(largest > 0))
    throw parameter_error("motion_axis",
                          "the surface has no extent along this axis, about which it could be twisted");
  return [=](double time, Points& x) {
    const double most = angle * swing(time, period);
    x.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i)
      x.col(i) = Eigen::AngleAxisd(most * height[i] / largest, axis) * Vector3(rest.col(i));
  };
}

Motion bulge(const Points& rest, const Vector3& axis, double amplitude, double width, double period) {
  const Vector3 first = axis.unitOrthogonal(), second = axis.cross(first);
  const Points away = rest - axis * (axis.transpose() * rest);
  const double largest = away.colwise().norm().maxCoeff();
  Vector azimuth(rest.cols());
  for (Eigen::Index i = 0; i < rest.cols(); ++i)
    azimuth[i] = std::atan2(second.dot(away.col(i)), first.dot(away.col(i)));
  return [=](double time, Points& x) {
    const auto hump = [=](double at, double phase) {
      return amplitude * std::exp((std::cos(at - phase) - 1) / (width * width));
    };
    x.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i)
      x.col(i) = rest.col(i) +
                 (hump(azimuth[i], two_pi * time / period) - hump(azimuth[i], 0)) / largest * away.col(i);
  };
}

Motion crumple(const Points& rest, double amplitude, double wavelength, double period, std::uint64_t seed) {
  constexpr int waves = 24;
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return 2 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1; };  // [-1, 1)
  const auto in_ball = [&] {
    Vector3 v;
    do
      for (double& c : v) c = uniform();
    while (v.squaredNorm() > 1);
    return v;
  };
  struct Wave {
    Vector3 direction, number;
    double phase, frequency;
  };
  std::vector<Wave> sum(waves);
  double squares = 0;
  for (Wave& wave : sum) {
    wave.direction = in_ball();
    wave.number = two_pi / wavelength * in_ball();
    wave.phase = std::numbers::pi * uniform();
    wave.frequency = two_pi / period * uniform();
    squares += 0.5 * wave.direction.squaredNorm();
  }
  for (Wave& wave : sum) wave.direction *= amplitude / std::sqrt(squares);
  return [=](double time, Points& x) {
    const double ramp = std::max(0.0, time / period);
    x = rest;
    for (const Wave& wave : sum)
      for (Eigen::Index i = 0; i < rest.cols(); ++i)
        x.col(i) += ramp * std::sin(wave.number.dot(rest.col(i)) + wave.phase + wave.frequency * time) *
                    wave.direction;
  };
}

Motion translation(const Points& rest, const Vector3& velocity) {
  return [=](double time, Points& x) { x = rest.colwise() + velocity * time; };
}

Motion shake(const Points& rest, const Vector3& displacement, double period) {
  return [=](double time, Points& x) { x = rest.colwise() + displacement * swing(time, period); };
}

}  // namespace shoal
