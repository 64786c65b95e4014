// Motion `twist`: X rotated about an axis by a s z/L, z the height along it, L the largest |z|, s = sin 2πt/T.
#include "experiments/motions/common.hpp"

#include "discretizations/common/error.hpp"

#include <Eigen/Geometry>

namespace shoal {
namespace {

struct TwistOptions {
  double angle = 1;  ///< rad
  motion::Axis axis;
  motion::Swing swing;
  static Options<TwistOptions> describe() {
    using O = TwistOptions;
    return Options<O>()
        .number("motion_amplitude", "rad", &O::angle, -motion::unlimited, motion::unlimited,
                "largest rotation of either end")
        .part(&O::axis, motion::Axis::describe())
        .part(&O::swing, motion::Swing::describe());
  }
};

Motion make(const Surface& surface, const TwistOptions& options, std::uint64_t) {
  return twist(surface.x, options.axis.direction, options.angle, options.swing.period);
}

}  // namespace

Motion twist(const Points& rest, const Vector3& axis, double angle, double period) {
  const Eigen::RowVectorXd height = axis.transpose() * rest;
  const double largest = height.cwiseAbs().maxCoeff();
  if (!(largest > 0))
    throw parameter_error("motion_axis",
                          "the surface cannot be twisted about this axis, along which it has no extent");
  return Motion([=](double time, Points& x) {
           const double max_angle = angle * motion::swing(time, period);
           x.resize(3, rest.cols());
           for (Eigen::Index i = 0; i < rest.cols(); ++i)
             x.col(i) = Eigen::AngleAxisd(max_angle * height[i] / largest, axis) * Vector3(rest.col(i));
         })
      .with_period(period);
}

MotionEntry twist_motion() {
  return describe_motion(
      {.name = "twist", .summary = "opposite ends rotate against each other about an axis, back and forth"},
      make);
}

}  // namespace shoal
