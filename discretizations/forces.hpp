// The terms of the equations by name, what acts on the fluid, and what a scheme derives from that.
#pragma once

#include "discretizations/boundaries.hpp"
#include "discretizations/state.hpp"

#include <limits>
#include <memory>
#include <optional>

namespace shoal {

/// The terms of f(q) = q_t. The mass flux belongs to `gravity`: together they are waves.
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

/// Water added at a constant rate: `discharge` m³/s in all, spread over the cells by area times weight(x).
struct DistributedInflow {
  ScalarField weight;
  double discharge = 0;  ///< negative: taken away
  /// [3, nV] m/s, the velocity in space that it comes with, of which the tangential part counts; of no size: at rest; no
  /// value: that of the water there, which is also the velocity of what is taken away.
  std::optional<Points> velocity = {};
  bool required = true;  ///< whether it is a mistake where it reaches no cell, as of a source beside the mesh
};

/// What acts on the fluid. Held constant over a step.
struct Forcing {
  Vector normal_acceleration;  ///< [nV] aₙ, m/s²; negative where it holds the fluid on the surface
  double gravity = 9.81;       ///< g, m/s²: thresholds on aₙ are relative to it
  /// [3, nV] a force per mass, m/s²: its normal part joins aₙ, its tangential part drives the velocity.
  /// Empty: none.
  Points body_acceleration = {};
  /// Ω, rad/s: positions are those in a frame that rotates, which adds −f_c n×v with f_c = 2Ω·n to the momentum and, where
  /// the mesh moves, the part of −2Ω×ẋ along the surface. Normal parts and the centrifugal force are taken to be part
  /// of gravity.
  Vector3 rotation = Vector3::Zero();
  /// [3, nV] ẋ, m/s: the mesh moves with this velocity and v is relative to it (surface_motion.hpp). Empty:
  /// the mesh is at rest, or what its motion does to the fluid is left out.
  Points surface_velocity = {};
  Vector3 observer =
      Vector3::Zero();  ///< m/s, from whom surface_velocity is seen: the mesh moves with both together
  double friction = 0;  ///< c, 1/s: v_t = −c v
  /// [cells of the scheme] m³/s: water that is added, with the velocity of the water there; negative: taken
  /// away, as far as it is there. Empty: none.
  Vector inflow = {};
  std::vector<DistributedInflow> distributed_inflows = {};
  /// Of the mesh's boundary sets; those without a condition are walls. Over a step a value is its mean in
  /// time.
  BoundaryConditions boundaries = {};
};

/// −2Ω×ẋ [3, nV], what water feels of a mesh that moves in a frame that rotates, besides −f_c n×v: ẋ is a part of its
/// velocity that no scheme carries.
inline void coriolis_of_mesh(const Forcing& forcing, Points& acceleration) {
  acceleration = forcing.surface_velocity.colwise() + forcing.observer;
  for (Eigen::Index i = 0; i < acceleration.cols(); ++i)
    acceleration.col(i) = -2 * forcing.rotation.cross(Vector3(acceleration.col(i)));
}

/// What one scheme derives for itself. It makes the struct, and alone knows its type.
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

/// What a scheme derives from a Forcing, at its own places: a value that belongs to the caller, made by
/// Discretization::derive() for one geometry. Arrays that do not apply keep their contents, so that nothing
/// is allocated when a force is switched on and off; the flags say which are valid.
struct Forces {
  OwnForces own;  ///< from aₙ, and whatever else the scheme needs
  Index clamped_accelerations = 0;

  bool has_body_force = false;
  Vector body_force;  ///< [velocity] f/ρ, the tangential part of the body acceleration, m/s²

  /// By which sites beside dry land are closed, where a work is measured as the difference of two rates over the same shore;
  /// null: by these.
  const Forces* shore = nullptr;

  bool rotates = false;
  Vector3 rotation = Vector3::Zero();  ///< Ω, rad/s
  Vector coriolis;  ///< [faces or cells] f_c, 1/s; with the vorticity of the surface's own motion
  bool moves = false;
  Points surface_velocity;  ///< [3, nV] ẋ, m/s
  Vector surface_force;  ///< [velocity] the part of body_force that is ∇½|ẋ|² − 2Ω×ẋ; empty: not told apart
  Vector surface_vorticity;  ///< [nV] that vorticity, n·∇×ẋ, 1/s

  double friction = 0;  ///< 1/s

  bool has_inflow = false;
  /// 1/s: of what is in a cell the part that sinks take in a second at most.
  double sink_rate = std::numeric_limits<double>::infinity();
  /// 1/s: 1 over the length of the Euler steps that the integrator is made of, set by whoever steps: an inflow of its own
  /// velocity brings the water to that at no higher rate, and what flows towards dry land may come to rest within it.
  /// Infinite: of rates alone.
  double steps_per_second = std::numeric_limits<double>::infinity();
  Vector inflow;         ///< [cells] m³/s; of schemes that take a discharge as a source with it
  Vector steady_inflow;  ///< [cells] m³/s, without the discharges through boundaries
  /// Of the inflow that comes with a velocity of its own: how much, m³/s per cell or, in schemes with velocities elsewhere,
  /// m/s at their sites, one value for each entry of the velocity; and its velocity relative to the mesh.
  bool has_own_velocity = false;
  Vector own_inflow, own_velocity;  ///< [velocity]
  OpenBoundary open_boundary;
};

}  // namespace shoal
