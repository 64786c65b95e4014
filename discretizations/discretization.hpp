// The interface of all spatial discretizations.
//
// A scheme is dq/dt = f(q, t), a sum of named terms (forces.hpp), and computes their rates in one call.
// Features that not every scheme offers are capabilities (capabilities.hpp). Schemes do not depend on Δt;
// integrators do not depend on vertices or edges.
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

/// The continuum fields from which a scheme computes its initial state. A missing velocity is zero, a missing
/// depth one.
struct Fields {
  ScalarField depth;     ///< η(x), m
  VectorField velocity;  ///< v(x), m/s; its tangential part is used
};

/// The quantity that is invariant when a triangle moves. circulation: the absolute circulation along edges,
/// conserved by Newton's law if no forces act (operators/surface_motion.hpp). Two models (Angst 2007, §6.4):
/// barycentric components, so that the velocity is stretched with the triangle; or its length and its angle
/// with the first edge (rotated).
enum class CarriedVelocity { circulation, barycentric, rotated };

/// The cells that carry depth: dual cells of vertices, triangles, or triangles merged by a scheme.
struct Cells {
  Location location = Location::vertex;
  Vector area;  ///< [cells] m²
  /// [cells] H, m, sampled on the initial positions; material points of the mesh keep their H when it moves
  Vector bed;
  Points points;  ///< [3, cells] the points at which the scheme samples the depth
  /// For every vertex or face (by location) the cell it belongs to; the identity except where a scheme merges
  /// faces.
  Array<Index> of_element;
  /// [cells] the first face of each cell, ascending; empty if each element is a cell
  Array<Index> first_element{};
  Index count() const { return static_cast<Index>(area.size()); }
  /// The vertex or face to which the cell belongs: a merged cell to the first of its faces.
  Index element(Index cell) const { return first_element.empty() ? cell : first_element[cell]; }
};
Range own(const Mesh& mesh, const Cells& cells);
/// Where the entries of a field are: vertices, edges or faces, or Location::whole or boundary_set.
inline Location place_of(const Field& field, const Cells& cells) {
  return field.location == Location::cell ? cells.location : field.location;
}
/// The element of the mesh to which an entry of a field belongs.
inline Index element_of(const Field& field, Index entry, const Cells& cells) {
  const Index element = field.element(entry);
  return field.location == Location::cell ? cells.element(element) : element;
}

/// A limit and the number of elements at which it was active.
struct ClampCount {
  std::string name;  ///< "clamped_accelerations"
  Index count;
  /// Whether an increase is reported in the outcome of a run: true for limits that reduce accuracy, false for
  /// regular parts of a method (flips, dry cells).
  bool spoils = true;
  /// Whether only an increase over the start counts: the limit then belongs to the mesh or the initial state.
  bool from_start = true;
};

/// Work arrays of one evaluation. The scheme creates them, the caller owns them: several threads may evaluate
/// one scheme concurrently, each with its own. Arrays keep their storage, so that nothing is allocated from
/// the second evaluation on. Schemes derive from this class. The contents are unspecified after a call unless
/// its declaration states them.
struct Scratch {
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  virtual ~Scratch() = default;

  // Used by the base class of all schemes.
  Vector normal_acceleration;  // [nV] after the clamp
  // [2, cells or edges] Σℓ of the open places, and of those with a prescribed depth
  Eigen::Matrix2Xd lengths;
  Points normals;                  // [3, nV] used to split a body acceleration
  Vector vertex_depth, vorticity;  // [nV]
  State absolute;
  Vector inflow;                    // [cells] m³/s
  Vector lacking_discharge;         // [sources] m³/s
  Vector share, share_at_velocity;  // one distributed inflow
  Points own_velocity;              // [3, nV] relative to the mesh
  State unit;                       // 1 m³ in each cell
};

/// An output of a scheme, on the elements of the mesh or of own_triangulation().
struct Output : OutputInfo {
  std::function<void(const State&, const Forces&, Values&, Scratch&)> evaluate;
  std::function<const Vector&()> area;  ///< m², the areas over which the values are means
};

/// Options of every scheme.
struct DiscretizationOptions {
  std::string normal_acceleration_max = "auto";
  static Options<DiscretizationOptions> describe();
};

/// Options that only affect moving surfaces.
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

  /// The unknowns: the volume V = A η of each cell (m³), so that mass is exact on any moving geometry, and
  /// the scheme's own representation of the velocity.
  const Layout& layout() const { return layout_; }
  const Field& volume() const { return volume_; }
  const Field& velocity() const { return velocity_; }
  /// [boundary sets] the volume that entered through each set by the term gravity, m³, integrated in time
  /// like the volumes of the cells. Empty on closed surfaces.
  const Field& boundary_volume() const { return boundary_volume_; }
  /// [2] the volume added by the term source, and the volume that sinks could not remove because the cells
  /// lacked it, m³, integrated in time like the volumes of the cells.
  const Field& source_volume() const { return source_volume_; }

  /// Work arrays for use by one thread.
  virtual std::unique_ptr<Scratch> make_scratch() const { return std::make_unique<Scratch>(); }

  /// The state that represents `fields`: cell areas times the depth at the cells' points, and the velocity at
  /// the velocity sites.
  virtual State project(const Fields& fields) const = 0;

  /// Derives `forces` from `forcing` at the scheme's degrees of freedom, in the current geometry. Limits aₙ,
  /// including the normal part of the body acceleration, to `normal_acceleration_max` and counts the clamped
  /// vertices. Allocates nothing from the second call on. Throws SettingError "boundaries" if the mesh lacks
  /// a boundary set. Functions of time are evaluated at t = 0.
  void derive(const Forcing& forcing, Forces& forces, Scratch& scratch) const;
  /// Sets the boundary values, and forces.inflow accordingly, to their means over [time, time + dt].
  void set_boundary_values(const Forcing& forcing, double time, double dt, Forces& forces) const;

  /// rate += scale · Σ of `terms` of f(state); rate has the layout of the state. The entry of the scheme
  /// lists the terms that have a rate, and those that are only available together.
  virtual void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                         Scratch& scratch) const = 0;

  /// inflow [cells] = the source term at these volumes, m³/s: forces.inflow, with outward discharges limited
  /// to the critical outflow at the boundary and all sinks limited to forces.sink_rate times the volume of
  /// the cell. Returns the total that was cut off, m³/s.
  double limited_inflow(const ConstBlock& volume, const Forces& forces, Vector& inflow,
                        Scratch& scratch) const;

  /// The largest stable explicit substep of these terms at this state, s, by the stability theory of the
  /// scheme.
  virtual double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const = 0;

  /// Adds tangential vectors [3, nF], given on the triangles (of own_triangulation() if it is not null), to
  /// the velocity.
  virtual void add_velocity(const Points& velocity, State& state) const = 0;

  /// Prepares an initial state for these terms: a scheme may remove velocity components that its terms cannot
  /// represent.
  virtual void project_initial_velocity(Terms /*terms*/, State& /*state*/, Scratch& /*scratch*/) const {}
  /// The start value of iterative solvers within an evaluation, left in the work arrays by the previous one.
  /// It is saved with a model, so that a resumed run is bitwise identical. Null: none.
  virtual Vector* memory(Scratch& /*scratch*/) const { return nullptr; }

  /// Kinetic energy divided by ρ, m⁵/s².
  virtual double kinetic_energy(const State& state, Scratch& scratch) const = 0;

  /// The number of elements at which each limit is active, in the current geometry, under these forces and at
  /// this state; for iterations, whether the last one in these work arrays failed to converge.
  virtual std::vector<ClampCount> clamp_counts(const State& state, const Forces& forces,
                                               Scratch& scratch) const;

  /// The outputs of sample(): velocity, absolute_velocity and depth_at_faces (faces), vorticity,
  /// potential_vorticity and depth_at_vertices (vertices), and further outputs of the scheme.
  const std::vector<Output>& outputs() const { return outputs_; }
  /// Null if the scheme has no such output.
  const Output* find_output(const std::string& name) const;
  /// values [components, elements] of the output called `name`, which must exist.
  void sample(const State& state, const Forces& forces, const std::string& name, Values& values,
              Scratch& scratch) const;

  // The same for a single evaluation, with temporary work arrays.
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

  /// The triangulation to which outputs on faces and edges refer, if it differs from the surface's own (same
  /// vertices, same numbers of faces and edges); else null. Its faces are in Shoal's numbering, not that of
  /// the input.
  virtual const Mesh* own_triangulation() const { return nullptr; }
  /// own_triangulation(), or the surface's mesh if that is null.
  const Mesh& triangles() const { return own_triangulation() ? *own_triangulation() : mesh_; }

 protected:
  Discretization(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters);
  /// Derives the scheme's own arrays from the clamped aₙ [nV] and `forcing`; derive() sets body acceleration
  /// flags, friction and inflow. `forces` may hold earlier values; forces.own exists.
  virtual void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                             Scratch& scratch) const = 0;
  /// Creates the scheme's own part of Forces.
  virtual std::unique_ptr<SchemeForces> make_forces() const = 0;

  /// The depth part of the term source: rate[volume] and rate[source_volume] += scale · inflow. `volume` may
  /// be that of `rate`; `lacking_discharge` [sources], m³/s, is the cut-off part of the discharges. Returns
  /// the inflow [cells], m³/s.
  const Vector& add_inflow(const ConstBlock& volume, const Vector& lacking_discharge, const Forces& forces,
                           double scale, State& rate, Scratch& scratch) const;
  /// Converts an inflow [cells], m³/s, to the form of own_inflow in Forces: one value for each entry of the
  /// velocity.
  virtual void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const;

  /// Call once the numbers of cells and of velocity entries are known.
  void set_layout(std::string velocity_name, std::string velocity_unit, Location location, Index components,
                  Index elements, std::shared_ptr<const Array<Index>> of_elements = nullptr);
  /// Declares depth_at_vertices, vorticity and potential_vorticity from the scheme's depth and vorticity at
  /// vertices, which are means over areas [nV]; and absolute_velocity from the output velocity, which must be
  /// declared before.
  void add_vertex_outputs(std::function<void(const State&, Vector&, Scratch&)> depth,
                          std::function<void(const State&, const Forces&, Vector&, Scratch&)> vorticity,
                          std::function<const Vector&()> area);
  void add_output(Output output) { outputs_.push_back(std::move(output)); }

  /// through[set] += Σ in(i) over the places of each set in open.flux_sets.
  template <class In>
  void add_through(const OpenBoundary& open, const In& in, Block through) const {
    const Range own_edges = own(mesh_, Location::edge);
    for (const Index set : open.flux_sets)
      through[set] += sum(mesh_, Range{0, open.places.size()}, [&](Index i) {
        return open.places[i].set == set && own_edges.has(open.places[i].edge) ? in(i) : 0;
      });
  }
  /// Adds one count per set with a discharge in `places`: the number of its places that are limited to the
  /// critical velocity.
  template <class IsCritical>
  void count_critical(const Array<OpenBoundary::Place>& places, std::vector<ClampCount>& counts,
                      const IsCritical& is_critical) const {
    const Range own_edges = own(mesh_, Location::edge);
    for (Index set = 0; set < static_cast<Index>(mesh_.boundary_sets.size()); ++set) {
      bool has_discharge = false;
      Index critical = 0;
      for (const OpenBoundary::Place& place : places) {
        if (place.set != set || place.kind != BoundaryKind::discharge) continue;
        has_discharge = true;
        if (own_edges.has(place.edge) && is_critical(place)) ++critical;
      }
      if (!all(mesh_, !has_discharge))
        counts.push_back(
            {"critical_discharge_" + mesh_.boundary_sets.begin()[set].name, total(mesh_, critical)});
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
