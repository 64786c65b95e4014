// Height maps on square cells (Krog 2003): depths at the centres of the cells, velocities on their edges or at their centres. Euler
// steps, the depth first. The forms of the advection term are those of the source, and one that it does not have.
#pragma once

#include "discretizations/grid/grid_scheme.hpp"

namespace shoal {

/// How the velocity is advected. The first group are differences of velocities, the second one moves momentum.
enum class VelocityAdvection {
  none,
  local,
  global,
  global_weighted,
  local_weighted,
  corrected,
  imperative_a,
  imperative_b,
  imperative_c,
  imperative_d,
  stelling
};

struct HeightMapOptions {
  bool centred = false;
  VelocityAdvection advection = VelocityAdvection::imperative_d;
  bool simultaneous = false;
  bool upwind_depth = false;
  double dry_depth = 1e-6;  ///< m
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
  bool moves_momentum() const { return options_.advection >= VelocityAdvection::imperative_a; }
  bool is_wet(double depth) const { return depth > options_.dry_depth; }

  const HeightMapOptions options_;
  Index x_count_ = 0;  // entries of the velocity along x; those along y follow
};

/// u on edges normal to x, v on edges normal to y.
class EdgeHeightMap final : public HeightMap {
 public:
  EdgeHeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                const Parameters& parameters);

  std::unique_ptr<Scratch> make_scratch() const override;
  std::string advance(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  double kinetic_energy(const State& state, Scratch& scratch) const override;
  SiteFlow site_flow(const State& state, const Forces& forces, Scratch& scratch) const override;

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
  void cell_velocity(const State& state, CellVelocity& velocity) const override;
  void set_velocity(const VectorField& velocity, State& state) const override;
  void add_cell_velocity(const State& state, const CellVelocity& velocity, double scale,
                         State& rate) const override;
  void add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                    GridScratch& scratch) const override;
  void inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const override;

  template <class Visit>
  void visit(const Visit& visit) const;
  void compute_edge_depth(Work& work) const;
  void compute_flux(const double* u, Work& work) const;
  void advect_velocity(const double* u, Work& work) const;
  void advect_momentum(const double* u, Work& work) const;
  void compute_pressure(const Forces& forces, Work& work) const;
  void move_water(double dt, State& state, Work& work) const;
  bool leaves_dry_cell(const Inner& edge, double u, const Vector& depth) const {
    return !is_wet(depth[u > 0 ? edge.first : edge.second]);
  }

  Array<Inner> inner_;
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
  void advect(const double* velocity, Work& work) const;
  void compute_pressure(const Forces& forces, Work& work) const;
};

}  // namespace shoal
