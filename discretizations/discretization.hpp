// What every spatial discretization gives, and what some give beside it.
//
// A scheme is dq/dt = f(q). All give f. A scheme whose depth and velocity live apart also gives the two
// halves of f (Split), and one whose gradient and divergence are adjoint gives them as operators (Wave). What
// Coriolis's force and advection do to a velocity comes apart from f, because it is split off in time.
// Integrators ask for these by name with `require<Wave>(…)`; no scheme sees Δt, no integrator sees a vertex
// or an edge.
#pragma once

#include "discretizations/common/error.hpp"
#include "discretizations/common/parameters.hpp"
#include "discretizations/common/symmetric_matrix.hpp"
#include "discretizations/mesh/geometry.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace shoal {

/// The continuum fields a scheme starts from. A field that is absent is zero (velocity) or one (depth).
struct Fields {
  ScalarField depth;     ///< η(x), m
  VectorField velocity;  ///< v(x), m/s; its tangential part is used
};

/// The evolved unknowns. Volumes rather than depths, so that mass is exact whatever the geometry does.
struct State {
  Vector volume;  ///< [cells] m³
  Vector flow;    ///< what the scheme calls velocity; empty when the integrator carries volume_rate instead
  Vector volume_rate;  ///< [cells] m³/s; empty unless the integrator replaces the velocity by it
};

/// What acts on the fluid. Held constant over a step.
struct Forcing {
  Vector normal_acceleration;  ///< [nV] aₙ, m/s²; negative holds the fluid on
  double gravity = 9.81;       ///< g, m/s²: what thresholds on aₙ are relative to
  /// [3, nV] a force per mass, m/s²: its normal part joins aₙ, its tangential part drives the velocity.
  /// Empty: none.
  Points body_acceleration = {};
  /// Ω, rad/s: the surface's frame rotates, which adds −f_c n×v with f_c = 2Ω·n to the momentum. Its normal
  /// part and the centrifugal force are taken to be part of gravity.
  Vector3 rotation = Vector3::Zero();
};

/// What becomes of the velocity where a triangle moves: carried with it in barycentric components, stretched
/// as the triangle is, or turned with its plane and first edge, its length kept.
enum class CarriedVelocity { barycentric, rotated };

enum class Location { vertex, face };

/// The cells that carry depth: dual cells of vertices, triangles, or triangles merged by a scheme.
struct Cells {
  Location location = Location::vertex;
  Vector area;    ///< [cells] m²
  Vector bed;     ///< [cells] H, m
  Points points;  ///< [3, cells] where the depth is sampled: the scheme's own points
  /// For every vertex or face (by location) the cell it belongs to; the identity except where a scheme merges
  /// faces.
  std::vector<Index> of_element;
  Index count() const { return static_cast<Index>(area.size()); }
};

/// What an integrator is about to use: rates apart; D(η̄) adjoint to G; the Laplacian K alone.
enum class Use { split_rates, adjoint_operators, laplacian };

/// A threshold and the number of elements that it changed.
struct ClampCount {
  std::string name;  ///< "clamped_accelerations"
  Index count;
};

class Discretization {
 public:
  virtual ~Discretization() = default;

  const Mesh& mesh() const { return mesh_; }
  const Geometry& geometry() const { return geometry_; }
  const Cells& cells() const { return cells_; }

  /// The state that represents `fields`: cell areas times the depth at the cells' points, velocity at its
  /// sites.
  virtual State project(const Fields& fields) const = 0;

  /// Fixes what acts on the fluid from now on. Clamps aₙ, the normal part of the body acceleration included,
  /// at `normal_acceleration_max` and counts the clamped vertices. Allocates nothing from the second time on.
  void set_forcing(const Forcing& forcing);

  /// The positions behind geometry() have changed, its connectivity has not: areas and operators follow, the
  /// flow of `state` is carried along, if it has one; its volumes stay what they are. set_forcing() must come
  /// next. A scheme that cannot live on the new geometry may throw Refusal.
  virtual void refresh(State& state) = 0;

  /// How often each threshold takes effect in the current geometry and forcing, and at this state.
  virtual std::vector<ClampCount> clamp_counts(const State& state) const;

  /// Throws Refusal if a parameter rules out this use of the scheme.
  virtual void require(Use use) const = 0;

  /// target += scale · f(state); target has the state's shape.
  virtual void add_rates(const State& state, double scale, State& target) const = 0;

  /// Whether the frame of the surface rotates (Forcing::rotation).
  bool rotates() const { return !rotation_.isZero(0); }
  /// The flow of v_t = −f_c n×v for the time dt, exact, the depth held: the kinetic energy stays to
  /// round-off. Not part of f(state): integrators have it split off (make_integrator).
  virtual void turn_velocity(double dt, State& state) const = 0;

  /// The largest explicit substep that the scheme's own stability theory allows at this state, s.
  virtual double stable_dt(const State& state) const = 0;

  // Diagnostics. Energies are per density: multiply by ρ.
  virtual double kinetic_energy(const State& state) const = 0;                 ///< m⁵/s²
  virtual void face_velocity(const State& state, Points& velocity) const = 0;  ///< [3, nF] m/s, tangential
  virtual void vertex_vorticity(const State& state, Vector& vorticity) const = 0;  ///< [nV] 1/s
  virtual void vertex_depth(const State& state, Vector& depth) const = 0;          ///< [nV] m
  virtual void face_depth(const State& state, Vector& depth) const = 0;            ///< [nF] m
  /// Normal velocity per edge (left to right) for schemes that carry one; otherwise false.
  virtual bool edge_velocity(const State& /*state*/, Vector& /*velocity*/) const { return false; }

  /// The triangulation that face and edge values refer to where it is not the surface's own (vertices are
  /// shared, the numbers of faces and edges are the same); else null. Its faces are in our numbering, not the
  /// input's.
  virtual const Mesh* own_triangulation() const { return nullptr; }
  virtual const Vector& face_area() const { return geometry_.face_area; }  ///< [nF] of that triangulation
  /// [nV] the areas that vorticity is a mean over: barycentric dual cells, or the scheme's own.
  virtual const Vector& vorticity_area() const { return geometry_.vertex_area; }

  virtual Index flow_size() const = 0;  ///< entries of State::flow

  /// The element that entry `index` of State::flow lives on, for messages: "face" or "edge" and its number.
  virtual std::pair<const char*, Index> flow_element(Index index) const = 0;

 protected:
  Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters);
  /// normal_acceleration_ holds the clamped field, body_acceleration_ what remains to be split, if any;
  /// rotation_ is Ω.
  virtual void forcing_changed() = 0;

  /// f_c = 2Ω·n, 1/s.
  double face_coriolis(Index face) const { return 2 * rotation_.dot(geometry_.face_normal.col(face)); }

  const Mesh& mesh_;
  const Geometry& geometry_;
  CarriedVelocity carried_velocity_;  ///< the parameter carried_velocity, where a surface moves
  Cells cells_;
  Vector normal_acceleration_;  ///< [nV] after clamping
  Points body_acceleration_;    ///< [3, nV], or empty
  Vector3 rotation_ = Vector3::Zero();

 private:
  std::string normal_acceleration_max_;  // "auto", "none" or a number
  Index clamped_accelerations_ = 0;
  Points normals_;  // [3, nV] where the body acceleration is split
};

/// Depth and velocity rates apart, for integrators that update one with the other's new value.
class Split {
 public:
  virtual ~Split() = default;
  /// volume += scale · V_t(volume, flow), V_t = −D(η) u.
  virtual void add_depth_rate(const State& state, double scale, Vector& volume) const = 0;
  /// flow += scale · u_t(volume), u_t = aₙ∇h + ½η∇aₙ + f/ρ in the exact form −s G(√|a| h) + b + f/ρ (note on
  /// Wave).
  virtual void add_velocity_rate(const State& state, double scale, Vector& flow) const = 0;
};

/// The wave part of a scheme in terms of two adjoint operators. With r = √|aₙ| at cells, s its mean at
/// velocity sites, W the mass matrix of the velocity (½uᵀWu its energy at unit depth) and V = A η:
///
///     u_t = −s G(r h) + b + f/ρ,    V_t = −D(η̄) u,    D(w) = −Gᵀ W diag(w),    K(w) = −D(w) G = Gᵀ W diag(w)
///     G.
///
/// The sign of D: (D(1) u)ᵢ is the net outflow of cell i, Aᵢ(∇·u)ᵢ. b vanishes for uniform aₙ; it is what the
/// exact identity aₙ∇h + ½η∇aₙ = −√|aₙ|∇(√|aₙ|η) + |aₙ|∇H leaves of the bed. K is symmetric positive
/// semidefinite for w ≥ 0.
class Wave {
 public:
  virtual ~Wave() = default;
  virtual Index sites() const = 0;
  virtual const Vector& root_acceleration() const = 0;       ///< [cells] r
  virtual const Vector& site_root_acceleration() const = 0;  ///< [sites] s
  /// [flow] b + f/ρ, m/s², and f/ρ alone, the tangential part of the body acceleration; empty where they
  /// vanish.
  virtual const Vector& force() const = 0;
  virtual const Vector& body_force() const = 0;
  /// p = r h = √|aₙ| (V/A − H), whose gradient drives the velocity.
  virtual void pressure(const Vector& volume, Vector& p) const = 0;
  /// η̄ at the velocity sites, 0 where negative.
  virtual void site_depth(const Vector& volume, Vector& depth) const = 0;
  /// flow += scale · diag(weight) G p; weight per site.
  virtual void add_gradient(const Vector& p, double scale, const Vector& weight, Vector& flow) const = 0;
  /// out += scale · D(weight) flow.
  virtual void add_outflow(const Vector& flow, double scale, const Vector& weight, Vector& out) const = 0;
  /// out += scale · K(weight) p.
  virtual void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const = 0;
  /// The pattern of K's lower triangle with all values zero; the diagonal is always present.
  virtual SymmetricMatrix stiffness_pattern() const = 0;
  /// Counts up whenever that pattern changes, as it may where the geometry does.
  virtual Index pattern_version() const { return 0; }
  /// matrix = diag(diagonal) + scale · K(weight), values refreshed in place. `matrix` comes from
  /// stiffness_pattern().
  virtual void assemble(const Vector& diagonal, double scale, const Vector& weight,
                        SymmetricMatrix& matrix) const = 0;
};

/// Marks a scheme whose flux damps every wave: the eigenvalues of f lie left of the imaginary axis, so that
/// forward Euler and the SSP Runge–Kutta methods are stable under stable_dt.
class Dissipative {
 public:
  virtual ~Dissipative() = default;
};

/// Marks a scheme whose State::flow is a tangent vector per triangle, by its barycentric rates: β₁ of all
/// faces, then β₂, where v = β₁ (x₁−x₀) + β₂ (x₂−x₀).
class FaceVelocity {
 public:
  virtual ~FaceVelocity() = default;
};

/// The advection of the velocity, v·∇v = ζ n×v + ∇½|v|², as a rate at a depth that is held:
///
///     u_t = −ζ n×v − G K,    K = ½|v|² at cells, ζ the vorticity relative to the surface.
///
/// The vorticity term is orthogonal to the mass flux, and K is that mean for which the work of −G K is what
/// V_t = −D(η̄)u takes from the kinetic energy through η̄: with Split the rates keep kinetic + potential
/// energy, wherever D = −Gᵀ W diag(η̄).
class VectorInvariant {
 public:
  virtual ~VectorInvariant() = default;
  /// flow += scale · (−ζ n×v − G K)
  virtual void add_advection_rate(const State& state, double scale, Vector& flow) const = 0;
  /// The largest of |v| ω/c + |ζ| over the elements, with ω/c the highest frequency of a wave of unit speed
  /// there: what an explicit step of the advection must resolve, 1/s.
  virtual double advection_frequency(const State& state) const = 0;
};

enum class Capability { split, wave, dissipative, face_velocity, vector_invariant };
std::string to_string(Capability capability);

/// One row of the list of discretizations: all that the command line, the sweeps and the tests know of a
/// scheme.
struct DiscretizationEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  std::vector<Capability> offers;
  bool transports_momentum = false;  ///< the scheme's flux advects the velocity; no advection is added to it
  std::function<std::unique_ptr<Discretization>(const Mesh&, const Geometry&, const ScalarField& bed_depth,
                                                const Parameters&)>
      make;

  bool offers_capability(Capability capability) const;
};

/// The entry of a scheme; what it offers is what it derives from.
template <class Scheme>
DiscretizationEntry describe(std::string name, std::string summary, ParameterInfos parameters) {
  DiscretizationEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.parameters = std::move(parameters);
  if constexpr (std::is_base_of_v<Split, Scheme>) entry.offers.push_back(Capability::split);
  if constexpr (std::is_base_of_v<Wave, Scheme>) entry.offers.push_back(Capability::wave);
  if constexpr (std::is_base_of_v<Dissipative, Scheme>) entry.offers.push_back(Capability::dissipative);
  if constexpr (std::is_base_of_v<FaceVelocity, Scheme>) entry.offers.push_back(Capability::face_velocity);
  if constexpr (std::is_base_of_v<VectorInvariant, Scheme>)
    entry.offers.push_back(Capability::vector_invariant);
  entry.make = [](const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                  const Parameters& values) -> std::unique_ptr<Discretization> {
    return std::make_unique<Scheme>(mesh, geometry, bed_depth, values);
  };
  return entry;
}

/// The parameters that every discretization understands, and those that matter only where the surface moves.
ParameterInfos common_parameters();
ParameterInfos moving_surface_parameters();

/// `discretization` as a Split, Wave, …; null if it does not offer it.
template <class Interface>
const Interface* offered(const Discretization& discretization) {
  return dynamic_cast<const Interface*>(&discretization);
}

}  // namespace shoal
