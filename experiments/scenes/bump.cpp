// Scene `bump`: a Gaussian hump released from rest on any surface, optionally with a push at a later time and in a
// rotating frame.
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <optional>

namespace shoal {
namespace {

/// The position of the vertex of largest z; among several, of the first in the input's numbering.
Vector3 highest_vertex(const Surface& surface) {
  Index best = 0;
  for (Index i = 1; i < surface.x.cols(); ++i) {
    const double z = surface.x(2, i), highest = surface.x(2, best);
    if (z > highest || (z == highest && surface.input_vertex[i] < surface.input_vertex[best])) best = i;
  }
  return surface.x.col(best);
}

struct BumpOptions {
  StillWaterOptions water;
  double amplitude = 0.1;         ///< m
  double width = 0.5;             ///< m
  std::optional<Vector3> center;  ///< m; empty: the highest vertex
  double push = 0;
  double push_time = 0.5, push_duration = 0.1;  ///< s
  double coriolis = 0;                          ///< Ω, rad/s
  Vector3 axis = Vector3::UnitZ();
  static Options<BumpOptions> describe() {
    using O = BumpOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("amplitude", "m", &O::amplitude, -unlimited, unlimited,
                "elevation at the center; more than -depth")
        .number("width", "m", &O::width, min_positive, unlimited,
                "distance at which the elevation has fallen to 1/e")
        .parsed("center", "m", &O::center, "", parse_center,
                "position x,y,z; empty: the vertex of largest z, the first of several in the input")
        .number("push", "1", &O::push, 0, unlimited,
                "peak of a normal acceleration push·g·exp(−(|x−center|/width)²) on top of g")
        .number("push_time", "s", &O::push_time, -unlimited, unlimited,
                "middle of the time interval of the push")
        .number("push_duration", "s", &O::push_duration, 0, unlimited, "duration of the push")
        .number("coriolis", "rad/s", &O::coriolis, -unlimited, unlimited,
                "angular velocity Ω of the frame of the surface")
        .direction("axis", "1", &O::axis, "x,y,z, the axis of that rotation");
  }

 private:
  static std::optional<Vector3> parse_center(const std::string& text) {
    if (text.empty()) return {};
    return parse_vector(text, "center");
  }
};

/// aₙ = −g(1 + push·exp(−(|x−center|/width)²)) while |t − push_time| < push_duration/2.
TimedForce acceleration_pulse(const BumpOptions& options, const Vector3& center) {
  const double width = options.width, push = options.push * options.water.fluid.gravity,
               half = 0.5 * options.push_duration;
  return {.add =
              [=](double, const WaterNow& water, double share, ForceSum& sum) {
                Vector& normal = sum.normal_acceleration();
                for (Eigen::Index i = 0; i < normal.size(); ++i)
                  normal[i] -= share * push *
                               std::exp(-(water.geometry.x.col(i) - center).squaredNorm() / (width * width));
              },
          .interval = {options.push_time - half, options.push_time + half},
          .varies = false};
}

SceneInstance make(const Surface& surface, const Geometry&, const BumpOptions& options) {
  const double depth = options.water.depth, amplitude = options.amplitude, width = options.width;
  const Vector3 center = options.center ? *options.center : highest_vertex(surface);
  require_wet(amplitude, depth);

  SceneInstance instance = still_water(surface, options.water);
  instance.end = 1;
  instance.sample_times = {0.25, 0.5, 0.75, 1.0};
  instance.initial.depth = [=](const Vector3& x) {
    return depth + amplitude * std::exp(-(x - center).squaredNorm() / (width * width));
  };
  instance.forcing.rotation = options.coriolis * options.axis;
  if (options.push != 0) instance.forces = {acceleration_pulse(options, center)};
  return instance;
}

}  // namespace

SceneEntry bump_scene() {
  return describe_scene(
      {.name = "bump",
       .summary =
           "a hump amplitude·exp(−(|x−center|/width)²), |·| the straight-line distance, on any surface; with "
           "push, also forced once from above",
       .source = "generic scene for any mesh; no exact solution",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 60},
      make);
}

}  // namespace shoal
