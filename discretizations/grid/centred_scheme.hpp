// Base class of schemes on square cells with both components of the velocity at the centres: their open boundaries. Behind each open
// side lies water in the state of the boundary, which the scheme treats like that of a cell (grid.md, Open boundaries).
#pragma once

#include "discretizations/grid/grid_scheme.hpp"

namespace shoal {

/// A side of a cell at an open boundary, and the water behind it.
struct Opening {
  Index cell;
  int side;            ///< SquareGrid::Side
  double depth, u, v;  ///< of the water outside, m and m/s in the axes of the grid
  double discharge;    ///< m²/s, what a discharge brings
  double lacking;      ///< m²/s, outward discharge that the cell cannot supply
  double entered = 0;  ///< m, what has entered in a step, as a depth of the cell

  bool is_normal_to_x() const { return side < SquareGrid::south; }
  double outward() const { return side % 2 == 1 ? 1 : -1; }
  /// m²/s, of water with the state outside.
  double inflow() const { return -outward() * depth * (is_normal_to_x() ? u : v); }
};

struct CentredScratch : GridScratch {
  Array<Opening> openings;      // of a step, in the order of the places
  Array<Index> opening_at;      // [4 cells] the opening at each side, or none; empty: there never was one
  Array<Opening> openings_now;  // of one evaluation

  /// None if there is no opening at this side.
  Index opening(Index cell, int side) const {
    return openings.empty() ? SquareGrid::none : opening_at[4 * cell + side];
  }
};

class CentredScheme : public GridScheme, public OpensBoundaries {
 public:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<CentredScratch>(); }
  /// The volume alone: the momentum that it brings is part of the step.
  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                          Scratch& scratch) const override;
  double opening_power(const State& state, const Forces& forces, Terms terms,
                       Scratch& scratch) const override;
  void add_open_edge(Index edge, Index set, BoundaryKind kind,
                     Array<OpenBoundary::Place>& places) const override;
  bool discharge_is_source() const override { return false; }

 protected:
  CentredScheme(const std::string& name, const Mesh& mesh, const Geometry& geometry,
                const ScalarField& bed_depth, const Parameters& parameters);

  /// The openings in the order of forces.open_boundary.places, for depths in m and velocities in m/s [cells]; cells of at most the
  /// depth `dry` have none.
  void measure_openings(const Forces& forces, const Vector& depth, const double* u, const double* v,
                        double dry, Array<Opening>& openings) const;
  /// Sets the openings of a step from `depth` of the scratch, and where they are.
  void find_openings(const Forces& forces, const double* u, const double* v, double dry,
                     CentredScratch& s) const;
  /// Records what has entered through the openings in a step of dt. `lacking`: m, as a depth of one cell, in all.
  void book(const Forces& forces, const Array<Opening>& openings, double lacking, State& state) const;
  /// m, the depth by which a discharge over dt exceeds what has entered, if the cell has at least `available`.
  double missing_discharge(const Forces& forces, double dt, Index place, const Opening& opening,
                           double available, double& lacking) const;

 private:
  Array<std::array<Index, 2>> side_of_;  // [mesh edges] at the boundary: cell and side
};

}  // namespace shoal
