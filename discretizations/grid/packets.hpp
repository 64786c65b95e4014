// Forward packets on square cells (Lee & O'Sullivan 2007): depth and velocity at the centres of the cells, advected together by
// packets that are traced along the flow and deposited where they arrive; then central differences of the elevation.
#pragma once

#include "discretizations/grid/centred_scheme.hpp"

namespace shoal {

/// What a packet brings besides its volume. momentum: its momentum, so that Σ η v is conserved (ours); mean: its velocity,
/// averaged over what arrives (ours); listing: its velocity as if it were a density, as in the source.
enum class PacketVelocity { momentum, mean, listing };

struct PacketsOptions {
  int packets = 2;          ///< N along each side of a cell
  double smoothing = 1.05;  ///< s, side of a packet over that of its part of the cell
  PacketVelocity velocity = PacketVelocity::momentum;
  bool midpoint = false;
  bool mirrored_velocity = false, bounce = true;
  enum class Gradient { central, faces } gradient = Gradient::central;
  bool printed_pressure = false;
  double sound_speed = 3.13;  ///< m/s
  enum class RestFlux { kept, removed, whole } rest_flux = RestFlux::removed;
  bool extra_divergence = false;
  double dry_depth = 1e-6;  ///< m
  static Options<PacketsOptions> describe();
};

/// The step and its properties are derived in grid.md.
class Packets final : public CentredScheme, public TurnsVelocity {
 public:
  using SchemeOptions = PacketsOptions;
  Packets(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
          const Parameters& parameters);

  std::unique_ptr<Scratch> make_scratch() const override;
  std::string advance(double dt, const Forces& forces, State& state, Scratch& scratch) const override;
  double stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const override;
  void apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const override;

 private:
  struct Work;
  struct Flow;
  struct Move;
  struct Deposits;
  struct Rimmed;
  struct Parts;
  /// Cells beside each other in a row.
  struct Segment {
    Index cell, row, column, count;
  };
  /// Cells whose packets are traced one by one.
  struct Apart {
    Array<Index> cells, start;      ///< in order; [rows + 1] the first of each row
    Array<Index> idle, idle_start;  ///< columns with such a cell, or none; [rows + 1] the first of each row
  };
  /// Two cells that exchange water at rest, because the packets of each overlap the other.
  struct Overlap {
    Index first, second;
    double of_first, of_second;  ///< parts of the depth of each that it leaves in the other
  };

  void add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                    GridScratch& scratch) const override;

  Index stride() const;
  Index rimmed(Index column, Index row) const { return (row + 1) * stride() + column + 1; }
  void measure_runs();
  void sort_cells();
  void collect_overlaps();
  Index around(Index cell, int dx, int dy) const { return around_[9 * cell + 3 * (dy + 1) + dx + 1]; }
  Index under(Index cell, int dx, int dy) const;
  Index opening_under(const Flow& flow, Index cell, int dx, int dy) const;
  void velocity_at(const Flow& flow, Index cell, double x, double y, double& u, double& v) const;
  void outside_velocity_at(const Flow& flow, const Opening& opening, double near, double along, double& u,
                           double& v) const;
  Move along(const Flow& flow, int axis, Index cell, double to) const;
  template <class Visit>
  void trace(const Flow& flow, Index cell, double x, double y, double dx, double dy,
             const Visit& visit) const;
  template <class Visit, class Leave>
  void deposit(const Flow& flow, Index cell, double x, double y, const Visit& visit,
               const Leave& leave) const;
  void advect_cell(const Flow& flow, Index cell, double& left, Deposits& deposits) const;
  int threads() const;
  template <class Body>
  void parallel_for_rows(const Body& body) const;
  void advect(const Flow& flow, Work& work) const;
  void trace_one_by_one(const Flow& flow, const Apart* apart, double largest, Work& work) const;
  void fill_rim(const Flow& flow, Rimmed& rimmed) const;
  void measure_parts(const Rimmed& rimmed, const Apart& apart, Index row, bool one_sided, Parts& parts) const;
  void collect_row(const Rimmed& rimmed, const std::array<const Parts*, 3>& parts, Index row,
                   Work& work) const;
  void enter(const Flow& flow, Work& work) const;
  void book_openings(double dt, const Forces& forces, State& state, Work& work) const;
  void give_back(const Vector& before, Work& work) const;
  void give_back_outside(const Flow& flow, Work& work) const;
  void accelerate(const Forces& forces, const GridScratch& scratch, double scale, double* u, double* v) const;
  /// Velocities averaged to the sides, accelerated there, and averaged back.
  void accelerate_sides(const Forces& forces, double dt, double* u, double* v, Work& work) const;
  template <class Drop>
  void accelerate(const GridScratch& scratch, double* u, double* v, const Drop& drop) const;
  void accelerate_openings(const Forces& forces, double scale, double* u, double* v, Work& work) const;

  const PacketsOptions options_;
  Array<Index> around_;               // [9 cells] the cells around, row by row; none at walls
  Array<std::array<Index, 4>> free_;  // [cells] by side: cells up to the wall; closed_loop if there is none
  /// [cells] of cells between others of their row: one past the last that follows with the same neighbours to the south and to the
  /// north, or walls there; else 0.
  Array<Index> run_end_;
  Array<Index> row_start_;  // [rows + 1] first cell
  Array<Segment> segments_;
  Array<Index> segment_start_;    // [rows + 1] the first of each row
  Apart apart_, apart_at_walls_;  // if no packet may hit a wall, and if some may
  bool periodic_x_ = false, periodic_y_ = false;
  // [stride] the largest overlap in that direction: 0 beside a wall, else ∞
  Vector at_west_wall_, at_east_wall_;
  Array<Overlap> overlaps_;  // those whose exchange is given back
};

}  // namespace shoal
