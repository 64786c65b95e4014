// Features that not every scheme offers: named interfaces from which a scheme derives.
//
//     MovesWithSurface   supports a moving surface
//     OpensBoundaries    supports open boundaries
//     TurnsVelocity      the rotation of the velocity as an exact flow, for splittings
//     DryLand            velocities at dry cells
//     Split              separate rates of depth and velocity
//     Wave               adjoint gradient and divergence
//     FaceVelocity       a tangent vector per triangle, which a transport can advect
//     Linearises         an approximate Jacobian, for linearly implicit steps
//     OwnStep            a step of its own in place of rates
#pragma once

#include "discretizations/common/symmetric_matrix.hpp"
#include "discretizations/discretization.hpp"

namespace shoal {

/// Capability: the scheme follows a surface that moves.
class MovesWithSurface {
 public:
  static constexpr const char* name = "motion of the surface";
  virtual ~MovesWithSurface() = default;

  /// Updates areas and operators after the positions behind Discretization::geometry() have changed; the
  /// connectivity is fixed. `carried`: a state whose velocity is converted in place, or null; volumes are
  /// unchanged. All Forces must be derived anew. Throws Refusal if the scheme does not exist on the new
  /// geometry. With carried_velocity = circulation the caller converts the velocity with lower() and raise();
  /// refresh() leaves `carried` unchanged.
  virtual void refresh(State* carried) = 0;

  /// Converts the entries of the velocity to its covariant components U_β = v·∂_βx, circulations along edges
  /// (m²/s; for momenta times the volume), and back, in place and in the current geometry.
  virtual void lower(State& state) const = 0;
  virtual void raise(State& state) const = 0;
  /// velocity += scale · tangential part of ẋ [3, nV].
  virtual void add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                                    Scratch& scratch) const = 0;
  /// Converts the velocity relative to a mesh that moves with ẋ (empty: at rest) to the absolute circulation,
  /// and back.
  void to_circulation(const Points& surface_velocity, State& state, Scratch& scratch) const;
  void to_velocity(const Points& surface_velocity, State& state, Scratch& scratch) const;

  /// Sets `of_motion` to the forces of gravity and the motion of the mesh alone: the part derived from aₙ is
  /// taken from `under_gravity`, the part due to the motion from `forces`. Arrays keep their storage.
  virtual void separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const;
};

/// Capability: fluxes through the boundary.
class OpensBoundaries {
 public:
  static constexpr const char* name = "open boundaries";
  virtual ~OpensBoundaries() = default;

  /// rate += scale · (f(state) with open boundaries − f(state) with walls), a part of the term gravity.
  virtual void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                  Scratch& scratch) const = 0;

  /// The power divided by ρ, m⁵/s³, of the rates of `terms` at open boundaries, in addition to
  /// add_boundary_rates() and sources, because what passes there is not the water of a cell's mean. Nonzero for
  /// advection and coriolis in schemes that evaluate them separately (the head and the vorticity are those of
  /// the entering water), and for gravity in those that reconstruct the water at edges.
  virtual double opening_power(const State& /*state*/, const Forces& /*forces*/, Terms /*terms*/,
                               Scratch& /*scratch*/) const {
    return 0;
  }

  /// Appends the places at which the flux through this boundary edge acts, with their lengths.
  virtual void add_open_edge(Index edge, Index set, BoundaryKind kind,
                             Array<OpenBoundary::Place>& places) const = 0;
  /// Whether a discharge is a source term in the cells at the boundary, which by itself leaves the velocity unchanged.
  virtual bool discharge_is_source() const = 0;

  /// lacking [sources], m³/s: for discharges treated as sources, the part of the prescribed outflow that
  /// exceeds the critical outflow.
  virtual void lacking_discharge(const ConstBlock& /*volume*/, const Forces& forces, Vector& lacking) const {
    lacking.setZero(forces.open_boundary.sources.size());
  }
};

/// Capability: the rotation of the velocity as a separate exact flow.
class TurnsVelocity {
 public:
  static constexpr const char* name = "rotation of the velocity";
  virtual ~TurnsVelocity() = default;

  /// Advances v_t = −f_c n×v by dt, exactly, at fixed depth: conserves kinetic energy to round-off. Schemes
  /// that sum a series set the velocity to NaN if the angle exceeds max_turn.
  static constexpr double max_turn = 1000;  // rad: 159 inertial periods in one step
  virtual void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const = 0;
};

/// Capability: handles velocities where cells may be dry.
class DryLand {
 public:
  static constexpr const char* name = "dry land";
  virtual ~DryLand() = default;
  /// Removes the velocity that receding water leaves behind where the rates cannot: sets it to zero where it
  /// is closed by dry land, and projects it at a shore. Changes depths only with dry_cells = emptied, which
  /// adds mass.
  virtual void stop_on_dry_land(State& state, const Forces& forces, Scratch& scratch) const = 0;
  /// Whether dry land or a film makes the rates depend on Forcing::surface_acceleration.
  virtual bool resists_inertia(VectorIn /*volume*/) const { return false; }
};

/// Capability: separate rates of depth and velocity, for integrators that update one with the new value of
/// the other.
class Split {
 public:
  static constexpr const char* name = "split rates";
  virtual ~Split() = default;
  /// rate[volume] += scale · V_t(state), V_t = −D(η) u, and rate[boundary_volume] its part through open
  /// boundaries. Only the terms gravity and source contribute. `rate` may be the state.
  virtual void add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                              State& rate, Scratch& scratch) const = 0;
  /// rate[velocity] += scale · u_t(state). The terms gravity and force, u_t = aₙ∇h + ½η∇aₙ + f/ρ in the exact
  /// form −s G(√|a| h) + b + f/ρ (see Wave), do not depend on the velocity; for these alone, `rate` may be
  /// the velocity of the state.
  virtual void add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                 VectorOut rate, Scratch& scratch) const = 0;
};

/// The forces in a scheme with wave operators.
struct WaveForces : SchemeForces {
  Vector root_acceleration;       ///< [cells] r = √|aₙ|
  Vector site_root_acceleration;  ///< [sites] s, mean of r at velocity sites
  bool has_force = false;
  Vector force;  ///< [velocity] b + f/ρ, m/s²: the part of u_t that does not depend on the state
  bool has_inertia = false;
  /// [velocity] −ẍ − ∇½|ẋ|², m/s²: the change of u with the motion of the mesh at constant absolute circulation. Not a term of u_t
  /// on the frozen mesh, but it decides where water moves beside dry land.
  Vector inertia;

  static const WaveForces& of(const Forces& forces) { return forces.own.as<WaveForces>(); }
  static WaveForces& of(Forces& forces) { return forces.own.as<WaveForces>(); }
  std::unique_ptr<SchemeForces> clone() const override { return std::make_unique<WaveForces>(*this); }
};

/// Capability: the wave part of a scheme in terms of two adjoint operators. With r = √|aₙ| at cells, s its
/// mean at velocity sites, W the mass matrix of the velocity (½uᵀWu is the kinetic energy at unit depth) and
/// V = A η:
///
///     u_t = −s G(r h) + b + f/ρ,    V_t = −D(η̄) u,    D(w) = −Gᵀ W diag(w),
///     K(w) = −D(w) G = Gᵀ W diag(w) G.
///
/// Sign of D: (D(1) u)ᵢ is the net outflow of cell i, Aᵢ(∇·u)ᵢ. b vanishes for uniform aₙ; it is the bed term
/// in the exact identity aₙ∇h + ½η∇aₙ = −√|aₙ|∇(√|aₙ|η) + |aₙ|∇H. K is symmetric positive semidefinite for w
/// ≥ 0. r, s and b + f/ρ are members of WaveForces, the scheme's own part of Forces. Derivation:
/// discretizations/wave_scheme/wave_scheme.md.
class Wave {
 public:
  static constexpr const char* name = "wave operators";
  virtual ~Wave() = default;
  virtual Index sites() const = 0;
  /// p = r h = √|aₙ| (V/A − H), whose gradient accelerates the velocity.
  virtual void pressure(VectorIn volume, const Forces& forces, Vector& p) const = 0;
  /// η̄ at the velocity sites, 0 where negative.
  virtual void site_depth(VectorIn volume, Vector& depth, Scratch& scratch) const = 0;
  /// For linear systems, whose fluxes use one depth per velocity site: sets depth = 0 where pressure and
  /// force drive no water onto the adjacent dry land.
  virtual void close_dry_sites(VectorIn /*volume*/, const Forces& /*forces*/, Vector& /*depth*/,
                               Scratch& /*scratch*/) const {}
  /// flow += scale · diag(weight) G p; weight per site.
  virtual void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const = 0;
  /// out += scale · D(weight) flow.
  virtual void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out,
                           Scratch& scratch) const = 0;
  /// out += scale · K(weight) p.
  virtual void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out,
                             Scratch& scratch) const = 0;
  /// The pattern of the lower triangle of K with all values zero; the diagonal is always present.
  virtual SymmetricMatrix stiffness_pattern() const = 0;
  /// Increases whenever the pattern changes, possibly after a change of geometry.
  virtual Index pattern_version() const { return 0; }
  /// matrix = diag(diagonal) + scale · K(weight), values updated in place. `matrix` must be a copy of
  /// stiffness_pattern().
  virtual void assemble(const Vector& diagonal, double scale, const Vector& weight, SymmetricMatrix& matrix,
                        Scratch& scratch) const = 0;
};

/// Capability: the velocity is a tangent vector per triangle, stored as barycentric rates: β₁ of all faces,
/// then β₂, where v = β₁ (x₁−x₀) + β₂ (x₂−x₀). A transport on the surface can advect it.
class FaceVelocity {
 public:
  static constexpr const char* name = "a velocity vector per triangle";
  virtual ~FaceVelocity() = default;
  /// The field of the state that contains the rates.
  virtual const Field& barycentric_rates() const = 0;
  /// Whether the scheme omits v·∇η from its rate, so that the transport must advect the depth too.
  virtual bool leaves_depth_to_transport() const { return false; }
};

/// A matrix W near ∂f/∂q at a state. It damps every wave at least as much as ∂f/∂q does, and its sums of volume vanish
/// like those of f, so that steps with W keep mass.
class Jacobian {
 public:
  virtual ~Jacobian() = default;
  /// Moves W to this state.
  virtual void set(const State& state, const Forces& forces, Terms terms) = 0;
  /// out += scale · W direction.
  virtual void add_product(const State& direction, double scale, State& out) = 0;
  /// [entries of q] −Wᵢᵢ ≥ 0, 1/s, for preconditioners.
  const Vector& decay() const { return decay_; }
  /// [entries of q] w ≥ 0, with which Σ w q² is about twice the energy of a perturbation, divided by ρ; 0 for entries on
  /// which f does not depend.
  const Vector& weight() const { return weight_; }

 protected:
  Vector decay_, weight_;
};

/// Capability: an approximate Jacobian of the rates, for linearly implicit integrators.
class Linearises {
 public:
  static constexpr const char* name = "an approximate Jacobian";
  virtual ~Linearises() = default;
  /// Refers to the scheme; valid also after a change of its geometry, from the next set() on.
  virtual std::unique_ptr<Jacobian> make_jacobian() const = 0;
};

/// Capability: a step of its own, a map over Δt that is not the solution of ordinary differential equations. Such a scheme has
/// no rates for integrators; the integrator `own` calls this step.
class OwnStep {
 public:
  static constexpr const char* name = "a step of its own";
  virtual ~OwnStep() = default;
  /// Advances the terms gravity, advection and force by dt. Returns "" or the reason why the step fails, for example that the
  /// flow has left the range in which the scheme exists.
  virtual std::string advance(double dt, const Forces& forces, State& state, Scratch& scratch) const = 0;
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
