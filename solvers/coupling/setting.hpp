// What a world is made from, as values: sources, pushes, bodies, and how they couple to the water.
#pragma once

#include "solvers/coupling/artificial_acceleration.hpp"
#include "solvers/force_terms.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace shoal {

class Solid;  // solid.hpp

/// Water that comes in around a point, into the cells at distances r of it as exp(−(r/radius)²) times their area;
/// negative: goes out, as far as it is there. The cells are those at the source's beginning, and keep their shares where the
/// surface moves.
struct Source {
  Vector3 point = Vector3::Zero();  ///< m
  double radius = 0;                ///< m
  double discharge = 0;             ///< m³/s
  Interval interval = {};
  std::string parameter{};  ///< that gives its place, for messages
};

/// An acceleration of the water around a point in space: times exp(−r²/2σ²) at the distance r.
struct Push {
  Vector3 point = Vector3::Zero();         ///< m
  Vector3 acceleration = Vector3::Zero();  ///< m/s²
  double width = 1;                        ///< σ, m
  Interval interval = {};
};

enum class DragLaw { quadratic, linear };

/// Which of the columns that a solid cuts count: those where it reaches above the water; these and those joined to them;
/// all.
enum class ColumnRule { emerging, joined, all };

/// Of bodies in water (collision.md).
struct CollisionOptions {
  DragLaw drag_law = DragLaw::quadratic;
  double drag = 1;        ///< C
  double drag_speed = 1;  ///< m/s, at which both laws agree
  double push = 1;        ///< times ρ|aₙ|Δη/η
  ColumnRule columns = ColumnRule::joined;
  int column_rays = 4;            ///< of each triangle; a square number
  double thinnest_column = 0.01;  ///< m, by which a force on thinner water is divided
  static Options<CollisionOptions> describe();
};

/// What can change while a world runs.
struct CouplingOptions {
  ArtificialAccelerationOptions artificial{.strength = 0};  ///< without strength there is none
  CollisionOptions collision{};
  static Options<CouplingOptions> describe();
};
bool is_coupling_option(const std::string& name);

struct CouplingSetting {
  std::optional<ArtificialAccelerationOptions> artificial_acceleration;
  std::vector<Source> sources{};
  std::vector<Push> pushes{};
  CollisionOptions collision{};
  void configure(const CouplingOptions& options);
};

/// A position and a rotation, from the coordinates of a body to space: x = rotation·x' + position.
struct Pose {
  Vector3 position = Vector3::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
};

/// A body as it enters the world.
struct BodySetting {
  std::string name = "body";             ///< a word, for messages and results; no two bodies have the same
  std::shared_ptr<const Solid> solid{};  ///< shared by all bodies of this shape
  double density = 500;                  ///< kg/m³
  Pose pose{};
  Vector3 velocity = Vector3::Zero();          ///< m/s, of the centre of mass
  Vector3 angular_velocity = Vector3::Zero();  ///< rad/s, in space
};

/// A body that enters the world when its time has come to `begin`, s.
struct BodyEntrance {
  BodySetting body;
  double begin = 0;
};

struct BodiesSetting {
  Vector3 gravity = Vector3(0, 0, -9.81);  ///< m/s², that bodies fall with
  double restitution = 0.5;                ///< of contacts between bodies
  std::vector<BodyEntrance> entrances;     ///< in the order in which bodies are numbered
};

}  // namespace shoal
