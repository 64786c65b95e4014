// Scene `channel`: water flows through a channel along x, or starts to.
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

/// A bore that advances into still water of depth H with the flux q behind it, m²/s: depth η₁ and speed S from
/// q = η₁ u₁, u₁ = (η₁−H) √(g(η₁+H)/(2η₁H)), S = q/(η₁−H) (Stoker 1957, 10.6).
struct Bore {
  double depth, speed;
};

Bore bore_of(double flux, double still, double gravity) {
  const auto flux_behind = [=](double depth) {
    return (depth - still) * std::sqrt(0.5 * gravity * depth * (depth + still) / still);
  };
  double low = still, high = 2 * still;
  while (flux_behind(high) < flux) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (flux_behind(middle) < flux ? low : high) = middle;
  }
  return {high, flux / (high - still)};
}

double length_of(const Surface& surface, const Geometry& geometry, const std::string& name) {
  double length = 0;
  const BoundarySet& set =
      surface.mesh.boundary_sets[static_cast<std::size_t>(find_boundary_set(surface.mesh, name))];
  for (const Index edge : set.edges) length += geometry.edge_length[edge];
  return length;
}

enum class Outlet { automatic, outflow, level };

struct ChannelOptions {
  StillWaterOptions water;
  double speed = 0.3;  ///< m/s
  bool steady = false;
  Outlet outlet = Outlet::automatic;
  double disturbance = 0;  ///< m
  static Options<ChannelOptions> describe() {
    using O = ChannelOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("speed", "m/s", &O::speed, 0, unlimited,
                "speed of the entering flow; above √(gH) through an inflow, and only with start = steady")
        .choice("start", &O::steady, {{"still", false}, {"steady", true}},
                "initial state: still water or the uniform flow")
        .choice("outlet", &O::outlet,
                {{"auto", Outlet::automatic}, {"outflow", Outlet::outflow}, {"level", Outlet::level}},
                "condition at `right`: outflow lets waves leave, level prescribes the elevation; auto: level "
                "for a uniform flow below √(gH), otherwise outflow")
        .number("disturbance", "m", &O::disturbance, -unlimited, unlimited,
                "height of a Gaussian hump at 2/5 of the length, with a width of 15 % of the length, in the "
                "uniform flow of start = steady");
  }
};

SceneInstance make(const Surface& surface, const Geometry& geometry, const ChannelOptions& options) {
  const double depth = options.water.depth, speed = options.speed;
  const bool steady = options.steady;
  const double flux = depth * speed, width = length_of(surface, geometry, "left");
  find_boundary_set(surface.mesh, "right");
  SceneInstance instance = still_water(surface, options.water);
  const double wave_speed = std::sqrt(instance.gravity * depth);
  const bool supercritical = speed >= wave_speed;
  const bool level =
      options.outlet == Outlet::automatic ? steady && !supercritical : options.outlet == Outlet::level;
  if (supercritical && !steady)
    throw parameter_error(
        "speed", fmt::format("{} is not below √(gH) = {:.6g}: a supercritical flow requires start = steady",
                             speed, wave_speed));
  const double begin = surface.x.row(0).minCoeff(), end = surface.x.row(0).maxCoeff();
  instance.end = 0.8 * (end - begin) / (wave_speed + speed);
  instance.sample_times = {0.25 * instance.end, 0.5 * instance.end, 0.75 * instance.end, instance.end};
  BoundaryCondition entry = {"left", BoundaryKind::discharge, flux * width};
  if (supercritical) entry = {"left", BoundaryKind::inflow, depth, speed};
  instance.forcing.boundaries = {entry, {"right", level ? BoundaryKind::level : BoundaryKind::outflow, 0.0}};
  if (steady) {
    instance.initial.velocity = [speed](const Vector3&) { return Vector3(speed, 0, 0); };
    require_wet(options.disturbance, depth, "disturbance");
    if (options.disturbance != 0)
      instance.initial.depth = [depth, begin, length = end - begin,
                                height = options.disturbance](const Vector3& x) {
        const double off = ((x.x() - begin) / length - 0.4) / 0.15;
        return depth + height * std::exp(-off * off);
      };
    if (level || supercritical)
      instance.references = {{"",
                              [depth](const Points& points, double, Vector& values) {
                                values.setConstant(points.cols(), depth);
                              },
                              [speed](const Vector3&, double) { return Vector3(speed, 0, 0); }}};
    return instance;
  }
  if (speed == 0) return instance;
  const Bore bore = bore_of(flux, depth, instance.gravity);
  instance.references = {{"",
                          [=](const Points& points, double time, Vector& values) {
                            values.resize(points.cols());
                            const bool arrived = bore.speed * time > end - begin;
                            for (Eigen::Index i = 0; i < points.cols(); ++i)
                              values[i] = arrived ? std::numeric_limits<double>::quiet_NaN()
                                          : points(0, i) - begin < bore.speed * time ? bore.depth
                                                                                     : depth;
                          },
                          {},
                          true}};
  return instance;
}

}  // namespace

SceneEntry channel_scene() {
  return describe_scene(
      {.name = "channel",
       .summary =
           "a channel along x: water enters through left with the discharge speed·depth·width and leaves "
           "through right; a steady uniform flow, or a bore that advances into still water",
       .source = "uniform flow; bore: Stoker, Water Waves (1957), section 10.6",
       .default_mesh = "rectangle:100x4:50x2:structured"},
      make);
}

}  // namespace shoal
