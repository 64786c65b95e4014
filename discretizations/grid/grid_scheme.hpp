// Base class of schemes on square cells with a step of their own: cells, forces, outputs and sources.
//
// The unknowns are the volume V = Δ² η of each cell and the scheme's own representation of the velocity, which vanishes where
// the water is at rest. Derivations: grid.md.
#pragma once

#include "discretizations/bed_friction.hpp"
#include "discretizations/entry.hpp"
#include "discretizations/grid/square_grid.hpp"

namespace shoal {

struct GridForces final : SchemeForces {
  Vector acceleration;         ///< [cells] a = −aₙ, m/s², mean of the four corners
  Array<Index> between_walls;  ///< of the velocities [2 cells] those with a wall on either side
  std::unique_ptr<SchemeForces> clone() const override { return std::make_unique<GridForces>(*this); }

  static const Vector& acceleration_of(const Forces& forces) {
    return forces.own.as<GridForces>().acceleration;
  }
};

/// Velocities in the axes of the grid.
struct CellVelocity {
  Vector x, y;  ///< [cells] m/s
};

struct GridScratch : Scratch {
  Vector depth, elevation, speed;  // [cells]
  CellVelocity velocity;
};

class GridScheme : public Discretization, public BedFriction, public OwnStep {
 public:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<GridScratch>(); }
  State project(const Fields& fields) const override;
  void add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                 Scratch& scratch) const override;
  void add_velocity(const Points& velocity, State& state) const override;
  double kinetic_energy(const State& state, Scratch& scratch) const override;
  SiteFlow site_flow(const State& state, const Forces& forces, Scratch& scratch) const override;
  Block slowed(State& state) const override { return state[velocity()]; }

  const SquareGrid& grid() const { return grid_; }

 protected:
  /// `name` is that of the entry, for messages.
  GridScheme(const std::string& name, const Mesh& mesh, const Geometry& geometry,
             const ScalarField& bed_depth, const Parameters& parameters);
  /// Call at the end of the constructor of a scheme, after set_layout().
  void declare_outputs();

  // The velocity; by default the unknown is that of the cells [2 cells].
  /// The velocities at the cells' centres.
  virtual void cell_velocity(const State& state, CellVelocity& velocity) const;
  /// Sets the velocity of a state whose volumes are set.
  virtual void set_velocity(const VectorField& velocity, State& state) const;
  /// velocity of `rate` += scale · `velocity` [cells], at the volumes of `state`.
  virtual void add_cell_velocity(const State& state, const CellVelocity& velocity, double scale,
                                 State& rate) const;
  /// velocity of `rate` += scale · (aₙ∇h + ½η∇aₙ), for the work of forces that change aₙ.
  virtual void add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                            GridScratch& scratch) const = 0;

  /// V_t = inflow, v_t = r (w − v)/η for an inflow of r metres per second with its own velocity w, so that ηv gains r w.
  virtual void add_source(const State& state, const Forces& forces, double scale, State& rate,
                          GridScratch& scratch) const;
  /// r/η, 1/s. Where η is nearly zero, v becomes w within one step.
  static double mixing_rate(double inflow, double depth, const Forces& forces);

  /// The acceleration of gravity in the direction of a pair of cells, times their distance: −a (h₂ − h₁) − ½ η̄ (a₂ − a₁).
  double pressure_drop(Index first, Index second, const Vector& acceleration, const Vector& depth,
                       const Vector& elevation) const {
    const double a1 = acceleration[first], a2 = acceleration[second];
    return -0.5 * (a1 + a2) * (elevation[second] - elevation[first]) -
           0.25 * (depth[first] + depth[second]) * (a2 - a1);
  }
  /// Why no step can be taken, if aₙ > 0 somewhere; else "".
  std::string lifted(const Forces& forces) const;
  /// Zero where a cell has a wall on either side, for schemes with velocities [2 cells] at the centres, which see walls by the pressure
  /// of the cells beside them alone.
  void stop_between_walls(const Forces& forces, double* velocity) const {
    for (const Index i : forces.own.as<GridForces>().between_walls) velocity[i] = 0;
  }
  /// depth = V/Δ², elevation = depth − H.
  void compute_depth(const State& state, GridScratch& scratch) const;
  /// Turns the vectors (x, y) [cells] by −f_c dt, as the Coriolis force does.
  void turn(double dt, const Forces& forces, double* x, double* y) const;
  double x_component(const Vector3& v) const { return v.dot(grid_.x_axis); }
  double y_component(const Vector3& v) const { return v.dot(grid_.y_axis); }

  SquareGrid grid_;
  double side_, area_;  // Δ, Δ²

 private:
  void derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                     Scratch& scratch) const override;
  std::unique_ptr<SchemeForces> make_forces() const override { return std::make_unique<GridForces>(); }
  void compute_vertex_depth(const State& state, Vector& depth) const;
  void compute_vorticity(const CellVelocity& velocity, Vector& vorticity) const;
  template <class Values>
  double corner_mean(Index cell, const Values& values) const;

  Array<Index> between_walls_;  // if all of the boundary are walls
  Vector vertex_area_;          // [nV] ¼ Δ² for each adjacent cell
};

/// The entry of such a scheme, see describe_scheme().
template <class Scheme>
DiscretizationEntry describe_grid_scheme(std::string name, std::string summary) {
  DiscretizationEntry entry = describe_scheme<Scheme>(std::move(name), std::move(summary));
  entry.terms = Term::gravity | Term::advection | Term::force | Term::source;
  entry.inseparable = Term::gravity | Term::advection;
  entry.square_cells = true;
  return entry;
}

}  // namespace shoal
