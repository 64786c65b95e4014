// Motion `sliding`: a mesh slides and shears within a sphere about the origin, which keeps its shape.
//
// With s = sin 2πt/T and the axis a: X is rotated about a by A s z/R, where z is its height along a, and then moved towards a
// direction b normal to a by the conformal map that multiplies tan(½ angle to b) by exp(−B s'), where s' is the sine of twice
// the phase.
#include "experiments/motions/common.hpp"

#include "discretizations/common/error.hpp"

#include <Eigen/Geometry>

namespace shoal {
namespace {

struct SlidingOptions {
  double shear = 0.5;    ///< A, rad
  double stretch = 0.2;  ///< B
  motion::Axis axis{Vector3(0.3, -0.5, 1).normalized()};
  motion::Swing swing;
  static Options<SlidingOptions> describe() {
    using O = SlidingOptions;
    return Options<O>()
        .number("motion_shear", "rad", &O::shear, -motion::unlimited, motion::unlimited,
                "A, largest rotation of the poles relative to the equator")
        .number("motion_stretch", "1", &O::stretch, -2, 2,
                "B: lengths change by factors up to exp(±B) as the mesh contracts towards one side")
        .part(&O::axis, motion::Axis::describe())
        .part(&O::swing, motion::Swing::describe());
  }
};

Motion make(const Surface& surface, const SlidingOptions& options, std::uint64_t) {
  const Vector3 axis = options.axis.direction, towards = axis.unitOrthogonal();
  const Vector radius = surface.x.colwise().norm();
  if (!((radius.array() - radius[0]).abs().maxCoeff() <= 1e-6 * radius[0]))
    throw Error("motion sliding requires a sphere about the origin, and '" + surface.name +
                "' is not one; use an icosphere");
  return Motion([=, rest = surface.x](double time, Points& x) {
           const double turn = options.shear * motion::swing(time, options.swing.period),
                        gather = std::exp(options.stretch * motion::swing(time, 0.5 * options.swing.period));
           x.resize(3, rest.cols());
           for (Eigen::Index i = 0; i < rest.cols(); ++i) {
             const Vector3 X = rest.col(i).normalized(),
                           turned = Eigen::AngleAxisd(turn * axis.dot(X), axis) * X;
             // cos of the angle to b under the map, and the direction normal to b stretched to fit
             const double c = towards.dot(turned), g = gather * gather;
             const double mapped = (g * (1 + c) - (1 - c)) / (g * (1 + c) + (1 - c));
             const double scale = 2 * gather / (g * (1 + c) + (1 - c));
             x.col(i) = radius[i] * (mapped * towards + scale * (turned - c * towards));
           }
         })
      .with_period(0.5 * options.swing.period);
}

}  // namespace

MotionEntry sliding_motion() {
  return describe_motion(
      {.name = "sliding",
       .summary =
           "the mesh slides, shears and contracts along a sphere that keeps its shape; its effect on water "
           "requires an advection scheme (--advection)",
       .stays_on_sphere = true},
      make);
}

}  // namespace shoal
