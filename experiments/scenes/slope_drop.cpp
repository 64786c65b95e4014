// Scene `slope-drop`: a drop of water spreads and slides down a dry plane slope.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/sliding_drop.hpp"

#include <fmt/format.h>

#include <limits>

namespace shoal {
namespace {

struct SlopeDropOptions {
  FluidOptions fluid;
  double depth = 0.1, radius = 1, slope = 0.1, start = 3;  ///< m, m, 1, m
  static Options<SlopeDropOptions> describe() {
    using O = SlopeDropOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "depth in the centre of the drop at t = 0")
        .number("drop_radius", "m", &O::radius, min_positive, unlimited, "radius of the drop at t = 0")
        .number("slope", "", &O::slope, min_positive, unlimited, "fall of the bed per metre along x")
        .number("start", "m", &O::start, 0, unlimited,
                "distance of the drop from the upper end of the mesh at t = 0");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const SlopeDropOptions& options) {
  require_flat_basin(surface);
  const Vector3 low = surface.x.rowwise().minCoeff(), size = surface.x.rowwise().maxCoeff() - low;
  const SlidingDrop drop = {options.depth, options.radius, options.slope, options.fluid.gravity};
  const double x0 = low.x() + options.start, y0 = low.y() + 0.5 * size.y(), above = options.start,
               below = size.x() - options.start, reach = 0.5 * size.y();
  const auto inside = [=](double time) {
    const double width = drop.radius * drop.spread(time);
    return -drop.least_x(time) <= above && drop.centre(time) + width <= below && width <= reach;
  };
  if (!inside(0))
    throw parameter_error("drop_radius",
                          fmt::format("{} m around a point {} m from the upper end is not inside the mesh "
                                      "'{}' of {} by {} m",
                                      options.radius, options.start, surface.name, size.x(), size.y()));
  SceneInstance instance = still_water(surface, options.fluid, options.depth);
  instance.end = 1.5;
  instance.sample_times = {0.5, 1, 1.5};
  instance.bed_depth = [=, slope = options.slope](const Vector3& x) { return slope * (x.x() - x0); };
  const auto depth = [=](const Vector3& x, double time) {  // no solution once the drop has reached a wall
    return inside(time) ? drop.depth_at(x.x() - x0, x.y() - y0, time)
                        : std::numeric_limits<double>::quiet_NaN();
  };
  const auto velocity = [=](const Vector3& x, double time) -> Vector3 {
    if (!inside(time)) return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
    const auto [u, v] = drop.velocity_at(x.x() - x0, x.y() - y0, time);
    return {u, v, 0};
  };
  instance.initial.depth = [=](const Vector3& x) { return depth(x, 0); };
  instance.references = {solution_at_points(depth, velocity)};
  instance.references.front().advection = true;
  return instance;
}

}  // namespace

SceneEntry slope_drop_scene() {
  return describe_scene(
      {.name = "slope-drop",
       .summary = "a parabolic drop of water on a dry plane slope spreads while it slides down",
       .source = "Thacker 1981, J. Fluid Mech. 107, 499, doi:10.1017/S0022112081001882, on a level bed, in a "
                 "frame that "
                 "accelerates with g·slope",
       .default_mesh = "rectangle:80x60:8x6",
       .default_advection = "vector-invariant",
       .defaults = {{"dry_outflow", "closed"}}},
      make);
}

}  // namespace shoal
