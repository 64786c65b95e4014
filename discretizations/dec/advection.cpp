// The rotation term and the head of vector-invariant advection, and the Coriolis term (dec.md).
#include "discretizations/common/parallel.hpp"
#include "discretizations/dec/dec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

void Dec::collect_vorticity_terms() {
  const Mesh& mesh = triangulation_.mesh;
  const Index faces = mesh.face_count(), count = sites();
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) wall_edge_.push_back(e);

  Array<Array<Index>> slots_of_vertex(mesh.vertex_count), corners_of_cell(cells_.count());
  for (Index s = 0; s < count; ++s)
    for (int end = 0; end < 2; ++end) slots_of_vertex[mesh.edges(end, edge_of(s))].push_back(end * count + s);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) corners_of_cell[cell_of(k)].push_back(mesh.faces(c, k));
  vertex_sum_ = GatherSum<6>(slots_of_vertex, 2 * count);
  corner_sum_ = GatherSum<3>(corners_of_cell, mesh.vertex_count);
  inverse_corners_.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    inverse_corners_[i] = 1.0 / static_cast<double>(corners_of_cell[i].size());
  ones_.setOnes(count);
}

Range Dec::own_sites() const {
  if (!mesh_.part) return {0, sites()};
  const Range edges = own(mesh_, Location::edge);
  const auto place = [&](Index edge) {
    return static_cast<Index>(std::lower_bound(site_.edge->begin(), site_.edge->end(), edge) -
                              site_.edge->begin());
  };
  const Index begin = place(edges.begin);
  return {begin, place(edges.begin + edges.count) - begin};
}

void Dec::measure_moments() {
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites();
  const auto turn_of = [&](Index edge, int side) { return dual_.face_turn(mesh.edge_faces(side, edge)); };
  for (Vector* v : {&moment_.x, &moment_.y, &moment_.size}) v->resize(2 * count);
  moment_.sum.setZero(cells_.count());
  moment_.turn_bound.setZero(cells_.count());
  moment_.wave_number.setZero(cells_.count());
  for (Index s = 0; s < count; ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side) {
      const double across = (side == 0 ? site_.left_part[s] : 1 - site_.left_part[s]) * site_.dual[s];
      const Tangent moment = site_.length[s] * dual_.unfolded_arm(e, side, across) * turn_of(e, side);
      const Index cell = site_.cells(side, s);
      moment_.x[side * count + s] = moment.real();
      moment_.y[side * count + s] = moment.imag();
      moment_.size[side * count + s] = std::sqrt(std::norm(moment));
      moment_.sum[cell] += moment_.size[side * count + s];
      moment_.turn_bound[cell] += std::norm(moment) / (site_.length[s] * site_.dual[s] * cells_.area[cell]);
      moment_.wave_number[cell] += 2 * site_.length[s] / (site_.dual[s] * cells_.area[cell]);
    }
  }
  moment_.wave_number = moment_.wave_number.cwiseSqrt();
  if (linear_) bound_linear_turns();
  inverse_site_area_ = (site_.length.array() * site_.dual.array()).inverse();
  if (options_.dry.closed || options_.momentum) measure_edge_directions();
  wall_along_.resize(wall_edge_.size());
  for (Index w = 0; w < wall_edge_.size(); ++w)
    wall_along_[w] =
        triangulation_.edge_length[wall_edge_[w]] * dual_.along(wall_edge_[w], 0) * turn_of(wall_edge_[w], 0);
  inverse_voronoi_area_ = (dual_.voronoi_area().array() > 0).select(dual_.voronoi_area().cwiseInverse(), 0.0);
}

/// Gershgorin's bound of S(q) for q = 1 in the kinetic energy: the entries of a triangle are 1/6. The norm is at most the sum
/// over both triangles of an edge, twice the greater.
void Dec::bound_linear_turns() {
  const Mesh& mesh = triangulation_.mesh;
  Vector root = Vector::Zero(mesh.edge_count());
  for (Index s = 0; s < sites(); ++s) root[edge_of(s)] = std::sqrt(site_.length[s] * site_.inverse_dual[s]);
  moment_.turn_bound.setZero();
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const double a = root[mesh.face_edges(0, k)], b = root[mesh.face_edges(1, k)],
                 c = root[mesh.face_edges(2, k)];
    moment_.turn_bound[cell_of(k)] += std::max({a * (b + c), b * (c + a), c * (a + b)}) / 3;
  }
}

/// vectors = Σ l_e d_e σ_T value(e) n_e: the area of each cell times the vector whose normal
/// components the values are (Perot 2000).
template <class Value>
void Dec::sum_moments_of(const Value& value, CellVectors& vectors, DecScratch& s) const {
  const Index count = sites();
  for (const auto& [moment, sum] : {std::pair(&moment_.x, &vectors.x), std::pair(&moment_.y, &vectors.y)}) {
    const double* __restrict m = moment->data();
    double* __restrict left = s.site_flux.data(), * __restrict right = left + count;
    parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
      for (Index e = begin; e < end; ++e) {
        const double v = value(e);
        left[e] = m[e] * v;
        right[e] = m[count + e] * v;
      }
    });
    sum->setZero(cells_.count());
    cell_sum_.add(s.site_flux.data(), 1, sum->data());
  }
}

/// `value` is the velocity.
void Dec::sum_moments(VectorIn flow, CellVectors& vectors, DecScratch& s) const {
  sum_moments_of([u = flow.data()](Index site) { return u[site]; }, vectors, s);
}

/// `value` is the mass flux.
void Dec::sum_moments(const Vector& depth, VectorIn flow, CellVectors& vectors, DecScratch& s) const {
  sum_moments_of([u = flow.data(), depth = depth.data()](Index site) { return depth[site] * u[site]; },
                 vectors, s);
}

/// Circulation around the Voronoi cell, whose sides are the dual edges, over its area; and its mean over the
/// corners of each cell. At a wall the Voronoi cell is closed along the wall, with the velocity of the
/// adjacent cell.
void Dec::compute_vorticity(VectorIn flow, const Openings& openings, Vorticity& vorticity,
                            DecScratch& s) const {
  CellVectors& moment = s.moment;
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites(), vertices = mesh.vertex_count;
  const double *u = flow.data(), *dual = site_.dual.data();
  if (!wall_edge_.empty()) sum_moments(flow, moment, s);
  for (const Opening& opening : openings) {
    moment.x[opening.cell()] += opening.crossing.speed * opening.moment.real();
    moment.y[opening.cell()] += opening.crossing.speed * opening.moment.imag();
  }
  double* __restrict tail = s.site_flux.data(), * __restrict head = tail + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      head[e] = dual[e] * u[e];
      tail[e] = -head[e];
    }
  });
  vorticity.at_vertices.setZero();
  vertex_sum_.add(s.site_flux.data(), 1, vorticity.at_vertices.data());
  for (Index w = 0; w < wall_edge_.size(); ++w) {
    const Index cell = cell_of(mesh.edge_faces(0, wall_edge_[w]));
    const double circulation = inverse_area_[cell] * (wall_along_[w].real() * moment.x[cell] +
                                                      wall_along_[w].imag() * moment.y[cell]);
    for (int end = 0; end < 2; ++end)
      vorticity.at_vertices[mesh.edges(end, wall_edge_[w])] += 0.5 * circulation;
  }
  for (const Opening& opening : openings) {
    const OpenBoundary::Place& place = opening.crossing.place;
    const double circulation = dual_.part_length(place.edge, 0) * opening.crossing.speed;
    vorticity.at_vertices[mesh.edges(1, place.edge)] += circulation;
    vorticity.at_vertices[mesh.edges(0, place.edge)] -= circulation;
    if (!opening.crossing.brings_velocity()) continue;
    // The Voronoi cell is closed along the edge with the prescribed tangential velocity.
    const double inside = inverse_area_[place.at] * (opening.edge.real() * moment.x[place.at] +
                                                     opening.edge.imag() * moment.y[place.at]);
    for (int end = 0; end < 2; ++end)
      vorticity.at_vertices[mesh.edges(end, place.edge)] -=
          0.5 * (inside + place.length * opening.crossing.tangential);
  }
  for (const Opening& opening : openings)
    if (opening.crossing.enters && !opening.crossing.brings_velocity())
      for (int end = 0; end < 2; ++end)
        vorticity.at_vertices[mesh.edges(end, opening.crossing.place.edge)] = 0;
  vorticity.at_vertices.head(vertices).array() *= inverse_voronoi_area_.array();
  if (!openings.empty())
    extrapolate_vorticity(mesh, triangulation_.face_area, s.crossings, vorticity.at_vertices, s);
  vorticity.at_cells.setZero(cells_.count());
  corner_sum_.add(vorticity.at_vertices.data(), 1, vorticity.at_cells.data());
  vorticity.at_cells.array() *= inverse_corners_.array();
}

/// With vorticity = linear, s.linear.circulation = the circulations of `relative` and of the frame, if given.
void Dec::collect_circulation(const Vorticity* relative, const Forces* frame, DecScratch& s) const {
  if (!linear_) return;
  Vector& circulation = s.linear.circulation;
  circulation.setZero();
  if (relative)
    circulation = relative->at_vertices.head(circulation.size()).cwiseProduct(dual_.voronoi_area());
  if (frame) circulation += DecForces::of(*frame).circulation;
}

/// Prepares add_vorticity_term(): factor = ζ_T/(H_T A_T) for ζ at cells and depths h_e; zero in dry cells.
/// With vorticity = linear, q from s.linear.circulation and s.cell_depth.
void Dec::weigh_vorticity(const Vector& of_cells, const Vector& site_depth, Vector& factor,
                          DecScratch& s) const {
  if (linear_) {
    for (Index e = 0; e < sites(); ++e) s.linear.edge_depth[edge_of(e)] = site_depth[e];
    linear_->set_volumes(s.cell_depth, s.linear);
    return linear_->solve(options_.vorticity_tolerance, s.linear);
  }
  const Index count = sites();
  const double* __restrict size = moment_.size.data(), * __restrict depth = site_depth.data();
  double* __restrict left = s.site_flux.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      left[e] = size[e] * depth[e];
      right[e] = size[count + e] * depth[e];
    }
  });
  s.weight_sum.setZero(cells_.count());
  cell_sum_.add(s.site_flux.data(), 1, s.weight_sum.data());
  constexpr double negligible = 1e-200;  // m³; smaller values would overflow in the quotient
  factor =
      (s.weight_sum.array() > negligible)
          .select(of_cells.array() * moment_.sum.array() * inverse_area_.array() / s.weight_sum.array(), 0.0);
}

/// s.linear.torque = S(q) F.
void Dec::rotate_linearly(VectorIn flow, const Vector& site_depth, const Openings& openings,
                          DecScratch& s) const {
  for (Index e = 0; e < sites(); ++e)
    s.linear.edge_flux[edge_of(e)] = site_.length[e] * site_depth[e] * flow[e];
  for (const Index e : wall_edge_) s.linear.edge_flux[e] = 0;
  for (const Opening& opening : openings)
    s.linear.edge_flux[opening.crossing.place.edge] +=
        opening.crossing.place.length * opening.crossing.flux();
  linear_->rotate(s.linear);
}

/// out −= scale · Σ_T σ_T (ζ_T/H_T) (n×M_T)·n_e; with vorticity = linear, scale · S(q) F/d_e.
void Dec::add_vorticity_term(VectorIn flow, const Vector& site_depth, const Vector& factor,
                             const Openings& openings, double scale, VectorOut out, DecScratch& s) const {
  CellVectors& moment = s.moment;
  const Index count = sites();
  if (linear_) {
    rotate_linearly(flow, site_depth, openings, s);
    const Vector& torque = s.linear.torque;
    for (Index e = 0; e < count; ++e)
      out[e] -= scale * site_.inverse_dual[e] *
                (torque[linear_->slot(edge_of(e), 0)] - torque[linear_->slot(edge_of(e), 1)]);
    return;
  }
  sum_moments(site_depth, flow, moment, s);
  for (const Opening& opening : openings) {
    moment.x[opening.cell()] += opening.crossing.flux() * opening.moment.real();
    moment.y[opening.cell()] += opening.crossing.flux() * opening.moment.imag();
  }
  moment.x.array() *= factor.array();
  moment.y.array() *= factor.array();
  const double* __restrict x = moment.x.data(), * __restrict y = moment.y.data();
  const double *__restrict mx = moment_.x.data(), *__restrict my = moment_.y.data(),
                           *__restrict inverse_area = inverse_site_area_.data();
  const Index* __restrict left = site_.left_cell.data(), * __restrict right = site_.right_cell.data();
  double* __restrict rate = out.data();
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      const double of_left = my[e] * x[left[e]] - mx[e] * y[left[e]];
      const double of_right = my[count + e] * x[right[e]] - mx[count + e] * y[right[e]];
      rate[e] -= scale * inverse_area[e] * (of_left + of_right);
    }
  });
}

/// head = A K.
void Dec::compute_head(VectorIn flow, const Vector& site_depth, Vector& head, DecScratch& s) const {
  const Index count = sites();
  const double* __restrict u = flow.data(), * __restrict depth = site_depth.data();
  const double *__restrict length = site_.length.data(), *__restrict dual = site_.dual.data(),
                           *__restrict share = site_.left_share.data();
  double* __restrict left = s.site_flux.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index e = begin; e < end; ++e) {
      const double energy = depth[e] > 0 ? 0.5 * length[e] * dual[e] * u[e] * u[e] : 0;
      left[e] = share[e] * energy;
      right[e] = (1 - share[e]) * energy;
    }
  });
  head.setZero(cells_.count());
  cell_sum_.add(s.site_flux.data(), 1, head.data());
}

void Dec::add_rotation(const State& state, const Forces& forces, Terms terms, const Films& films,
                       double scale, VectorOut out, WaveScratch& scratch) const {
  DecScratch& s = of_dec(scratch);
  const ConstBlock flow = state[velocity()];
  const bool turns = terms.has(Term::coriolis) && forces.rotates;
  const Openings& openings = find_openings(state, forces, s);
  const Vector& depth = s.site_depth;
  site_depth(state[volume()], s.site_depth, s);
  const bool moves = options_.momentum && terms.has(Term::advection);
  if (moves) {  // `out` may be `flow`
    move_momentum(flow, forces, openings, scale, s.term, s);
    if (forces.moves) {
      compute_vorticity(flow, openings, s.rotation, s);
      s.head.setZero(cells_.count());
      add_drift(flow, forces, s.rotation.at_cells, scale, s.head, s.term, s);
      add_gradient(s.head, -scale, ones_, s.term);
    }
  }
  if (moves || !terms.has(Term::advection)) {
    if (turns) {
      collect_circulation(nullptr, &forces, s);
      weigh_vorticity(forces.coriolis, depth, s.factor, s);
      add_vorticity_term(flow, depth, s.factor, openings, scale, out, s);
    }
    if (moves) out += s.term;
    return;
  }
  Vector &vorticity = s.rotation.at_cells, &head = s.head;
  compute_vorticity(flow, openings, s.rotation, s);
  compute_head(flow, depth, head, s);
  open_head(openings, s.moment, head, s);
  head.array() *= inverse_area_.array();
  zero_film_vorticity(films, vorticity);
  if (forces.moves) add_drift(flow, forces, vorticity, scale, head, out, s);
  if (turns) vorticity += forces.coriolis;
  const bool opens = !openings.empty();
  if (opens) {  // `out` may be the velocity of `state`
    s.term.setZero(sites());
    add_entering_momentum(flow, depth, openings, scale, s.term);
  }
  collect_circulation(&s.rotation, turns ? &forces : nullptr, s);
  weigh_vorticity(vorticity, depth, s.factor, s);
  add_vorticity_term(flow, depth, s.factor, openings, scale, out, s);
  if (opens) out += s.term;
  add_gradient(head, -scale, films.any ? films.advected : ones_, out);
  if (films.any) add_upstream_transport(flow, films, openings, scale, out, s);
}

double Dec::advection_frequency(const State& state, WaveScratch& scratch) const {
  DecScratch& s = of_dec(scratch);
  const ConstBlock flow = state[velocity()];
  if (options_.momentum) return emptying_frequency(flow, s);
  compute_vorticity(flow, {}, s.rotation, s);
  return max(mesh_, own_sites(), [&](Index e) {
    const auto in_cell = [&](Index cell) {
      return std::abs(flow[e]) * moment_.wave_number[cell] +
             moment_.turn_bound[cell] * std::abs(s.rotation.at_cells[cell]);
    };
    return std::max(in_cell(site_.cells(0, e)), in_cell(site_.cells(1, e)));
  });
}

/// |v|² = u² + w², where w is the component along the edge of the vectors of both cells (Perot 2000), interpolated between
/// their centres.
void Dec::compute_speed(const State& state, const Forces& forces, Vector& speed, WaveScratch& scratch) const {
  DecScratch& s = of_dec(scratch);
  const ConstBlock flow = state[velocity()];
  CellVectors& moment = s.moment;
  sum_moments(flow, moment, s);
  if (forces.open_boundary.any())
    for (const Opening& opening : find_openings(state, forces, s)) {
      moment.x[opening.cell()] += opening.crossing.speed * opening.moment.real();
      moment.y[opening.cell()] += opening.crossing.speed * opening.moment.imag();
    }
  const auto along_edge = [&](Index site, int side) {
    const Index e = edge_of(site), cell = site_.cells(side, site);
    const Tangent along = dual_.along(e, side) * dual_.face_turn(triangulation_.mesh.edge_faces(side, e));
    return inverse_area_[cell] * (moment.x[cell] * along.real() + moment.y[cell] * along.imag());
  };
  speed.resize(sites());
  parallel_for(sites(), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double part = std::clamp(site_.left_part[i], 0.0, 1.0);  // of the distance of the centres
      const double left = along_edge(i, 0), right = along_edge(i, 1);
      const double tangential = left + part * (right - left);
      speed[i] = std::sqrt(flow[i] * flow[i] + tangential * tangential);
    }
  });
}

/// exp(Δt R) u = Σ (Δt R)ᵏ u/k!, where R is linear at fixed depth and skew with respect to diag(l_e d_e h_e):
/// the series conserves energy to round-off once it has converged.
void Dec::apply_coriolis(double dt, const Forces& forces, State& state, Scratch& scratch) const {
  if (!forces.rotates) return;
  DecScratch& s = of_dec(scratch);
  constexpr int max_terms = 40;
  constexpr double negligible = 1e-18;
  Block flow = state[velocity()];
  site_depth(state[volume()], s.site_depth, s);
  collect_circulation(nullptr, &forces, s);
  weigh_vorticity(forces.coriolis, s.site_depth, s.factor, s);
  const double angle =
      std::abs(dt) * max(mesh_, cells_, forces.coriolis.cwiseProduct(moment_.turn_bound).cwiseAbs());
  if (!(angle <= max_turn)) {
    flow.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const auto largest = [&](const auto& values) {
    return max(mesh_, own_sites(), [&](Index site) { return std::abs(values[site]); });
  };
  const Openings none;
  // Short enough that the terms of the series decrease from the first on.
  const int parts = 1 + static_cast<int>(angle);
  for (int part = 0; part < parts; ++part) {
    s.term = flow;
    // The flux through openings also rotates, at a rate that does not depend on u: it enters only the first
    // term.
    const Openings* openings = &find_openings(state, forces, s);
    for (int k = 1; k <= max_terms; ++k) {
      s.next.setZero(sites());
      add_vorticity_term(s.term, s.site_depth, s.factor, *openings, dt / parts / k, s.next, s);
      openings = &none;
      s.term.swap(s.next);
      if (renewal_of_sites_) (*renewal_of_sites_)(s.term.data());  // each term reaches further
      flow += s.term;
      if (!(largest(s.term) > negligible * largest(flow))) break;
    }
  }
}

}  // namespace shoal
