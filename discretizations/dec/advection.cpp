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
  vorticity_.setZero(mesh.vertex_count + 1);
}

Range Dec::own_sites() const {
  if (!mesh_.part) return {0, sites()};
  const Range edges = own(mesh_, Location::edge);
  const auto place = [&](Index edge) {
    return static_cast<Index>(std::lower_bound(site_edge_->begin(), site_edge_->end(), edge) -
                              site_edge_->begin());
  };
  const Index begin = place(edges.begin);
  return {begin, place(edges.begin + edges.count) - begin};
}

void Dec::measure_vorticity_terms() {
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites();
  const auto turn_of = [&](Index edge, int side) { return face_turn_[mesh.edge_faces(side, edge)]; };
  for (Vector* v : {&moment_x_, &moment_y_, &moment_size_}) v->resize(2 * count);
  moment_sum_.setZero(cells_.count());
  turn_bound_.setZero(cells_.count());
  wave_number_.setZero(cells_.count());
  for (Index s = 0; s < count; ++s) {
    const Index e = edge_of(s);
    for (int side = 0; side < 2; ++side) {
      const double across = (side == 0 ? left_part_[s] : 1 - left_part_[s]) * site_dual_[s];
      const Tangent moment = site_length_[s] * unfolded_arm(e, side, across) * turn_of(e, side);
      const Index cell = site_cells_(side, s);
      moment_x_[side * count + s] = moment.real();
      moment_y_[side * count + s] = moment.imag();
      moment_size_[side * count + s] = std::sqrt(std::norm(moment));
      moment_sum_[cell] += moment_size_[side * count + s];
      turn_bound_[cell] += std::norm(moment) / (site_length_[s] * site_dual_[s] * cells_.area[cell]);
      wave_number_[cell] += 2 * site_length_[s] / (site_dual_[s] * cells_.area[cell]);
    }
  }
  wave_number_ = wave_number_.cwiseSqrt();
  inverse_site_area_ = (site_length_.array() * site_dual_.array()).inverse();
  if (options_.dry.closed) measure_edge_directions();
  wall_along_.resize(wall_edge_.size());
  for (Index w = 0; w < wall_edge_.size(); ++w)
    wall_along_[w] =
        triangulation_.edge_length[wall_edge_[w]] * along(wall_edge_[w], 0) * turn_of(wall_edge_[w], 0);
  inverse_voronoi_area_ = (voronoi_area_.array() > 0).select(voronoi_area_.cwiseInverse(), 0.0);
}

/// sum_x_, sum_y_ = Σ l_e d_e σ_T value(e) n_e: the area of each cell times the vector whose normal
/// components the values are (Perot 2000).
template <class Value>
void Dec::sum_moments_of(const Value& value) const {
  const Index count = sites();
  for (const auto& [moment, sum] : {std::pair(&moment_x_, &sum_x_), std::pair(&moment_y_, &sum_y_)}) {
    const double* __restrict m = moment->data();
    double* __restrict left = site_flux_.data(), * __restrict right = left + count;
    parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
      for (Index s = begin; s < end; ++s) {
        const double v = value(s);
        left[s] = m[s] * v;
        right[s] = m[count + s] * v;
      }
    });
    sum->setZero(cells_.count());
    cell_sum_.add(site_flux_.data(), 1, sum->data());
  }
}

/// Of the velocity.
void Dec::sum_moments(VectorIn flow) const {
  sum_moments_of([u = flow.data()](Index s) { return u[s]; });
}

/// Of the mass flux.
void Dec::sum_moments(const Vector& depth, VectorIn flow) const {
  sum_moments_of([u = flow.data(), depth = depth.data()](Index s) { return depth[s] * u[s]; });
}

/// Circulation around the Voronoi cell, whose sides are the dual edges, over its area; and its mean at the
/// corners of each cell. At a wall the cell is closed along the wall, where the velocity of the adjacent cell
/// is used.
void Dec::compute_vorticity(VectorIn flow) const {
  const Mesh& mesh = triangulation_.mesh;
  const Index count = sites(), vertices = mesh.vertex_count;
  const double *u = flow.data(), *dual = site_dual_.data();
  if (!wall_edge_.empty()) sum_moments(flow);
  for (const Opening& opening : openings_) {
    sum_x_[opening.cell()] += opening.crossing.speed * opening.moment.real();
    sum_y_[opening.cell()] += opening.crossing.speed * opening.moment.imag();
  }
  double* __restrict tail = site_flux_.data(), * __restrict head = tail + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      head[s] = dual[s] * u[s];
      tail[s] = -head[s];
    }
  });
  vorticity_.setZero();
  vertex_sum_.add(site_flux_.data(), 1, vorticity_.data());
  for (Index w = 0; w < wall_edge_.size(); ++w) {
    const Index cell = cell_of(mesh.edge_faces(0, wall_edge_[w]));
    const double circulation =
        inverse_area_[cell] * (wall_along_[w].real() * sum_x_[cell] + wall_along_[w].imag() * sum_y_[cell]);
    for (int end = 0; end < 2; ++end) vorticity_[mesh.edges(end, wall_edge_[w])] += 0.5 * circulation;
  }
  for (const Opening& opening : openings_) {
    const OpenBoundary::Place& place = opening.crossing.place;
    const double circulation = part_length(place.edge, 0) * opening.crossing.speed;
    vorticity_[mesh.edges(1, place.edge)] += circulation;
    vorticity_[mesh.edges(0, place.edge)] -= circulation;
    if (!brings_velocity(opening.crossing)) continue;
    // The cell is closed along the edge with the given tangential velocity.
    const double inside = inverse_area_[place.at] *
                          (opening.edge.real() * sum_x_[place.at] + opening.edge.imag() * sum_y_[place.at]);
    for (int end = 0; end < 2; ++end)
      vorticity_[mesh.edges(end, place.edge)] -= 0.5 * (inside + place.length * opening.crossing.tangential);
  }
  for (const Opening& opening : openings_)
    if (opening.crossing.enters && !brings_velocity(opening.crossing))
      for (int end = 0; end < 2; ++end) vorticity_[mesh.edges(end, opening.crossing.place.edge)] = 0;
  vorticity_.head(vertices).array() *= inverse_voronoi_area_.array();
  if (!openings_.empty()) let_vorticity_leave(mesh, triangulation_.face_area, vorticity_);
  cell_vorticity_.setZero(cells_.count());
  corner_sum_.add(vorticity_.data(), 1, cell_vorticity_.data());
  cell_vorticity_.array() *= inverse_corners_.array();
}

/// ζ = 0 in cells whose v·∇v is from upstream.
void Dec::leave_films_to_transport() const {
  if (!has_films_) return;
  for (Index i = 0; i < cells_.count(); ++i)
    if (in_film_[i]) cell_vorticity_[i] = 0;
}

/// factor_ = ζ_T/(H_T A_T) for values ζ of the cells; site_depth_ holds h_e. Zero where all is dry.
void Dec::weigh_vorticity(const Vector& of_cells) const {
  const Index count = sites();
  const double* __restrict size = moment_size_.data(), * __restrict depth = site_depth_.data();
  double* __restrict left = site_flux_.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      left[s] = size[s] * depth[s];
      right[s] = size[count + s] * depth[s];
    }
  });
  sum_.setZero(cells_.count());
  cell_sum_.add(site_flux_.data(), 1, sum_.data());
  constexpr double negligible = 1e-200;  // m³, of depths whose quotients would overflow
  factor_ = (sum_.array() > negligible)
                .select(of_cells.array() * moment_sum_.array() * inverse_area_.array() / sum_.array(), 0.0);
}

/// out −= scale · Σ_T σ_T (ζ_T/H_T) (n×M_T)·n_e, with factor_ and site_depth_ as they are.
void Dec::add_vorticity_term(VectorIn flow, double scale, VectorOut out) const {
  const Index count = sites();
  sum_moments(site_depth_, flow);
  for (const Opening& opening : openings_) {
    sum_x_[opening.cell()] += opening.crossing.flux() * opening.moment.real();
    sum_y_[opening.cell()] += opening.crossing.flux() * opening.moment.imag();
  }
  sum_x_.array() *= factor_.array();
  sum_y_.array() *= factor_.array();
  const double* __restrict x = sum_x_.data(), * __restrict y = sum_y_.data();
  const double *__restrict mx = moment_x_.data(), *__restrict my = moment_y_.data(),
                           *__restrict inverse_area = inverse_site_area_.data();
  const Index* __restrict left = left_cell_.data(), * __restrict right = right_cell_.data();
  double* __restrict rate = out.data();
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      const double of_left = my[s] * x[left[s]] - mx[s] * y[left[s]];
      const double of_right = my[count + s] * x[right[s]] - mx[count + s] * y[right[s]];
      rate[s] -= scale * inverse_area[s] * (of_left + of_right);
    }
  });
}

/// head_ = A K; site_depth_ holds h_e.
void Dec::compute_head(VectorIn flow) const {
  const Index count = sites();
  const double* __restrict u = flow.data(), * __restrict depth = site_depth_.data();
  const double *__restrict length = site_length_.data(), *__restrict dual = site_dual_.data(),
                           *__restrict share = left_share_.data();
  double* __restrict left = site_flux_.data(), * __restrict right = left + count;
  parallel_for(count, [=](Index begin, Index end) {
#pragma omp simd
    for (Index s = begin; s < end; ++s) {
      const double energy = depth[s] > 0 ? 0.5 * length[s] * dual[s] * u[s] * u[s] : 0;
      left[s] = share[s] * energy;
      right[s] = (1 - share[s]) * energy;
    }
  });
  head_.setZero(cells_.count());
  cell_sum_.add(site_flux_.data(), 1, head_.data());
}

void Dec::add_rotation(const State& state, const Forces& forces, Terms terms, double scale,
                       VectorOut out) const {
  const Index count = sites();
  const ConstBlock flow = state[velocity()];
  const bool turns = terms.has(Term::coriolis) && forces.rotates;
  site_depth(state[volume()], site_depth_);
  find_openings(state, forces);
  if (!terms.has(Term::advection)) {
    weigh_vorticity(forces.coriolis);
    add_vorticity_term(flow, scale, out);
    return openings_.clear();
  }
  compute_vorticity(flow);
  compute_head(flow);
  open_head();
  head_.array() *= inverse_area_.array();
  leave_films_to_transport();
  if (turns) cell_vorticity_ += forces.coriolis;
  if (forces.moves) add_drift(flow, forces, scale, out);
  const bool opens = !openings_.empty();
  if (opens) {  // `out` may be the flow itself
    term_.setZero(count);
    add_entering_momentum(flow, scale, term_);
  }
  weigh_vorticity(cell_vorticity_);
  add_vorticity_term(flow, scale, out);
  if (opens) out += term_;
  add_gradient(head_, -scale, has_films_ ? advected_ : ones_, out);
  if (has_films_) add_upstream_transport(flow, scale, out);
  openings_.clear();
}

double Dec::advection_frequency(const State& state) const {
  const ConstBlock flow = state[velocity()];
  compute_vorticity(flow);
  return max(mesh_, own_sites(), [&](Index s) {
    const auto in_cell = [&](Index cell) {
      return std::abs(flow[s]) * wave_number_[cell] + turn_bound_[cell] * std::abs(cell_vorticity_[cell]);
    };
    return std::max(in_cell(site_cells_(0, s)), in_cell(site_cells_(1, s)));
  });
}

/// exp(Δt R) u = Σ (Δt R)ᵏ u/k!, R the rate, which at fixed depth is linear and orthogonal to u in diag(l_e
/// d_e h_e): the series keeps the energy as far as it is summed, to round-off.
void Dec::apply_coriolis(double dt, const Forces& forces, State& state) const {
  if (!forces.rotates) return;
  constexpr int max_terms = 40;
  constexpr double negligible = 1e-18;
  Block flow = state[velocity()];
  site_depth(state[volume()], site_depth_);
  weigh_vorticity(forces.coriolis);
  const double angle =
      std::abs(dt) * max(mesh_, cells_, forces.coriolis.cwiseProduct(turn_bound_).cwiseAbs());
  if (!(angle <= max_turn)) {
    flow.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // So short that the terms of the series decrease from the first on.
  const int parts = 1 + static_cast<int>(angle);
  for (int part = 0; part < parts; ++part) {
    term_ = flow;
    find_openings(state, forces);  // what flows through them turns along, at a rate that does not depend on u
    for (int k = 1; k <= max_terms; ++k) {
      next_.setZero(sites());
      add_vorticity_term(term_, dt / parts / k, next_);
      openings_.clear();
      term_.swap(next_);
      flow += term_;
      if (!(term_.lpNorm<Eigen::Infinity>() > negligible * flow.lpNorm<Eigen::Infinity>())) break;
    }
  }
}

}  // namespace shoal
