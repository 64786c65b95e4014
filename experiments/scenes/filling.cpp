// Scenes `fill-figure`, `fill-walking` and `fill-shape`: an artificial acceleration collects water at the lower end of a surface
// (Angst 2007, 6.3).
#include "discretizations/mesh/generators/character_shapes.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/scenes/common.hpp"

#include <algorithm>

namespace shoal {
namespace {

/// Without friction the balance of (6.2) is unstable: perturbations grow at the rate ½ |da/dh| √(η/g).
const std::map<std::string, Value> where_water_gathers = {{"dry_outflow", "closed"}, {"friction", 1.0}};

/// For swinging limbs. With Newton's law they throw the water off, into spikes at hands and feet of 15 times the depth of the level;
/// with the thesis's momentum it stays on.
std::map<std::string, Value> where_limbs_swing() {
  std::map<std::string, Value> values = where_water_gathers;
  values["carried_velocity"] = "barycentric";
  return values;
}

struct FillingOptions {
  FluidOptions fluid;
  double depth = 0.2;       ///< H, m
  double wet_depth = 0.01;  ///< m
  ArtificialAccelerationOptions artificial;
  static Options<FillingOptions> describe() {
    using O = FillingOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "H, depth of the bed below the surface")
        .number("wet_depth", "m", &O::wet_depth, 0, unlimited, "depth above which the surface counts as wet")
        .part(&O::artificial, ArtificialAccelerationOptions::describe());
  }
};

/// Initially dry, or with a uniform layer of water.
SceneInstance gathering(const Surface& surface, const FillingOptions& options, double layer) {
  SceneInstance instance = still_water(surface, options.fluid, options.depth);
  instance.initial.depth = [layer](const Vector3&) { return layer; };
  instance.coupling.emplace();
  instance.coupling->artificial_acceleration = options.artificial;
  instance.wet_depth = options.wet_depth;
  return instance;
}

/// Limbs, head and torso of the mesh `figure`; no regions for other meshes.
std::vector<Region> body_regions(const Surface& surface, double radius) {
  if (split_resolution(surface.name).family != "figure") return {};
  const std::vector<Bone> bones = figure_bones(radius);
  std::vector<Region> regions;
  for (Index i = 0; i < surface.x.cols(); ++i) {
    const std::string& name = bones[static_cast<std::size_t>(nearest_bone(bones, surface.x.col(i)))].region;
    auto region =
        std::find_if(regions.begin(), regions.end(), [&](const Region& one) { return one.name == name; });
    if (region == regions.end()) region = regions.insert(regions.end(), {name, {}});
    region->vertices.push_back(i);
  }
  std::sort(regions.begin(), regions.end(), [](const Region& a, const Region& b) { return a.name < b.name; });
  return regions;
}

struct FillFigureOptions {
  FillingOptions filling;
  double radius = 1;
  Vector3 source = Vector3(-1, 0, 0.3);  ///< m
  double source_radius = 0.5;            ///< m
  double discharge = 0.05;               ///< m³/s
  static Options<FillFigureOptions> describe() {
    using O = FillFigureOptions;
    return Options<O>()
        .part(&O::filling, FillingOptions::describe())
        .number("radius", "1", &O::radius, min_positive, unlimited, "size of the figure")
        .vector("source", "m", &O::source,
                "position of the source, x,y,z, times radius: the sole of the right foot")
        .number("source_radius", "m", &O::source_radius, min_positive, unlimited,
                "distance at which the source has fallen to 1/e")
        .number("discharge", "m^3/s", &O::discharge, -unlimited, unlimited,
                "discharge of the source; negative: a sink");
  }
};

SceneInstance fill_figure(const Surface& surface, const Geometry&, const FillFigureOptions& options) {
  SceneInstance instance = gathering(surface, options.filling, 0);
  instance.coupling->sources = {{.point = options.radius * options.source,
                                 .radius = options.source_radius,
                                 .discharge = options.discharge,
                                 .parameter = "source"}};
  instance.regions = body_regions(surface, options.radius);
  instance.end = 480;
  for (int i = 1; i <= 16; ++i) instance.sample_times.push_back(30 * i);
  return instance;
}

struct FillWalkingOptions {
  FillingOptions filling;
  double radius = 1;
  Vector3 source = Vector3(1.2, 0, 0.3), second_source = Vector3(3.75, 4.75, 0.25);  ///< m
  double source_radius = 0.5;                                                        ///< m
  double discharge = 0.05;                                                           ///< m³/s
  static Options<FillWalkingOptions> describe() {
    using O = FillWalkingOptions;
    return Options<O>()
        .part(&O::filling, FillingOptions::describe())
        .number("radius", "1", &O::radius, min_positive, unlimited, "size of the figure")
        .vector("source", "m", &O::source,
                "position of a source at t = 0, x,y,z, times radius: the sole of the left foot")
        .vector("second_source", "m", &O::second_source, "position of a second source: the left hand")
        .number("source_radius", "m", &O::source_radius, min_positive, unlimited,
                "distance at which a source has fallen to 1/e")
        .number("discharge", "m^3/s", &O::discharge, -unlimited, unlimited,
                "discharge of each of the two sources; negative: sinks");
  }
};

/// The sources move with the cells that they feed at t = 0.
SceneInstance fill_walking(const Surface& surface, const Geometry&, const FillWalkingOptions& options) {
  SceneInstance instance = gathering(surface, options.filling, 0);
  for (const auto& [point, parameter] :
       {std::pair(options.source, "source"), std::pair(options.second_source, "second_source")})
    instance.coupling->sources.push_back({.point = options.radius * point,
                                          .radius = options.source_radius,
                                          .discharge = options.discharge,
                                          .parameter = parameter});
  instance.regions = body_regions(surface, options.radius);
  instance.end = 60;
  instance.sample_times = {10, 20, 30, 40, 50, 60};
  return instance;
}

struct FillShapeOptions {
  FillingOptions filling;
  double radius = 5;    ///< m
  double layer = 0.16;  ///< m
  static Options<FillShapeOptions> describe() {
    using O = FillShapeOptions;
    return Options<O>()
        .part(&O::filling, FillingOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "size of a generated shape")
        .number("layer", "m", &O::layer, 0, unlimited, "uniform depth of the water at t = 0");
  }
};

SceneInstance fill_shape(const Surface& surface, const Geometry&, const FillShapeOptions& options) {
  SceneInstance instance = gathering(surface, options.filling, options.layer);
  Region all{"shape", {}};
  for (Index i = 0; i < surface.mesh.vertex_count; ++i) all.vertices.push_back(i);
  instance.regions = {all};
  instance.end = 30;
  instance.sample_times = {5, 10, 20, 30};
  return instance;
}

}  // namespace

SceneEntry fill_figure_scene() {
  return describe_scene(
      {.name = "fill-figure",
       .summary =
           "a human figure is filled through the sole of its right foot: first that leg, then the other, "
           "then the body; default advection = semi-lagrangian, without which fefv piles water up in spikes",
       .source = "Angst 2007, 6.3 and fig. 6.8",
       .default_mesh = "figure",
       .default_advection = "semi-lagrangian",
       .default_dt = 1.0 / 60,
       .defaults = where_water_gathers},
      fill_figure);
}

SceneEntry fill_walking_scene() {
  return describe_scene({.name = "fill-walking",
                         .summary = "a walking figure is filled through its left foot and its left hand; "
                                    "default carried_velocity = barycentric (with circulation, swinging "
                                    "limbs throw the water off) and advection = semi-lagrangian",
                         .source = "Angst 2007, 7.1 and fig. 7.1 c to f",
                         .default_mesh = "figure",
                         .default_motion = "skin",
                         .default_advection = "semi-lagrangian",
                         .default_dt = 1.0 / 60,
                         .defaults = where_limbs_swing()},
                        fill_walking);
}

SceneEntry fill_shape_scene() {
  return describe_scene(
      {.name = "fill-shape",
       .summary = "a layer of water on a shape collects at its lower end, with or without a sharp front",
       .source = "Angst 2007, 6.3 and fig. 6.6",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 60,
       .defaults = where_water_gathers},
      fill_shape);
}

}  // namespace shoal
