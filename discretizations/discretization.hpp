// The interface of all spatial discretizations, and the capabilities that some of them offer.
//
// A scheme is dq/dt = f(q, t), a sum of named terms (forces.hpp), and gives their rates in one call. A
// capability is a named interface that some schemes offer in addition. Split: the rates of depth and of
// velocity apart. Wave: adjoint gradient and divergence. FaceVelocity: a tangent vector per triangle that a
// transport can carry. Schemes do not depend on Δt; integrators do not depend on vertices or edges.
#pragma once

#include "discretizations/common/error.hpp"
#include "discretizations/common/options.hpp"
#include "discretizations/common/symmetric_matrix.hpp"
#include "discretizations/forces.hpp"
#include "discretizations/mesh/geometry.hpp"

#include <functional>
#include <limits>
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

/// What stays of the velocity where a triangle moves. The absolute circulation along edges, which Newton's law
/// keeps where nothing acts (operators/surface_motion.hpp); or, as a model (Angst 2007, §6.4), barycentric
/// components, so that the velocity is stretched as the triangle is, or its length and its angle with the
/// first edge.
enum class CarriedVelocity { circulation, barycentric, rotated };

/// The cells that carry depth: dual cells of vertices, triangles, or triangles merged by a scheme.
struct Cells {
  Location location = Location::vertex;
  Vector area;  ///< [cells] m²
  /// [cells] H, m, as it was where the scheme was made: it goes with the mesh, however that moves
  Vector bed;
  Points points;  ///< [3, cells] where the depth is sampled: the scheme's own points
  /// For every vertex or face (by location) the cell it belongs to; the identity except where a scheme merges
  /// faces.
  Array<Index> of_element;
  Index count() const { return static_cast<Index>(area.size()); }
};

/// A threshold and the number of elements that it changed.
struct ClampCount {
  std::string name;  ///< "clamped_accelerations"
  Index count;
  /// Whether a run says in its outcome that the count rose: of a limit that spoils accuracy, not of what the
  /// method is made to do (flips, dry cells).
  bool spoils = true;
};

/// Values of an output: [components, elements].
using Values = Eigen::MatrixXd;

/// A field that a scheme computes from its state on the mesh's elements, or on those of its
/// own_triangulation().
struct Output {
  std::string name;  ///< "velocity"
  std::string unit;
  std::string meaning;
  Location location = Location::vertex;
  Index components = 1;
  std::function<void(const State&, const Forces&, Values&)> evaluate;
  std::function<const Vector&()> area;  ///< m², what each value is a mean over
};

/// Options of every scheme.
struct DiscretizationOptions {
  std::string normal_acceleration_max = "auto";
  static Options<DiscretizationOptions> describe();
};

/// Those that matter only where the surface moves.
struct MovingSurfaceOptions {
  CarriedVelocity carried_velocity = CarriedVelocity::circulation;
  static Options<MovingSurfaceOptions> describe();
};

class Discretization {
 public:
  virtual ~Discretization() = default;
  Discretization(const Discretization&) = delete;
  Discretization& operator=(const Discretization&) = delete;

  const Mesh& mesh() const { return mesh_; }
  const Geometry& geometry() const { return geometry_; }
  const Cells& cells() const { return cells_; }

  /// The unknowns: volume V = A η of each cell (m³), so that mass is exact on any moving geometry, and the
  /// scheme's own representation of the velocity.
  const Layout& layout() const { return layout_; }
  const Field& volume() const { return volume_; }
  const Field& velocity() const { return velocity_; }
  /// [boundary sets] the volume that has entered through each of them by the term gravity, m³, integrated in
  /// time like the volumes themselves. Empty on closed surfaces.
  const Field& boundary_volume() const { return boundary_volume_; }
  /// [2] the volume that the term source has added, and the volume that sinks were to take besides and that was
  /// not there, m³, integrated in time like the volumes themselves.
  const Field& source_volume() const { return source_volume_; }

  /// The state that represents `fields`: cell areas times the depth at the cells' points, velocity at its
  /// sites.
  virtual State project(const Fields& fields) const = 0;

  /// The positions behind geometry() have changed, its connectivity has not: areas and operators follow.
  /// `carried`: a state whose velocity is carried along, or null; volumes stay what they are. All Forces have
  /// to be derived anew. A scheme that does not exist on the new geometry may throw Refusal.
  /// With carried_velocity = circulation whoever moves the surface carries the velocity by the functions
  /// below, and `carried` stays as it is.
  virtual void refresh(State* carried) = 0;

  /// The velocity's entries become its covariant components U_β = v·∂_βx, circulations along edges (m²/s; of a
  /// momentum times the volume), and back, in place and in the current geometry.
  virtual void lower(State& state) const = 0;
  virtual void raise(State& state) const = 0;
  /// velocity += scale · the tangential part of ẋ [3, nV].
  virtual void add_surface_velocity(const Points& surface_velocity, double scale, State& state) const = 0;
  /// From the velocity relative to a mesh that moves with ẋ (empty: at rest) to the absolute circulation, and
  /// back.
  void to_circulation(const Points& surface_velocity, State& state) const;
  void to_velocity(const Points& surface_velocity, State& state) const;

  /// forces = what acts on the fluid, at the scheme's own places in the current geometry. Clamps aₙ, the
  /// normal part of the body acceleration included, at `normal_acceleration_max` and counts the clamped
  /// vertices. Allocates nothing from the second call on. Throws SettingError "boundaries" where the mesh has
  /// no such set. Values in time are those at t = 0.
  void derive(const Forcing& forcing, Forces& forces) const;
  /// The values of the boundaries, and with them forces.inflow, become their means over [time, time + dt].
  void set_boundary_values(const Forcing& forcing, double time, double dt, Forces& forces) const;

  /// rate += scale · Σ of `terms` of f(state); rate has the state's layout. The scheme's entry says which
  /// terms have a rate, and which of them come only together.
  virtual void add_rates(const State& state, const Forces& forces, Terms terms, double scale,
                         State& rate) const = 0;

  /// What the term source adds to the cells at these volumes, m³/s: forces.inflow, of which discharges outwards take no more
  /// than the water can give at the boundary, and all sinks no more than forces.sink_rate times what is there. Returns what
  /// they lack.
  double limited_inflow(const ConstBlock& volume, const Forces& forces, Vector& inflow) const;

  /// rate += scale · the difference of f(state) between open boundaries and walls, a part of the term
  /// gravity.
  virtual void add_boundary_rates(const State& state, const Forces& forces, double scale,
                                  State& rate) const = 0;

  /// The power per density, m⁵/s³, with which the rates of `terms` at open boundaries change the energy besides
  /// add_boundary_rates() and sources: of heads and vorticities that are those of the water that enters. The terms advection
  /// and coriolis alone have such a part, in schemes that have these terms apart.
  virtual double opening_power(const State& /*state*/, const Forces& /*forces*/, Terms /*terms*/) const {
    return 0;
  }

  /// The largest explicit substep that the scheme's own stability theory allows at this state for these
  /// terms, s.
  virtual double stable_dt(const State& state, const Forces& forces, Terms terms) const = 0;

  /// The flow of v_t = −f_c n×v for the time dt, exact, at fixed depth: the kinetic energy is kept to
  /// round-off. Schemes that sum a series give a velocity that is not a number where it turns by more than max_turn.
  static constexpr double max_turn = 1000;  // rad: 159 inertial periods in one step
  virtual void turn_velocity(double dt, const Forces& forces, State& state) const = 0;

  /// Adds tangential vectors [3, nF], given on the triangles (of own_triangulation(), where there is one), to
  /// the velocity.
  virtual void add_velocity(const Points& velocity, State& state) const = 0;

  /// A state to begin from under these terms: a scheme may take from the velocity what they could not treat.
  virtual void admit(Terms /*terms*/, State& /*state*/) const {}
  /// What an evaluation begins from that the one before has left, for schemes that solve by iteration: saved
  /// with a model, so that it goes on with the same bits. Null: nothing.
  virtual Vector* memory() const { return nullptr; }

  /// Per density, m⁵/s²: multiply by ρ.
  virtual double kinetic_energy(const State& state) const = 0;

  /// How often each threshold takes effect in the current geometry, under these forces and at this state.
  virtual std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces) const;

  /// What sample() gives: velocity, absolute_velocity and depth_at_faces (faces), vorticity, potential_vorticity and
  /// depth_at_vertices (vertices), and outputs of the scheme's own.
  const std::vector<Output>& outputs() const { return outputs_; }
  /// Null if the scheme does not give it.
  const Output* find_output(const std::string& name) const;
  /// values [components, elements] of the output called `name`, which the scheme must give.
  void sample(const State& state, const Forces& forces, const std::string& name, Values& values) const;

  /// The triangulation that outputs on faces and edges refer to where it is not the surface's own (vertices
  /// are shared, the numbers of faces and edges are the same); else null. Its faces are in our numbering, not
  /// the input's.
  virtual const Mesh* own_triangulation() const { return nullptr; }

 protected:
  Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters);
  /// Derives the scheme's own arrays from the clamped aₙ [nV] and `forcing`; body acceleration, friction and
  /// inflow are passed on by derive(). `forces` may hold what was derived before.
  virtual void derive_forces(const Vector& normal_acceleration, const Forcing& forcing,
                             Forces& forces) const = 0;

  /// The depth part of the term source: rate[volume] and rate[source_volume] += scale · the inflow, which it returns, at
  /// `volume`, which may be that of `rate`.
  const Vector& add_inflow(const ConstBlock& volume, const Forces& forces, double scale, State& rate) const;
  /// Puts back into `inflow` what discharges outwards that are sources take beyond what the water can give. Returns it.
  virtual double hold_discharges(const ConstBlock& /*volume*/, const Forces& /*forces*/,
                                 Vector& /*inflow*/) const {
    return 0;
  }
  /// An inflow [cells], m³/s, as own_inflow of Forces: one value for each entry of the velocity.
  virtual void inflow_at_velocity(const Vector& inflow, Vector& at_velocity) const;

  /// Appends where the flux through this edge of the boundary acts, with its lengths.
  virtual void add_open_edge(Index edge, Index set, BoundaryKind kind,
                             Array<OpenBoundary::Place>& places) const = 0;
  /// Whether a discharge carries no momentum and is treated as a source in the cells at the boundary.
  virtual bool discharge_is_source() const = 0;

  /// To be called once the numbers of cells and of the velocity's entries are known.
  void set_layout(std::string velocity_name, std::string velocity_unit, Location location, Index components,
                  Index elements, std::shared_ptr<const Array<Index>> of_elements = nullptr);
  /// Declares depth_at_vertices, vorticity and potential_vorticity from the scheme's depth and vorticity at
  /// vertices, means over areas [nV]; and absolute_velocity from its velocity, which is declared already.
  void add_vertex_outputs(std::function<void(const State&, Vector&)> depth,
                          std::function<void(const State&, const Forces&, Vector&)> vorticity,
                          std::function<const Vector&()> area);
  void add_output(Output output) { outputs_.push_back(std::move(output)); }

  /// Adds for each set with a discharge among `places` the number of those that hold its velocity at the critical one.
  template <class IsCritical>
  void count_critical(const Array<OpenBoundary::Place>& places, std::vector<ClampCount>& counts,
                      const IsCritical& is_critical) const {
    for (const OpenBoundary::Place& place : places) {
      if (place.kind != BoundaryKind::discharge) continue;
      const std::string name = "critical_discharge_" + mesh_.boundary_sets.begin()[place.set].name;
      if (counts.back().name != name) counts.push_back({name, 0});
      if (is_critical(place)) ++counts.back().count;
    }
  }

  const Mesh& mesh_;
  const Geometry& geometry_;
  CarriedVelocity carried_velocity_;
  Cells cells_;

 private:
  void derive_boundaries(const Forcing& forcing, Forces& forces) const;
  void derive_inflow(const Forcing& forcing, Forces& forces) const;
  void distribute(const DistributedInflow& inflow, Vector& at_cells) const;
  void add_own_velocity(const Points& velocity, const Forcing& forcing, Forces& forces) const;

  std::string normal_acceleration_max_;  // "auto", "none" or a number
  Layout layout_;
  Field volume_, velocity_, boundary_volume_, source_volume_;
  std::vector<Output> outputs_;
  mutable Vector normal_acceleration_;  // [nV] after the clamp
  mutable Eigen::Matrix2Xd
      lengths_;             // [2, cells or edges] Σℓ of the open places at each, and of those with a depth
  mutable Points normals_;  // [3, nV] where a body acceleration is split
  mutable Vector vertex_depth_, vorticity_;
  mutable State absolute_;
  mutable Vector inflow_;                     // [cells] m³/s
  mutable Vector share_, share_at_velocity_;  // of one distributed inflow
  mutable Points own_velocity_;               // [3, nV] relative to the mesh
  mutable State unit_;                        // of volume 1 m³ in each cell
};

/// Capability: depth and velocity rates apart, for integrators that update one with the other's new value.
class Split {
 public:
  static constexpr const char* name = "split rates";
  virtual ~Split() = default;
  /// rate[volume] += scale · V_t(state), V_t = −D(η) u, and rate[boundary_volume] the part of it through open
  /// boundaries; of the terms only gravity and source have a part here. `rate` may be the state.
  virtual void add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                              State& rate) const = 0;
  /// rate[velocity] += scale · u_t(state). Gravity and force alone, u_t = aₙ∇h + ½η∇aₙ + f/ρ in the exact
  /// form −s G(√|a| h) + b + f/ρ (note on Wave), do not read the velocity: `rate` may then be that of the
  /// state.
  virtual void add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                 VectorOut rate) const = 0;
};

/// Capability: the wave part of a scheme in terms of two adjoint operators. With r = √|aₙ| at cells, s its
/// mean at velocity sites, W the mass matrix of the velocity (½uᵀWu its energy at unit depth) and V = A η:
///
///     u_t = −s G(r h) + b + f/ρ,    V_t = −D(η̄) u,    D(w) = −Gᵀ W diag(w),
///     K(w) = −D(w) G = Gᵀ W diag(w) G.
///
/// The sign of D: (D(1) u)ᵢ is the net outflow of cell i, Aᵢ(∇·u)ᵢ. b vanishes for uniform aₙ; it is the part
/// of the bed in the exact identity aₙ∇h + ½η∇aₙ = −√|aₙ|∇(√|aₙ|η) + |aₙ|∇H. K is symmetric positive
/// semidefinite for w ≥ 0. r, s and the forces are stored in Forces. Derivation:
/// discretizations/wave_scheme.md.
class Wave {
 public:
  static constexpr const char* name = "wave operators";
  virtual ~Wave() = default;
  virtual Index sites() const = 0;
  /// p = r h = √|aₙ| (V/A − H), whose gradient drives the velocity.
  virtual void pressure(VectorIn volume, const Forces& forces, Vector& p) const = 0;
  /// η̄ at the velocity sites, 0 where negative.
  virtual void site_depth(VectorIn volume, Vector& depth) const = 0;
  /// flow += scale · diag(weight) G p; weight per site.
  virtual void add_gradient(VectorIn p, double scale, const Vector& weight, VectorOut flow) const = 0;
  /// out += scale · D(weight) flow.
  virtual void add_outflow(VectorIn flow, double scale, const Vector& weight, VectorOut out) const = 0;
  /// out += scale · K(weight) p.
  virtual void add_stiffness(const Vector& p, double scale, const Vector& weight, Vector& out) const = 0;
  /// The pattern of K's lower triangle with all values zero; the diagonal is always present.
  virtual SymmetricMatrix stiffness_pattern() const = 0;
  /// Increases whenever that pattern changes, which it may when the geometry changes.
  virtual Index pattern_version() const { return 0; }
  /// matrix = diag(diagonal) + scale · K(weight), values refreshed in place. `matrix` comes from
  /// stiffness_pattern().
  virtual void assemble(const Vector& diagonal, double scale, const Vector& weight,
                        SymmetricMatrix& matrix) const = 0;
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

/// A capability that a scheme offers, and the options that rule it out.
struct Offer {
  std::string capability;
  std::function<std::string(const Parameters&)> unavailable;  ///< the reason, or ""
};

/// The highest order in Δt that a right side allows under any integrator, and why.
struct OrderLimit {
  int order = std::numeric_limits<int>::max();
  std::string reason;  ///< "" where there is no limit
};

/// One row of the list of discretizations: all that the command line, sweeps and tests use of a scheme.
struct DiscretizationEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  std::vector<Offer> offers;
  Terms terms;        ///< that have a rate
  Terms inseparable;  ///< terms among them that come only together, as those of one flux; or none
  /// Whether the flux damps every wave: the eigenvalues of f lie left of the imaginary axis, so that forward
  /// Euler and the SSP Runge–Kutta methods are stable under stable_dt.
  bool dissipative = false;
  /// Whether no depth becomes negative under forward Euler with a step of at most stable_dt, dry cells included.
  bool positive = false;
  /// Where f is not smooth enough for any order: f with kinks that a solution crosses now and then allows 2.
  OrderLimit order_limit;
  /// Whether under these options the depth has no flux of its own: a transport carries it, because the scheme
  /// leaves v·∇η out of its rate.
  std::function<bool(const Parameters&)> leaves_depth_to_transport = [](const Parameters&) { return false; };
  std::function<std::unique_ptr<Discretization>(const Mesh&, const Geometry&, const ScalarField& bed_depth,
                                                const Parameters&, Terms)>
      construct;

  /// The scheme on this mesh, for the solution of equations with these terms.
  std::unique_ptr<Discretization> make(const Mesh& mesh, const Geometry& geometry,
                                       const ScalarField& bed_depth, const Parameters& values,
                                       Terms of_equations = Terms::all()) const {
    return construct(mesh, geometry, bed_depth, values, of_equations);
  }

  template <class Capability>
  bool offers_capability() const {
    return find_offer(Capability::name) != nullptr;
  }
  /// "" if it offers it under these options, else the reason: "needs split rates", or what rules it out.
  template <class Capability>
  std::string unavailable(const Parameters& options) const {
    const Offer* offer = find_offer(Capability::name);
    if (!offer) return std::string("needs ") + Capability::name;
    return offer->unavailable(options);
  }
  /// Whether the scheme's own flux advects the velocity, so that no advection can be added to it.
  bool transports_momentum() const { return inseparable.has(Term::advection); }

 private:
  const Offer* find_offer(std::string_view capability) const;
};

/// The entry of a scheme with Scheme::Options; it offers what it derives from, unless
/// Scheme::unavailable(capability, options) returns a reason. It has a flux unless
/// Scheme::leaves_depth_to_transport(options), which a FaceVelocity may have. Its constructor takes the mesh, the
/// geometry, the bed's depth and the parameters, and the terms of the equations where it makes a difference.
template <class Scheme>
DiscretizationEntry describe_scheme(std::string name, std::string summary) {
  using SchemeOptions = typename Scheme::SchemeOptions;
  DiscretizationEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.parameters = describe_options<DiscretizationOptions>();
  for (ParameterInfo& info : describe_options<SchemeOptions>()) entry.parameters.push_back(std::move(info));
  const auto offer = [&]<class Capability>() {
    if constexpr (std::is_base_of_v<Capability, Scheme>)
      entry.offers.push_back({Capability::name, [](const Parameters& parameters) -> std::string {
                                return Scheme::unavailable(Capability::name,
                                                           read_options<SchemeOptions>(parameters));
                              }});
  };
  offer.template operator()<Split>();
  offer.template operator()<Wave>();
  offer.template operator()<FaceVelocity>();
  if constexpr (requires(const SchemeOptions& options) { Scheme::leaves_depth_to_transport(options); })
    entry.leaves_depth_to_transport = [](const Parameters& parameters) {
      return Scheme::leaves_depth_to_transport(read_options<SchemeOptions>(parameters));
    };
  entry.construct = [](const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                       const Parameters& values, Terms of_equations) -> std::unique_ptr<Discretization> {
    if constexpr (std::is_constructible_v<Scheme, const Mesh&, const Geometry&, const ScalarField&,
                                          const Parameters&, Terms>)
      return std::make_unique<Scheme>(mesh, geometry, bed_depth, values, of_equations);
    else
      return std::make_unique<Scheme>(mesh, geometry, bed_depth, values);
  };
  return entry;
}

/// `discretization` as a Split, Wave, …; null if it does not offer it.
template <class Capability>
const Capability* offered(const Discretization& discretization) {
  return dynamic_cast<const Capability*>(&discretization);
}

}  // namespace shoal
