// Scenes `dam-wet` and `dam-dry`: a dam across a channel along x breaks, into shallower water or onto dry land.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/stoker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

struct DamOptions {
  FluidOptions fluid;
  double depth_left = 0.005;  ///< m
  double dam = 5;             ///< m
  static Options<DamOptions> describe() {
    using O = DamOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth_left", "m", &O::depth_left, min_positive, unlimited,
                "depth left of the dam, also the zero level above the bed")
        .number("dam", "m", &O::dam, -unlimited, unlimited, "position x of the dam, inside the mesh");
  }
};

SceneInstance dam_break(const Surface& surface, const DamOptions& options, double right) {
  const double left = options.depth_left, dam = options.dam;
  require_flat_basin(surface);
  const double begin = surface.x.row(0).minCoeff(), end = surface.x.row(0).maxCoeff();
  if (dam <= begin || dam >= end)
    throw parameter_error("dam", fmt::format("{} is outside the mesh '{}', which spans x in ({}, {})", dam,
                                             surface.name, begin, end));

  SceneInstance instance = still_water(surface, options.fluid, left);
  instance.end = 6;
  instance.sample_times = {1.5, 3, 4.5, 6};
  instance.initial.depth = [=](const Vector3& x) { return x.x() <= dam ? left : right; };

  const StokerDamBreak solution(left, right, instance.gravity);
  // The channel is finite: no solution after the rarefaction or the front has reached a wall.
  const double last = std::min((dam - begin) / -solution.fan_begin(), (end - dam) / solution.shock_speed());
  instance.references = {solution_at_points(
      [=, start = instance.initial.depth](const Vector3& x, double time) {
        if (time > last) return std::numeric_limits<double>::quiet_NaN();
        return time > 0 ? solution.depth((x.x() - dam) / time) : start(x);
      },
      [=](const Vector3& x, double time) -> Vector3 {
        if (time > last) return Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
        return (time > 0 ? solution.velocity((x.x() - dam) / time) : 0) * Vector3::UnitX();
      })};
  instance.references.front().advection = true;
  return instance;
}

struct DamWetOptions {
  DamOptions dam;
  double depth_right = 0.001;  ///< m
  static Options<DamWetOptions> describe() {
    using O = DamWetOptions;
    return Options<O>()
        .part(&O::dam, DamOptions::describe())
        .number("depth_right", "m", &O::depth_right, min_positive, unlimited,
                "depth right of the dam, less than depth_left");
  }
};

SceneInstance wet(const Surface& surface, const Geometry&, const DamWetOptions& options) {
  if (options.depth_right >= options.dam.depth_left)
    throw parameter_error("depth_right", fmt::format("{} is not below depth_left = {}", options.depth_right,
                                                     options.dam.depth_left));
  return dam_break(surface, options.dam, options.depth_right);
}

SceneInstance dry(const Surface& surface, const Geometry&, const DamOptions& options) {
  return dam_break(surface, options, 0);
}

constexpr const char* default_mesh = "rectangle:1000x2:10x0.02";

}  // namespace

SceneEntry dam_wet_scene() {
  return describe_scene(
      {.name = "dam-wet",
       .summary =
           "a dam at x = dam across a flat channel breaks into shallower water: a rarefaction and a shock",
       .source =
           "Stoker, Water Waves (1957), section 10.8; Delestre et al. 2013, 4.1.1, doi:10.1002/fld.3741",
       .default_mesh = default_mesh},
      wet);
}

SceneEntry dam_dry_scene() {
  return describe_scene(
      {.name = "dam-dry",
       .summary =
           "a dam at x = dam across a flat channel breaks onto dry land: a rarefaction up to the front",
       .source =
           "Ritter, Z. Ver. Dtsch. Ing. 36 (1892), 947; Delestre et al. 2013, 4.1.2, doi:10.1002/fld.3741",
       .default_mesh = default_mesh,
       .default_advection = "vector-invariant",
       .defaults = {{"dry_outflow", "closed"}}},
      dry);
}

}  // namespace shoal
