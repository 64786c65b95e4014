// The interface of all spatial discretizations.
//
// A scheme is dq/dt = f(q, t), a sum of named terms (forces.hpp), and gives their rates in one call. What only some schemes
// can do is a capability (capabilities.hpp). Schemes do not depend on Δt; integrators do not depend on vertices or edges.
#pragma once

#include "discretizations/common/error.hpp"
#include "discretizations/common/options.hpp"
#include "discretizations/domain.hpp"
#include "discretizations/forces.hpp"
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/whole.hpp"

#include <functional>
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
inline Range own(const Mesh& mesh, const Cells& cells) {
  return mesh.part ? own(mesh, cells.location) : Range{0, cells.count()};
}

/// A threshold and the number of elements that it changed.
struct ClampCount {
  std::string name;  ///< "clamped_accelerations"
  Index count;
  /// Whether a run says in its outcome that the count rose: of a limit that spoils accuracy, not of what the
  /// method is made to do (flips, dry cells).
  bool spoils = true;
};

/// The work space of one evaluation at a time. A scheme makes it and whoever evaluates the scheme owns it: several threads
/// may evaluate one scheme at once, each with its own. Arrays keep their storage, so that nothing is allocated from the
/// second evaluation on. Schemes derive from it; what a function leaves in it counts only where its declaration says so.
struct Scratch {
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  virtual ~Scratch() = default;

  // Of the base class of all schemes.
  Vector normal_acceleration;  // [nV] after the clamp
  Eigen::Matrix2Xd lengths;  // [2, cells or edges] Σℓ of the open places at each, and of those with a depth
  Points normals;            // [3, nV] where a body acceleration is split
  Vector vertex_depth, vorticity;  // [nV]
  State absolute;
  Vector inflow;                    // [cells] m³/s
  Vector lacking_discharge;         // [sources] m³/s
  Vector share, share_at_velocity;  // of one distributed inflow
  Points own_velocity;              // [3, nV] relative to the mesh
  State unit;                       // of volume 1 m³ in each cell
};

/// An output of a scheme, on the mesh's elements or on those of its own_triangulation().
struct Output : OutputInfo {
  std::function<void(const State&, const Forces&, Values&, Scratch&)> evaluate;
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

  /// For the calls of one thread.
  virtual std::unique_ptr<Scratch> make_scratch() const { return std::make_unique<Scratch>(); }

  /// The state that represents `fields`: cell areas times the depth at the cells' points, velocity at its
  /// sites.
  virtual State project(const Fields& fields) const = 0;

  /// forces = what acts on the fluid, at the scheme's own places in the current geometry. Clamps aₙ, the
  /// normal part of the body acceleration included, at `normal_acceleration_max` and counts the clamped
  /// vertices. Allocates nothing from the second call on. Throws SettingError "boundaries" where the mesh has
  /// no such set. Values in time are those at t = 0.
  void derive(const Forcing& forcing, Forces& forces, Scratch& scratch) const;
  /// The values of the boundaries, and with them forces.inflow, become their means over [time, time + dt].
  void set_boundary_values(const Forcing& forcing, double time, double dt, Forces& forces) const;

  /// rate += scale · Σ of `terms` of f(state); rate has the state's layout. The scheme's entry says which
  /// terms have a rate, and which of them come only together.
  virtual void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                         Scratch& scratch) const = 0;

  /// What the term source adds to the cells at these volumes, m³/s: forces.inflow, of which discharges outwards take no more
  /// than the water can give at the boundary, and all sinks no more than forces.sink_rate times what is there. Returns what
  /// they lack.
  double limited_inflow(const ConstBlock& volume, const Forces& forces, Vector& inflow,
                        Scratch& scratch) const;

  /// The largest explicit substep that the scheme's own stability theory allows at this state for these
  /// terms, s.
  virtual double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const = 0;

  /// Adds tangential vectors [3, nF], given on the triangles (of own_triangulation(), where there is one), to
  /// the velocity.
  virtual void add_velocity(const Points& velocity, State& state) const = 0;

  /// A state to begin from under these terms: a scheme may take from the velocity what they could not treat.
  virtual void project_initial_velocity(Terms /*terms*/, State& /*state*/, Scratch& /*scratch*/) const {}
  /// What an evaluation begins from that the one before has left in the work space, for schemes that solve by iteration:
  /// saved with a model, so that a resumed run has the same bits. Null: nothing.
  virtual Vector* memory(Scratch& /*scratch*/) const { return nullptr; }

  /// Per density, m⁵/s²: multiply by ρ.
  virtual double kinetic_energy(const State& state, Scratch& scratch) const = 0;

  /// How often each threshold takes effect in the current geometry, under these forces and at this state; of iterations
  /// whether the last one in this work space converged.
  virtual std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                               Scratch& scratch) const;

  /// What sample() gives: velocity, absolute_velocity and depth_at_faces (faces), vorticity, potential_vorticity and
  /// depth_at_vertices (vertices), and outputs of the scheme's own.
  const std::vector<Output>& outputs() const { return outputs_; }
  /// Null if the scheme does not give it.
  const Output* find_output(const std::string& name) const;
  /// values [components, elements] of the output called `name`, which the scheme must give.
  void sample(const State& state, const Forces& forces, const std::string& name, Values& values,
              Scratch& scratch) const;

  // The same for a single evaluation, with a work space of its own.
  void derive(const Forcing& forcing, Forces& forces) const { derive(forcing, forces, *make_scratch()); }
  void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate) const {
    add_rates(state, forces, terms, scale, rate, *make_scratch());
  }
  double stable_dt(const State& state, const Forces& forces, Terms terms) const {
    return stable_dt(state, forces, terms, *make_scratch());
  }
  double kinetic_energy(const State& state) const { return kinetic_energy(state, *make_scratch()); }
  std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces) const {
    return clamp_counts(state, forces, *make_scratch());
  }
  void sample(const State& state, const Forces& forces, const std::string& name, Values& values) const {
    sample(state, forces, name, values, *make_scratch());
  }

  /// The triangulation that outputs on faces and edges refer to where it is not the surface's own (vertices
  /// are shared, the numbers of faces and edges are the same); else null. Its faces are in our numbering, not
  /// the input's.
  virtual const Mesh* own_triangulation() const { return nullptr; }
  /// That one, or the surface's.
  const Mesh& triangles() const { return own_triangulation() ? *own_triangulation() : mesh_; }

 protected:
  Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters);
  /// Derives the scheme's own arrays from the clamped aₙ [nV] and `forcing`; body acceleration, friction and
  /// inflow are passed on by derive(). `forces` may hold what was derived before; its own part has been made.
  virtual void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                             Scratch& scratch) const = 0;
  /// The scheme's own part of Forces.
  virtual std::unique_ptr<SchemeForces> make_forces() const = 0;

  /// The depth part of the term source: rate[volume] and rate[source_volume] += scale · the inflow, which it returns, at
  /// `volume`, which may be that of `rate`, and with what discharges lack [sources], m³/s.
  const Vector& add_inflow(const ConstBlock& volume, const Vector& lacking_discharge, const Forces& forces,
                           double scale, State& rate, Scratch& scratch) const;
  /// An inflow [cells], m³/s, as own_inflow of Forces: one value for each entry of the velocity.
  virtual void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const;

  /// To be called once the numbers of cells and of the velocity's entries are known.
  void set_layout(std::string velocity_name, std::string velocity_unit, Location location, Index components,
                  Index elements, std::shared_ptr<const Array<Index>> of_elements = nullptr);
  /// Declares depth_at_vertices, vorticity and potential_vorticity from the scheme's depth and vorticity at
  /// vertices, means over areas [nV]; and absolute_velocity from its velocity, which is declared already.
  void add_vertex_outputs(std::function<void(const State&, Vector&, Scratch&)> depth,
                          std::function<void(const State&, const Forces&, Vector&, Scratch&)> vorticity,
                          std::function<const Vector&()> area);
  void add_output(Output output) { outputs_.push_back(std::move(output)); }

  /// through[set] += Σ in(i) over the places of each set with a flux.
  template <class In>
  void add_through(const OpenBoundary& open, const In& in, Block through) const {
    const Range own_edges = own(mesh_, Location::edge);
    for (const Index set : open.flux_sets)
      through[set] += sum(mesh_, Range{0, open.places.size()}, [&](Index i) {
        return open.places[i].set == set && own_edges.has(open.places[i].edge) ? in(i) : 0;
      });
  }
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
  void derive_boundaries(const Forcing& forcing, Forces& forces, Scratch& scratch) const;
  void derive_inflow(const Forcing& forcing, Forces& forces, Scratch& scratch) const;
  void distribute(const DistributedInflow& inflow, Vector& at_cells) const;
  void add_own_velocity(const Points& velocity, const Forcing& forcing, Forces& forces,
                        Scratch& scratch) const;
  double limit_inflow(const ConstBlock& volume, const Vector& lacking_discharge, const Forces& forces,
                      Vector& inflow) const;

  std::string normal_acceleration_max_;  // "auto", "none" or a number
  Layout layout_;
  Field volume_, velocity_, boundary_volume_, source_volume_;
  std::vector<Output> outputs_;
};

}  // namespace shoal
