// Scenes `bowl-planar`, `bowl-radial` and `parabola-friction`: water sloshes in a parabolic bowl or canal, with a moving
// shoreline.
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

/// The water of `flow` in a bowl centred on the surface, which must extend to the distance `outermost` from there, in a canal
/// only along x.
template <class Flow>
SceneInstance swinging(const Surface& surface, const BowlOptions& options, const ParabolicBowl& bowl,
                       const Flow& flow, double outermost) {
  require_flat_basin(surface);
  const Vector3 low = surface.x.rowwise().minCoeff(), high = surface.x.rowwise().maxCoeff();
  const Vector3 size = high - low, middle = 0.5 * (low + high);
  if (const double reach = 0.5 * (bowl.canal ? size.x() : std::min(size.x(), size.y())); reach < outermost)
    throw Error(fmt::format("mesh '{}' extends {} m from its centre, but the water {} m", surface.name, reach,
                            outermost));
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
  const ParabolicBowl bowl = options.bowl.bowl();
  return swinging(surface, options.bowl, bowl, PlanarBowl(bowl, options.offset),
                  options.bowl.bowl_radius + options.offset);
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
  const ParabolicBowl bowl = options.bowl.bowl();
  const RadialBowl flow(bowl, options.initial_radius);
  SceneInstance instance = swinging(surface, options.bowl, bowl, flow, flow.largest_radius());
  instance.references.front().advection = true;
  return instance;
}

struct DampedOptions {
  BowlOptions bowl{.fluid = {}, .depth = 10, .bowl_radius = 3000};
  bool canal = true;
  double offset = 1000;     ///< m
  double friction = 0.001;  ///< 1/s
  static Options<DampedOptions> describe() {
    using O = DampedOptions;
    return Options<O>()
        .part(&O::bowl, BowlOptions::describe())
        .choice(
            "shape", &O::canal, {{"canal", true}, {"bowl", false}},
            "canal: extends along y, the water swings along x; bowl: axisymmetric, the water also rotates")
        .number("offset", "m", &O::offset, 0, unlimited,
                "σ, displacement of the water along x at t = 0, from which it is released; in a bowl it also "
                "moves along y at the speed σ√(2gh₀)/a")
        .number("friction", "1/s", &O::friction, 0, unlimited,
                "linear friction c, v_t = −c v, less than 2√(2gh₀)/a");
  }
};

SceneInstance damped(const Surface& surface, const Geometry&, const DampedOptions& options) {
  ParabolicBowl bowl = options.bowl.bowl();
  bowl.canal = options.canal;
  const double limit = 2 * bowl.planar_frequency();
  if (options.friction >= limit)
    throw parameter_error("friction", fmt::format("{} is not below 2√(2gh₀)/a = {:.6g}, where the water no "
                                                  "longer swings",
                                                  options.friction, limit));
  SceneInstance instance =
      swinging(surface, options.bowl, bowl, PlanarBowl(bowl, options.offset, options.friction),
               options.bowl.bowl_radius + options.offset);
  instance.references.front().friction = true;
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

SceneEntry parabola_friction_scene() {
  return describe_scene(
      {.name = "parabola-friction",
       .summary = "a plane water surface swings in a parabolic canal or bowl under linear friction, "
                  "with a moving shoreline",
       .source = "Sampson, Easton & Singh 2006, ANZIAM J. 47 (EMAC2005), C373; in a bowl by the same "
                 "derivation (thacker.hpp)",
       .default_mesh = "rectangle:100x4:10000x400",
       .default_advection = "vector-invariant",
       .defaults = with_a_shore},
      damped);
}

}  // namespace shoal
