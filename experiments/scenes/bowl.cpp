// Scenes `bowl-planar` and `bowl-radial`: water sloshes in a parabolic bowl, with a moving shoreline.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/thacker.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

struct BowlOptions {
  FluidOptions fluid;
  double depth = 0.1, bowl_radius = 1;  ///< m
  static Options<BowlOptions> describe() {
    using O = BowlOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited,
                "h₀, depth at rest in the centre of the bowl")
        .number("bowl_radius", "m", &O::bowl_radius, min_positive, unlimited,
                "a, radius of the shoreline at rest");
  }
  ParabolicBowl bowl() const { return {depth, bowl_radius, fluid.gravity}; }
};

/// The water of `flow` in a bowl centred on the surface, which must extend to the distance `outermost` from there.
template <class Flow>
SceneInstance swinging(const Surface& surface, const BowlOptions& options, const Flow& flow,
                       double outermost) {
  require_flat_basin(surface);
  const Vector3 low = surface.x.rowwise().minCoeff(), high = surface.x.rowwise().maxCoeff();
  const Vector3 size = high - low, middle = 0.5 * (low + high);
  if (const double reach = 0.5 * std::min(size.x(), size.y()); reach < outermost)
    throw Error(fmt::format("mesh '{}' extends {} m from its centre, but the water {} m", surface.name, reach,
                            outermost));
  const ParabolicBowl bowl = options.bowl();
  const auto depth_at = [=](const Vector3& x, double time) {
    const double right = x.x() - middle.x(), up = x.y() - middle.y();
    return std::max(0.0, bowl.bed_depth(right, up) + flow.at(right, up, time).elevation);
  };
  const auto velocity_at = [=](const Vector3& x, double time) -> Vector3 {
    if (depth_at(x, time) <= 0) return Vector3::Zero();
    const Eigen::Vector2d v = flow.at(x.x() - middle.x(), x.y() - middle.y(), time).velocity;
    return {v.x(), v.y(), 0};
  };
  SceneInstance instance = still_water(surface, options.fluid, options.depth);
  instance.bed_depth = [=](const Vector3& x) {
    return bowl.bed_depth(x.x() - middle.x(), x.y() - middle.y());
  };
  instance.initial.depth = [=](const Vector3& x) { return depth_at(x, 0); };
  instance.initial.velocity = [=](const Vector3& x) { return velocity_at(x, 0); };
  instance.end = flow.period();
  for (int quarter = 1; quarter <= 4; ++quarter)
    instance.sample_times.push_back(0.25 * quarter * instance.end);
  instance.references = {solution_at_points(depth_at, velocity_at)};
  return instance;
}

struct PlanarBowlOptions {
  BowlOptions bowl;
  double offset = 0.5;  ///< m
  static Options<PlanarBowlOptions> describe() {
    using O = PlanarBowlOptions;
    return Options<O>()
        .part(&O::bowl, BowlOptions::describe())
        .number("offset", "m", &O::offset, 0, unlimited,
                "σ, distance of the circular shoreline's centre from that of the bowl");
  }
};

SceneInstance planar(const Surface& surface, const Geometry&, const PlanarBowlOptions& options) {
  SceneInstance instance = swinging(surface, options.bowl, PlanarBowl(options.bowl.bowl(), options.offset),
                                    options.bowl.bowl_radius + options.offset);
  return instance;
}

struct RadialBowlOptions {
  BowlOptions bowl;
  double initial_radius = 0.8;  ///< m
  static Options<RadialBowlOptions> describe() {
    using O = RadialBowlOptions;
    return Options<O>()
        .part(&O::bowl, BowlOptions::describe())
        .number("initial_radius", "m", &O::initial_radius, min_positive, unlimited,
                "r₀, radius of the shoreline at t = 0; at most bowl_radius");
  }
};

SceneInstance radial(const Surface& surface, const Geometry&, const RadialBowlOptions& options) {
  if (options.initial_radius > options.bowl.bowl_radius)
    throw parameter_error("initial_radius", fmt::format("{} is more than bowl_radius = {}",
                                                        options.initial_radius, options.bowl.bowl_radius));
  const RadialBowl flow(options.bowl.bowl(), options.initial_radius);
  SceneInstance instance = swinging(surface, options.bowl, flow, flow.largest_radius());
  instance.references.front().advection = true;
  return instance;
}

/// Includes upstream differences of v·∇v: near the shore the flow is supercritical.
const std::map<std::string, Value> with_a_shore = {{"dry_outflow", "closed"}};

constexpr const char* thacker = "Thacker 1981, J. Fluid Mech. 107, 499, doi:10.1017/S0022112081001882";

}  // namespace

SceneEntry bowl_planar_scene() {
  return describe_scene(
      {.name = "bowl-planar",
       .summary = "a plane water surface rotates in a parabolic bowl; the shoreline is a circle that rotates "
                  "with it",
       .source = thacker,
       .default_mesh = "rectangle:40x40:4x4",
       .default_advection = "vector-invariant",
       .defaults = with_a_shore},
      planar);
}

SceneEntry bowl_radial_scene() {
  return describe_scene(
      {.name = "bowl-radial",
       .summary = "a hump falls and rises in a parabolic bowl; the shoreline is a circle that grows and "
                  "shrinks",
       .source = thacker,
       .default_mesh = "rectangle:40x40:4x4",
       .default_advection = "vector-invariant",
       .defaults = with_a_shore},
      radial);
}

}  // namespace shoal
