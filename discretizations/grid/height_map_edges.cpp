// The layout edge of height-map.
#include "discretizations/grid/height_map.hpp"

#include <limits>

namespace shoal {

struct EdgeHeightMap::Work final : GridScratch {
  Vector edge_depth;              // [edges] mean of the cells
  Vector flux;                    // [edges] m²/s
  Vector across;                  // [edges] velocity along the edge, m/s
  Vector change;                  // [edges] of the velocity, m/s², or of the discharge, m²/s²
  Vector momentum_x, momentum_y;  // [cells] flux of momentum, m³/s²
  Vector pressure;                // [edges] m/s²
  Vector ratio;                   // [cells] part under water
  Vector thin;                    // [edges] depth moved by the rule for thin water, m
  Vector share;                   // [cells] part of it that there is
  Vector wet_time;                // [cells] s
  Vector traced;                  // [edges] velocity
  Vector traced_depth;            // [cells]
  Vector artificial;              // [cells] pressure, m²/s²
  Vector site_depth;              // [edges]
  // At open boundaries, 0 elsewhere:
  Vector through;         // [edges] velocity, m/s
  Vector outside_along;   // [edges] velocity of the water outside along the edge, m/s
  Vector arriving;        // [places] flux from the other sides into the cell, m²/s
  Vector lacking;         // [places] outward discharge that the cell cannot supply, m²/s
  Vector rate_of_change;  // [cells] 1/s
};

EdgeHeightMap::EdgeHeightMap(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                             const Parameters& parameters)
    : HeightMap(mesh, geometry, bed_depth, parameters) {
  auto of_mesh = std::make_shared<Array<Index>>();
  for (const SquareGrid::Edge& edge : grid_.edges) of_mesh->push_back(edge.of_mesh);
  set_layout("normal_velocity", "m/s", Location::edge, 1, static_cast<Index>(grid_.edges.size()), of_mesh);
  declare_outputs();
  collect_edges();
  if (options_.shore == Shore::fill_ratio) measure_ground(bed_depth);
}

void EdgeHeightMap::measure_ground(const ScalarField& bed_depth) {
  lowest_.resize(grid_.count());
  highest_.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c) {
    lowest_[c] = std::numeric_limits<double>::max();
    highest_[c] = std::numeric_limits<double>::lowest();
    for (const Index vertex : grid_.corners[c]) {
      const double level = -bed_depth(geometry_.x.col(vertex));
      lowest_[c] = std::min(lowest_[c], level);
      highest_[c] = std::max(highest_[c], level);
    }
  }
}

Vector* EdgeHeightMap::memory(Scratch& scratch) const {
  return options_.shore == Shore::algorithm_4 ? &static_cast<Work&>(scratch).wet_time : nullptr;
}

void EdgeHeightMap::collect_edges() {
  outer_of_.assign(mesh_.edge_count(), Mesh::none);
  for (Index e = 0; e < static_cast<Index>(grid_.edges.size()); ++e) {
    const SquareGrid::Edge& edge = grid_.edges[e];
    x_count_ += edge.axis == 0;
    if (edge.is_wall()) {
      outer_of_[edge.of_mesh] = outer_.size();
      outer_.push_back({e, edge.inside(), edge.second == SquareGrid::none ? 1.0 : -1.0});
      continue;
    }
    const int low = 2 * edge.axis, high = low + 1, along = 2 * (1 - edge.axis);
    Inner one{e,  edge.first, edge.second, grid_.edge_of[edge.first][low], grid_.edge_of[edge.second][high],
              {}, {}};
    for (int end = 0; end < 2; ++end) {
      one.across[0][end] = grid_.edge_of[edge.first][along + end];
      one.across[1][end] = grid_.edge_of[edge.second][along + end];
      const Index first = grid_.neighbour[edge.first][along + end],
                  second = grid_.neighbour[edge.second][along + end];
      one.beside[end] = first != SquareGrid::none    ? grid_.edge_of[first][high]
                        : second != SquareGrid::none ? grid_.edge_of[second][low]
                                                     : SquareGrid::none;
    }
    inner_.push_back(one);
  }
}

std::unique_ptr<Scratch> EdgeHeightMap::make_scratch() const {
  auto work = std::make_unique<Work>();
  const auto edges = static_cast<Index>(grid_.edges.size());
  for (Vector* one : {&work->flux, &work->change, &work->pressure}) one->setZero(edges);
  work->thin.setZero(edges);
  for (Vector* one : {&work->through, &work->outside_along}) one->setZero(edges);
  for (Vector* one : {&work->artificial, &work->wet_time}) one->setZero(grid_.count());
  return work;
}

/// Calls visit(edge) for all edges between two cells.
template <class Visit>
void EdgeHeightMap::visit(const Visit& visit) const {
  parallel_for(static_cast<Index>(inner_.size()), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) visit(inner_[i]);
  });
}

void EdgeHeightMap::compute_depths(const State& state, Work& w) const {
  compute_depth(state, w);
  compute_edge_depth(w);
  if (options_.shore != Shore::fill_ratio) return;
  w.ratio.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c) {
    const double h = w.elevation[c];
    w.ratio[c] = !is_wet(w.depth[c]) ? 0
                 : h > highest_[c]   ? 1
                                     : (h - lowest_[c]) / (highest_[c] - lowest_[c]);
  }
}

/// Whether no water may cross the edge in the direction of u.
bool EdgeHeightMap::is_closed(const Inner& edge, double u, const Work& w) const {
  const Index from = u > 0 ? edge.first : edge.second, to = u > 0 ? edge.second : edge.first;
  if (options_.shore != Shore::fill_ratio) return !is_wet(w.depth[from]);
  return w.ratio[from] == 0 || (w.ratio[to] == 0 && w.depth[from] <= options_.film * side_);
}

void EdgeHeightMap::compute_edge_depth(Work& w) const {
  w.edge_depth.resize(grid_.edges.size());
  parallel_for(static_cast<Index>(grid_.edges.size()), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const SquareGrid::Edge& edge = grid_.edges[e];
      w.edge_depth[e] =
          edge.is_wall() ? w.depth[edge.inside()] : 0.5 * (w.depth[edge.first] + w.depth[edge.second]);
    }
  });
}

void EdgeHeightMap::compute_flux(const double* u, Work& w) const {
  visit([&](const Inner& edge) {
    const Index e = edge.edge;
    const double depth =
        options_.upwind_depth ? w.depth[u[e] > 0 ? edge.first : edge.second] : w.edge_depth[e];
    w.flux[e] = is_closed(edge, u[e], w) ? 0 : u[e] * std::max(0.0, depth);
    if (options_.shore == Shore::fill_ratio) w.flux[e] *= w.ratio[u[e] > 0 ? edge.first : edge.second];
  });
}

/// Sets flux and velocity at the boundary, too, and the velocity there in the state.
void EdgeHeightMap::compute_flux(const Forces& forces, State& state, Work& w) const {
  double* u = state[velocity()].data();
  for (const Outer& one : outer_) u[one.edge] = 0;
  compute_flux(u, w);
  measure_openings(u, forces, w);
  for (const Outer& one : outer_) u[one.edge] = w.through[one.edge];
}

/// Sets flux, velocity and depth at the edges of open boundaries from the water in their cells (grid.md, Open boundaries), after
/// the flux of all other edges.
void EdgeHeightMap::measure_openings(const double* u, const Forces& forces, Work& w) const {
  for (const Outer& one : outer_) w.flux[one.edge] = w.through[one.edge] = 0;
  const OpenBoundary& boundary = forces.open_boundary;
  const Array<OpenBoundary::Place>& places = boundary.places;
  if (places.empty()) return;
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const auto inflow = [&](Index c, const auto& value) {
    const auto& at = grid_.edge_of[c];
    return (value(at[SquareGrid::west]) - value(at[SquareGrid::east])) +
           (value(at[SquareGrid::south]) - value(at[SquareGrid::north]));
  };
  w.arriving.resize(places.size());
  w.lacking.setZero(places.size());
  for (Index i = 0; i < places.size(); ++i)
    w.arriving[i] = inflow(places[i].at, [&](Index e) { return w.flux[e]; });
  for (Index i = 0; i < places.size(); ++i) {
    const OpenBoundary::Place& place = places[i];
    const OpenBoundary::Value& value = boundary.value[place.set];
    const Outer& edge = outer(place);
    const double depth = w.depth[place.at], a = acceleration[place.at], bed = cells_.bed[place.at];
    const double inside = std::max(0.0, depth), openings = place.together / place.length;
    const double critical = inside * std::sqrt(a * inside);
    const double outside = place.kind == BoundaryKind::level    ? std::max(0.0, value.value + bed)
                           : place.kind == BoundaryKind::inflow ? value.value
                                                                : 0;
    const double celerity = std::sqrt(a * std::max(inside, outside));
    double out = 0, speed = 0;
    const bool all_leaves = (place.kind == BoundaryKind::level || place.kind == BoundaryKind::outflow) &&
                            depth > 0 && w.arriving[i] >= openings * critical;
    if (all_leaves) {
      const auto given = [&](Index e) { return grid_.edges[e].is_wall() ? 0 : u[e]; };
      speed = std::max(0.0, inflow(place.at, given) / openings);
      out = speed * depth;
    } else if (place.kind == BoundaryKind::discharge) {
      out = std::min(-value.value, critical);
      w.lacking[i] = -value.value - out;
    } else if (place.kind == BoundaryKind::outflow) {
      out = celerity * (depth - std::max(0.0, bed));
    } else {
      out = place.share * w.arriving[i] - celerity * (outside - depth);
    }
    if (out > 0 && !is_wet(depth)) {
      if (place.kind == BoundaryKind::discharge) w.lacking[i] += out;
      out = 0;
    }
    double at_edge = inside;
    if (place.kind == BoundaryKind::inflow) {
      at_edge = value.value;
      speed = -value.speed;
    } else if (!all_leaves) {
      // At most the critical velocity, of the depth inside or of the discharge that enters.
      if (out < 0) at_edge = std::max(inside, std::cbrt(out * out / a));
      speed = at_edge > 0 ? std::min(out, critical) / at_edge : 0;
    }
    w.flux[edge.edge] = edge.outward * out;
    w.through[edge.edge] = edge.outward * speed;
    w.edge_depth[edge.edge] = at_edge;
    // To the left of the inward normal.
    const bool along_y = edge.edge < x_count_;
    w.outside_along[edge.edge] =
        place.kind == BoundaryKind::inflow ? (along_y ? -edge.outward : edge.outward) * value.tangential : 0;
  }
}

/// A component of the velocity: linear between the edges of the cell in its direction, and to those of the row beside.
double EdgeHeightMap::component(const double* u, const Place& at, int axis) const {
  const double along = axis == 0 ? at.x : at.y, across = axis == 0 ? at.y : at.x;
  const auto in = [&](Index c) {
    return (0.5 - along) * u[grid_.edge_of[c][2 * axis]] + (0.5 + along) * u[grid_.edge_of[c][2 * axis + 1]];
  };
  const Index beside = grid_.neighbour[at.cell][2 * (1 - axis) + (across > 0 ? 1 : 0)];
  const double here = in(at.cell), weight = std::abs(across);
  return beside == SquareGrid::none ? here : (1 - weight) * here + weight * in(beside);
}

/// Velocities at the edges, and depths, are those of the places where their water started.
std::string EdgeHeightMap::trace(double dt, State& state, Work& w) const {
  Block flow = state[velocity()];
  if (std::string reason = unbounded_trace(std::as_const(state)[velocity()], dt); !reason.empty())
    return reason;
  const double* u = flow.data();
  const auto velocity_at = [&](const Place& at) {
    return std::pair(component(u, at, 0), component(u, at, 1));
  };
  w.traced.setZero(flow.size());
  visit([&](const Inner& edge) {
    const int axis = edge.edge < x_count_ ? 0 : 1;
    const Place here{edge.first, axis == 0 ? 0.5 : 0, axis == 0 ? 0 : 0.5};
    const Place from = departure(here, dt, velocity_at);
    w.traced[edge.edge] = component(u, from, axis);
    // Water that enters along the edge.
    const double across = axis == 0 ? from.y : from.x;
    if (std::abs(across) != 0.5) return;
    const Index side = grid_.edge_of[from.cell][2 * (1 - axis) + (across > 0 ? 1 : 0)];
    if (grid_.edges[side].is_wall() && w.through[side] * across < 0)
      w.traced[edge.edge] = w.outside_along[side];
  });
  if (options_.advective_depth) {
    w.traced_depth.resize(grid_.count());
    parallel_for(grid_.count(), [&](Index begin, Index end) {
      for (Index c = begin; c < end; ++c)
        w.traced_depth[c] = between_centres(w.depth.data(), departure({c, 0, 0}, dt, velocity_at), 1, 1);
    });
  }
  flow = w.traced;
  return "";
}

/// One formula along the normal and along the edge: u is carried by w, which is u itself along the normal. Beyond a wall at its end
/// an edge is mirrored.
void EdgeHeightMap::advect_velocity(const double* u, Work& work) const {
  if (options_.advection == VelocityAdvection::none) return;  // the change is zero from the start
  work.across.resize(grid_.edges.size());
  parallel_for(static_cast<Index>(grid_.edges.size()), [&](Index begin, Index end) {
    for (Index e = begin; e < end; ++e) {
      const SquareGrid::Edge& edge = grid_.edges[e];
      const int along = 2 * (1 - edge.axis);
      const auto mean = [&](Index c) {
        return 0.5 * (u[grid_.edge_of[c][along]] + u[grid_.edge_of[c][along + 1]]);
      };
      work.across[e] = edge.is_wall() ? mean(edge.inside()) : 0.5 * (mean(edge.first) + mean(edge.second));
    }
  });
  visit([&](const Inner& edge) {
    const auto along = [&](Index e) { return Carried{u[e], u[e], work.edge_depth[e]}; };
    const auto at = [&](Index e) { return Carried{work.across[e], u[e], work.edge_depth[e]}; };
    const Carried here = at(edge.edge);
    const auto beside = [&](int end) {
      if (edge.beside[end] != SquareGrid::none) return at(edge.beside[end]);
      const Index first = edge.across[0][end], second = edge.across[1][end];
      const double inward = (end == 0 ? 0.5 : -0.5) * (work.through[first] + work.through[second]);
      if (inward == 0) return Carried{-here.w, here.u, here.depth};  // a wall
      const double outside = 0.5 * (work.outside_along[first] + work.outside_along[second]);
      return Carried{here.w, inward > 0 ? outside : here.u, here.depth};
    };
    work.change[edge.edge] = -(advection_term(along(edge.edge), along(edge.behind), along(edge.ahead)) +
                               advection_term(here, beside(0), beside(1))) /
                             side_;
  });
}

/// Fluxes of momentum along the normal at the cells, and along the edge at its ends.
void EdgeHeightMap::advect_momentum(const double* u, Work& work) const {
  using Form = VelocityAdvection;
  const Form form = options_.advection;
  const auto discharge = [&](Index e) { return u[e] * work.edge_depth[e]; };
  // Water that crosses the edge `transfer` out of `source` takes along momentum of the edge `tail`; from outside, its own.
  const auto carried = [&](Index tail, Index transfer, Index source) {
    if (source == SquareGrid::none) return u[transfer] * work.flux[transfer];
    return is_wet(work.depth[source]) ? discharge(tail) * work.flux[transfer] / work.depth[source] : 0;
  };
  const auto tail_beyond = [&](Index cell, int side, Index transfer) {
    return cell == SquareGrid::none ? transfer : grid_.edge_of[cell][side];
  };
  const auto flux_in = [&](Index c, int axis) {
    const int low = 2 * axis, high = low + 1;
    const Index before = grid_.edge_of[c][low], after = grid_.edge_of[c][high];
    const Index previous = grid_.neighbour[c][low], next = grid_.neighbour[c][high];
    const bool enters = work.flux[before] > 0, returns = work.flux[after] < 0;
    const auto d = [&] {
      return (enters ? carried(before, before, previous) : 0) + (returns ? carried(after, after, next) : 0);
    };
    const auto c_form = [&] {
      return (work.flux[after] > 0 ? carried(before, after, c) : 0) +
             (work.flux[before] < 0 ? carried(after, before, c) : 0);
    };
    switch (form) {
      case Form::imperative_d:
        return d();
      case Form::imperative_c:
        return c_form();
      case Form::imperative_b:
        return 0.5 * c_form() + 0.5 * d();
      case Form::imperative_a:
        // The arrows that begin or end at an edge of this cell and cross it. Each crosses two cells: half of the momentum each.
        return 0.5 *
               (c_form() + (enters ? carried(tail_beyond(previous, low, before), before, previous) : 0) +
                (returns ? carried(tail_beyond(next, high, after), after, next) : 0));
      default: {
        const double flux = 0.5 * (work.flux[before] + work.flux[after]);
        return flux * (flux > 0 ? u[before] : u[after]);
      }
    }
  };
  work.momentum_x.resize(grid_.count());
  work.momentum_y.resize(grid_.count());
  parallel_for(grid_.count(), [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      work.momentum_x[c] = flux_in(c, 0);
      work.momentum_y[c] = flux_in(c, 1);
    }
  });
  visit([&](const Inner& edge) {
    const Vector& along = edge.edge < x_count_ ? work.momentum_x : work.momentum_y;
    const auto at_end = [&](int end) {
      if (edge.beside[end] == SquareGrid::none) {
        const auto through = [&](Index e) {
          const bool leaves = end == 1 ? work.flux[e] > 0 : work.flux[e] < 0;
          return work.flux[e] * (leaves ? u[edge.edge] : work.outside_along[e]);
        };
        return 0.5 * (through(edge.across[0][end]) + through(edge.across[1][end]));
      }
      const double flux = 0.5 * (work.flux[edge.across[0][end]] + work.flux[edge.across[1][end]]);
      const bool leaves = end == 1 ? flux > 0 : flux < 0;
      return flux * u[leaves ? edge.edge : edge.beside[end]];
    };
    work.change[edge.edge] = -((along[edge.second] - along[edge.first]) + (at_end(1) - at_end(0))) / side_;
  });
}

/// Algorithms 3 and 4. The water that would leave a cell with thin water comes to rest; what moves is a depth, at any Δt. Where several
/// edges ask for more than there is, each gets the same part (ours).
void EdgeHeightMap::stop_thin_water(double* u, Work& w) const {
  const bool waits = options_.shore == Shore::algorithm_4;
  // Half the difference is what a cell can give to two others without turning it around; in two dimensions there are four.
  const double part = grid_.columns > 1 && grid_.rows > 1 ? 0.25 : 0.5;
  visit([&](const Inner& edge) {
    const Index e = edge.edge;
    const bool forward = w.flux[e] > 0;
    const Index from = forward ? edge.first : edge.second, to = forward ? edge.second : edge.first;
    w.thin[e] = 0;
    if (w.flux[e] == 0 || !(w.depth[from] < options_.thin * side_)) return;
    u[e] = w.flux[e] = 0;
    const bool is_empty = !is_wet(w.depth[to]);
    if (is_empty && (!waits || w.wet_time[from] < options_.drop_time)) return;
    const double moved = std::max(std::min(w.depth[from], part * (w.elevation[from] - w.elevation[to])), 0.0);
    w.thin[e] = forward ? moved : -moved;
  });
  w.share.resize(grid_.count());
  parallel_for(grid_.count(), [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const auto& at = grid_.edge_of[c];
      const double leaving =
          (std::max(0.0, w.thin[at[SquareGrid::east]]) + std::max(0.0, -w.thin[at[SquareGrid::west]])) +
          (std::max(0.0, w.thin[at[SquareGrid::north]]) + std::max(0.0, -w.thin[at[SquareGrid::south]]));
      const double depth = std::max(0.0, w.depth[c]);
      w.share[c] = leaving > depth ? depth / leaving : 1;
    }
  });
  visit([&](const Inner& edge) {
    double& moved = w.thin[edge.edge];
    moved *= w.share[moved > 0 ? edge.first : edge.second];
  });
}

void EdgeHeightMap::remove_thin_water(State& state, Work& w) const {
  const double thin = options_.thin * side_ * area_;
  Block volumes = state[volume()];
  w.share.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c) {
    const bool is_thin = volumes[c] > 0 && volumes[c] < thin;
    w.share[c] = is_thin ? volumes[c] : 0;
    if (is_thin) volumes[c] = 0;
  }
  state[source_volume()][0] -= sum(mesh_, cells_, w.share);
}

void EdgeHeightMap::compute_pressure(const Forces& forces, Work& w) const {
  const Vector& acceleration = GridForces::acceleration_of(forces);
  visit([&](const Inner& edge) {
    w.pressure[edge.edge] =
        pressure_drop(edge.first, edge.second, acceleration, w.depth, w.elevation) / side_;
  });
}

void EdgeHeightMap::move_water(double dt, const Forces& forces, State& state, Work& w) const {
  const OpenBoundary& boundary = forces.open_boundary;
  if (!boundary.flux_sets.empty()) {
    const auto in = [&](Index i) {
      const Outer& edge = outer(boundary.places[i]);
      return -edge.outward * dt * side_ * w.flux[edge.edge];
    };
    add_through(boundary, in, state[boundary_volume()]);
    state[source_volume()][1] +=
        dt * side_ * sum(mesh_, Range{0, boundary.places.size()}, [&](Index i) { return w.lacking[i]; });
  }
  double* volumes = state[volume()].data();
  const Vector& acceleration = GridForces::acceleration_of(forces);
  const bool damps = pressure_factor() > 0;
  parallel_for(grid_.count(), [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const auto& at = grid_.edge_of[c];
      const double rate = -((w.flux[at[SquareGrid::east]] - w.flux[at[SquareGrid::west]]) +
                            (w.flux[at[SquareGrid::north]] - w.flux[at[SquareGrid::south]])) /
                          side_;
      volumes[c] += dt * area_ * rate;
      if (!damps) continue;
      double depth = 0;
      for (const Index e : at) depth = std::max(depth, w.edge_depth[e]);
      w.artificial[c] = artificial_pressure(depth, acceleration[c], rate);
    }
  });
}

/// η −= Δt η ∇·v for the depths traced back.
void EdgeHeightMap::stretch_water(double dt, State& state, const Work& w) const {
  const double* u = state[velocity()].data();
  double* volumes = state[volume()].data();
  parallel_for(grid_.count(), [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const auto& at = grid_.edge_of[c];
      const double divergence = ((u[at[SquareGrid::east]] - u[at[SquareGrid::west]]) +
                                 (u[at[SquareGrid::north]] - u[at[SquareGrid::south]])) /
                                side_;
      volumes[c] = area_ * w.traced_depth[c] * (1 - dt * divergence);
    }
  });
}

std::string EdgeHeightMap::advance(double dt, const Forces& forces, State& state, Scratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  if (std::string reason = lifted(forces); !reason.empty()) return reason;
  double* u = state[velocity()].data();
  compute_depths(state, w);
  if (traces()) {
    compute_flux(forces, state, w);  // the velocity at open boundaries
    if (std::string reason = trace(dt, state, w); !reason.empty()) return reason;
  }
  compute_flux(forces, state, w);
  const bool has_rule = options_.shore == Shore::algorithm_3 || options_.shore == Shore::algorithm_4;
  if (has_rule) stop_thin_water(u, w);
  if (moves_momentum()) {
    advect_momentum(u, w);
    visit([&](const Inner& edge) { u[edge.edge] *= w.edge_depth[edge.edge]; });
  } else if (!traces()) {
    advect_velocity(u, w);
  }
  if (options_.simultaneous) compute_pressure(forces, w);
  if (has_rule) visit([&](const Inner& edge) { w.flux[edge.edge] += w.thin[edge.edge] * side_ / dt; });
  if (options_.advective_depth)
    stretch_water(dt, state, w);
  else
    move_water(dt, forces, state, w);
  if (options_.shore == Shore::removed) remove_thin_water(state, w);
  compute_depths(state, w);
  if (options_.shore == Shore::algorithm_4)
    for (Index c = 0; c < grid_.count(); ++c) w.wet_time[c] = is_wet(w.depth[c]) ? w.wet_time[c] + dt : 0;
  if (!options_.simultaneous) compute_pressure(forces, w);
  visit([&](const Inner& edge) {
    const Index e = edge.edge;
    double force = w.pressure[e] + (w.artificial[edge.first] - w.artificial[edge.second]) / side_;
    if (forces.has_body_force) {
      const double* of_axis = forces.body_force.data() + (e < x_count_ ? 0 : grid_.count());
      force += 0.5 * (of_axis[edge.first] + of_axis[edge.second]);
    }
    const double depth = w.edge_depth[e];
    double after = u[e] + dt * w.change[e];
    if (moves_momentum())
      after = is_wet(depth) ? after / depth + dt * force : 0;
    else
      after += dt * force;
    after = resist(after, dt);
    u[e] = is_closed(edge, after, w) ? 0 : after;
  });
  if (!forces.open_boundary.flux_sets.empty()) compute_flux(forces, state, w);  // what outputs show
  return "";
}

double EdgeHeightMap::kinetic_energy(const State& state, Scratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  compute_depth(state, w);
  compute_edge_depth(w);
  const ConstBlock flow = state[velocity()];
  // Edges at the boundary have no water of their own.
  return 0.5 * area_ * sum(mesh_, Range{0, static_cast<Index>(grid_.edges.size())}, [&](Index e) {
           return grid_.edges[e].is_wall() ? 0 : std::max(0.0, w.edge_depth[e]) * flow[e] * flow[e];
         });
}

BedFriction::SiteFlow EdgeHeightMap::site_flow(const State& state, const Forces& /*forces*/,
                                               Scratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  compute_depth(state, w);
  compute_edge_depth(w);
  const ConstBlock flow = state[velocity()];
  w.speed.setZero(grid_.edges.size());
  w.site_depth.setZero(grid_.edges.size());
  visit([&](const Inner& edge) {
    const auto& at = edge.across;
    const double across = 0.25 * ((flow[at[0][0]] + flow[at[0][1]]) + (flow[at[1][0]] + flow[at[1][1]]));
    w.site_depth[edge.edge] = w.edge_depth[edge.edge];
    w.speed[edge.edge] = std::hypot(flow[edge.edge], across);
  });
  return {w.site_depth, w.speed};
}

void EdgeHeightMap::cell_velocity(const State& state, CellVelocity& mean) const {
  const ConstBlock flow = state[velocity()];
  mean.x.resize(grid_.count());
  mean.y.resize(grid_.count());
  for (Index c = 0; c < grid_.count(); ++c) {
    const auto& at = grid_.edge_of[c];
    mean.x[c] = 0.5 * (flow[at[SquareGrid::west]] + flow[at[SquareGrid::east]]);
    mean.y[c] = 0.5 * (flow[at[SquareGrid::south]] + flow[at[SquareGrid::north]]);
  }
}

void EdgeHeightMap::set_velocity(const VectorField& given, State& state) const {
  Block flow = state[velocity()];
  for (const Inner& edge : inner_) {
    const Vector3& normal = edge.edge < x_count_ ? grid_.x_axis : grid_.y_axis;
    flow[edge.edge] = given(cells_.points.col(edge.first) + 0.5 * side_ * normal).dot(normal);
  }
}

std::string EdgeHeightMap::unavailable(std::string_view capability, const HeightMapOptions& options) {
  if (capability == OpensBoundaries::name && options.centred)
    return "layout = centre supports only walls; use layout = edge";
  return "";
}

void EdgeHeightMap::add_open_edge(Index edge, Index set, BoundaryKind kind,
                                  Array<OpenBoundary::Place>& places) const {
  if (options_.advective_depth)
    throw Refusal(
        "continuity = advective does not keep mass, so that no flux through a boundary can be recorded; use "
        "continuity = flux");
  const Outer& at = outer_[outer_of_[edge]];
  places.push_back({at.cell, edge, set, kind, side_});
}

/// The volume alone: the velocity that it brings is part of the step.
void EdgeHeightMap::add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                       Scratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  const double* u = state[velocity()].data();
  compute_depths(state, w);
  compute_flux(u, w);
  measure_openings(u, forces, w);
  const OpenBoundary& boundary = forces.open_boundary;
  const auto in = [&](Index i) {
    const Outer& edge = outer(boundary.places[i]);
    return -edge.outward * scale * side_ * w.flux[edge.edge];
  };
  Block volumes = rate[volume()];
  for (Index i = 0; i < boundary.places.size(); ++i) volumes[boundary.places[i].at] += in(i);
  add_through(boundary, in, rate[boundary_volume()]);
}

/// The kinetic energy is that of edges between cells. Momentum F u_b reaches that of the opposite edge, of velocity U, and ½qt that of the
/// two sides, of velocity u; what they gain is FU − ½U²q̄ and ½q(tu − ½u²), q̄ the mean of the fluxes at both. The volume alone adds ¼qu² to
/// each of the three.
double EdgeHeightMap::opening_power(const State& state, const Forces& forces, Terms terms,
                                    Scratch& scratch) const {
  const OpenBoundary& boundary = forces.open_boundary;
  if (!terms.has(Term::gravity) || options_.advection == VelocityAdvection::none ||
      boundary.flux_sets.empty())
    return 0;
  Work& w = static_cast<Work&>(scratch);
  const ConstBlock u = state[velocity()];
  compute_depths(state, w);
  compute_flux(u.data(), w);
  measure_openings(u.data(), forces, w);
  const auto inner = [&](Index e) { return grid_.edges[e].is_wall() ? 0 : u[e]; };
  return side_ * sum(mesh_, Range{0, boundary.places.size()}, [&](Index i) {
           const Outer& edge = outer(boundary.places[i]);
           const auto& at = grid_.edge_of[edge.cell];
           const int axis = edge.edge < x_count_ ? 0 : 1;
           const Index opposite = at[2 * axis + (edge.outward > 0 ? 0 : 1)];
           const double q = -edge.outward * w.flux[edge.edge], through = -edge.outward * w.through[edge.edge];
           const double other = -edge.outward * w.flux[opposite], speed = -edge.outward * inner(opposite);
           double power = (q > 0 ? q * through : other * speed) * speed - 0.25 * speed * speed * (q + other) -
                          0.25 * q * speed * speed;
           for (int side = 0; side < 2; ++side) {
             const double along = inner(at[2 * (1 - axis) + side]);
             if (q > 0) power += 0.5 * q * along * (w.outside_along[edge.edge] - along);
           }
           return power;
         });
}

/// A step moves no more water through the boundary than waves and the prescribed flow can.
double EdgeHeightMap::stable_dt(const State& state, const Forces& forces, Terms terms,
                                Scratch& scratch) const {
  const double dt = HeightMap::stable_dt(state, forces, terms, scratch);
  const OpenBoundary& boundary = forces.open_boundary;
  if (boundary.places.empty()) return dt;
  Work& w = static_cast<Work&>(scratch);
  const double* u = state[velocity()].data();
  compute_depths(state, w);
  compute_flux(u, w);
  measure_openings(u, forces, w);
  const Vector& acceleration = GridForces::acceleration_of(forces);
  w.rate_of_change.setZero(grid_.count());
  for (const OpenBoundary::Place& place : boundary.places) {
    const Outer& edge = outer(place);
    const OpenBoundary::Value& value = boundary.value[place.set];
    const double a = acceleration[place.at];
    double depth = std::max(0.0, w.edge_depth[edge.edge]);
    if (place.kind == BoundaryKind::level) depth = std::max(depth, value.value + cells_.bed[place.at]);
    w.rate_of_change[place.at] +=
        (std::sqrt(a * depth) + std::abs(w.through[edge.edge]) + std::abs(w.outside_along[edge.edge])) /
        side_;
  }
  return std::min(dt, 1 / max(mesh_, cells_, w.rate_of_change));
}

void EdgeHeightMap::add_cell_velocity(const State& /*state*/, const CellVelocity& added, double scale,
                                      State& rate) const {
  Block flow = rate[velocity()];
  visit([&](const Inner& edge) {
    const Vector& of_axis = edge.edge < x_count_ ? added.x : added.y;
    flow[edge.edge] += scale * (0.5 * (of_axis[edge.first] + of_axis[edge.second]));
  });
}

void EdgeHeightMap::add_pressure(const State& state, const Forces& forces, double scale, State& rate,
                                 GridScratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  compute_depth(state, w);
  compute_pressure(forces, w);
  rate[velocity()] += scale * w.pressure;
}

void EdgeHeightMap::add_source(const State& state, const Forces& forces, double scale, State& rate,
                               GridScratch& scratch) const {
  Work& w = static_cast<Work&>(scratch);
  add_inflow(state[volume()], w.lacking_discharge, forces, scale, rate, w);
  if (!forces.has_own_velocity) return;
  compute_depth(state, w);
  compute_edge_depth(w);
  const double* u = state[velocity()].data();
  double* of_rate = rate[velocity()].data();
  visit([&](const Inner& edge) {
    const Index e = edge.edge;
    of_rate[e] +=
        scale * mixing_rate(forces.own_inflow[e], w.edge_depth[e], forces) * (forces.own_velocity[e] - u[e]);
  });
}

/// The mean of both cells, m/s.
void EdgeHeightMap::inflow_at_velocity(const Vector& inflow, Vector& at_velocity,
                                       Scratch& /*scratch*/) const {
  at_velocity.setZero(grid_.edges.size());
  visit([&](const Inner& edge) {
    at_velocity[edge.edge] = 0.5 * (inflow[edge.first] + inflow[edge.second]) / area_;
  });
}

}  // namespace shoal
