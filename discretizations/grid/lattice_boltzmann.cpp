#include "discretizations/grid/lattice_boltzmann.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace shoal {
namespace {

using Moments = Lattice::Moments;

/// Σ x^a y^b f for f_0 … f_8.
struct Populations {
  double rest, east, north, west, south, north_east, north_west, south_west, south_east;

  double moving() const {
    return ((east + west) + (north + south)) + ((north_east + south_west) + (north_west + south_east));
  }
};

[[gnu::always_inline]] inline Populations to_populations(const Moments& m) {
  const double axis_x = m.xx - m.xxyy, axis_y = m.yy - m.xxyy, flow_x = m.x - m.xyy, flow_y = m.y - m.xxy;
  const double same = m.xxyy + m.xy, other = m.xxyy - m.xy, sum = m.xyy + m.xxy, difference = m.xyy - m.xxy;
  Populations f{0,
                0.5 * (axis_x + flow_x),
                0.5 * (axis_y + flow_y),
                0.5 * (axis_x - flow_x),
                0.5 * (axis_y - flow_y),
                0.25 * (same + sum),
                0.25 * (other - difference),
                0.25 * (same - sum),
                0.25 * (other + difference)};
  f.rest = m.depth - f.moving();
  return f;
}

[[gnu::always_inline]] inline Moments to_moments(const Populations& f) {
  const double diagonal = f.north_east + f.south_west, antidiagonal = f.north_west + f.south_east;
  const double along = f.north_east - f.south_west, across = f.north_west - f.south_east;
  const double corners = diagonal + antidiagonal;
  return {f.rest + f.moving(),
          (f.east - f.west) + (along - across),
          (f.north - f.south) + (along + across),
          (f.east + f.west) + corners,
          (f.north + f.south) + corners,
          diagonal - antidiagonal,
          along + across,
          along - across,
          corners};
}

[[gnu::always_inline]] inline Moments equilibrium_of(double depth, double jx, double jy, double pressure) {
  constexpr double third = 1.0 / 3;
  const double per_depth = 1 / depth, u = jx * per_depth, v = jy * per_depth;
  const double xx = jx * u, yy = jy * v;
  return {depth,
          jx,
          jy,
          xx + pressure,
          yy + pressure,
          jx * v,
          third * jy,
          third * jx,
          third * (pressure + (xx + yy))};
}

}  // namespace

int Lattice::towards(int dx, int dy) {
  for (int i = 0; i < directions; ++i)
    if (x[i] == dx && y[i] == dy) return i;
  return 0;
}

std::array<double, 9> Lattice::populations(const Moments& moments) {
  const Populations f = to_populations(moments);
  return {f.rest, f.east, f.north, f.west, f.south, f.north_east, f.north_west, f.south_west, f.south_east};
}

Moments Lattice::equilibrium(double depth, double jx, double jy, double pressure) {
  return equilibrium_of(depth, jx, jy, pressure);
}

namespace {

/// Empty: auto.
std::optional<double> parse_viscosity(const std::string& text) {
  if (text == "auto") return {};
  const std::string allowed = "a finite number ≥ 0, or 'auto'";
  const double viscosity = parse_parameter(text, "viscosity", allowed);
  if (!(viscosity >= 0 && std::isfinite(viscosity)))
    throw parameter_error("viscosity", "'" + text + "' is not " + allowed);
  return viscosity;
}

}  // namespace

Options<LatticeBoltzmannOptions> LatticeBoltzmannOptions::describe() {
  using O = LatticeBoltzmannOptions;
  return Options<O>()
      .choice(
          "collision", &O::collision,
          {{"bgk", Collision::bgk}, {"trt", Collision::trt}, {"smagorinsky", Collision::smagorinsky}},
          "bgk: all populations relax with one time; trt: their odd part relaxes with another, which puts "
          "walls without slip where they are and keeps short waves stable; smagorinsky: bgk with an eddy "
          "viscosity")
      .number("tau", "1", &O::tau, 0.5, 1e6,
              "relaxation time of the populations in steps; the viscosity is (tau − ½) Δ²/(3Δt)")
      .parsed("viscosity", "m^2/s", &O::viscosity, "auto", parse_viscosity,
              "ν, which determines the relaxation time ½ + 3νΔt/Δ² in place of tau; auto: that of tau")
      .number("smagorinsky", "1", &O::smagorinsky, 0, 10,
              "C in the eddy viscosity of collision = smagorinsky")
      .choice("eddy_viscosity", &O::printed_eddies, {{"printed", true}, {"consistent", false}},
              "printed: (10.9) of Müller et al. 2008 (Real Time Physics), which has the viscosity where the "
              "stress contains the relaxation time, and is larger; consistent: (CΔ)² √(S:S)")
      .choice(
          "walls", &O::slip, {{"slip", true}, {"no-slip", false}},
          "slip: populations are mirrored at walls, which stops the normal velocity; no-slip: they return "
          "the way they came")
      .number("dry_depth", "m", &O::dry_depth, 0, 1e300,
              "the scheme has no dry land: it refuses shallower water at the start, and stops at it later");
}

/// The populations of a row of cells after their collisions, and what the bed's force on them needs.
struct LatticeBoltzmann::Row {
  enum { weight = Lattice::directions, bed, x, y, kept, fields };  // ½ a η/e², H, q/e, τ (1 − 1/τ_s)

  void resize(Index columns) {
    stride = (columns + 7) / 8 * 8 + 8;
    values.setZero(fields * stride);
  }
  double* at(int field) { return values.data() + field * stride; }
  const double* at(int field) const { return values.data() + field * stride; }

  Vector values;
  Index stride = 0;
};

/// Consecutive rows that one thread steps in place, from the first to the last. A row is overwritten once the next one has
/// collided. The rows beside the band belong to other bands, and collide here before any row is overwritten.
struct LatticeBoltzmann::Band {
  Index begin = 0, end = 0;
  Row before, after, rows[3];
  Index dry = 0;  // cells
};

/// What enters a cell through open boundaries. By direction: the opening, or none; the population at equilibrium with the water
/// outside, and what the bed's force on it needs; and by how much more enters than would come back from a wall, m.
struct LatticeBoltzmann::Entering {
  std::array<Index, Lattice::directions> opening;
  std::array<double, Lattice::directions> population, weight, bed, more;
};

struct LatticeBoltzmann::Work final : CentredScratch {
  Array<Band> bands;
  Array<Entering> entering;  // of cells beside open boundaries
  Array<Index> entering_at;  // [edge cells], or none
};

/// The state and the constants of a step; velocities in units of e = Δ/Δt.
struct LatticeBoltzmann::Step {
  double *volume, *x, *y, *moments[6];
  const double *acceleration, *bed, *force_x, *force_y;  // force: null if there is none
  double e, area, half_kick, dry_volume;
  double tau, kept_even, kept_odd;  // τ (1 − 1/τ), τ (1 − 1/τ'): the moments of the state are divided by τ
  const Index* entering_at;         // null: there are only walls
  Entering* entering;
};

LatticeBoltzmann::LatticeBoltzmann(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                                   const Parameters& parameters)
    : CentredScheme("lattice-boltzmann", mesh, geometry, bed_depth, parameters),
      options_(read_options<LatticeBoltzmannOptions>(parameters)),
      uneven_(cells_.bed.minCoeff() != cells_.bed.maxCoeff()) {
  set_layout("moments", "m^2/s", Location::cell, 8, grid_.count());
  declare_outputs();
  connect();
}

std::unique_ptr<Scratch> LatticeBoltzmann::make_scratch() const {
  return std::make_unique<Work>();
}

Index LatticeBoltzmann::neighbour(Index cell, int dx, int dy) const {
  return grid_.neighbour[cell][dx < 0   ? SquareGrid::west
                               : dx > 0 ? SquareGrid::east
                               : dy < 0 ? SquareGrid::south
                                        : SquareGrid::north];
}

/// The cell across the corner, if a path around the corner leads there.
Index LatticeBoltzmann::diagonal_neighbour(Index cell, int dx, int dy) const {
  const Index beside = neighbour(cell, dx, 0), above = neighbour(cell, 0, dy);
  Index other = beside != SquareGrid::none ? neighbour(beside, 0, dy) : SquareGrid::none;
  if (other == SquareGrid::none && above != SquareGrid::none) other = neighbour(above, dx, 0);
  return other;
}

/// Each population that leaves a cell arrives exactly once, so that walls keep mass: at the cell ahead of it; else, with slip, at
/// the cell along the wall, mirrored; else, in corners and behind the corners of obstacles, where it came from.
LatticeBoltzmann::Link LatticeBoltzmann::link(Index cell, int i) const {
  const int x = Lattice::x[i], y = Lattice::y[i];
  const auto from = [this](Index source, int row, int direction) {
    return Link{grid_.column[source], row, direction};
  };
  if (i == 0) return from(cell, 0, 0);
  const bool diagonal = x != 0 && y != 0;
  const Index source = diagonal ? diagonal_neighbour(cell, -x, -y) : neighbour(cell, -x, -y);
  if (source != SquareGrid::none) return from(source, -y, i);
  if (diagonal && options_.slip) {
    const Index beside = neighbour(cell, -x, 0), above = neighbour(cell, 0, -y);
    if (beside == SquareGrid::none && above != SquareGrid::none)
      return from(above, -y, Lattice::towards(-x, y));
    if (above == SquareGrid::none && beside != SquareGrid::none)
      return from(beside, 0, Lattice::towards(x, -y));
  }
  return from(cell, 0, Lattice::opposite(i));
}

void LatticeBoltzmann::connect() {
  const auto append = [](Array<Run>& runs, Index first, Index cell, Index column) {
    const bool follows = runs.size() > first && runs.back().cell + runs.back().count == cell &&
                         runs.back().column + runs.back().count == column;
    if (follows)
      ++runs.back().count;
    else
      runs.push_back({cell, column, 1});
  };
  Index cell = 0;
  for (Index row = 0; row < grid_.rows; ++row) {
    run_at_.push_back(runs_.size());
    inner_at_.push_back(inner_.size());
    edge_cell_at_.push_back(edge_cells_.size());
    for (; cell < grid_.count() && grid_.row[cell] == row; ++cell) {
      EdgeCell links{cell, grid_.column[cell], {}};
      bool inner = true;
      for (int i = 0; i < Lattice::directions; ++i) {
        const Link from = links.from[i] = link(cell, i);
        inner &=
            from.column == links.column - Lattice::x[i] && from.row == -Lattice::y[i] && from.direction == i;
      }
      append(runs_, run_at_.back(), cell, links.column);
      if (inner)
        append(inner_, inner_at_.back(), cell, links.column);
      else
        edge_cells_.push_back(links);
      edge_cell_of_.push_back(inner ? SquareGrid::none : edge_cells_.size() - 1);
    }
  }
  run_at_.push_back(runs_.size());
  inner_at_.push_back(inner_.size());
  edge_cell_at_.push_back(edge_cells_.size());
}

State LatticeBoltzmann::project(const Fields& fields) const {
  State state = GridScheme::project(fields);
  const ConstBlock volumes = std::as_const(state)[volume()];
  for (Index c = 0; c < grid_.count(); ++c)
    if (!(volumes[c] > area_ * options_.dry_depth))
      throw Refusal(fmt::format("lattice-boltzmann needs water everywhere, and the depth at {} is {:.6g} m",
                                to_text(Vector3(cells_.points.col(c))), volumes[c] / area_));
  return state;
}

/// τ (1 − 1/τ_s) with the eddy viscosity of the stress Π = Σ c c (f − f_eq)/η (Müller et al. 2008, (10.8) to (10.10), for a depth η).
void LatticeBoltzmann::find_kept(const Step& step, const Run& run, double* kept) const {
  const double *volume = step.volume + run.cell, *xx = step.moments[0] + run.cell,
               *yy = step.moments[1] + run.cell, *xy = step.moments[2] + run.cell;
  const double base = options_.printed_eddies ? (step.tau - 0.5) / 3 : step.tau;
  const double strength = 18 * options_.smagorinsky * options_.smagorinsky * step.area * step.tau / step.e;
#pragma omp simd
  for (Index i = 0; i < run.count; ++i) {
    const double stress = std::sqrt((xx[i] * xx[i] + yy[i] * yy[i]) + 2 * (xy[i] * xy[i]));
    const double eddies = 0.5 * (std::sqrt(base * base + strength * stress / volume[i]) - base);  // 3 C² S
    kept[i] = step.tau - step.tau / (step.tau + eddies);
  }
}

void LatticeBoltzmann::collide(const Step& step, Index row, Row& out) const {
  if (options_.collision == LatticeBoltzmannOptions::Collision::smagorinsky)
    collide<true>(step, row, out);
  else
    collide<false>(step, row, out);
}

/// f* = f_eq + (1 − 1/τ)(f − f_eq), after half of the kick by the body force.
template <bool eddies>
void LatticeBoltzmann::collide(const Step& step, Index row, Row& out) const {
  const double per_e = 1 / step.e, of_even = step.kept_even * per_e, of_odd = step.kept_odd * per_e;
  const double half_per_e2 = 0.5 * per_e * per_e, area = step.area, half_kick = step.half_kick;
  for (Index r = run_at_[row]; r < run_at_[row + 1]; ++r) {
    const Run& run = runs_[r];
    double* of[Row::fields];
    for (int k = 0; k < Row::fields; ++k) of[k] = out.at(k) + run.column;
    const double *volume = step.volume + run.cell, *acceleration = step.acceleration + run.cell;
    double *x = of[Row::x], *y = of[Row::y];
#pragma omp simd
    for (Index i = 0; i < run.count; ++i) {
      x[i] = step.x[run.cell + i] * per_e;
      y[i] = step.y[run.cell + i] * per_e;
    }
    if (step.force_x) {
#pragma omp simd
      for (Index i = 0; i < run.count; ++i) {
        x[i] += half_kick * (volume[i] / area) * step.force_x[run.cell + i];
        y[i] += half_kick * (volume[i] / area) * step.force_y[run.cell + i];
      }
    }
    if (uneven_) std::copy_n(step.bed + run.cell, run.count, of[Row::bed]);
    const double *xx = step.moments[0] + run.cell, *yy = step.moments[1] + run.cell,
                 *xy = step.moments[2] + run.cell, *xxy = step.moments[3] + run.cell,
                 *xyy = step.moments[4] + run.cell, *xxyy = step.moments[5] + run.cell;
    if constexpr (eddies) find_kept(step, run, of[Row::kept]);
    double *kept = of[Row::kept], *weight = of[Row::weight], *f0 = of[0], *f1 = of[1], *f2 = of[2],
           *f3 = of[3], *f4 = of[4], *f5 = of[5], *f6 = of[6], *f7 = of[7], *f8 = of[8];
#pragma omp simd
    for (Index i = 0; i < run.count; ++i) {
      const double depth = volume[i] / area;
      weight[i] = half_per_e2 * acceleration[i] * depth;
      const double kept_even = eddies ? kept[i] * per_e : of_even, kept_odd = eddies ? kept_even : of_odd;
      Moments m = equilibrium_of(depth, x[i], y[i], weight[i] * depth);
      m.xx += kept_even * xx[i];
      m.yy += kept_even * yy[i];
      m.xy += kept_even * xy[i];
      m.xxy += kept_odd * xxy[i];
      m.xyy += kept_odd * xyy[i];
      m.xxyy += kept_even * xxyy[i];
      const Populations f = to_populations(m);
      f0[i] = f.rest;
      f1[i] = f.east;
      f2[i] = f.north;
      f3[i] = f.west;
      f4[i] = f.south;
      f5[i] = f.north_east;
      f6[i] = f.north_west;
      f7[i] = f.south_west;
      f8[i] = f.south_east;
    }
  }
}

namespace {

/// The part of the bed's force that acts on a population from a cell with these values.
[[gnu::always_inline]] inline double bed_gain(double share, double weight, double bed, double from_weight,
                                              double from_bed) {
  return share * ((from_weight + weight) * (bed - from_bed));
}

}  // namespace

/// Moves the populations into one row of the state.
template <bool uneven>
void LatticeBoltzmann::stream(const Step& step, Index row, const Row& below, const Row& here,
                              const Row& above, Band& band) const {
  constexpr double axis = 1.0 / 3, diagonal = 1.0 / 12;
  const double e = step.e, of_moments = e / step.tau, half_per_e2 = 0.5 / (e * e);
  const double area = step.area, dry_volume = step.dry_volume;
  double *volume = step.volume, *x = step.x, *y = step.y;
  double *xx = step.moments[0], *yy = step.moments[1], *xy = step.moments[2], *xxy = step.moments[3],
         *xyy = step.moments[4], *xxyy = step.moments[5];
  const auto put = [=](Index c, const Populations& f) __attribute__((always_inline)) {
    const Moments m = to_moments(f);
    const Moments eq =
        equilibrium_of(m.depth, m.x, m.y, half_per_e2 * step.acceleration[c] * (m.depth * m.depth));
    volume[c] = area * m.depth;
    x[c] = e * m.x;
    y[c] = e * m.y;
    xx[c] = of_moments * (m.xx - eq.xx);
    yy[c] = of_moments * (m.yy - eq.yy);
    xy[c] = of_moments * (m.xy - eq.xy);
    xxy[c] = of_moments * (m.xxy - eq.xxy);
    xyy[c] = of_moments * (m.xyy - eq.xyy);
    xxyy[c] = of_moments * (m.xxyy - eq.xxyy);
  };
  for (Index r = inner_at_[row]; r < inner_at_[row + 1]; ++r) {
    const Run& run = inner_[r];
    const Index first = run.column;
    const double *f0 = here.at(0) + first, *f1 = here.at(1) + first - 1, *f2 = below.at(2) + first,
                 *f3 = here.at(3) + first + 1, *f4 = above.at(4) + first, *f5 = below.at(5) + first - 1,
                 *f6 = below.at(6) + first + 1, *f7 = above.at(7) + first + 1, *f8 = above.at(8) + first - 1;
    const double *w_south = below.at(Row::weight) + first, *w = here.at(Row::weight) + first,
                 *w_north = above.at(Row::weight) + first;
    const double *h_south = below.at(Row::bed) + first, *h = here.at(Row::bed) + first,
                 *h_north = above.at(Row::bed) + first;
#pragma omp simd
    for (Index i = 0; i < run.count; ++i) {
      Populations f{f0[i], f1[i], f2[i], f3[i], f4[i], f5[i], f6[i], f7[i], f8[i]};
      if constexpr (uneven) {
        f.east += bed_gain(axis, w[i], h[i], w[i - 1], h[i - 1]);
        f.north += bed_gain(axis, w[i], h[i], w_south[i], h_south[i]);
        f.west += bed_gain(axis, w[i], h[i], w[i + 1], h[i + 1]);
        f.south += bed_gain(axis, w[i], h[i], w_north[i], h_north[i]);
        f.north_east += bed_gain(diagonal, w[i], h[i], w_south[i - 1], h_south[i - 1]);
        f.north_west += bed_gain(diagonal, w[i], h[i], w_south[i + 1], h_south[i + 1]);
        f.south_west += bed_gain(diagonal, w[i], h[i], w_north[i + 1], h_north[i + 1]);
        f.south_east += bed_gain(diagonal, w[i], h[i], w_north[i - 1], h_north[i - 1]);
      }
      put(run.cell + i, f);
    }
  }
  for (Index k = edge_cell_at_[row]; k < edge_cell_at_[row + 1]; ++k) {
    const EdgeCell& cell = edge_cells_[k];
    std::array<double, 9> f;
    for (int i = 0; i < Lattice::directions; ++i) {
      const Link& link = cell.from[i];
      const Row& from = link.row < 0 ? below : link.row > 0 ? above : here;
      f[i] = from.at(link.direction)[link.column];
      if constexpr (uneven)
        f[i] += bed_gain(i == 0  ? 0
                         : i < 5 ? axis
                                 : diagonal,
                         here.at(Row::weight)[cell.column], here.at(Row::bed)[cell.column],
                         from.at(Row::weight)[link.column], from.at(Row::bed)[link.column]);
    }
    const Index at = step.entering_at ? step.entering_at[k] : SquareGrid::none;
    if (at != SquareGrid::none) {
      Entering& entering = step.entering[at];
      for (int i = 1; i < Lattice::directions; ++i) {
        if (entering.opening[i] == SquareGrid::none) continue;
        double population = entering.population[i];
        if constexpr (uneven)
          population += bed_gain(i < 5 ? axis : diagonal, here.at(Row::weight)[cell.column],
                                 here.at(Row::bed)[cell.column], entering.weight[i], entering.bed[i]);
        entering.more[i] = population - f[i];
        f[i] = population;
      }
    }
    put(cell.cell, {f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8]});
  }
  for (Index r = run_at_[row]; r < run_at_[row + 1]; ++r) {
    const Run& run = runs_[r];
    const double half_kick = step.half_kick * e;
    double dry = 0;
#pragma omp simd reduction(+ : dry)
    for (Index i = run.cell; i < run.cell + run.count; ++i) dry += volume[i] > dry_volume ? 0.0 : 1.0;
    band.dry += static_cast<Index>(dry);
    if (!step.force_x) continue;
#pragma omp simd
    for (Index i = run.cell; i < run.cell + run.count; ++i) {
      x[i] += half_kick * (volume[i] / area) * step.force_x[i];
      y[i] += half_kick * (volume[i] / area) * step.force_y[i];
    }
  }
}

void LatticeBoltzmann::sweep(const Step& step, Band& band) const {
  const Row* below = &band.before;
  Row *here = &band.rows[0], *next = &band.rows[1], *spare = &band.rows[2];
  band.dry = 0;
  collide(step, band.begin, *here);
  for (Index row = band.begin; row < band.end; ++row) {
    const Row* above = &band.after;
    if (row + 1 < band.end) {
      collide(step, row + 1, *next);
      above = next;
    }
    if (uneven_)
      stream<true>(step, row, *below, *here, *above, band);
    else
      stream<false>(step, row, *below, *here, *above, band);
    below = here;
    std::swap(here, next);
    std::swap(next, spare);
  }
}

/// What would come back from a wall in these directions leaves; instead, populations at equilibrium with the water outside enter.
/// Diagonal ones come from behind the next cell along the boundary or, where it ends at a wall, are mirrored there.
void LatticeBoltzmann::open(const Forces& forces, double e, const State& state, Work& work) const {
  work.entering.clear();
  work.entering_at.clear();
  if (!forces.open_boundary.places.empty()) {
    compute_depth(state, work);
    cell_velocity(state, work.velocity);
  }
  CentredScheme::find_openings(forces, work.velocity.x.data(), work.velocity.y.data(), 0, work);
  if (work.openings.empty()) return;
  work.entering_at.assign(edge_cells_.size(), SquareGrid::none);
  const Vector& acceleration = GridForces::acceleration_of(forces);
  for (Index o = 0; o < work.openings.size(); ++o) {
    const Opening& opening = work.openings[o];
    const bool in_x = opening.is_normal_to_x();
    Index& at = work.entering_at[edge_cell_of_[opening.cell]];
    if (at == SquareGrid::none) {
      at = work.entering.size();
      work.entering.push_back({});
      work.entering.back().opening.fill(SquareGrid::none);
    }
    Entering& entering = work.entering[at];
    for (int i = 1; i < Lattice::directions; ++i) {
      const int x = Lattice::x[i], y = Lattice::y[i], along = in_x ? y : x;
      if ((in_x ? x : y) != -opening.outward() || entering.opening[i] != SquareGrid::none) continue;
      if (along != 0 && diagonal_neighbour(opening.cell, -x, -y) != SquareGrid::none) continue;
      Index from = o;
      int direction = i;
      if (along != 0) {
        const Index next = in_x ? neighbour(opening.cell, 0, -y) : neighbour(opening.cell, -x, 0);
        if (const Index beside = next == SquareGrid::none ? next : work.opening(next, opening.side);
            beside != SquareGrid::none)
          from = beside;
        else if (next == SquareGrid::none)
          direction = in_x ? Lattice::towards(x, -y) : Lattice::towards(-x, y);
      }
      const Opening& outside = work.openings[from];
      const double half_per_e2 = 0.5 * acceleration[outside.cell] / (e * e);
      entering.opening[i] = o;
      entering.weight[i] = half_per_e2 * outside.depth;
      entering.bed[i] = cells_.bed[outside.cell];
      entering.population[i] = Lattice::populations(
          Lattice::equilibrium(outside.depth, outside.depth * outside.u / e, outside.depth * outside.v / e,
                               half_per_e2 * outside.depth * outside.depth))[direction];
    }
  }
}

/// A discharge is exact: what populations bring less or more than it is given to the cell beside, or taken from there.
void LatticeBoltzmann::book_openings(double dt, const Forces& forces, State& state, Work& work) const {
  if (forces.open_boundary.flux_sets.empty()) return;
  for (const Entering& entering : work.entering)
    for (int i = 1; i < Lattice::directions; ++i)
      if (entering.opening[i] != SquareGrid::none)
        work.openings[entering.opening[i]].entered += entering.more[i];
  double lacking = 0;
  Block volumes = state[volume()], q = state[velocity()];
  for (Index i = 0; i < work.openings.size(); ++i) {
    Opening& opening = work.openings[i];
    const Index c = opening.cell;
    const double more = missing_discharge(forces, dt, i, opening, volumes[c] / area_, lacking);
    volumes[c] += area_ * more;
    q[c] += more * opening.u;
    q[grid_.count() + c] += more * opening.v;
    opening.entered += more;
  }
  book(forces, work.openings, lacking, state);
}

/// With the velocity of the cell beside it, which the water in CentredScheme keeps; opening_power() is what it has more.
void LatticeBoltzmann::add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                          Scratch& scratch) const {
  CentredScheme::add_boundary_rates(state, forces, scale, rate, scratch);
  const Work& work = static_cast<Work&>(scratch);
  Block q = rate[velocity()];
  for (const Opening& opening : work.openings_now) {
    const double entering = scale / side_ * opening.inflow();
    q[opening.cell] += entering * work.velocity.x[opening.cell];
    q[grid_.count() + opening.cell] += entering * work.velocity.y[opening.cell];
  }
}

std::string LatticeBoltzmann::advance(double dt, const Forces& forces, State& state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  if (std::string reason = lifted(forces); !reason.empty()) return reason;
  const Index cells = grid_.count();
  const double tau = options_.viscosity ? 0.5 + 3 * *options_.viscosity * dt / area_ : options_.tau;
  const double other_tau =
      options_.collision == LatticeBoltzmannOptions::Collision::trt ? 0.5 + 3.0 / 16 / (tau - 0.5) : tau;
  open(forces, side_ / dt, state, work);
  double* q = state[velocity()].data();
  const double* force = forces.has_body_force ? forces.body_force.data() : nullptr;
  Step step{state[volume()].data(),
            q,
            q + cells,
            {},
            GridForces::acceleration_of(forces).data(),
            cells_.bed.data(),
            force,
            force ? force + cells : nullptr,
            side_ / dt,
            area_,
            0.5 * dt * dt / side_,
            area_ * options_.dry_depth,
            tau,
            tau - 1,
            tau - tau / other_tau,
            work.entering_at.empty() ? nullptr : work.entering_at.data(),
            work.entering.data()};
  for (int k = 0; k < 6; ++k) step.moments[k] = q + (2 + k) * cells;

  const int threads = cells < 2048 ? 1 : thread_count();
  const Index count = std::min<Index>(threads, grid_.rows);
  if (work.bands.size() != count) {
    work.bands.resize(count);
    for (Band& band : work.bands)
      for (Row* row : {&band.before, &band.after, &band.rows[0], &band.rows[1], &band.rows[2]})
        row->resize(grid_.columns);
  }
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (Index b = 0; b < count; ++b) {
    Band& band = work.bands[b];
    band.begin = static_cast<Index>(static_cast<std::int64_t>(grid_.rows) * b / count);
    band.end = static_cast<Index>(static_cast<std::int64_t>(grid_.rows) * (b + 1) / count);
    collide(step, (band.begin + grid_.rows - 1) % grid_.rows, band.before);
    collide(step, band.end % grid_.rows, band.after);
  }
#pragma omp parallel for schedule(static, 1) num_threads(threads)
  for (Index b = 0; b < count; ++b) sweep(step, work.bands[b]);
  book_openings(dt, forces, state, work);
  stop_between_walls(forces, q);

  if (std::all_of(work.bands.begin(), work.bands.end(), [](const Band& band) { return band.dry == 0; }))
    return "";
  Index dry = 0;
  while (step.volume[dry] > step.dry_volume) ++dry;
  return fmt::format("lattice-boltzmann needs water everywhere, and the depth at {} is {:.6g} m",
                     to_text(Vector3(cells_.points.col(dry))), step.volume[dry] / area_);
}

/// q_t = r w, and r v for water that is added without a velocity of its own.
void LatticeBoltzmann::add_source(const State& state, const Forces& forces, double scale, State& rate,
                                  GridScratch& s) const {
  const Index cells = grid_.count();
  cell_velocity(state, s.velocity);  // before `rate`, which may be the state, changes
  const Vector& inflow = add_inflow(state[volume()], s.lacking_discharge, forces, scale, rate, s);
  double *x = rate[velocity()].data(), *y = x + cells;
  for (Index c = 0; c < cells; ++c) {
    const double own = forces.has_own_velocity ? forces.own_inflow[c] : 0, of_cell = inflow[c] - own;
    x[c] += scale / area_ * of_cell * s.velocity.x[c];
    y[c] += scale / area_ * of_cell * s.velocity.y[c];
    if (own == 0) continue;
    x[c] += scale / area_ * own * forces.own_velocity[c];
    y[c] += scale / area_ * own * forces.own_velocity[cells + c];
  }
}

/// Small waves on still water are stable up to gη = 3/5 e² for any tau, or 3/4 e² with two relaxation times (grid.md).
double LatticeBoltzmann::stable_dt(const State& state, const Forces& forces, Terms /*terms*/,
                                   Scratch& scratch) const {
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const ConstBlock volumes = state[volume()], flow = state[velocity()];
  const Index cells = grid_.count();
  double fastest = max(mesh_, cells_, [&](Index c) {
    const double depth = volumes[c] / area_;
    return std::sqrt(acceleration[c] * depth) + std::hypot(flow[c], flow[cells + c]) / depth;
  });
  if (!forces.open_boundary.places.empty()) {
    Work& work = static_cast<Work&>(scratch);
    compute_depth(state, work);
    cell_velocity(state, work.velocity);
    measure_openings(forces, work.depth, work.velocity.x.data(), work.velocity.y.data(), 0,
                     work.openings_now);
    for (const Opening& opening : work.openings_now)
      fastest = std::max(
          fastest, std::sqrt(acceleration[opening.cell] * opening.depth) + std::hypot(opening.u, opening.v));
  }
  const bool two_times = options_.collision == LatticeBoltzmannOptions::Collision::trt;
  return std::sqrt(two_times ? 0.75 : 0.6) * side_ / std::max(fastest, 1e-300);
}

/// Turns the momentum. The other moments describe gradients of the velocity, which do not turn as tensors do (grid.md).
void LatticeBoltzmann::apply_coriolis(double dt, const Forces& forces, State& state,
                                      Scratch& /*scratch*/) const {
  double* x = state[velocity()].data();
  if (forces.rotates) turn(dt, forces, x, x + grid_.count());
}

void LatticeBoltzmann::cell_velocity(const State& state, CellVelocity& v) const {
  const ConstBlock flow = state[velocity()], volumes = state[volume()];
  v.x = area_ * flow.head(grid_.count()).cwiseQuotient(volumes);
  v.y = area_ * flow.segment(grid_.count(), grid_.count()).cwiseQuotient(volumes);
}

/// At equilibrium.
void LatticeBoltzmann::set_velocity(const VectorField& given, State& state) const {
  Block flow = state[velocity()];
  const ConstBlock volumes = std::as_const(state)[volume()];
  for (Index c = 0; c < grid_.count(); ++c) {
    const Vector3 v = given(cells_.points.col(c));
    flow[c] = volumes[c] / area_ * x_component(v);
    flow[grid_.count() + c] = volumes[c] / area_ * y_component(v);
  }
}

void LatticeBoltzmann::add_cell_velocity(const State& state, const CellVelocity& added, double scale,
                                         State& rate) const {
  const ConstBlock volumes = state[volume()];
  rate[velocity()].head(grid_.count()) += scale / area_ * volumes.cwiseProduct(added.x);
  rate[velocity()].segment(grid_.count(), grid_.count()) += scale / area_ * volumes.cwiseProduct(added.y);
}

void LatticeBoltzmann::add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                                    GridScratch& s) const {
  compute_depth(state, s);
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const auto drop = [&](Index first, Index second) {
    if (first == SquareGrid::none || second == SquareGrid::none) return 0.0;
    return pressure_drop(first, second, acceleration, s.depth, s.elevation);
  };
  double *x = rate[velocity()].data(), *y = x + grid_.count();
  for (Index c = 0; c < grid_.count(); ++c) {
    const auto& next = grid_.neighbour[c];
    const double of_cell = scale * s.depth[c] / (2 * side_);
    x[c] += of_cell * (drop(next[SquareGrid::west], c) + drop(c, next[SquareGrid::east]));
    y[c] += of_cell * (drop(next[SquareGrid::south], c) + drop(c, next[SquareGrid::north]));
  }
}

DiscretizationEntry lattice_boltzmann() {
  return describe_grid_scheme<LatticeBoltzmann>(
      "lattice-boltzmann",
      "populations that move by one cell per step and relax to equilibrium (Salmon 1999, Zhou 2004)");
}

}  // namespace shoal
