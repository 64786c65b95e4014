// Scene `river`: boxes drift down a winding channel and touch its bed (after RTP 2008, fig. 11.5, of which the text at hand has only the
// caption; all numbers are ours).
#include "experiments/scenes/common.hpp"
#include "solvers/coupling/solid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

struct RiverOptions {
  StillWaterOptions water{.depth = 0.3};
  double half_width = 0.4, meander = 0.6, bank = 0.15, discharge = 0.1;
  int boxes = 40;
  double box_size = 0.1, box_density = 400;
  CollisionOptions collision{.columns = ColumnRule::all, .bed = true};
  static Options<RiverOptions> describe() {
    using O = RiverOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("half_width", "m", &O::half_width, min_positive, unlimited,
                "half the width of the water at rest; the cross-section is a parabola")
        .number("meander", "m", &O::meander, 0, unlimited,
                "amplitude of the centre line, one period of a sine over the length of the mesh")
        .number("bank", "m", &O::bank, 0, unlimited, "height of the banks above the water at rest")
        .number("discharge", "m^3/s", &O::discharge, 0, unlimited,
                "of the source in the first twentieth of the channel")
        .whole_number("boxes", "1", &O::boxes, 0, 1000, "number of boxes, four abreast")
        .number("box_size", "m", &O::box_size, min_positive, unlimited, "side of a box")
        .number("box_density", "kg/m^3", &O::box_density, min_positive, unlimited, "density of a box")
        .part(&O::collision, CollisionOptions::describe());
  }
};

/// The channel along x: y = middle + meander sin(2πx/length), x from the left end.
struct Channel {
  Vector3 low, size;
  double half_width, meander, depth, bank;

  double center(double x) const {
    return low.y() + 0.5 * size.y() + meander * std::sin(2 * std::numbers::pi * (x - low.x()) / size.x());
  }
  double slope(double x) const {
    const double k = 2 * std::numbers::pi / size.x();
    return meander * k * std::cos(k * (x - low.x()));
  }
  /// H, with the distance from the centre line to first order in the curvature.
  double bed(const Vector3& x) const {
    const double along = slope(x.x()), off = (x.y() - center(x.x())) / std::sqrt(1 + along * along);
    return std::max(-bank, depth * (1 - off * off / (half_width * half_width)));
  }
};

/// The boxes float at rest, four abreast, turned by different angles.
std::vector<BodyEntrance> boxes_in(const Channel& channel, const RiverOptions& options) {
  constexpr int abreast = 4;
  const double side = options.box_size, apart = 1.5 * side, start = 5 * side, golden_angle = 2.39996;
  const auto solid = std::make_shared<Box>(Vector3(side, side, side));
  const double height =
      side * std::max(0.5 - options.box_density / options.water.fluid.density, -0.5);  // of the centre
  std::vector<BodyEntrance> entrances;
  for (int i = 0; i < options.boxes; ++i) {
    const double x = channel.low.x() + start + (i / abreast) * 1.5 * apart, along = channel.slope(x),
                 off = (i % abreast - 0.5 * (abreast - 1)) * apart;
    const Vector3 across = Vector3(-along, 1, 0).normalized();
    BodyEntrance entrance;
    entrance.body = {.name = "box-" + std::to_string(i + 1), .solid = solid, .density = options.box_density};
    entrance.body.pose.position = Vector3(x, channel.center(x), channel.low.z() + height) + off * across;
    entrance.body.pose.rotation = Eigen::AngleAxisd(i * golden_angle, Vector3::UnitZ()).toRotationMatrix();
    entrances.push_back(entrance);
  }
  return entrances;
}

SceneInstance river(const Surface& surface, const Geometry&, const RiverOptions& options) {
  require_flat_basin(surface);
  find_boundary_set(surface.mesh, "right");
  const Vector3 low = surface.x.rowwise().minCoeff();
  const Channel channel{low,
                        surface.x.rowwise().maxCoeff() - low,
                        options.half_width,
                        options.meander,
                        options.water.depth,
                        options.bank};
  SceneInstance instance = still_water(surface, options.water);
  instance.bed_depth = [channel](const Vector3& x) { return channel.bed(x); };
  instance.initial.depth = [channel](const Vector3& x) { return std::max(0.0, channel.bed(x)); };
  const double spring = channel.low.x() + 0.05 * channel.size.x();
  instance.forcing.distributed_inflows = {
      {[=](const Vector3& x) { return x.x() < spring && channel.bed(x) > 0 ? 1.0 : 0.0; },
       options.discharge}};
  instance.forcing.boundaries = {{"right", BoundaryKind::outflow, 0.0}};
  instance.coupling.emplace();
  instance.coupling->collision = options.collision;
  instance.bodies.gravity = Vector3(0, 0, -options.water.fluid.gravity);
  instance.bodies.entrances = boxes_in(channel, options);
  instance.end = 12;
  instance.sample_times = {2, 4, 6, 8, 10, 12};
  return instance;
}

}  // namespace

SceneEntry river_scene() {
  return describe_scene(
      {.name = "river",
       .summary = "boxes drift down a winding channel, where they touch the bed and the banks",
       .source = "RTP 2008, fig. 11.5 (caption); shape and numbers ours",
       .default_mesh = "rectangle:96x48:6x3",
       .defaults = {{"dry_outflow", "closed"}}},
      river);
}

}  // namespace shoal
