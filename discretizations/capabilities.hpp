// What only some schemes can do: named interfaces that a scheme offers by deriving from them.
//
//     MovesWithSurface   its surface may move
//     OpensBoundaries    boundaries may be open
//     TurnsVelocity      the rotation of the velocity as an exact flow, for splittings
//     DryLand            velocities where there may be no water
//     Split              the rates of depth and velocity apart
//     Wave               adjoint gradient and divergence
//     FaceVelocity       a tangent vector per triangle, which a transport can carry
#pragma once

#include "discretizations/common/symmetric_matrix.hpp"
#include "discretizations/discretization.hpp"

namespace shoal {

/// Capability: the scheme follows a surface that moves.
class MovesWithSurface {
 public:
  static constexpr const char* name = "motion of the surface";
  virtual ~MovesWithSurface() = default;

  /// The positions behind Discretization::geometry() have changed, its connectivity has not: areas and operators follow.
  /// `carried`: a state whose velocity is carried along, or null; volumes stay what they are. All Forces have
  /// to be derived anew. A scheme that does not exist on the new geometry may throw Refusal.
  /// With carried_velocity = circulation the caller converts the velocity with lower() and raise(); `carried` stays
  /// unchanged.
  virtual void refresh(State* carried) = 0;

  /// The velocity's entries become its covariant components U_β = v·∂_βx, circulations along edges (m²/s; of a
  /// momentum times the volume), and back, in place and in the current geometry.
  virtual void lower(State& state) const = 0;
  virtual void raise(State& state) const = 0;
  /// velocity += scale · the tangential part of ẋ [3, nV].
  virtual void add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                                    Scratch& scratch) const = 0;
  /// From the velocity relative to a mesh that moves with ẋ (empty: at rest) to the absolute circulation, and
  /// back.
  void to_circulation(const Points& surface_velocity, State& state, Scratch& scratch) const;
  void to_velocity(const Points& surface_velocity, State& state, Scratch& scratch) const;

  /// `of_motion` = what acts where the motion of the mesh alone acts besides gravity: of `under_gravity` what comes from
  /// aₙ, of `forces` what comes from the motion. Arrays keep their storage.
  virtual void separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const;
};

/// Capability: water may cross the boundary.
class OpensBoundaries {
 public:
  static constexpr const char* name = "open boundaries";
  virtual ~OpensBoundaries() = default;

  /// rate += scale · the difference of f(state) between open boundaries and walls, a part of the term
  /// gravity.
  virtual void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                  Scratch& scratch) const = 0;

  /// The power per density, m⁵/s³, with which the rates of `terms` at open boundaries change the energy besides
  /// add_boundary_rates() and sources: of heads and vorticities that are those of the water that enters. The terms advection
  /// and coriolis alone have such a part, in schemes that have these terms apart.
  virtual double opening_power(const State& /*state*/, const Forces& /*forces*/, Terms /*terms*/,
                               Scratch& /*scratch*/) const {
    return 0;
  }

  /// Appends where the flux through this edge of the boundary acts, with its lengths.
  virtual void add_open_edge(Index edge, Index set, BoundaryKind kind,
                             Array<OpenBoundary::Place>& places) const = 0;
  /// Whether a discharge carries no momentum and is treated as a source in the cells at the boundary.
  virtual bool discharge_is_source() const = 0;

  /// lacking [sources], m³/s: what discharges outwards that are sources ask for beyond what the water can give.
  virtual void lacking_discharge(const ConstBlock& /*volume*/, const Forces& forces, Vector& lacking) const {
    lacking.setZero(forces.open_boundary.sources.size());
  }
};

/// Capability: rotation as a flow of its own.
class TurnsVelocity {
 public:
  static constexpr const char* name = "rotation of the velocity";
  virtual ~TurnsVelocity() = default;

  /// The flow of v_t = −f_c n×v for the time dt, exact, at fixed depth: the kinetic energy is kept to
  /// round-off. Schemes that sum a series give a velocity that is not a number where it turns by more than max_turn.
  static constexpr double max_turn = 1000;  // rad: 159 inertial periods in one step
  virtual void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const = 0;
};

/// Capability: the scheme keeps a velocity where there may be no water.
class DryLand {
 public:
  static constexpr const char* name = "dry land";
  virtual ~DryLand() = default;
  /// The velocity of places over which nothing flows becomes zero: what water left behind there when it went, and what
  /// the rates, which hold it from then on, cannot take away. Changes depths only if the scheme has been asked to,
  /// against the mass.
  virtual void stop_on_dry_land(State& state, const Forces& forces, Scratch& scratch) const = 0;
  /// For linear systems, whose fluxes have one depth per velocity site: depth = 0 where pressure and force drive no water
  /// onto the land beside it.
  virtual void close_dry_sites(VectorIn volume, const Forces& forces, Vector& depth,
                               Scratch& scratch) const = 0;
};

/// Capability: depth and velocity rates apart, for integrators that update one with the other's new value.
class Split {
 public:
  static constexpr const char* name = "split rates";
  virtual ~Split() = default;
  /// rate[volume] += scale · V_t(state), V_t = −D(η) u, and rate[boundary_volume] the part of it through open
  /// boundaries; of the terms only gravity and source have a part here. `rate` may be the state.
  virtual void add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                              State& rate, Scratch& scratch) const = 0;
  /// rate[velocity] += scale · u_t(state). Gravity and force alone, u_t = aₙ∇h + ½η∇aₙ + f/ρ in the exact
  /// form −s G(√|a| h) + b + f/ρ (note on Wave), do not read the velocity: `rate` may then be that of the
  /// state.
  virtual void add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                 VectorOut rate, Scratch& scratch) const = 0;
};

/// What acts on waves.
struct WaveForces : SchemeForces {
  Vector root_acceleration;       ///< [cells] r = √|aₙ|
  Vector site_root_acceleration;  ///< [sites] s, its mean at velocity sites
  bool has_force = false;
  Vector force;  ///< [velocity] b + f/ρ, m/s²: all of u_t that does not depend on the state

  static const WaveForces& of(const Forces& forces) { return forces.own.as<WaveForces>(); }
  static WaveForces& of(Forces& forces) { return forces.own.as<WaveForces>(); }
  std::unique_ptr<SchemeForces> clone() const override { return std::make_unique<WaveForces>(*this); }
};

/// Capability: the wave part of a scheme in terms of two adjoint operators. With r = √|aₙ| at cells, s its
/// mean at velocity sites, W the mass matrix of the velocity (½uᵀWu its energy at unit depth) and V = A η:
///
///     u_t = −s G(r h) + b + f/ρ,    V_t = −D(η̄) u,    D(w) = −Gᵀ W diag(w),
///     K(w) = −D(w) G = Gᵀ W diag(w) G.
///
/// The sign of D: (D(1) u)ᵢ is the net outflow of cell i, Aᵢ(∇·u)ᵢ. b vanishes for uniform aₙ; it is the part
/// of the bed in the exact identity aₙ∇h + ½η∇aₙ = −√|aₙ|∇(√|aₙ|η) + |aₙ|∇H. K is symmetric positive
/// semidefinite for w ≥ 0. r, s and b + f/ρ are in a WaveForces, which the scheme's own part of Forces is. Derivation:
/// discretizations/wave_scheme/wave_scheme.md.
class Wave {
 public:
  static constexpr const char* name = "wave operators";
  virtual ~Wave() = default;
  virtual Index sites() const = 0;
  /// p = r h = √|aₙ| (V/A − H), whose gradient drives the velocity.
  virtual void pressure(VectorIn volume, const Forces& forces, Vector& p) const = 0;
  /// η̄ at the velocity sites, 0 where negative.
  virtual void site_depth(VectorIn volume, Vector& depth, Scratch& scratch) const = 0;
  /// flow += scale · diag(weight) G p; weight per site.
  virtual void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const = 0;
  /// out += scale · D(weight) flow.
  virtual void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out,
                           Scratch& scratch) const = 0;
  /// out += scale · K(weight) p.
  virtual void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out,
                             Scratch& scratch) const = 0;
  /// The pattern of K's lower triangle with all values zero; the diagonal is always present.
  virtual SymmetricMatrix stiffness_pattern() const = 0;
  /// Increases whenever that pattern changes, which it may when the geometry changes.
  virtual Index pattern_version() const { return 0; }
  /// matrix = diag(diagonal) + scale · K(weight), values refreshed in place. `matrix` comes from
  /// stiffness_pattern().
  virtual void assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix,
                        Scratch& scratch) const = 0;
};

/// Capability: the velocity is a tangent vector per triangle, by its barycentric rates: β₁ of all faces, then
/// β₂, where v = β₁ (x₁−x₀) + β₂ (x₂−x₀). A transport over the surface can carry it.
class FaceVelocity {
 public:
  static constexpr const char* name = "a velocity vector per triangle";
  virtual ~FaceVelocity() = default;
  /// The field of the state that holds the rates.
  virtual const Field& barycentric_rates() const = 0;
  /// Whether the transport has to carry the depth as well, because the scheme leaves v·∇η out of its rate.
  virtual bool leaves_depth_to_transport() const { return false; }
};

/// `discretization` as a Split, Wave, …; null if it does not offer it.
template <class Capability>
const Capability* offered(const Discretization& discretization) {
  return dynamic_cast<const Capability*>(&discretization);
}
template <class Capability>
Capability* offered(Discretization& discretization) {
  return dynamic_cast<Capability*>(&discretization);
}

}  // namespace shoal
