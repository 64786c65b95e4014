// The layout centre of height-map.
#include "discretizations/grid/height_map.hpp"

#include <tuple>

namespace shoal {

struct CentreHeightMap::Work final : GridScratch {
  Vector traced, traced_depth;
  Vector artificial;  // [cells] pressure, m²/s²
  Vector flux;        // [edges] m²/s
  Vector change_x, change_y, pressure_x,
      pressure_y;  // [cells] of the velocity, m/s², or of the discharge, m²/s²
};

CentreHeightMap::CentreHeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                                 const Parameters& parameters)
    : HeightMap(mesh, geometry, bed_depth, parameters) {
  if (moves_momentum() && options_.advection != VelocityAdvection::imperative_d)
    throw Refusal(
        "layout = centre: momentum moves from cell to cell, which is imperative-d; the other forms that move "
        "it need layout = edge");
  if (options_.shore != Shore::general)
    throw Refusal("layout = centre has no rule for the shore; use layout = edge or shore = general");
  x_count_ = grid_.count();
  set_layout("velocity", "m/s", Location::cell, 2, grid_.count());
  declare_outputs();
}

std::unique_ptr<Scratch> CentreHeightMap::make_scratch() const {
  auto work = std::make_unique<Work>();
  work->flux.setZero(grid_.edges.size());
  for (Vector* one : {&work->change_x, &work->change_y}) one->setZero(grid_.count());
  work->artificial.setZero(grid_.count());
  return work;
}

template <class Visit>
void CentreHeightMap::visit(const Visit& visit) const {
  parallel_for(grid_.count(), [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) visit(c);
  });
}

/// The mean of the discharges of both cells, or the mean velocity times the depth of the cell that the water leaves.
void CentreHeightMap::compute_flux(const double* velocity, Work& w) const {
  parallel_for(static_cast<Index>(grid_.edges.size()), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const SquareGrid::Edge& edge = grid_.edges[e];
      if (edge.is_wall()) continue;
      const double* u = velocity + (edge.axis == 0 ? 0 : grid_.count());
      const double mean = 0.5 * (u[edge.first] + u[edge.second]);
      const double flux =
          options_.upwind_depth
              ? mean * w.depth[mean > 0 ? edge.first : edge.second]
              : 0.5 * (u[edge.first] * w.depth[edge.first] + u[edge.second] * w.depth[edge.second]);
      w.flux[e] = is_wet(w.depth[flux > 0 ? edge.first : edge.second]) ? flux : 0;
    }
  });
}

std::string CentreHeightMap::trace(double dt, State& state, Work& w) const {
  Block flow = state[velocity()];
  if (std::string reason = unbounded_trace(std::as_const(state)[velocity()], dt); !reason.empty())
    return reason;
  const Index cells = grid_.count();
  const double *u = flow.data(), *v = u + cells;
  const auto velocity_at = [&](const Place& at) {
    return std::pair(between_centres(u, at, -1, 1), between_centres(v, at, 1, -1));
  };
  w.traced.resize(2 * cells);
  w.traced_depth.resize(cells);
  visit([&](Index c) {
    const Place from = departure({c, 0, 0}, dt, velocity_at);
    std::tie(w.traced[c], w.traced[cells + c]) = velocity_at(from);
    if (options_.advective_depth) w.traced_depth[c] = between_centres(w.depth.data(), from, 1, 1);
  });
  flow = w.traced;
  return "";
}

/// Differences of velocities by the formula of the edges, with mirror images beyond walls; or momentum that crosses an edge with
/// the velocity of the cell that it leaves.
void CentreHeightMap::advect(const double* velocity, Work& w) const {
  if (options_.advection == VelocityAdvection::none) return;
  const Index cells = grid_.count();
  const auto change = [&](Index c, int component) {
    const double* u = velocity + component * cells;
    double sum = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const int low = 2 * axis, high = low + 1;
      if (moves_momentum()) {
        const auto carried = [&](int side) {
          const SquareGrid::Edge& edge = grid_.edges[grid_.edge_of[c][side]];
          const double flux = w.flux[grid_.edge_of[c][side]];
          return flux == 0 ? 0 : flux * u[flux > 0 ? edge.first : edge.second];
        };
        sum += carried(high) - carried(low);
        continue;
      }
      const double* along = velocity + axis * cells;
      const Carried here{along[c], u[c], w.depth[c]};
      const auto beside = [&](int side) {
        const Index other = grid_.neighbour[c][side];
        if (other == SquareGrid::none)
          return Carried{-here.w, axis == component ? -here.u : here.u, here.depth};
        return Carried{along[other], u[other], w.depth[other]};
      };
      sum += advection_term(here, beside(low), beside(high));
    }
    return -sum / side_;
  };
  visit([&](Index c) {
    w.change_x[c] = change(c, 0);
    w.change_y[c] = change(c, 1);
  });
}

/// (3.4). Beyond a wall, and in a dry cell whose bed is above the surface, the elevation is that of the cell.
void CentreHeightMap::compute_pressure(const Forces& forces, Work& w) const {
  const Vector& acceleration = GridForces::acceleration_of(forces);
  w.pressure_x.resize(grid_.count());
  w.pressure_y.resize(grid_.count());
  visit([&](Index c) {
    const auto drop = [&](int side) {
      const Index other = grid_.neighbour[c][side];
      if (other == SquareGrid::none || (!is_wet(w.depth[other]) && w.elevation[other] >= w.elevation[c]))
        return 0.0;
      const bool after = side % 2 == 1;
      return pressure_drop(after ? c : other, after ? other : c, acceleration, w.depth, w.elevation);
    };
    const bool wet = is_wet(w.depth[c]);
    w.pressure_x[c] = wet ? (drop(SquareGrid::west) + drop(SquareGrid::east)) / (2 * side_) : 0;
    w.pressure_y[c] = wet ? (drop(SquareGrid::south) + drop(SquareGrid::north)) / (2 * side_) : 0;
  });
}

std::string CentreHeightMap::advance(double dt, const Forces& forces, State& state, Scratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  if (std::string reason = lifted(forces); !reason.empty()) return reason;
  const Index cells = grid_.count();
  double *volumes = state[volume()].data(), *u = state[velocity()].data(), *v = u + cells;
  compute_depth(state, w);
  if (traces())
    if (std::string reason = trace(dt, state, w); !reason.empty()) return reason;
  compute_flux(u, w);
  if (!traces()) advect(u, w);
  if (options_.simultaneous) compute_pressure(forces, w);
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const auto mean_velocity = [&](Index e) {
    const SquareGrid::Edge& edge = grid_.edges[e];
    const double* along = edge.axis == 0 ? u : v;
    return edge.is_wall() ? 0 : 0.5 * (along[edge.first] + along[edge.second]);
  };
  if (options_.advective_depth)
    visit([&](Index c) {
      const auto& at = grid_.edge_of[c];
      const double divergence =
          ((mean_velocity(at[SquareGrid::east]) - mean_velocity(at[SquareGrid::west])) +
           (mean_velocity(at[SquareGrid::north]) - mean_velocity(at[SquareGrid::south]))) /
          side_;
      volumes[c] = area_ * w.traced_depth[c] * (1 - dt * divergence);
    });
  else
    visit([&](Index c) {
      if (moves_momentum()) {
        u[c] *= w.depth[c];
        v[c] *= w.depth[c];
      }
      const auto& at = grid_.edge_of[c];
      const double rate = -((w.flux[at[SquareGrid::east]] - w.flux[at[SquareGrid::west]]) +
                            (w.flux[at[SquareGrid::north]] - w.flux[at[SquareGrid::south]])) /
                          side_;
      volumes[c] += dt * area_ * rate;
      double depth = w.depth[c];
      for (const Index other : grid_.neighbour[c])
        if (other != SquareGrid::none) depth = std::max(depth, w.depth[other]);
      w.artificial[c] = artificial_pressure(depth, acceleration[c], rate);
    });
  compute_depth(state, w);
  if (!options_.simultaneous) compute_pressure(forces, w);
  visit([&](Index c) {
    const double depth = w.depth[c];
    const auto after = [&](double before, double change, double force) {
      if (!is_wet(depth)) return 0.0;
      const double advected = before + dt * change;
      return resist((moves_momentum() ? advected / depth : advected) + dt * force, dt);
    };
    const auto drop = [&](int low) {
      const auto at = [&](int side) {
        const Index other = grid_.neighbour[c][side];
        return w.artificial[other == SquareGrid::none ? c : other];
      };
      return (at(low) - at(low + 1)) / (2 * side_);
    };
    const double force_x = forces.has_body_force ? forces.body_force[c] : 0,
                 force_y = forces.has_body_force ? forces.body_force[cells + c] : 0;
    u[c] = after(u[c], w.change_x[c], w.pressure_x[c] + drop(SquareGrid::west) + force_x);
    v[c] = after(v[c], w.change_y[c], w.pressure_y[c] + drop(SquareGrid::south) + force_y);
  });
  stop_between_walls(forces, u);
  return "";
}

void CentreHeightMap::add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                                   GridScratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  compute_depth(state, w);
  compute_pressure(forces, w);
  rate[velocity()].head(grid_.count()) += scale * w.pressure_x;
  rate[velocity()].tail(grid_.count()) += scale * w.pressure_y;
}

}  // namespace shoal
