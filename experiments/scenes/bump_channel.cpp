// Scenes `bump-sub`, `bump-trans` and `bump-shock`: steady flow along x over a parabolic bump.
#include "experiments/scenes/bump_flow.hpp"
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

struct BumpChannelOptions {
  FluidOptions fluid{};
  double discharge = 4.42;  ///< q, m²/s
  double level = 2;         ///< m
  bool steady = false;
  static Options<BumpChannelOptions> describe() {
    using O = BumpChannelOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("discharge", "m^2/s", &O::discharge, min_positive, unlimited,
                "q, volume per time and width that enters through left")
        .number("level", "m", &O::level, min_positive, unlimited,
                "level of the water at right above the flat bed, also that of still water; it determines "
                "whether the flow is "
                "subcritical, critical at the crest, or has a hydraulic jump")
        .choice("start", &O::steady, {{"still", false}, {"steady", true}},
                "initial state: still water or the steady flow");
  }
};

SceneInstance over_bump(const Surface& surface, const BumpChannelOptions& options) {
  require_flat_basin(surface);
  find_boundary_set(surface.mesh, "right");
  find_boundary_set(surface.mesh, "left");
  const ParabolicBump bump;
  const double begin = surface.x.row(0).minCoeff(), end = surface.x.row(0).maxCoeff();
  if (begin > bump.crest - bump.half_width() || end < bump.crest + bump.half_width())
    throw Error(fmt::format("mesh '{}' spans x in ({}, {}), but the bump lies in ({}, {})", surface.name,
                            begin, end, bump.crest - bump.half_width(), bump.crest + bump.half_width()));
  const double width = surface.x.row(1).maxCoeff() - surface.x.row(1).minCoeff(), level = options.level;
  const FlowOverBump flow(bump, options.discharge, level, options.fluid.gravity);

  SceneInstance instance = still_water(surface, options.fluid, level);
  instance.end = 200;
  instance.sample_times = {20, 50, 100, 200};
  instance.bed_depth = [=](const Vector3& x) { return level - bump.bed(x.x()); };
  const auto depth = [=](const Vector3& x, double) { return flow.depth(x.x()); };
  const auto velocity = [=](const Vector3& x, double) -> Vector3 {
    return flow.velocity(x.x()) * Vector3::UnitX();
  };
  instance.initial.depth = [=, still = !options.steady](const Vector3& x) {
    return still ? std::max(0.0, level - bump.bed(x.x())) : depth(x, 0);
  };
  if (options.steady) instance.initial.velocity = [=](const Vector3& x) { return velocity(x, 0); };
  // At a supercritical outlet the level has no effect. An outflow, behind which the water is still, would hold the flow back.
  instance.forcing.boundaries = {{"left", BoundaryKind::discharge, options.discharge * width},
                                 {"right", BoundaryKind::level, 0.0}};
  instance.references = {solution_at_points(depth, velocity)};
  instance.references.front().advection = true;
  return instance;
}

/// The options of one scene: the defaults of the discharge and the level differ.
struct SubcriticalOptions {
  BumpChannelOptions flow = {.discharge = 4.42, .level = 2};
  static auto describe() {
    return Options<SubcriticalOptions>().part(&SubcriticalOptions::flow, BumpChannelOptions::describe());
  }
};
struct TranscriticalOptions {
  BumpChannelOptions flow = {.discharge = 1.53, .level = 0.66};
  static auto describe() {
    return Options<TranscriticalOptions>().part(&TranscriticalOptions::flow, BumpChannelOptions::describe());
  }
};
struct JumpOptions {
  BumpChannelOptions flow = {.discharge = 0.18, .level = 0.33};
  static auto describe() {
    return Options<JumpOptions>().part(&JumpOptions::flow, BumpChannelOptions::describe());
  }
};

template <class FlowOptions>
SceneEntry describe_flow(const std::string& name, const std::string& summary, const std::string& section) {
  return describe_scene(
      SceneEntry{.name = name,
                 .summary = summary,
                 .source = "Delestre et al. 2013, " + section + ", doi:10.1002/fld.3741",
                 .default_mesh = "rectangle:250x4:25x0.4",
                 .default_advection = "vector-invariant"},
      +[](const Surface& surface, const Geometry&, const FlowOptions& options) {
        return over_bump(surface, options.flow);
      });
}

}  // namespace

SceneEntry bump_sub_scene() {
  return describe_flow<SubcriticalOptions>(
      "bump-sub", "flow over a bump in a channel becomes steady: subcritical everywhere", "3.1.3");
}

SceneEntry bump_trans_scene() {
  return describe_flow<TranscriticalOptions>(
      "bump-trans", "flow over a bump in a channel becomes steady: critical at the crest, then supercritical",
      "3.1.4");
}

SceneEntry bump_shock_scene() {
  return describe_flow<JumpOptions>(
      "bump-shock",
      "flow over a bump in a channel becomes steady: critical at the crest, with a hydraulic jump behind it",
      "3.1.5");
}

}  // namespace shoal
