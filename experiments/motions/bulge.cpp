// Motion `bulge`: a hump a (r/r₀) exp((cos(φ − 2πt/T) − 1)/w²) away from an axis, which travels around it.
#include "experiments/motions/common.hpp"

#include <Eigen/Geometry>

namespace shoal {
namespace {

struct BulgeOptions {
  double amplitude = 0.2;  ///< m
  motion::Axis axis;
  double width = 0.5;  ///< rad
  double period = 2;   ///< s
  static Options<BulgeOptions> describe() {
    using O = BulgeOptions;
    return Options<O>()
        .number("motion_amplitude", "m", &O::amplitude, -motion::unlimited, motion::unlimited,
                "height of the hump")
        .part(&O::axis, motion::Axis::describe())
        .number("motion_width", "rad", &O::width, motion::min_positive, motion::unlimited,
                "width of the hump")
        .number("motion_period", "s", &O::period, motion::min_positive, motion::unlimited,
                "period of one revolution of the hump");
  }
};

Motion make(const Surface& surface, const BulgeOptions& options, std::uint64_t) {
  return bulge(surface.x, options.axis.direction, options.amplitude, options.width, options.period);
}

}  // namespace

Motion bulge(const Points& rest, const Vector3& axis, double amplitude, double width, double period) {
  const Vector3 first = axis.unitOrthogonal(), second = axis.cross(first);
  const Points away = rest - axis * (axis.transpose() * rest);
  const double largest = away.colwise().norm().maxCoeff();
  Vector azimuth(rest.cols());
  for (Eigen::Index i = 0; i < rest.cols(); ++i)
    azimuth[i] = std::atan2(second.dot(away.col(i)), first.dot(away.col(i)));
  return Motion([=](double time, Points& x) {
           const auto hump = [=](double at, double phase) {
             return amplitude * std::exp((std::cos(at - phase) - 1) / (width * width));
           };
           x.resize(3, rest.cols());
           for (Eigen::Index i = 0; i < rest.cols(); ++i)
             x.col(i) =
                 rest.col(i) + (hump(azimuth[i], motion::two_pi * time / period) - hump(azimuth[i], 0)) /
                                   largest * away.col(i);
         })
      .with_period(period);
}

MotionEntry bulge_motion() {
  return describe_motion({.name = "bulge", .summary = "a hump travels around an axis"}, make);
}

}  // namespace shoal
