// Scene `rest`: still water on any surface, over a flat or hilly bed. A well-balanced scheme keeps it still.
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

/// H(x) = depth·(1 + ½ sin(7ξ+1) sin(5υ+2) cos(6ζ+3)), with (ξ, υ, ζ) the position in the surface's bounding
/// box in units of the box's diagonal: a few hills on any surface, H between depth/2 and 3·depth/2.
ScalarField hilly_bed(const Surface& surface, double depth) {
  const Vector3 low = surface.x.rowwise().minCoeff();
  const double size = (surface.x.rowwise().maxCoeff() - low).norm();
  return [=](const Vector3& x) {
    const Vector3 p = (x - low) / size;
    return depth * (1 + 0.5 * std::sin(7 * p.x() + 1) * std::sin(5 * p.y() + 2) * std::cos(6 * p.z() + 3));
  };
}

struct RestOptions {
  StillWaterOptions water;
  bool hilly = false;
  static Options<RestOptions> describe() {
    return Options<RestOptions>()
        .part(&RestOptions::water, StillWaterOptions::describe())
        .choice("bed", &RestOptions::hilly, {{"flat", false}, {"bumps", true}},
                "flat: H = depth; bumps: smooth hills, H between 0.5 and 1.5 depth");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const RestOptions& options) {
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 1;
  instance.sample_times = {1};
  if (options.hilly) instance.bed_depth = hilly_bed(surface, instance.depth);
  instance.initial.depth = instance.bed_depth;  // h = 0
  instance.references = {{"", [bed = instance.bed_depth](const Points& points, double, Vector& depth) {
                            depth.resize(points.cols());
                            for (Eigen::Index i = 0; i < points.cols(); ++i) depth[i] = bed(points.col(i));
                          }}};
  instance.references.front().still = true;
  return instance;
}

}  // namespace

SceneEntry rest_scene() {
  return describe_scene(
      {.name = "rest",
       .summary = "still water on any surface over a flat or hilly bed: a test that it stays still",
       .source = "lake at rest, h = 0 and v = 0, under uniform aₙ",
       .default_mesh = "icosphere:4"},
      make);
}

}  // namespace shoal
