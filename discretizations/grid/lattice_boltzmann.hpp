// The lattice Boltzmann method for shallow water on square cells (Salmon 1999; Zhou 2004): populations of water that move by one
// cell per step, in nine directions, and relax to an equilibrium of the depth and the momentum.
#pragma once

#include "discretizations/grid/centred_scheme.hpp"

#include <array>
#include <optional>

namespace shoal {

/// Direction 0 rests; 1 … 4 are east, north, west, south; 5 … 8 are north-east, north-west, south-west, south-east.
struct Lattice {
  static constexpr int directions = 9;
  static constexpr std::array<int, 9> x = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  static constexpr std::array<int, 9> y = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  static int towards(int dx, int dy);
  static int opposite(int direction) { return towards(-x[direction], -y[direction]); }

  /// Σ x^a y^b f of populations f.
  struct Moments {
    double depth, x, y, xx, yy, xy, xxy, xyy, xxyy;
  };
  /// [direction] m. Their sum, in the order in which the scheme adds, is the depth to the last bit.
  static std::array<double, 9> populations(const Moments& moments);
  /// The equilibrium for e = 1: depth η, momentum (jx, jy), pressure ½ a η².
  static Moments equilibrium(double depth, double jx, double jy, double pressure);
};

struct LatticeBoltzmannOptions {
  enum class Collision { bgk, trt, smagorinsky } collision = Collision::bgk;
  double tau = 0.6;
  std::optional<double> viscosity;  ///< m²/s; empty: that of tau
  double smagorinsky = 0.03;        ///< C
  bool printed_eddies = true;       ///< (10.9) of Müller et al. 2008 as printed
  bool slip = true;
  double dry_depth = 1e-6;  ///< m
  static Options<LatticeBoltzmannOptions> describe();
};

/// The unknowns beside the volume, m²/s: the momentum q = η v, and six moments of the populations' deviation from equilibrium,
/// (e/τ) Σ x^a y^b (f − f_eq) of xx, yy, xy, xxy, xyy, xxyy, where e = Δ/Δt. Those of second order are −⅓Δ times gradients of q,
/// whatever Δt and τ are. The step is derived in grid.md.
class LatticeBoltzmann final : public CentredScheme, public TurnsVelocity {
 public:
  using SchemeOptions = LatticeBoltzmannOptions;
  LatticeBoltzmann(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                   const Parameters& parameters);

  std::unique_ptr<Scratch> make_scratch() const override;
  State project(const Fields& fields) const override;
  std::string advance(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  void add_source(const State& state, const Forces& forces, double scale, State& rate,
                  GridScratch& scratch) const override;
  void add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                          Scratch& scratch) const override;
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;
  void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  Block slowed(State& state) const override { return state[velocity()]; }

 private:
  struct Work;
  struct Step;
  struct Row;
  struct Band;
  /// Consecutive cells of a row.
  struct Run {
    Index cell, column, count;
  };
  /// Where the population of a direction comes from.
  struct Link {
    Index column;
    int row;  ///< relative to that of the cell: −1, 0 or 1
    int direction;
  };
  /// A cell beside a wall or a periodic seam.
  struct EdgeCell {
    Index cell, column;
    std::array<Link, 9> from;
  };
  struct Entering;

  void cell_velocity(const State& state, CellVelocity& velocity) const override;
  void set_velocity(const VectorField& velocity, State& state) const override;
  void add_cell_velocity(const State& state, const CellVelocity& velocity, double scale,
                         State& rate) const override;
  void add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                    GridScratch& scratch) const override;

  Index neighbour(Index cell, int dx, int dy) const;
  Index diagonal_neighbour(Index cell, int dx, int dy) const;
  Link link(Index cell, int direction) const;
  void connect();
  void find_kept(const Step& step, const Run& run, double* kept) const;
  template <bool eddies>
  void collide(const Step& step, Index row, Row& out) const;
  void collide(const Step& step, Index row, Row& out) const;
  template <bool uneven>
  void stream(const Step& step, Index row, const Row& below, const Row& here, const Row& above,
              Band& band) const;
  void sweep(const Step& step, Band& band) const;
  void open(const Forces& forces, double e, const State& state, Work& work) const;
  void book_openings(double dt, const Forces& forces, State& state, Work& work) const;

  const LatticeBoltzmannOptions options_;
  const bool uneven_;                              // whether the bed differs between cells
  Array<Run> runs_, inner_;                        // all cells; those whose neighbours are at the next places
  Array<EdgeCell> edge_cells_;                     // all others
  Array<Index> edge_cell_of_;                      // [cells]
  Array<Index> run_at_, inner_at_, edge_cell_at_;  // [rows + 1] first of each row
};

}  // namespace shoal
