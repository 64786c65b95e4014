// The setting of a world, as values: sources, pushes, bodies, and their coupling to the water.
#pragma once

#include "solvers/coupling/artificial_acceleration.hpp"
#include "solvers/force_terms.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace shoal {

class Solid;  // solid.hpp

/// Inflow around a point: a cell at distance r receives a share proportional to its area times exp(−(r/radius)²). A negative
/// discharge drains the water that is present. The shares are set when the source begins and stay with the cells of a moving
/// surface. With a `divergence` q of the flux ηv, only the nearest cell has an inflow, V_t = −qA with its present area A.
struct Source {
  Vector3 point = Vector3::Zero();  ///< m
  double radius = 0;                ///< m
  double discharge = 0;             ///< m³/s
  double divergence = 0;            ///< m/s; 0: none
  Interval interval = {};
  std::string parameter{};  ///< names the parameter with its position, for messages
};

/// An acceleration of the water around a point in space, multiplied by exp(−r²/2σ²) at distance r.
struct Push {
  Vector3 point = Vector3::Zero();         ///< m
  Vector3 acceleration = Vector3::Zero();  ///< m/s²
  double width = 1;                        ///< σ, m
  Interval interval = {};
};

enum class DragLaw { quadratic, linear };

/// Which of the columns cut by a solid count: those in which it emerges from the water; these and the columns connected to
/// them; all.
enum class ColumnRule { emerging, joined, all };

/// Options of bodies in water (collision.md).
struct CollisionOptions {
  DragLaw drag_law = DragLaw::quadratic;
  double drag = 1;        ///< C
  double drag_speed = 1;  ///< m/s, the speed at which both laws agree
  double push = 1;        ///< factor of ρ|aₙ|Δη/η
  ColumnRule columns = ColumnRule::joined;
  int column_rays = 4;            ///< per triangle; a square number
  double thinnest_column = 0.01;  ///< m, replaces the depth of thinner water as the divisor of forces
  bool bed = false;               ///< whether bodies touch the bed; otherwise they pass through it
  double bed_friction = 0.5;      ///< of Coulomb's law, between bodies and the bed
  static Options<CollisionOptions> describe();
};

/// The options that can change while a world runs.
struct CouplingOptions {
  ArtificialAccelerationOptions artificial{.strength = 0};  ///< strength 0: none
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

/// Position and rotation of a body; they map body coordinates x' to space: x = rotation·x' + position.
struct Pose {
  Vector3 position = Vector3::Zero();
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
};

/// A body at the time when it enters the world.
struct BodySetting {
  std::string name = "body";             ///< a unique word, for messages and results
  std::shared_ptr<const Solid> solid{};  ///< shared by all bodies of this shape
  double density = 500;                  ///< kg/m³
  Pose pose{};
  Vector3 velocity = Vector3::Zero();          ///< m/s, of the centre of mass
  Vector3 angular_velocity = Vector3::Zero();  ///< rad/s, in space
};

/// A body that enters the world at time `begin`, s.
struct BodyEntrance {
  BodySetting body;
  double begin = 0;
};

struct BodiesSetting {
  Vector3 gravity = Vector3(0, 0, -9.81);  ///< m/s², acts on bodies
  double restitution = 0.5;                ///< of contacts between bodies
  std::vector<BodyEntrance> entrances;     ///< in the order of the bodies' numbers
};

}  // namespace shoal
