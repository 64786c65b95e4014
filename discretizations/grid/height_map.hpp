// Height maps on square cells (Krog 2003): depths at the centres of the cells, velocities on their edges or at their centres. Euler
// steps, the depth first. The forms of the advection term are those of the source, and one that it does not have.
#pragma once

#include "discretizations/grid/grid_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shoal {

/// How the velocity is advected: by differences of velocities, traced back, or with momentum that moves.
enum class VelocityAdvection {
  none,
  local,
  global,
  global_weighted,
  local_weighted,
  corrected,
  semi_lagrangian,
  imperative_a,
  imperative_b,
  imperative_c,
  imperative_d,
  stelling
};

/// What becomes of thin water (Krog 2003, chapter 5; fill_ratio: SIGGRAPH 2008 class notes, chapter 11).
enum class Shore { general, removed, algorithm_3, algorithm_4, fill_ratio };

struct HeightMapOptions {
  bool centred = false;
  VelocityAdvection advection = VelocityAdvection::imperative_d;
  bool simultaneous = false;
  bool upwind_depth = false;
  bool midpoint = false;  ///< of traces
  bool advective_depth = false;
  double dry_depth = 1e-6;  ///< m
  Shore shore = Shore::general;
  double thin = 0.1;      ///< α/Δ
  double drop_time = 1;   ///< a_dropt, s
  double film = 1e-3;     ///< ε_η/Δ
  double resistance = 0;  ///< a_r, s/m²
  double pressure = 0.1;  ///< π, in a_p = π Δ √(a/η), m/s
  static Options<HeightMapOptions> describe();
};

/// What both layouts share. The step and its properties are derived in grid.md.
class HeightMap : public GridScheme {
 public:
  using SchemeOptions = HeightMapOptions;
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;

 protected:
  HeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
            const Parameters& parameters);

  /// A velocity u at one place, what carries it, and the depth there.
  struct Carried {
    double w, u, depth;
  };
  /// Δ times the rate at which a difference of velocities reduces u, by its neighbours in one direction.
  double advection_term(const Carried& here, const Carried& before, const Carried& after) const;
  bool traces() const { return options_.advection == VelocityAdvection::semi_lagrangian; }

  /// A place in a cell, from its centre, in cells.
  struct Place {
    Index cell;
    double x, y;
  };
  /// Goes straight from cell to cell; slides along walls.
  Place walk(Place from, double dx, double dy) const;
  /// Where the water that arrives here started. velocity(place) returns u and v.
  template <class Velocity>
  Place departure(const Place& from, double dt, const Velocity& velocity) const {
    const double back = -dt / side_;
    std::pair<double, double> v = velocity(from);
    if (options_.midpoint) v = velocity(walk(from, 0.5 * back * v.first, 0.5 * back * v.second));
    return walk(from, back * v.first, back * v.second);
  }
  /// Bilinear between the centres. Beyond a wall in x, values are those of the cell times beyond_x, likewise y.
  double between_centres(const double* values, const Place& at, double beyond_x, double beyond_y) const;
  /// "" or why traces of this velocity [x_count_ and more] would not end soon.
  std::string unbounded_trace(const ConstBlock& flow, double dt) const;

  double stable_part(double directions) const;
  /// Where a velocity comes to after the artificial resistance has acted over dt.
  double resist(double u, double dt) const {
    return options_.resistance == 0 ? u : u / std::sqrt(1 + 2 * options_.resistance * dt * u * u);
  }
  /// π of the artificial pressure, zero where there is none.
  double pressure_factor() const {
    return options_.advection == VelocityAdvection::none ? options_.pressure : 0;
  }
  /// a_p h_t of a cell whose deepest edge has this depth.
  double artificial_pressure(double depth, double acceleration, double rate) const {
    return is_wet(depth) ? pressure_factor() * side_ * std::sqrt(std::max(0.0, acceleration) / depth) * rate
                         : 0;
  }
  bool moves_momentum() const { return options_.advection >= VelocityAdvection::imperative_a; }
  bool is_wet(double depth) const { return depth > options_.dry_depth; }

  const HeightMapOptions options_;
  Index x_count_ = 0;  // entries of the velocity along x; those along y follow
};

/// u on edges normal to x, v on edges normal to y. Those at open boundaries are derived from the cell beside them in every step,
/// and kept in the state for outputs.
class EdgeHeightMap final : public HeightMap, public OpensBoundaries {
 public:
  EdgeHeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                const Parameters& parameters);

  std::unique_ptr<Scratch> make_scratch() const override;
  std::string advance(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  /// With algorithm-4: the times since cells were empty, s.
  Vector* memory(Scratch& scratch) const override;
  double kinetic_energy(const State& state, Scratch& scratch) const override;
  SiteFlow site_flow(const State& state, const Forces& forces, Scratch& scratch) const override;
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;

  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                          Scratch& scratch) const override;
  double opening_power(const State& state, const Forces& forces, Terms terms,
                       Scratch& scratch) const override;
  /// Throws Refusal under continuity = advective, which does not keep mass.
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  bool discharge_is_source() const override { return false; }
  static std::string unavailable(std::string_view capability, const HeightMapOptions& options);

 private:
  struct Work;
  /// An edge between two cells and the edges around it. Parallel to it lie `behind` and `ahead` along its normal, `beside` at its
  /// ends; `across` are the perpendicular edges at the ends of its first and its second cell.
  struct Inner {
    Index edge, first, second;
    Index behind, ahead;
    std::array<Index, 2> beside;  ///< none where the row beside ends at a wall on both sides
    std::array<std::array<Index, 2>, 2> across;
  };

  void collect_edges();
  void measure_ground(const ScalarField& bed_depth);
  void cell_velocity(const State& state, CellVelocity& velocity) const override;
  void set_velocity(const VectorField& velocity, State& state) const override;
  void add_cell_velocity(const State& state, const CellVelocity& velocity, double scale,
                         State& rate) const override;
  void add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                    GridScratch& scratch) const override;
  void add_source(const State& state, const Forces& forces, double scale, State& rate,
                  GridScratch& scratch) const override;
  void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const override;

  template <class Visit>
  void visit(const Visit& visit) const;
  void compute_depths(const State& state, Work& work) const;
  void compute_edge_depth(Work& work) const;
  void compute_flux(const double* u, Work& work) const;
  void compute_flux(const Forces& forces, State& state, Work& work) const;
  void measure_openings(const double* u, const Forces& forces, Work& work) const;
  std::string trace(double dt, State& state, Work& work) const;
  double component(const double* u, const Place& at, int axis) const;
  void advect_velocity(const double* u, Work& work) const;
  void advect_momentum(const double* u, Work& work) const;
  void compute_pressure(const Forces& forces, Work& work) const;
  void move_water(double dt, const Forces& forces, State& state, Work& work) const;
  void stretch_water(double dt, State& state, const Work& work) const;
  void stop_thin_water(double* u, Work& work) const;
  void remove_thin_water(State& state, Work& work) const;
  bool is_closed(const Inner& edge, double u, const Work& work) const;

  /// A mesh edge at the boundary, as an edge of the grid, and the sign of its outward normal.
  struct Outer {
    Index edge, cell;
    double outward;
  };
  const Outer& outer(const OpenBoundary::Place& place) const { return outer_[outer_of_[place.edge]]; }

  Array<Inner> inner_;
  Array<Outer> outer_;
  Array<Index> outer_of_;    // [mesh edges]
  Vector lowest_, highest_;  // [cells] of the ground at the corners, m; with fill-ratio alone
};

/// Both components at the centres of the cells.
class CentreHeightMap final : public HeightMap {
 public:
  CentreHeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                  const Parameters& parameters);

  std::unique_ptr<Scratch> make_scratch() const override;
  std::string advance(double dt, const Forces& forces, State& state, Scratch& scratch) const override;

 private:
  struct Work;
  void add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                    GridScratch& scratch) const override;

  template <class Visit>
  void visit(const Visit& visit) const;
  void compute_flux(const double* velocity, Work& work) const;
  std::string trace(double dt, State& state, Work& work) const;
  void advect(const double* velocity, Work& work) const;
  void compute_pressure(const Forces& forces, Work& work) const;
};

}  // namespace shoal
