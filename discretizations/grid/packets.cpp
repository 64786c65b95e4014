#include "discretizations/grid/packets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <omp.h>

namespace shoal {
namespace {

constexpr Index closed_loop = std::numeric_limits<Index>::max();
constexpr Index lanes = 8;  // numbers in the widest vector register: rows are filled up to multiples of it
constexpr Index band_rows =
    16;  // rows of cells whose packets are deposited together; fixed, so that sums do not depend on threads
constexpr double longest_path = 1e4;  // cells in a step, of water that enters

}  // namespace

Options<PacketsOptions> PacketsOptions::describe() {
  using O = PacketsOptions;
  return Options<O>()
      .whole_number("packets", "1", &O::packets, 1, 8, "N: each cell sends N × N packets per step")
      .number("smoothing", "1", &O::smoothing, 1, 3,
              "s: side of a packet relative to 1/N of the cell. s > 1 damps waves of two cells in length, "
              "which central differences cannot see, but small waves then run at √(2/s) times their speed. "
              "In slow flow (s − 1)/s > ½ √(gη)Δt/Δ is needed; with s = 1 waves of two cells grow")
      .choice(
          "packet_velocity", &O::velocity,
          {{"momentum", PacketVelocity::momentum},
           {"mean", PacketVelocity::mean},
           {"listing", PacketVelocity::listing}},
          "what packets carry besides water. momentum: η v, which conserves momentum; mean: v, averaged over "
          "the packets that arrive; listing: v as if it were a density (Lee & O'Sullivan 2007, appendix A)")
      .choice("packet_trace", &O::midpoint, {{"euler", false}, {"midpoint", true}},
              "method by which packets are traced along the flow")
      .choice("wall_velocity", &O::mirrored_velocity, {{"zero", false}, {"mirror", true}},
              "normal velocity half a cell beyond a wall, for the interpolation: zero (the source), or minus "
              "that of the cell")
      .choice("wall_packets", &O::bounce, {{"bounce", true}, {"clamp", false}},
              "packets that would cross a wall: mirrored at it (text of the source), or stopped beside it "
              "(its listing)")
      .choice("pressure_gradient", &O::gradient,
              {{"central", O::Gradient::central}, {"faces", O::Gradient::faces}},
              "central: differences over two cells; faces: velocities averaged to the sides of the cells, "
              "accelerated there, and averaged back, which the source tried and rejected")
      .choice("pressure_force", &O::printed_pressure, {{"listing", false}, {"printed", true}},
              "listing: g∇h; printed: (c²/η)∇h, a gas whose waves run at c at any depth (Lee & O'Sullivan "
              "2007, (4))")
      .number("sound_speed", "m/s", &O::sound_speed, 0, 1e300, "c of pressure_force = printed")
      .choice("rest_flux", &O::rest_flux,
              {{"removed", O::RestFlux::removed}, {"kept", O::RestFlux::kept}, {"whole", O::RestFlux::whole}},
              "the exchange of overlapping packets (s > 1) over a bed. removed: that of still water is given "
              "back, which keeps water at rest; kept: water creeps downhill (the source); whole: all is "
              "given back, and with it the smoothing")
      .choice("divergence", &O::extra_divergence, {{"none", false}, {"extra", true}},
              "whether the depth also changes by −η∇·v, which packets already include: waves then run at √2 "
              "times their speed, and mass is not conserved")
      .number("dry_depth", "m", &O::dry_depth, 0, 1e300, "below this depth the velocity is zero");
}

/// The velocity before the step, and Δt/Δ.
struct Packets::Flow {
  const double *depth, *u, *v;
  double per_cell;
  const CentredScratch* open;  // null: there are only walls

  Index opening(Index cell, int side) const { return open ? open->opening(cell, side) : SquareGrid::none; }
};

struct Packets::Move {
  Index cell;
  double at;     // position in the cell, from its centre, in cells
  bool flipped;  // an odd number of reflections
};

/// What the packets of one band bring to other cells, on the rows that they can reach.
struct Packets::Deposits {
  Index first_row = 0, row_count = 0;  // first_row may be negative on a surface periodic in y
  Vector volume, x, y, cover;          // [columns × row_count]
  Vector leaving;                      // [openings] m, as depths of a cell
};

/// The flow on the grid within a rim of one cell: what packets see beyond a wall or, where the grid is periodic, on its other side.
/// Places without a cell hold no water.
struct Packets::Rimmed {
  // [(rows + 2) × stride]
  Vector depth, x, y;        // η, m, and what packets carry: (u, v), or η (u, v) under `momentum`
  Vector to_east, to_north;  // Δt/Δ (u, v)
};

/// [9 × stride] the parts of each cell of a row that move to the cells around it, row by row; in the middle, their sum. Times s².
struct Packets::Parts {
  Vector values;
  Index stride = 0;
  double* to(int cell) { return values.data() + cell * stride + 1; }
  const double* to(int cell) const { return values.data() + cell * stride + 1; }
};

struct Packets::Work final : CentredScratch {
  Rimmed rimmed;
  Array<std::array<Parts, 3>> parts;  // [threads] of the row below, of a row, of the row above
  Array<Deposits> bands;
  Vector left;  // [cells] the part of the water that leaves, of cells whose packets are traced one by one
  Vector x, y, cover;           // [cells] what a cell has after advection
  Vector change_x, change_y;    // [cells]
  Vector change, after;         // [cells] of the depth, m; the depth
  Vector arrived_x, arrived_y;  // [cells]
};

Packets::Packets(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                 const Parameters& parameters)
    : CentredScheme("packets", mesh, geometry, bed_depth, parameters),
      options_(read_options<PacketsOptions>(parameters)) {
  if (options_.smoothing > 2 * options_.packets)
    throw parameter_error(
        "smoothing", fmt::format("{} with packets = {}: a packet would reach beyond the next cell; at most "
                                 "2 is allowed",
                                 options_.smoothing, options_.packets));
  set_layout("velocity", "m/s", Location::cell, 2, grid_.count());
  declare_outputs();
  measure_runs();
  sort_cells();
  collect_overlaps();
}

/// Of a row of `Rimmed` and of `Parts`.
Index Packets::stride() const {
  return (grid_.columns + lanes - 1) / lanes * lanes + 2;
}

std::unique_ptr<Scratch> Packets::make_scratch() const {
  auto work = std::make_unique<Work>();
  work->bands.resize((grid_.rows + band_rows - 1) / band_rows);
  Rimmed& rimmed = work->rimmed;
  for (Vector* values : {&rimmed.depth, &rimmed.x, &rimmed.y, &rimmed.to_east, &rimmed.to_north})
    values->setZero((grid_.rows + 2) * stride() + lanes);
  return work;
}

void Packets::measure_runs() {
  const Index cells = grid_.count();
  around_.assign(9 * cells, SquareGrid::none);
  run_end_.assign(cells, 0);
  const auto beside = [&](Index cell, int side) {
    return cell == SquareGrid::none ? SquareGrid::none : grid_.neighbour[cell][side];
  };
  for (Index c = 0; c < cells; ++c) {
    Index* at = around_.data() + 9 * c;
    const auto& next = grid_.neighbour[c];
    at[4] = c;
    at[3] = next[SquareGrid::west];
    at[5] = next[SquareGrid::east];
    at[1] = next[SquareGrid::south];
    at[7] = next[SquareGrid::north];
    for (const int x : {SquareGrid::west, SquareGrid::east})
      for (const int y : {SquareGrid::south, SquareGrid::north}) {
        const Index first = beside(next[x], y), second = beside(next[y], x);
        at[(y == SquareGrid::north ? 6 : 0) + (x == SquareGrid::east ? 2 : 0)] =
            first != SquareGrid::none ? first : second;
      }
    const Index west = next[SquareGrid::west];
    if (west != SquareGrid::none && west == c - 1 && next[SquareGrid::east] == c + 1) run_end_[c] = c + 1;
  }
  // Along a run, the cells beside it to the south and to the north follow each other too, or lie beyond a wall.
  const auto continues = [&](Index c, int side) {
    const Index here = grid_.neighbour[c][side], next = grid_.neighbour[c + 1][side];
    return here == SquareGrid::none ? next == SquareGrid::none : next == here + 1;
  };
  for (Index c = cells - 2; c >= 0; --c)
    if (run_end_[c] && run_end_[c + 1] && continues(c, SquareGrid::south) && continues(c, SquareGrid::north))
      run_end_[c] = run_end_[c + 1];
  // From each wall to the next; cells that are not reached lie on a closed loop.
  free_.assign(cells, {closed_loop, closed_loop, closed_loop, closed_loop});
  for (int side = 0; side < 4; ++side)
    for (Index c = 0; c < cells; ++c) {
      if (grid_.neighbour[c][side] != SquareGrid::none) continue;
      const int away = side ^ 1;
      Index steps = 0;
      for (Index other = c; other != SquareGrid::none; other = grid_.neighbour[other][away])
        free_[other][side] = steps++;
    }
  row_start_.assign(grid_.rows + 1, cells);
  for (Index c = cells - 1; c >= 0; --c) row_start_[grid_.row[c]] = c;
  for (Index row = grid_.rows - 1; row >= 0; --row)
    row_start_[row] = std::min(row_start_[row], row_start_[row + 1]);
}

/// Finds the runs of cells in rows, and the cells whose packets must be traced one by one: always where a cell around is missing or
/// elsewhere in the mesh than in the rows; if packets may hit walls, also beside the outermost walls.
void Packets::sort_cells() {
  for (Index c = 0; c < grid_.count(); ++c) {
    const bool follows =
        c > 0 && grid_.row[c] == grid_.row[c - 1] && grid_.column[c] == grid_.column[c - 1] + 1;
    if (follows)
      ++segments_.back().count;
    else
      segments_.push_back({c, grid_.row[c], grid_.column[c], 1});
    periodic_x_ |= grid_.column[c] == 0 && grid_.neighbour[c][SquareGrid::west] != SquareGrid::none;
    periodic_y_ |= grid_.row[c] == 0 && grid_.neighbour[c][SquareGrid::south] != SquareGrid::none;
  }
  segment_start_.assign(grid_.rows + 1, segments_.size());
  for (Index i = segments_.size() - 1; i >= 0; --i) segment_start_[segments_[i].row] = i;
  for (Index row = grid_.rows - 1; row >= 0; --row)
    segment_start_[row] = std::min(segment_start_[row], segment_start_[row + 1]);

  // none: a wall of the grid; else the place that lies there.
  const auto place = [](Index at, Index count, bool periodic) {
    if (periodic) return (at + count) % count;
    return at < 0 || at >= count ? SquareGrid::none : at;
  };
  for (Apart* apart : {&apart_, &apart_at_walls_}) {
    const bool walls = apart == &apart_at_walls_;
    apart->start.assign(1, 0);
    apart->idle_start.assign(1, 0);
    for (Index row = 0; row < grid_.rows; ++row) {
      for (Index column = 0; column < grid_.columns; ++column) {
        const Index c = grid_.at(column, row);
        bool one_by_one = false;
        for (int dy = -1; dy <= 1 && c != SquareGrid::none; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            const Index x = place(column + dx, grid_.columns, periodic_x_),
                        y = place(row + dy, grid_.rows, periodic_y_);
            const bool wall = x == SquareGrid::none || y == SquareGrid::none;
            const Index other = wall ? SquareGrid::none : grid_.at(x, y);
            one_by_one |= wall ? walls : other == SquareGrid::none || other != around(c, dx, dy);
          }
        if (one_by_one) apart->cells.push_back(c);
        if (one_by_one || c == SquareGrid::none) apart->idle.push_back(column);
      }
      apart->start.push_back(apart->cells.size());
      apart->idle_start.push_back(apart->idle.size());
    }
  }
  constexpr double no_wall = std::numeric_limits<double>::infinity();
  at_west_wall_ = at_east_wall_ = Vector::Constant(stride(), no_wall);
  if (!periodic_x_) at_west_wall_[0] = at_east_wall_[grid_.columns - 1] = 0;
}

void Packets::collect_overlaps() {
  using RestFlux = PacketsOptions::RestFlux;
  const bool level =
      cells_.bed.minCoeff() == cells_.bed.maxCoeff();  // nothing to give back: the exchange is even
  if (options_.smoothing == 1 || options_.rest_flux == RestFlux::kept ||
      (options_.rest_flux == RestFlux::removed && level))
    return;
  const int n = options_.packets;
  const Flow at_rest{};
  std::map<std::pair<Index, Index>, Overlap> pairs;
  for (Index c = 0; c < grid_.count(); ++c)
    for (int q = 0; q < n; ++q)
      for (int p = 0; p < n; ++p)
        trace(at_rest, c, (p + 0.5) / n - 0.5, (q + 0.5) / n - 0.5, 0, 0,
              [&](Index cell, double x, double y, double part, bool, bool) {
                deposit(
                    at_rest, cell, x, y,
                    [&](Index to, double f) {
                      if (to == c) return;
                      Overlap& pair = pairs[std::minmax(c, to)];
                      (c < to ? pair.of_first : pair.of_second) += part * f;
                    },
                    [](Index, double, Index) {});
              });
  for (auto& [cells, pair] : pairs) {
    std::tie(pair.first, pair.second) = cells;
    overlaps_.push_back(pair);
  }
}

/// Bilinear between the centres, from the middle of a cell. Beyond a wall the tangential velocity is that of the cell; beyond an open
/// boundary the water outside is half a cell behind it.
void Packets::velocity_at(const Flow& flow, Index cell, double x, double y, double& u, double& v) const {
  const int dx = x < 0 ? -1 : 1, dy = y < 0 ? -1 : 1;
  const int x_side = x < 0 ? SquareGrid::west : SquareGrid::east,
            y_side = y < 0 ? SquareGrid::south : SquareGrid::north;
  const double wx = std::abs(x), wy = std::abs(y);
  const double beyond = options_.mirrored_velocity ? -1 : 0;
  struct Sample {
    double u, v;
  };
  const auto inside = [&](Index c) { return Sample{flow.u[c], flow.v[c]}; };
  const auto outside = [&](Index opening) {
    return Sample{flow.open->openings[opening].u, flow.open->openings[opening].v};
  };
  const auto across_x = [&](Index c) {
    const Index opening = flow.opening(c, x_side);
    return opening != SquareGrid::none ? outside(opening) : Sample{beyond * flow.u[c], flow.v[c]};
  };
  const auto across_y = [&](Index c) {
    const Index opening = flow.opening(c, y_side);
    return opening != SquareGrid::none ? outside(opening) : Sample{flow.u[c], beyond * flow.v[c]};
  };
  const Index beside = around(cell, dx, 0), above = around(cell, 0, dy), corner = around(cell, dx, dy);
  const Sample here = inside(cell);
  const Sample a = beside != SquareGrid::none ? inside(beside) : across_x(cell);
  const Sample b = above != SquareGrid::none ? inside(above) : across_y(cell);
  Sample d;
  if (corner != SquareGrid::none) {
    d = inside(corner);
  } else if (above == SquareGrid::none) {
    if (beside != SquareGrid::none)
      d = across_y(beside);
    else if (flow.opening(cell, y_side) != SquareGrid::none)
      d = b;
    else
      d = {a.u, beyond * a.v};
  } else if (beside == SquareGrid::none) {
    d = across_x(above);
  } else {  // the mean of both ways around the corner, so that turned scenes give turned flows
    const Sample first = across_y(beside), second = across_x(above);
    d = {0.5 * (first.u + second.u), 0.5 * (first.v + second.v)};
  }
  const double c0 = (1 - wx) * (1 - wy), c1 = wx * (1 - wy), c2 = (1 - wx) * wy, c3 = wx * wy;
  u = c0 * here.u + (c1 * a.u + c2 * b.u) + c3 * d.u;
  v = c0 * here.v + (c1 * a.v + c2 * b.v) + c3 * d.v;
}

/// The velocity of a packet outside: `near` (at most ½) nearer to the boundary than the middle of the first cell outside, `along`
/// from its middle. Where the row beside has no opening, as beyond a wall.
void Packets::outside_velocity_at(const Flow& flow, const Opening& opening, double near, double along,
                                  double& u, double& v) const {
  const bool along_y = opening.is_normal_to_x();
  const int side = (along_y ? SquareGrid::south : SquareGrid::west) + (along < 0 ? 0 : 1);
  const double weight = std::abs(along), inner = std::max(0.0, near);
  const auto in_row = [&](const Opening& at, double factor_u, double factor_v) {
    return std::pair(factor_u * ((1 - inner) * at.u + inner * flow.u[at.cell]),
                     factor_v * ((1 - inner) * at.v + inner * flow.v[at.cell]));
  };
  const Index next = grid_.neighbour[opening.cell][side];
  const Index beside = next == SquareGrid::none ? SquareGrid::none : flow.opening(next, opening.side);
  const double beyond = options_.mirrored_velocity ? -1 : 0;
  const auto here = in_row(opening, 1, 1);
  const auto there = beside != SquareGrid::none ? in_row(flow.open->openings[beside], 1, 1)
                                                : in_row(opening, along_y ? 1 : beyond, along_y ? beyond : 1);
  u = (1 - weight) * here.first + weight * there.first;
  v = (1 - weight) * here.second + weight * there.second;
}

/// The place of a packet that goes from this cell to position `to`, from its centre, along one axis, mirrored at walls. One that
/// passes an open boundary is placed in the last cell, at its distance from it.
Packets::Move Packets::along(const Flow& flow, int axis, Index cell, double to) const {
  const Index before = free_[cell][2 * axis], after = free_[cell][2 * axis + 1];
  const auto wrap = [](Index i, Index count) { return ((i % count) + count) % count; };
  const auto cell_at = [&](Index steps) {
    return axis == 0 ? grid_.at(wrap(grid_.column[cell] + steps, grid_.columns), grid_.row[cell])
                     : grid_.at(grid_.column[cell], wrap(grid_.row[cell] + steps, grid_.rows));
  };
  Move move{cell, to, false};
  Index least = std::numeric_limits<Index>::min(), most = std::numeric_limits<Index>::max();
  if (before != closed_loop) {
    least = -before;
    most = after;
    const double low = -0.5 - before, high = 0.5 + after, length = high - low;
    const bool opens = flow.open != nullptr;
    const bool open_low = opens && flow.opening(cell_at(least), 2 * axis) != SquareGrid::none;
    const bool open_high = opens && flow.opening(cell_at(most), 2 * axis + 1) != SquareGrid::none;
    if (options_.bounce && !open_low && !open_high && (move.at < low || move.at > high)) {
      const double from_low = move.at - low, periods = std::floor(from_low / length);
      const double rest = from_low - periods * length;
      move.flipped = std::fmod(std::abs(periods), 2) == 1;
      move.at = low + (move.flipped ? length - rest : rest);
    } else if (options_.bounce && open_low != open_high) {
      move.flipped = open_low ? move.at > high : move.at < low;
      if (move.flipped) move.at = 2 * (open_low ? high : low) - move.at;
    }
    // As near as the outermost packets are at rest.
    const double half = 0.5 / options_.packets;
    if (!open_low) move.at = std::max(move.at, low + half);
    if (!open_high) move.at = std::min(move.at, high - half);
  }
  const Index steps = std::clamp(static_cast<Index>(std::floor(move.at + 0.5)), least, most);
  if (steps == 0) return move;
  move.at -= steps;
  move.cell = cell_at(steps);
  return move;
}

/// Calls visit(cell, x, y, part, flipped in x, flipped in y) for where a packet arrives that moves by (dx, dy) from (x, y). Walls
/// stop it along x and y in turn. If the two orders lead to different places, half of it goes to each.
template <class Visit>
void Packets::trace(const Flow& flow, Index cell, double x, double y, double dx, double dy,
                    const Visit& visit) const {
  // Most go to a cell beside theirs at most, away from walls.
  const auto& free = free_[cell];
  const double to_wall = 0.5 - 0.5 / options_.packets, to_x = x + dx, to_y = y + dy;
  const auto unhindered = [&](double to, int low) {
    return to >= (free[low] == 0 ? -to_wall : -1) && to <= (free[low + 1] == 0 ? to_wall : 1);
  };
  if (unhindered(to_x, SquareGrid::west) && unhindered(to_y, SquareGrid::south)) {
    const int steps_x = (to_x >= 0.5) - (to_x < -0.5), steps_y = (to_y >= 0.5) - (to_y < -0.5);
    if (steps_x == 0 || steps_y == 0)
      return visit(around(cell, steps_x, steps_y), to_x - steps_x, to_y - steps_y, 1.0, false, false);
  }
  const Move x_first = along(flow, 0, cell, x + dx), then_y = along(flow, 1, x_first.cell, y + dy);
  const Move y_first = along(flow, 1, cell, y + dy), then_x = along(flow, 0, y_first.cell, x + dx);
  if (then_y.cell == then_x.cell && x_first.flipped == then_x.flipped && y_first.flipped == then_y.flipped)
    return visit(then_y.cell, x_first.at, then_y.at, 1.0, x_first.flipped, then_y.flipped);
  visit(then_y.cell, x_first.at, then_y.at, 0.5, x_first.flipped, then_y.flipped);
  visit(then_x.cell, then_x.at, y_first.at, 0.5, then_x.flipped, y_first.flipped);
}

/// The cell that takes what a packet covers there: beyond a wall, that on this side of it; around the corner of an island, the cell
/// of the packet. Two cells beside each other then exchange equal parts of their depths at rest.
Index Packets::under(Index cell, int dx, int dy) const {
  const Index to = around(cell, dx, dy);
  if (to != SquareGrid::none) return to;
  const Index in_x = around(cell, dx, 0), in_y = around(cell, 0, dy);
  if ((in_x == SquareGrid::none) == (in_y == SquareGrid::none)) return cell;
  return in_x != SquareGrid::none ? in_x : in_y;
}

/// The opening through which what a packet covers there leaves, or none.
Index Packets::opening_under(const Flow& flow, Index cell, int dx, int dy) const {
  if (!flow.open || around(cell, dx, dy) != SquareGrid::none) return SquareGrid::none;
  const int in_x = dx < 0 ? SquareGrid::west : SquareGrid::east,
            in_y = dy < 0 ? SquareGrid::south : SquareGrid::north;
  const Index through_x = dx ? flow.opening(cell, in_x) : SquareGrid::none;
  return through_x != SquareGrid::none || !dy ? through_x : flow.opening(cell, in_y);
}

/// Calls visit(cell, f) with the part f of a cell's depth that a packet leaves in each cell under it, and leave(opening, f, cell) with
/// the part that it leaves behind an open boundary, and the cell that would take it at a wall.
template <class Visit, class Leave>
void Packets::deposit(const Flow& flow, Index cell, double x, double y, const Visit& visit,
                      const Leave& leave) const {
  const double half = 0.5 * options_.smoothing / options_.packets;
  const double of_area = 1 / (options_.smoothing * options_.smoothing);
  const auto lengths = [half](double at) -> std::array<double, 3> {
    const double low = std::clamp(-0.5 - (at - half), 0.0, 2 * half),
                 high = std::clamp((at + half) - 0.5, 0.0, 2 * half);
    return {low, 2 * half - (low + high), high};
  };
  const auto in_x = lengths(x), in_y = lengths(y);
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const double f = in_x[dx + 1] * in_y[dy + 1] * of_area;
      if (f == 0) continue;
      const Index opening = opening_under(flow, cell, dx, dy);
      if (opening != SquareGrid::none)
        leave(opening, f, under(cell, dx, dy));
      else
        visit(under(cell, dx, dy), f);
    }
}

void Packets::advect_cell(const Flow& flow, Index c, double& left, Deposits& deposits) const {
  left = 0;
  const int n = options_.packets;
  const double depth = flow.depth[c];
  const double weight = options_.velocity == PacketVelocity::momentum ? depth : 1;
  const double momentum_x = weight * flow.u[c], momentum_y = weight * flow.v[c];
  const bool flips = options_.velocity == PacketVelocity::momentum;
  const auto index = [&](Index cell) {
    Index row = grid_.row[cell] - deposits.first_row;
    if (row < 0) row += grid_.rows;
    if (row >= grid_.rows) row -= grid_.rows;
    return row * grid_.columns + grid_.column[cell];
  };
  for (int q = 0; q < n; ++q)
    for (int p = 0; p < n; ++p) {
      const double x = (p + 0.5) / n - 0.5, y = (q + 0.5) / n - 0.5;
      double u, v;
      velocity_at(flow, c, x, y, u, v);
      if (options_.midpoint) {
        double middle_u = 0, middle_v = 0;
        trace(flow, c, x, y, 0.5 * flow.per_cell * u, 0.5 * flow.per_cell * v,
              [&](Index cell, double at_x, double at_y, double part, bool, bool) {
                double one_u, one_v;
                velocity_at(flow, cell, std::clamp(at_x, -0.5, 0.5), std::clamp(at_y, -0.5, 0.5), one_u,
                            one_v);
                middle_u += part * one_u;
                middle_v += part * one_v;
              });
        u = middle_u;
        v = middle_v;
      }
      trace(flow, c, x, y, flow.per_cell * u, flow.per_cell * v,
            [&](Index cell, double at_x, double at_y, double part, bool flipped_x, bool flipped_y) {
              flipped_x &= flips;
              flipped_y &= flips;
              const double mx = flipped_x ? -momentum_x : momentum_x;
              const double my = flipped_y ? -momentum_y : momentum_y;
              const auto arrive = [&](Index to, double f) {
                if (to == c && !flipped_x && !flipped_y) return;  // stays
                const Index i = index(to);
                const double share = part * f;
                left += share;
                deposits.volume[i] += depth * share;
                deposits.x[i] += mx * share;
                deposits.y[i] += my * share;
                if (deposits.cover.size()) deposits.cover[i] += share;
              };
              deposit(flow, cell, at_x, at_y, arrive, [&](Index opening, double f, Index) {
                left += part * f;
                deposits.leaving[opening] += depth * (part * f);
              });
            });
    }
}

int Packets::threads() const {
  constexpr Index shortest = 2048;  // cells, that more than one thread are worth it
  return grid_.count() < shortest ? 1 : thread_count();
}

/// Calls body(thread, begin, end) for ranges that cover the rows.
template <class Body>
void Packets::parallel_for_rows(const Body& body) const {
  if (threads() == 1) return body(0, Index{0}, grid_.rows);
#pragma omp parallel num_threads(threads())
  {
    const std::int64_t thread = omp_get_thread_num(), team = omp_get_num_threads(), rows = grid_.rows;
    body(static_cast<int>(thread), static_cast<Index>(rows * thread / team),
         static_cast<Index>(rows * (thread + 1) / team));
  }
}

void Packets::fill_rim(const Flow& flow, Rimmed& rim) const {
  const bool momentum = options_.velocity == PacketVelocity::momentum;
  const double k = flow.per_cell, beyond = options_.mirrored_velocity ? -1 : 0;
  const Index last_column = grid_.columns - 1, last_row = grid_.rows - 1;
  parallel_for_rows([&](int /*thread*/, Index begin, Index end) {
    for (Index s = segment_start_[begin]; s < segment_start_[end]; ++s) {
      const Segment& segment = segments_[s];
      const Index at = rimmed(segment.column, segment.row);
      double *depth = rim.depth.data() + at, *x = rim.x.data() + at, *y = rim.y.data() + at;
      double *to_east = rim.to_east.data() + at, *to_north = rim.to_north.data() + at;
      const double *from = flow.depth + segment.cell, *u = flow.u + segment.cell, *v = flow.v + segment.cell;
#pragma omp simd
      for (Index i = 0; i < segment.count; ++i) {
        const double weight = momentum ? from[i] : 1;
        depth[i] = from[i];
        x[i] = weight * u[i];
        y[i] = weight * v[i];
        to_east[i] = k * u[i];
        to_north[i] = k * v[i];
      }
    }
    for (Index row = begin; row < end; ++row)
      for (const auto& [out, wall, other_side] :
           {std::tuple(Index{-1}, Index{0}, last_column), std::tuple(grid_.columns, last_column, Index{0})}) {
        const Index to = rimmed(out, row), from = rimmed(periodic_x_ ? other_side : wall, row);
        rim.to_east[to] = periodic_x_ ? rim.to_east[from] : beyond * rim.to_east[from];
        rim.to_north[to] = rim.to_north[from];
        if (!periodic_x_) continue;
        for (Vector* values : {&rim.depth, &rim.x, &rim.y}) (*values)[to] = (*values)[from];
      }
  });
  for (const auto& [out, wall, other_side] :
       {std::tuple(Index{-1}, Index{0}, last_row), std::tuple(grid_.rows, last_row, Index{0})}) {
    const Index to = rimmed(-1, out), from = rimmed(-1, periodic_y_ ? other_side : wall);
    rim.to_east.segment(to, stride()) = rim.to_east.segment(from, stride());
    rim.to_north.segment(to, stride()) = (periodic_y_ ? 1 : beyond) * rim.to_north.segment(from, stride());
  }
}

/// The parts of the cells of a row, but for those whose packets are traced one by one. A packet covers at most the cells around its own;
/// `one_sided`: at most those on its side of the centre. What it covers beyond a wall stays on this side.
void Packets::measure_parts(const Rimmed& rim, const Apart& apart, Index row, bool one_sided,
                            Parts& parts) const {
  const int n = options_.packets;
  const double side = options_.smoothing / n, half = 0.5 * side;
  const Index columns = grid_.columns, count = stride() - 2, first = rimmed(0, row);
  const double at_south_wall = !periodic_y_ && row == 0 ? 0 : side,
               at_north_wall = !periodic_y_ && row == grid_.rows - 1 ? 0 : side;
  const double *at_west_wall = at_west_wall_.data(), *at_east_wall = at_east_wall_.data();
  parts.values.setZero();
  for (int q = 0; q < n; ++q)
    for (int p = 0; p < n; ++p) {
      const double x = (p + 0.5) / n - 0.5, y = (q + 0.5) / n - 0.5;
      const int dx = x < 0 ? -1 : 1, dy = y < 0 ? -1 : 1;
      const double wx = std::abs(x), wy = std::abs(y);
      const double c0 = (1 - wx) * (1 - wy), c1 = wx * (1 - wy), c2 = (1 - wx) * wy, c3 = wx * wy;
      const double *u0 = rim.to_east.data() + first, *ua = u0 + dx, *ub = u0 + dy * stride(), *ud = ub + dx;
      const double *v0 = rim.to_north.data() + first, *va = v0 + dx, *vb = v0 + dy * stride(), *vd = vb + dx;
      if (one_sided) {
        const double* at_wall_x = dx < 0 ? at_west_wall : at_east_wall;
        const double at_wall_y = dy < 0 ? at_south_wall : at_north_wall;
        double *corner = parts.to(4 + dx + 3 * dy), *beside = parts.to(4 + dx), *above = parts.to(4 + 3 * dy);
        // How far a packet reaches beyond its cell at rest.
        const double rest_x = half + wx - 0.5, rest_y = half + wy - 0.5, sign_x = dx, sign_y = dy;
#pragma omp simd
        for (Index i = 0; i < count; ++i) {
          const double u = c0 * u0[i] + (c1 * ua[i] + c2 * ub[i]) + c3 * ud[i];
          const double v = c0 * v0[i] + (c1 * va[i] + c2 * vb[i]) + c3 * vd[i];
          const double out_x = std::min(at_wall_x[i], std::max(0.0, rest_x + sign_x * u));
          const double out_y = std::min(at_wall_y, std::max(0.0, rest_y + sign_y * v));
          corner[i] += out_x * out_y;
          beside[i] += out_x * (side - out_y);
          above[i] += (side - out_x) * out_y;
        }
        continue;
      }
      double *to_sw = parts.to(0), *to_s = parts.to(1), *to_se = parts.to(2), *to_w = parts.to(3),
             *to_e = parts.to(5), *to_nw = parts.to(6), *to_n = parts.to(7), *to_ne = parts.to(8);
#pragma omp simd
      for (Index i = 0; i < count; ++i) {
        const double at_x = x + (c0 * u0[i] + (c1 * ua[i] + c2 * ub[i]) + c3 * ud[i]);
        const double at_y = y + (c0 * v0[i] + (c1 * va[i] + c2 * vb[i]) + c3 * vd[i]);
        const auto within = [](double overlap, double largest) {
          return std::min(largest, std::max(0.0, overlap));
        };
        const double west = within(-0.5 - (at_x - half), std::min(side, at_west_wall[i]));
        const double east = within((at_x + half) - 0.5, std::min(side, at_east_wall[i]));
        const double south = within(-0.5 - (at_y - half), at_south_wall);
        const double north = within((at_y + half) - 0.5, at_north_wall);
        const double middle_x = side - (west + east), middle_y = side - (south + north);
        to_sw[i] += west * south;
        to_s[i] += middle_x * south;
        to_se[i] += east * south;
        to_w[i] += west * middle_y;
        to_e[i] += east * middle_y;
        to_nw[i] += west * north;
        to_n[i] += middle_x * north;
        to_ne[i] += east * north;
      }
    }
  for (Index j = apart.idle_start[row]; j < apart.idle_start[row + 1]; ++j)
    for (int cell = 0; cell < 9; ++cell) parts.to(cell)[apart.idle[j]] = 0;
  for (int cell = 0; cell < 9; ++cell) parts.to(cell)[columns] = 0;
  double* sum = parts.to(4);
  const double *a = parts.to(0), *b = parts.to(1), *c = parts.to(2), *d = parts.to(3), *e = parts.to(5),
               *f = parts.to(6), *g = parts.to(7), *h = parts.to(8);
#pragma omp simd
  for (Index i = 0; i < count; ++i)
    sum[i] = ((a[i] + c[i]) + (f[i] + h[i])) + ((b[i] + g[i]) + (d[i] + e[i]));
  if (!periodic_x_) return;
  for (int cell = 0; cell < 9; ++cell) {
    parts.to(cell)[-1] = parts.to(cell)[columns - 1];
    parts.to(cell)[columns] = parts.to(cell)[0];
  }
}

/// What the cells of a row have after the packets of the rows below, at and above have arrived. What stays is not multiplied by a
/// sum of parts, so that still water keeps its bits.
void Packets::collect_row(const Rimmed& rim, const std::array<const Parts*, 3>& parts, Index row,
                          Work& work) const {
  const double of_area = 1 / (options_.smoothing * options_.smoothing);
  const bool covers = options_.velocity == PacketVelocity::mean;
  for (Index s = segment_start_[row]; s < segment_start_[row + 1]; ++s) {
    const Segment& segment = segments_[s];
    const auto of_row = [&](const Vector& values, int dy) {
      const Index from = periodic_y_ ? (row + dy + grid_.rows) % grid_.rows : row + dy;
      return values.data() + rimmed(segment.column, from);
    };
    struct Row {
      const double *depth, *x, *y, *east, *middle,
          *west;  // the last three: the parts that go east, straight, and west
    };
    const auto source = [&](int dy) {
      const Parts& of = *parts[dy + 1];
      const int middle = 4 - 3 * dy;
      return Row{of_row(rim.depth, dy),
                 of_row(rim.x, dy),
                 of_row(rim.y, dy),
                 of.to(middle + 1) + segment.column,
                 of.to(middle) + segment.column,
                 of.to(middle - 1) + segment.column};
    };
    const Row below = source(-1), here = source(0), above = source(1);
    double *change = work.change.data() + segment.cell, *x = work.x.data() + segment.cell,
           *y = work.y.data() + segment.cell;
#pragma omp simd
    for (Index i = 0; i < segment.count; ++i) {
      const auto arrives = [&](const double* of_below, const double* of_here, const double* of_above) {
        return ((of_below[i - 1] * below.east[i - 1] + of_below[i + 1] * below.west[i + 1]) +
                (of_above[i - 1] * above.east[i - 1] + of_above[i + 1] * above.west[i + 1])) +
               ((of_below[i] * below.middle[i] + of_above[i] * above.middle[i]) +
                (of_here[i - 1] * here.east[i - 1] + of_here[i + 1] * here.west[i + 1]));
      };
      const double left = here.middle[i];
      change[i] = of_area * (arrives(below.depth, here.depth, above.depth) - here.depth[i] * left);
      x[i] = here.x[i] + of_area * (arrives(below.x, here.x, above.x) - here.x[i] * left);
      y[i] = here.y[i] + of_area * (arrives(below.y, here.y, above.y) - here.y[i] * left);
    }
    if (!covers) continue;
    double* cover = work.cover.data() + segment.cell;
#pragma omp simd
    for (Index i = 0; i < segment.count; ++i)
      cover[i] =
          1 + of_area * (((below.east[i - 1] + below.west[i + 1]) + (above.east[i - 1] + above.west[i + 1])) +
                         ((below.middle[i] + above.middle[i]) + (here.east[i - 1] + here.west[i + 1])) -
                         here.middle[i]);
  }
}

/// Adds what the packets of the cells in `apart`, or of all cells without it, carry.
void Packets::trace_one_by_one(const Flow& flow, const Apart* apart, double largest, Work& work) const {
  const Index reach = largest < grid_.rows - 2 ? static_cast<Index>(std::ceil(largest)) + 2
                                               : grid_.rows;  // also if it is NaN
  const bool covers = options_.velocity == PacketVelocity::mean;
  work.left.setZero(grid_.count());
  const auto sweep = [&](Index band) {
    Deposits& deposits = work.bands[band];
    const Index begin = band * band_rows, end = std::min(begin + band_rows, grid_.rows);
    Index low = begin - reach, high = end + reach;
    if (!periodic_y_) {
      low = std::max(low, Index{0});
      high = std::min(high, grid_.rows);
    } else if (high - low > grid_.rows) {
      low = 0;
      high = grid_.rows;
    }
    const bool none = apart && apart->start[begin] == apart->start[end];
    deposits.first_row = low;
    deposits.row_count = none ? 0 : high - low;
    deposits.leaving.setZero(work.openings.size());
    if (none) return;
    const Index size = deposits.row_count * grid_.columns;
    for (Vector* sums : {&deposits.volume, &deposits.x, &deposits.y}) sums->setZero(size);
    deposits.cover.setZero(covers ? size : 0);
    if (apart)
      for (Index j = apart->start[begin]; j < apart->start[end]; ++j)
        advect_cell(flow, apart->cells[j], work.left[apart->cells[j]], deposits);
    else
      for (Index c = row_start_[begin]; c < row_start_[end]; ++c)
        advect_cell(flow, c, work.left[c], deposits);
  };
  const Index bands = work.bands.size();
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads())
  for (Index band = 0; band < bands; ++band) sweep(band);
  // The bands are added in their order.
  const bool momentum = options_.velocity == PacketVelocity::momentum;
  parallel_for_rows([&](int /*thread*/, Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index first = row_start_[row], last = row_start_[row + 1];
      for (Index c = first; c < last; ++c) {
        const double weight = momentum ? flow.depth[c] : 1;
        work.change[c] -= flow.depth[c] * work.left[c];
        work.x[c] -= weight * flow.u[c] * work.left[c];
        work.y[c] -= weight * flow.v[c] * work.left[c];
        if (covers) work.cover[c] -= work.left[c];
      }
      for (const Deposits& deposits : work.bands) {
        Index at = row - deposits.first_row;
        if (periodic_y_) at = (at % grid_.rows + grid_.rows) % grid_.rows;
        if (at < 0 || at >= deposits.row_count) continue;
        for (Index c = first; c < last; ++c) {
          const Index i = at * grid_.columns + grid_.column[c];
          work.change[c] += deposits.volume[i];
          work.x[c] += deposits.x[i];
          work.y[c] += deposits.y[i];
          if (covers) work.cover[c] += deposits.cover[i];
        }
      }
    }
  });
}

void Packets::advect(const Flow& flow, Work& work) const {
  const Index cells = grid_.count();
  const double n = options_.packets, half = 0.5 * options_.smoothing / n;
  // Displacements in cells.
  const auto largest_of = [&](const double* component) {
    return max(mesh_, cells_, Eigen::Map<const Vector>(component, cells).cwiseAbs());
  };
  const double largest = flow.per_cell * std::max(largest_of(flow.u), largest_of(flow.v));
  const bool to_cells_around = !options_.midpoint && largest + 0.5 - 0.5 / n + half <= 1.5;
  const bool hits_walls = options_.packets == 1 || largest > 0.5 / n;
  const bool one_sided =
      options_.packets % 2 == 0 && largest <= 0.5 + 0.5 / n - half && largest <= 0.5 / n + half;
  for (Vector* values : {&work.change, &work.x, &work.y}) values->resize(cells);
  if (options_.velocity == PacketVelocity::mean) work.cover.resize(cells);
  if (!to_cells_around) {
    const bool momentum = options_.velocity == PacketVelocity::momentum;
    for (Index c = 0; c < cells; ++c) {
      const double weight = momentum ? flow.depth[c] : 1;
      work.change[c] = 0;
      work.x[c] = weight * flow.u[c];
      work.y[c] = weight * flow.v[c];
    }
    if (work.cover.size()) work.cover.setOnes();
    return trace_one_by_one(flow, nullptr, largest, work);
  }
  const Apart& apart = hits_walls || flow.open ? apart_at_walls_ : apart_;
  fill_rim(flow, work.rimmed);
  work.parts.resize(threads());
  parallel_for_rows([&](int thread, Index begin, Index end) {
    auto& parts = work.parts[thread];
    const auto of_row = [&](Index row) -> Parts& { return parts[(row + 3) % 3]; };
    const auto measure = [&](Index row) {
      Parts& to = of_row(row);
      if (to.stride != stride()) {
        to.stride = stride();
        to.values.setZero(9 * stride());
      }
      const bool outside = row < 0 || row >= grid_.rows;
      if (outside && !periodic_y_)
        to.values.setZero();
      else
        measure_parts(work.rimmed, apart, (row + grid_.rows) % grid_.rows, one_sided, to);
    };
    if (begin == end) return;
    measure(begin - 1);
    measure(begin);
    for (Index row = begin; row < end; ++row) {
      measure(row + 1);
      collect_row(work.rimmed, {&of_row(row - 1), &of_row(row), &of_row(row + 1)}, row, work);
    }
  });
  if (!apart.cells.empty()) trace_one_by_one(flow, &apart, largest, work);
}

/// What leaves, and the packets of the water outside, from as far as they reach.
void Packets::enter(const Flow& flow, Work& work) const {
  const int n = options_.packets;
  const bool momentum = options_.velocity == PacketVelocity::momentum;
  const double half = 0.5 * options_.smoothing / n;
  for (Opening& opening : work.openings) opening.entered = 0;
  for (const Deposits& deposits : work.bands)
    for (Index i = 0; i < work.openings.size(); ++i) work.openings[i].entered -= deposits.leaving[i];
  for (Opening& opening : work.openings) {
    const Index c = opening.cell;
    const int axis = opening.side / 2;
    const double outward = opening.outward();
    const double inner = axis == 0 ? flow.u[c] : flow.v[c], outer = axis == 0 ? opening.u : opening.v;
    const double reach = half + flow.per_cell * std::max({0.0, -outward * inner, -outward * outer});
    const double weight = momentum ? opening.depth : 1;
    for (Index column = 0; column < reach; ++column)
      for (int q = 0; q < n; ++q)
        for (int p = 0; p < n; ++p) {
          const double from_middle = (p + 0.5) / n - 0.5, along_edge = (q + 0.5) / n - 0.5;
          double u, v;
          outside_velocity_at(flow, opening, column == 0 ? from_middle : 0, along_edge, u, v);
          const double from_cell = outward * (1 + static_cast<double>(column) - from_middle);
          trace(flow, c, axis == 0 ? from_cell : along_edge, axis == 0 ? along_edge : from_cell,
                flow.per_cell * u, flow.per_cell * v,
                [&](Index cell, double x, double y, double part, bool flipped_x, bool flipped_y) {
                  const double mx = momentum && flipped_x ? -weight * opening.u : weight * opening.u;
                  const double my = momentum && flipped_y ? -weight * opening.v : weight * opening.v;
                  const auto arrive = [&](Index to, double f) {
                    const double share = part * f;
                    work.change[to] += opening.depth * share;
                    work.x[to] += mx * share;
                    work.y[to] += my * share;
                    if (work.cover.size()) work.cover[to] += share;
                    opening.entered += opening.depth * share;
                  };
                  deposit(flow, cell, x, y, arrive, [](Index, double, Index) {});
                });
        }
  }
}

/// Gives back what the overlap of packets exchanges at rest across open boundaries, as give_back() does between cells.
void Packets::give_back_outside(const Flow& flow, Work& work) const {
  if (overlaps_.empty() || work.openings.empty()) return;
  const bool whole = options_.rest_flux == PacketsOptions::RestFlux::whole;
  const int n = options_.packets;
  const auto exchange = [&](Opening& opening, Index cell, double amount) {
    const double given = std::min(amount, std::max(0.0, flow.depth[cell] + work.change[cell]));
    work.change[cell] -= given;
    opening.entered -= given;
  };
  for (Opening& opening : work.openings) {
    const Index c = opening.cell;
    const double outward = opening.outward();
    const double inside = whole ? flow.depth[c] : std::max(0.0, cells_.bed[c]),
                 outside = whole ? opening.depth : inside;
    double leaves = 0;
    for (int q = 0; q < n; ++q)
      for (int p = 0; p < n; ++p) {
        const double x = (p + 0.5) / n - 0.5, y = (q + 0.5) / n - 0.5;
        const auto leave = [&](Index through, double f, Index beside) {
          if (&flow.open->openings[through] != &opening) return;
          leaves += f * inside;
          // give_back() takes it from where a wall would have sent it.
          work.change[c] -= f * inside;
          work.change[beside] += f * inside;
        };
        deposit(
            flow, c, x, y, [](Index, double) {}, leave);
        const auto arrive = [&](Index to, double f) { exchange(opening, to, f * outside); };
        const bool in_x = opening.is_normal_to_x();
        deposit(flow, c, in_x ? x + outward : x, in_x ? y : y + outward, arrive, [](Index, double, Index) {});
      }
    exchange(opening, c, -leaves);
  }
}

/// A discharge is exact: what packets bring less or more than it is given to the cell beside, or taken from there as far as there is
/// water.
void Packets::book_openings(double dt, const Forces& forces, State& state, Work& work) const {
  if (forces.open_boundary.flux_sets.empty()) return;
  double lacking = 0;
  for (Index i = 0; i < work.openings.size(); ++i) {
    Opening& opening = work.openings[i];
    const Index c = opening.cell;
    const double more = missing_discharge(forces, dt, i, opening, work.depth[c] + work.change[c], lacking);
    const double weight = options_.velocity == PacketVelocity::momentum ? more : 0;
    work.change[c] += more;
    work.x[c] += weight * opening.u;
    work.y[c] += weight * opening.v;
    opening.entered += more;
  }
  book(forces, work.openings, lacking, state);
}

/// Gives back what the overlap of packets exchanges at rest, with the velocity of the water that returns. No cell gives more than
/// it has.
void Packets::give_back(const Vector& before, Work& work) const {
  if (overlaps_.empty()) return;
  const bool whole = options_.rest_flux == PacketsOptions::RestFlux::whole;
  const bool momentum = options_.velocity == PacketVelocity::momentum;
  const auto depth = [&](Index c) { return whole ? before[c] : std::max(0.0, cells_.bed[c]); };
  // From the first to the second cell.
  const auto amount = [&](const Overlap& pair) {
    return pair.of_second * depth(pair.second) - pair.of_first * depth(pair.first);
  };
  Vector &wanted = work.change_x, &part = work.change_y;
  wanted.setZero(grid_.count());
  for (const Overlap& pair : overlaps_) {
    const double one = amount(pair);
    wanted[one > 0 ? pair.first : pair.second] += std::abs(one);
  }
  part.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c)
    part[c] = std::min(1.0, std::max(0.0, before[c] + work.change[c]) / wanted[c]);
  work.after = before + work.change;
  work.arrived_x = work.x;
  work.arrived_y = work.y;
  for (const Overlap& pair : overlaps_) {
    const double one = amount(pair);
    const Index from = one > 0 ? pair.first : pair.second, to = one > 0 ? pair.second : pair.first;
    const double given = part[from] * std::abs(one);
    work.change[from] -= given;
    work.change[to] += given;
    if (!momentum || !(work.after[from] > 0)) continue;
    const double x = given * work.arrived_x[from] / work.after[from],
                 y = given * work.arrived_y[from] / work.after[from];
    work.x[from] -= x;
    work.y[from] -= y;
    work.x[to] += x;
    work.y[to] += y;
  }
}

/// velocity += scale · (aₙ∇h + ½η∇aₙ), by central differences.
void Packets::accelerate(const Forces& forces, const GridScratch& s, double scale, double* u,
                         double* v) const {
  const Vector &a = GridForces::acceleration_of(forces), &depth = s.depth, &h = s.elevation;
  const double half_inverse = scale * 0.5 / side_, square = options_.sound_speed * options_.sound_speed;
  if (options_.printed_pressure)
    accelerate(s, u, v, [&, half_inverse](Index of, Index first, Index second) {
      return half_inverse * (-square / depth[of] * (h[second] - h[first]));
    });
  else
    accelerate(s, u, v, [&, half_inverse](Index /*of*/, Index first, Index second) {
      return half_inverse * pressure_drop(first, second, a, depth, h);
    });
}

/// `drop(of, first, second)`: the part of the acceleration of the cell `of` that comes from two cells beside each other.
template <class Drop>
void Packets::accelerate(const GridScratch& s, double* u, double* v, const Drop& drop) const {
  const double *depth = s.depth.data(), *h = s.elevation.data(), dry = options_.dry_depth;
  // A dry neighbour whose bed is above the surface is a wall; beyond a wall the elevation is that of the cell.
  const auto cell = [=](Index c, Index west, Index east, Index south, Index north) {
    const auto from = [=](Index other, double part) {
      return (depth[other] > dry) | (h[other] < h[c]) ? part : 0.0;
    };
    const double x = from(west, drop(c, west, c)) + from(east, drop(c, c, east));
    const double y = from(south, drop(c, south, c)) + from(north, drop(c, c, north));
    const bool wet = depth[c] > dry;
    u[c] += wet ? x : 0;
    v[c] += wet ? y : 0;
  };
  parallel_for(grid_.count(), [&](Index begin, Index end) {
    for (Index c = begin; c < end;) {
      const auto beside = [&](int side) {
        const Index other = grid_.neighbour[c][side];
        return other == SquareGrid::none ? c : other;
      };
      if (run_end_[c] == 0) {
        cell(c, beside(SquareGrid::west), beside(SquareGrid::east), beside(SquareGrid::south),
             beside(SquareGrid::north));
        ++c;
        continue;
      }
      const Index last = std::min(run_end_[c], end), to_south = beside(SquareGrid::south) - c,
                  to_north = beside(SquareGrid::north) - c;
#pragma omp simd
      for (Index i = c; i < last; ++i) cell(i, i - 1, i + 1, i + to_south, i + to_north);
      c = last;
    }
  });
}

/// The same difference across open boundaries, with the elevation of the water outside over the bed of the cell.
void Packets::accelerate_openings(const Forces& forces, double scale, double* u, double* v,
                                  Work& work) const {
  find_openings(forces, u, v, options_.dry_depth, work);
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const double square = options_.sound_speed * options_.sound_speed;
  for (const Opening& opening : work.openings) {
    const Index c = opening.cell;
    if (!(work.depth[c] > options_.dry_depth)) continue;
    const double outward = opening.outward();
    const double slope = outward * (opening.depth - work.depth[c]);
    const double down = -slope * (options_.printed_pressure ? square / work.depth[c] : acceleration[c]);
    (opening.is_normal_to_x() ? u : v)[c] += scale * 0.5 / side_ * down;
  }
}

std::string Packets::advance(double dt, const Forces& forces, State& state, Scratch& scratch) const {
  Work& work = static_cast<Work&>(scratch);
  if (std::string reason = lifted(forces); !reason.empty()) return reason;
  const Index cells = grid_.count();
  double *volumes = state[volume()].data(), *u = state[velocity()].data(), *v = u + cells;
  compute_depth(state, work);
  for (Index c = 0; c < cells; ++c)
    if (!(work.depth[c] > options_.dry_depth)) u[c] = v[c] = 0;
  find_openings(forces, u, v, options_.dry_depth, work);
  const Flow flow{work.depth.data(), u, v, dt / side_, work.openings.empty() ? nullptr : &work};
  for (const Opening& opening : work.openings)
    if (!(std::hypot(opening.u, opening.v) * dt <= longest_path * side_))
      return "the water outside crosses more than 10000 cells in a step";
  advect(flow, work);
  enter(flow, work);
  give_back_outside(flow, work);
  book_openings(dt, forces, state, work);
  if (options_.extra_divergence) {
    for (Index c = 0; c < cells; ++c) {
      const auto& next = grid_.neighbour[c];
      const auto of = [&](const double* w, int side) {
        if (next[side] != SquareGrid::none) return w[next[side]];
        const Index opening = flow.opening(c, side);
        if (opening == SquareGrid::none) return 0.0;
        return side < SquareGrid::south ? flow.open->openings[opening].u : flow.open->openings[opening].v;
      };
      work.change_x.resize(cells);
      work.change_x[c] = (of(u, SquareGrid::east) - of(u, SquareGrid::west)) +
                         (of(v, SquareGrid::north) - of(v, SquareGrid::south));
    }
    work.change.array() -= 0.5 * dt / side_ * work.change_x.array() * (work.depth + work.change).array();
  }
  give_back(work.depth, work);
  const double area = area_, dry = options_.dry_depth;
  const double *bed = cells_.bed.data(), *change = work.change.data(), *x = work.x.data(), *y = work.y.data();
  double *depth = work.depth.data(), *elevation = work.elevation.data();
  const auto finish = [&](const auto& divisor) {
    parallel_for(cells, [=](Index begin, Index end) {
#pragma omp simd
      for (Index c = begin; c < end; ++c) {
        volumes[c] =
            std::max(0.0, volumes[c] + area * change[c]);  // of cells that run dry, round-off is left
        depth[c] = volumes[c] / area;
        elevation[c] = depth[c] - bed[c];
        const double by = divisor(c);
        const bool wet = (depth[c] > dry) & (by > 0);
        u[c] = wet ? x[c] / by : 0;
        v[c] = wet ? y[c] / by : 0;
      }
    });
  };
  switch (options_.velocity) {
    case PacketVelocity::momentum:
      finish([=](Index c) { return depth[c]; });
      break;
    case PacketVelocity::mean:
      finish([cover = work.cover.data()](Index c) { return cover[c]; });
      break;
    case PacketVelocity::listing:
      finish([](Index) { return 1.0; });
      break;
  }
  if (options_.gradient == PacketsOptions::Gradient::central) {
    accelerate_openings(forces, dt, u, v, work);
    accelerate(forces, work, dt, u, v);
  } else {
    accelerate_sides(forces, dt, u, v, work);
  }
  // With the pressure, so that the velocity with which the next step moves packets is that of the state, and the work of forces too.
  if (forces.has_body_force)
    for (Index c = 0; c < cells; ++c) {
      if (!(work.depth[c] > dry)) continue;
      u[c] += dt * forces.body_force[c];
      v[c] += dt * forces.body_force[cells + c];
    }
  stop_between_walls(forces, u);
  return "";
}

void Packets::accelerate_sides(const Forces& forces, double dt, double* u, double* v, Work& work) const {
  const Index cells = grid_.count();
  const double dry = options_.dry_depth;
  work.change_x.setZero(cells);
  work.change_y.setZero(cells);
  const Vector& acceleration = GridForces::acceleration_of(forces);
  for (const SquareGrid::Edge& edge : grid_.edges) {
    if (edge.is_wall()) continue;
    const double* w = edge.axis == 0 ? u : v;
    // A dry cell whose bed is above the surface is a wall.
    const auto closed = [&](Index other, Index of) {
      return !(work.depth[other] > dry) && !(work.elevation[other] < work.elevation[of]);
    };
    const double drop =
        closed(edge.first, edge.second) || closed(edge.second, edge.first)
            ? 0
            : pressure_drop(edge.first, edge.second, acceleration, work.depth, work.elevation);
    const double here = 0.5 * (w[edge.first] + w[edge.second]) + dt / side_ * drop;
    Vector& sums = edge.axis == 0 ? work.change_x : work.change_y;
    sums[edge.first] += 0.5 * here;
    sums[edge.second] += 0.5 * here;
  }
  find_openings(forces, u, v, options_.dry_depth, work);
  for (const Opening& opening : work.openings) {
    const bool of_x = opening.is_normal_to_x();
    const Index c = opening.cell;
    const double rise = opening.outward() * (opening.depth - work.depth[c]);
    (of_x ? work.change_x : work.change_y)[c] +=
        0.5 * (0.5 * (of_x ? u[c] + opening.u : v[c] + opening.v) - dt / side_ * acceleration[c] * rise);
  }
  for (Index c = 0; c < cells; ++c)
    if (work.depth[c] > dry) {
      u[c] = work.change_x[c];
      v[c] = work.change_y[c];
    }
}

/// ω² = (m/s) a η (sin² kₓΔ + sin² k_yΔ)/Δ², m = 2 where packets overlap, else 1, with symplectic Euler steps: ωΔt < 2; and no growth of
/// waves that run against a flow, but for s = 1, where no step is so small.
double Packets::stable_dt(const State& state, const Forces& forces, Terms /*terms*/, Scratch& scratch) const {
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const ConstBlock volumes = state[volume()];
  const double m = options_.smoothing > 1 ? 2 : 1;
  const double directions = (grid_.columns > 1) + (grid_.rows > 1);
  const auto square_of_speed = [&](Index c, double depth) {
    const double square = options_.printed_pressure ? options_.sound_speed * options_.sound_speed
                                                    : std::max(0.0, acceleration[c] * depth);
    return options_.extra_divergence ? 2 * square : square;
  };
  double fastest = max(mesh_, cells_, [&](Index c) { return square_of_speed(c, volumes[c] / area_); });
  if (!forces.open_boundary.places.empty()) {
    Work& work = static_cast<Work&>(scratch);
    const double* u = state[velocity()].data();
    compute_depth(state, work);
    find_openings(forces, u, u + grid_.count(), options_.dry_depth, work);
    for (const Opening& opening : work.openings)
      fastest = std::max(fastest, square_of_speed(opening.cell, opening.depth));
  }
  const double s = options_.smoothing, n = options_.packets;
  const double of_waves =
      2 * side_ / std::sqrt(std::max(1.0, directions) * m / s * std::max(fastest, 1e-300));
  if (s == 1) return of_waves;
  // Within the overlap, or with (s − 1)/s > ½ c (1 − 2N|u|/c) Δt/Δ.
  const double *u = state[velocity()].data(), *v = u + grid_.count();
  const double of_flow = min(mesh_, cells_, [&](Index c) {
    const double wave = std::sqrt(square_of_speed(c, volumes[c] / area_));
    const auto along = [&](double speed) {
      const double within_overlap = (s - 1) / (2 * n) * side_ / std::max(speed, 1e-300);
      return std::max(within_overlap, 2 * (s - 1) / s * side_ / std::max(wave - 2 * n * speed, 1e-300));
    };
    return std::min(along(std::abs(u[c])), along(std::abs(v[c])));
  });
  return std::min(of_waves, of_flow);
}

void Packets::apply_coriolis(double dt, const Forces& forces, State& state, Scratch& /*scratch*/) const {
  double* u = state[velocity()].data();
  if (forces.rotates) turn(dt, forces, u, u + grid_.count());
}

void Packets::add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                           GridScratch& s) const {
  compute_depth(state, s);
  double* u = rate[velocity()].data();
  accelerate(forces, s, scale, u, u + grid_.count());
}

DiscretizationEntry packets() {
  DiscretizationEntry entry = describe_grid_scheme<Packets>(
      "packets",
      "forward packets of depth and velocity on square cells, both at the centres (Lee & O'Sullivan 2007)");
  entry.positive = true;
  entry.dissipative = true;
  entry.order_limit = {1, "packets move in one Euler step, and the depth is smoothed in each step"};
  return entry;
}

}  // namespace shoal
