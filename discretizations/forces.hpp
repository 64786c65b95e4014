// The terms of the equations, the forcing of the fluid, and the data that a scheme derives from it.
#pragma once

#include "discretizations/boundaries.hpp"
#include "discretizations/state.hpp"

#include <limits>
#include <memory>
#include <optional>

namespace shoal {

/// The terms of f(q) = q_t. The mass flux belongs to `gravity`: the two together describe waves.
enum class Term : unsigned {
  gravity = 1,  ///< V_t = −∇·(ηv) A,  v_t = aₙ∇h + ½η∇aₙ; with the fluxes through levels and outflows
  advection = 2,  ///< v_t = −v·∇v
  coriolis = 4,   ///< v_t = −f_c n×v
  force = 8,      ///< v_t = f/ρ
  friction = 16,  ///< v_t = −c v
  source = 32     ///< V_t = inflow,  v_t = (own inflow) (own velocity − v)/η
};

/// A set of terms.
class Terms {
 public:
  constexpr Terms() = default;
  constexpr Terms(Term term) : bits_(static_cast<unsigned>(term)) {}
  static constexpr Terms all() { return Terms(63); }

  constexpr bool has(Term term) const { return (bits_ & static_cast<unsigned>(term)) != 0; }
  constexpr bool contain(Terms other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr Terms operator|(Terms other) const { return Terms(bits_ | other.bits_); }
  constexpr Terms operator&(Terms other) const { return Terms(bits_ & other.bits_); }
  constexpr Terms without(Terms other) const { return Terms(bits_ & ~other.bits_); }
  constexpr bool operator==(const Terms&) const = default;

 private:
  constexpr explicit Terms(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

constexpr Terms operator|(Term a, Term b) {
  return Terms(a) | Terms(b);
}

/// "gravity, force"
std::string to_string(Terms terms);

/// Water added at a constant rate: `discharge` m³/s in total, distributed over the cells in proportion to
/// area times weight(x).
struct DistributedInflow {
  ScalarField weight;
  double discharge = 0;  ///< negative: a sink
  /// [3, nV] m/s, velocity of the added water in space, of which the tangential part is used. Size 0: at
  /// rest. No value: the velocity of the water in the cell, which also holds for a sink.
  std::optional<Points> velocity = {};
  /// whether an inflow that reaches no cell is an error, as for a source beside the mesh
  bool required = true;
};

/// The forcing of the fluid. Constant during a step.
struct Forcing {
  Vector normal_acceleration;  ///< [nV] aₙ, m/s²; negative where it presses the fluid onto the surface
  double gravity = 9.81;       ///< g, m/s²: thresholds on aₙ are relative to it
  /// [3, nV] force per mass, m/s²: its normal part is added to aₙ, its tangential part accelerates the
  /// velocity. Empty: none.
  Points body_acceleration = {};
  /// Ω, rad/s: positions refer to a rotating frame. This adds −f_c n×v with f_c = 2Ω·n to the momentum and,
  /// if the mesh moves, the tangential part of −2Ω×ẋ. Normal parts and the centrifugal force are assumed to
  /// be part of gravity.
  Vector3 rotation = Vector3::Zero();
  /// [3, nV] ẋ, m/s: velocity of the mesh; v is relative to it (surface_motion.hpp). Empty: the mesh is at
  /// rest, or the effect of its motion on the fluid is neglected.
  Points surface_velocity = {};
  /// [3, nV] ẍ, m/s²: acceleration of the mesh, for water beside dry land, which moves or not depending on the
  /// sum of all forces in the frame of the mesh. Empty: not needed, or unknown.
  Points surface_acceleration = {};
  Vector3 observer =
      /// m/s, velocity of the frame to which surface_velocity refers: the mesh moves with their sum
      Vector3::Zero();
  double friction = 0;  ///< c, 1/s: v_t = −c v
  /// [cells of the scheme] m³/s: water added with the velocity of the water in the cell; negative: removed,
  /// limited by the volume present. Empty: none.
  Vector inflow = {};
  std::vector<DistributedInflow> distributed_inflows = {};
  /// Conditions on the mesh's boundary sets; sets without one are walls. Over a step a value is replaced by
  /// its mean in time.
  BoundaryConditions boundaries = {};
};

/// acceleration = −2Ω×ẋ [3, nV]: the Coriolis acceleration due to the mesh velocity in a rotating frame, in
/// addition to −f_c n×v, because the schemes evolve only the velocity relative to the mesh.
inline void coriolis_of_mesh(const Forcing& forcing, Points& acceleration) {
  acceleration = forcing.surface_velocity.colwise() + forcing.observer;
  for (Eigen::Index i = 0; i < acceleration.cols(); ++i)
    acceleration.col(i) = -2 * forcing.rotation.cross(Vector3(acceleration.col(i)));
}

/// Data that a scheme derives for its own use. The scheme creates the struct; no other code depends on its
/// type.
struct SchemeForces {
  virtual ~SchemeForces() = default;
  virtual std::unique_ptr<SchemeForces> clone() const = 0;
};

/// The owner of a SchemeForces; copies are deep.
class OwnForces {
 public:
  OwnForces() = default;
  OwnForces(std::unique_ptr<SchemeForces> forces) : forces_(std::move(forces)) {}
  OwnForces(const OwnForces& other) : forces_(other.forces_ ? other.forces_->clone() : nullptr) {}
  OwnForces(OwnForces&&) noexcept = default;
  OwnForces& operator=(OwnForces other) noexcept {
    forces_ = std::move(other.forces_);
    return *this;
  }
  explicit operator bool() const { return forces_ != nullptr; }
  template <class T>
  T& as() {
    return static_cast<T&>(*forces_);
  }
  template <class T>
  const T& as() const {
    return static_cast<const T&>(*forces_);
  }

 private:
  std::unique_ptr<SchemeForces> forces_;
};

/// The data that a scheme derives from a Forcing, at its own degrees of freedom: a value owned by the caller,
/// computed by Discretization::derive() for one geometry. Arrays that do not apply keep their contents, so
/// that switching a force on or off allocates nothing; the flags say which arrays are valid.
struct Forces {
  OwnForces own;  ///< derived from aₙ, and other data of the scheme
  Index clamped_accelerations = 0;

  bool has_body_force = false;
  Vector body_force;  ///< [velocity] f/ρ, the tangential part of the body acceleration, m/s²

  /// The forces that determine which sites beside dry land are closed, for a work measured as the difference
  /// of two rates over the same shore; null: these forces themselves.
  const Forces* shore = nullptr;

  bool rotates = false;
  Vector3 rotation = Vector3::Zero();  ///< Ω, rad/s
  Vector coriolis;  ///< [faces or cells] f_c, 1/s; includes the vorticity of the surface's own motion
  bool moves = false;
  Points surface_velocity;  ///< [3, nV] ẋ, m/s
  Vector surface_force;  ///< [velocity] the part ∇½|ẋ|² − 2Ω×ẋ of body_force; empty: not separated
  Vector surface_vorticity;  ///< [nV] vorticity of the surface's motion, n·∇×ẋ, 1/s

  double friction = 0;  ///< 1/s

  bool has_inflow = false;
  /// 1/s: the largest fraction of the water in a cell that sinks remove per second.
  double sink_rate = std::numeric_limits<double>::infinity();
  /// 1/s: 1 over the length of the Euler steps of the integrator, set by the time stepper. It bounds the rate
  /// at which an inflow with its own velocity changes the velocity of the water, and is the time scale in
  /// which flow towards dry land may come to rest. Infinite: no step is taken, only rates.
  double steps_per_second = std::numeric_limits<double>::infinity();
  Vector inflow;         ///< [cells] m³/s; includes discharges if the scheme treats them as sources
  Vector steady_inflow;  ///< [cells] m³/s, without discharges through the boundary
  /// Inflow with its own velocity: m³/s per cell, or m/s at the velocity sites in schemes that store velocity
  /// elsewhere, one value for each entry of the velocity; and its velocity relative to the mesh.
  bool has_own_velocity = false;
  Vector own_inflow, own_velocity;  ///< [velocity]
  OpenBoundary open_boundary;
};

}  // namespace shoal
