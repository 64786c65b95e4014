// Scene `dam-wet`: a dam across a channel along x breaks into shallower water.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/stoker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

void require_flat(const Surface& surface) {
  constexpr double tolerance = 1e-9;
  const Vector3 size = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
  if (size.z() > tolerance * size.x())
    throw Error(fmt::format("mesh '{}' is not flat: z varies by {}; use rectangle:NXxNY:LXxLY", surface.name,
                            size.z()));
  if (surface.mesh.periodic())
    throw Error(fmt::format(
        "mesh '{}' is periodic: a second dam would break at its seam; use a mesh with walls", surface.name));
}

struct DamWetOptions {
  FluidOptions fluid;
  double depth_left = 0.005, depth_right = 0.001;  ///< m
  double dam = 5;                                  ///< m
  static Options<DamWetOptions> describe() {
    using O = DamWetOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth_left", "m", &O::depth_left, min_positive, unlimited,
                "depth left of the dam, also the zero level above the bed")
        .number("depth_right", "m", &O::depth_right, min_positive, unlimited,
                "depth right of the dam, less than depth_left")
        .number("dam", "m", &O::dam, -unlimited, unlimited, "position x of the dam, inside the mesh");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const DamWetOptions& options) {
  const double left = options.depth_left, right = options.depth_right, dam = options.dam;
  if (right >= left)
    throw parameter_error("depth_right", fmt::format("{} is not below depth_left = {}", right, left));
  require_flat(surface);
  const double begin = surface.x.row(0).minCoeff(), end = surface.x.row(0).maxCoeff();
  if (dam <= begin || dam >= end)
    throw parameter_error("dam", fmt::format("{} is outside the mesh '{}', which spans x in ({}, {})", dam,
                                             surface.name, begin, end));

  SceneInstance instance = still_water(surface, options.fluid, left);
  instance.end = 6;
  instance.sample_times = {1.5, 3, 4.5, 6};
  instance.initial.depth = [=](const Vector3& x) { return x.x() <= dam ? left : right; };

  const StokerDamBreak solution(left, right, instance.gravity);
  // The channel is finite: no solution after the rarefaction or the shock has reached a wall.
  const double last = std::min((dam - begin) / -solution.fan_begin(), (end - dam) / solution.shock_speed());
  instance.references = {{"",
                          [=](const Points& points, double time, Vector& depth) {
                            depth.resize(points.cols());
                            for (Eigen::Index i = 0; i < points.cols(); ++i) {
                              const double x = points(0, i) - dam;
                              depth[i] = time > last ? std::numeric_limits<double>::quiet_NaN()
                                         : time > 0  ? solution.depth(x / time)
                                                     : (x <= 0 ? left : right);
                            }
                          },
                          {},
                          true}};
  return instance;
}

}  // namespace

SceneEntry dam_wet_scene() {
  return describe_scene(
      {.name = "dam-wet",
       .summary =
           "a dam at x = dam across a flat channel breaks into shallower water: a rarefaction and a shock",
       .source = "Stoker, Water Waves (1957), section 10.8",
       .default_mesh = "rectangle:1000x2:10x0.02"},
      make);
}

}  // namespace shoal
