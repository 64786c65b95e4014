// Scenes `dam-radial` and `sphere-dam`: a cylinder of water collapses in a flat basin or on a sphere.
#include "experiments/scenes/axisymmetric_reference.hpp"
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/stoker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

/// The reference for a step of the depth from `inside` to `outside` at this distance from the axis; a dry outside is a film of 1e-8
/// of the depth inside, whose front is 2 % slower than that of a dry bed, where the depth is below 1e-3 of that inside.
Reference step_reference(AxisymmetricSetting setting, double step, double inside, double outside,
                         const std::function<double(const Vector3&)>& distance) {
  const double extent = setting.plane() ? setting.plane_radius : std::numbers::pi;
  const double film = std::max(outside, 1e-8 * inside);
  setting.depth = [=](double r) { return r <= step ? inside : film; };
  setting.amplitude = 0;
  setting.length =
      30 * extent / setting.cells;  // a frame for each ring that a wave crosses: fronts stay sharp
  Reference reference =
      axisymmetric_reference(shared_flow({setting.radius, setting.plane_radius, setting.gravity, step, inside,
                                          outside, double(setting.cells)},
                                         setting),
                             distance);
  reference.depth = [=, interpolated = reference.depth](const Points& points, double time, Vector& depth) {
    if (time > 0) {
      interpolated(points, time, depth);
      if (outside == 0) depth = (depth.array() > 2 * film).select(depth, 0);
      return;
    }
    depth.resize(points.cols());
    for (Eigen::Index i = 0; i < points.cols(); ++i)
      depth[i] = distance(points.col(i)) <= step ? inside : outside;
  };
  reference.advection = true;
  return reference;
}

struct RadialDamOptions {
  FluidOptions fluid;
  double inside = 10, outside = 1, radius = 50;  ///< m
  static Options<RadialDamOptions> describe() {
    using O = RadialDamOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth_inside", "m", &O::inside, min_positive, unlimited,
                "depth inside the dam, more than depth_outside")
        .number("depth_outside", "m", &O::outside, 0, unlimited, "depth outside; 0: dry land")
        .number("dam_radius", "m", &O::radius, min_positive, unlimited,
                "radius of the dam, whose centre is that of the mesh");
  }
};

SceneInstance plane(const Surface& surface, const Geometry&, const RadialDamOptions& options) {
  require_flat_basin(surface);
  if (options.outside >= options.inside)
    throw parameter_error("depth_outside",
                          fmt::format("{} is not below depth_inside = {}", options.outside, options.inside));
  const Vector3 low = surface.x.rowwise().minCoeff(), size = surface.x.rowwise().maxCoeff() - low;
  const Vector3 middle = low + 0.5 * size;
  const double reach = 0.5 * std::min(size.x(), size.y()), radius = options.radius;
  if (radius >= reach)
    throw parameter_error(
        "dam_radius", fmt::format("{} is outside the mesh '{}', which extends {} m from its centre", radius,
                                  surface.name, reach));
  SceneInstance instance = still_water(surface, options.fluid, options.inside);
  instance.end = 2;
  instance.sample_times = {0.5, 1, 1.5, 2};
  const auto distance = [middle](const Vector3& x) { return (x - middle).head<2>().norm(); };
  instance.initial.depth = [=](const Vector3& x) {
    return distance(x) <= radius ? options.inside : options.outside;
  };
  Reference reference =
      step_reference({.plane_radius = 1.5 * reach, .gravity = instance.gravity, .depth = {}, .cells = 3000},
                     radius, options.inside, options.outside, distance);
  // The front of a plane dam is faster. It has not reached a wall before:
  const double last =
      (reach - radius) / StokerDamBreak(options.inside, options.outside, instance.gravity).shock_speed();
  reference.depth = [last, before = reference.depth](const Points& points, double time, Vector& depth) {
    if (time <= last) return before(points, time, depth);
    depth.setConstant(points.cols(), std::numeric_limits<double>::quiet_NaN());
  };
  instance.references = {reference};
  return instance;
}

struct SphereDamOptions {
  FluidOptions fluid = {.gravity = 1};
  double radius = 1, angle = 0.2, inside = 2, outside = 0.2;  ///< m, rad, m, m
  Vector3 center = Vector3::UnitZ();
  static Options<SphereDamOptions> describe() {
    using O = SphereDamOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .number("depth_inside", "m", &O::inside, min_positive, unlimited,
                "depth inside the dam, more than depth_outside")
        .number("depth_outside", "m", &O::outside, min_positive, unlimited, "depth outside")
        .number("angle", "rad", &O::angle, 0.01, 3, "angle between the dam and its axis")
        .direction("center", "", &O::center, "direction of the axis from the center of the sphere, x,y,z");
  }
};

SceneInstance sphere(const Surface& surface, const Geometry&, const SphereDamOptions& options) {
  require_sphere(surface, options.radius);
  if (options.outside >= options.inside)
    throw parameter_error("depth_outside",
                          fmt::format("{} is not below depth_inside = {}", options.outside, options.inside));
  SceneInstance instance = still_water(surface, options.fluid, options.outside);
  instance.end = 0.9;
  instance.sample_times = {0.3, 0.6, 0.9};
  const auto distance = [center = options.center](const Vector3& x) { return angle_between(x, center); };
  instance.initial.depth = [=](const Vector3& x) {
    return distance(x) <= options.angle ? options.inside : options.outside;
  };
  instance.references = {
      step_reference({.radius = options.radius, .gravity = instance.gravity, .depth = {}, .cells = 3000},
                     options.angle, options.inside, options.outside, distance)};
  return instance;
}

}  // namespace

SceneEntry dam_radial_scene() {
  return describe_scene(
      {.name = "dam-radial",
       .summary =
           "a circular dam in a flat basin breaks into shallower water or onto dry land (depth_outside = 0)",
       .source = "circular dams: Toro, Shock-Capturing Methods for Free-Surface Shallow Flows (2001), "
                 "chapter 13; the depths and the radius are ours",
       .default_mesh = "rectangle:100x100:200x200",
       .default_advection = "vector-invariant",
       .defaults = {{"dry_outflow", "closed"}}},
      plane);
}

SceneEntry sphere_dam_scene() {
  return describe_scene(
      {.name = "sphere-dam",
       .summary = "a cylinder of water around the axis of a sphere collapses: a bore runs to the antipode",
       .source = "Rossmanith, Bale & LeVeque 2004, J. Comput. Phys. 199, 631, figures 5 and 6",
       .default_mesh = "icosphere:6",
       .default_advection = "vector-invariant"},
      sphere);
}

}  // namespace shoal
