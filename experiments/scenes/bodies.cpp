// Scenes `float`, `ball-drop` and `throw`: rigid bodies in water (Angst 2007, 6.2).
#include "experiments/scenes/common.hpp"
#include "solvers/coupling/solid.hpp"

#include <cmath>

namespace shoal {
namespace {

enum class BodyShape { ball, box, mesh };

struct BodyOptions {
  BodyShape shape = BodyShape::ball;
  double size = 0.3;                       ///< m
  Vector3 box = Vector3(1, 1, 1);          ///< times size
  std::string file{};                      ///< of the mesh
  double density = 500;                    ///< kg/m³
  Vector3 gravity = Vector3(0, 0, -9.81);  ///< m/s²
  CollisionOptions collision = {};
  static Options<BodyOptions> describe() {
    using O = BodyOptions;
    return Options<O>()
        .choice("body", &O::shape,
                {{"ball", BodyShape::ball}, {"box", BodyShape::box}, {"mesh", BodyShape::mesh}},
                "shape of the body")
        .number("body_size", "m", &O::size, min_positive, unlimited,
                "diameter of a ball; scale factor of a box or mesh")
        .vector("body_box", "1", &O::box, "sides of a box, x,y,z, times body_size")
        .text("body_file", "", &O::file,
              "closed mesh, for body = mesh: a file, or a name as for the key mesh")
        .number("body_density", "kg/m^3", &O::density, min_positive, unlimited, "density of the body")
        .vector("body_gravity", "m/s^2", &O::gravity, "gravitational acceleration of bodies, x,y,z")
        .part(&O::collision, CollisionOptions::describe());
  }
};

std::shared_ptr<const Solid> make_solid(const BodyOptions& options) {
  switch (options.shape) {
    case BodyShape::ball:
      return std::make_shared<Ball>(0.5 * options.size);
    case BodyShape::box:
      if (!(options.box.minCoeff() > 0))
        throw SettingError("body_box", "body_box: the three sides of a box must be positive");
      return std::make_shared<Box>(options.size * options.box);
    case BodyShape::mesh:
      break;
  }
  if (options.file.empty()) throw SettingError("body_file", "body = mesh requires body_file, a closed mesh");
  return with_context("parameter 'body_file'", [&] { return read_solid(options.file, options.size); });
}

/// The body of the scene at t = 0; a mesh has the orientation of its file.
BodySetting make_body(const BodyOptions& options, const std::string& name, const Vector3& position) {
  BodySetting body;
  body.name = name;
  body.solid = make_solid(options);
  body.density = options.density;
  if (const auto* mesh = dynamic_cast<const TriangleSolid*>(body.solid.get()))
    body.pose.rotation = mesh->rest().rotation;
  body.pose.position = position;
  return body;
}

SceneInstance with_body(SceneInstance instance, const BodyOptions& options, const BodySetting& body) {
  instance.coupling.emplace();
  instance.coupling->collision = options.collision;
  instance.bodies.gravity = options.gravity;
  instance.bodies.entrances = {{body, 0}};
  return instance;
}

struct FloatOptions {
  StillWaterOptions water;
  BodyOptions body{.shape = BodyShape::box,
                   .size = 1,
                   .box = Vector3(1, 1, 0.5),
                   .collision = {.columns = ColumnRule::all}};
  Vector3 position = Vector3(4, 4, 0.125);  ///< m
  static Options<FloatOptions> describe() {
    using O = FloatOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::body, BodyOptions::describe())
        .vector("body_position", "m", &O::position, "position of its centre of mass at t = 0");
  }
};

SceneInstance float_in_pool(const Surface& surface, const Geometry&, const FloatOptions& options) {
  SceneInstance instance = with_body(still_water(surface, options.water), options.body,
                                     make_body(options.body, "body", options.position));
  instance.end = 10;
  instance.sample_times = {1, 2, 5, 10};
  return instance;
}

struct FlightOptions {
  StillWaterOptions water{.depth = 0.2};
  BodyOptions body;
  Vector3 position = Vector3(0, 0, 1.5);  ///< m
  Vector3 velocity = Vector3::Zero();     ///< m/s
  static Options<FlightOptions> describe() {
    using O = FlightOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::body, BodyOptions::describe())
        .vector("body_position", "m", &O::position, "position of its centre of mass at t = 0")
        .vector("body_velocity", "m/s", &O::velocity, "velocity of the body at t = 0");
  }
};

SceneInstance flight(const Surface& surface, const Geometry&, const FlightOptions& options) {
  BodySetting ball = make_body(options.body, "ball", options.position);
  ball.velocity = options.velocity;
  SceneInstance instance = with_body(still_water(surface, options.water), options.body, ball);
  instance.end = 2;
  instance.sample_times = {0.25, 0.5, 1, 1.5, 2};
  return instance;
}

struct ThrowOptions {
  FlightOptions flight{
      .body = {.density = 1500}, .position = Vector3(2.5, 0, 0.6), .velocity = Vector3(-6, 0, 1)};
  static Options<ThrowOptions> describe() {
    return Options<ThrowOptions>().part(&ThrowOptions::flight, FlightOptions::describe());
  }
};

SceneInstance throw_at(const Surface& surface, const Geometry& geometry, const ThrowOptions& options) {
  return flight(surface, geometry, options.flight);
}

}  // namespace

SceneEntry float_scene() {
  return describe_scene({.name = "float",
                         .summary = "a body in a pool with walls bobs until it floats; unless body_bed = "
                                    "contact, it passes through the bed",
                         .source = "Angst 2007, 6.2.2",
                         .default_mesh = "rectangle:64x64:8x8",
                         .default_dt = 1.0 / 120},
                        float_in_pool);
}

SceneEntry ball_drop_scene() {
  return describe_scene(
      {.name = "ball-drop",
       .summary = "a ball falls onto the water layer on a sphere: a circular wave runs around the sphere",
       .source = "Angst 2007, 6.2 and fig. 6.5; Angst 2008, fig. 5",
       .default_mesh = "icosphere:5",
       .default_dt = 1.0 / 120},
      flight);
}

SceneEntry throw_scene() {
  return describe_scene({.name = "throw",
                         .summary = "a ball is thrown at the water layer on a sphere and passes through it",
                         .source = "Angst 2007, 6.2.1",
                         .default_mesh = "icosphere:5",
                         .default_dt = 1.0 / 120},
                        throw_at);
}

}  // namespace shoal
