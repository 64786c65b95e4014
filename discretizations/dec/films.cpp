// v·∇v from upstream, in and beside films (wave_scheme.md, Dry land).
#include "discretizations/dec/dec.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

void Dec::measure_edge_directions() {
  const Mesh& mesh = triangulation_.mesh;
  for (int side = 0; side < 2; ++side) {
    edge_direction_[side].resize(sites());
    for (Index s = 0; s < sites(); ++s)
      edge_direction_[side][s] = along(edge_of(s), side) * face_turn_[mesh.edge_faces(side, edge_of(s))];
  }
  // The centroid of a triangle is the mean of the middles of its edges.
  centroid_.assign(cells_.count(), Tangent(0));
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int side = 0; side < (mesh.is_wall(e) ? 1 : 2); ++side) {
      const Index face = mesh.edge_faces(side, e), cell = cell_of(face);
      const Tangent arm = unfolded_arm(e, side, part_length(e, side)) * face_turn_[face];
      const double part = triangulation_.face_area[face] / (3 * cells_.area[cell]);
      centroid_[cell] += side == 0 ? part * arm : -part * arm;
    }
}

/// Vectors from what crosses the edges of the cells, (1/A) Σ ± l_e u_e (x_e − x_cell) (Perot 2000) with the centroid for x_cell: it
/// lies inside, so that no edge counts more than its share of the cell, as it may do seen from a circumcentre.
void Dec::compute_cell_velocity(VectorIn flow) const {
  sum_moments(flow);
  leaving_.setZero(cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    leaving_[site_cells_(0, s)] += site_length_[s] * flow[s];
    leaving_[site_cells_(1, s)] -= site_length_[s] * flow[s];
  }
  cell_velocity_.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    cell_velocity_[i] = inverse_area_[i] * (Tangent(sum_x_[i], sum_y_[i]) - leaving_[i] * centroid_[i]);
  for (const Opening& opening : openings_) {
    const Crossing& crossing = opening.crossing;
    cell_velocity_[opening.cell()] += inverse_area_[opening.cell()] * crossing.speed *
                                      (opening.moment - crossing.place.length * centroid_[opening.cell()]);
  }
}

/// −v·∇v from upstream at the sites in and beside films: of each cell (1/V) Σ F (v_up − v) over what flows in, by its
/// vectors, also over what enters from rest, and of the site the mean of both by their water. V may be next to nothing: in a step of the length
/// `scale` what is there is replaced by what flows in at most.
void Dec::add_upstream_transport(VectorIn flow, double scale, VectorOut out) const {
  compute_cell_velocity(flow);
  cell_transport_.assign(cells_.count(), Tangent(0));
  exchange_.setZero(cells_.count());
  for (Index s = 0; s < sites(); ++s) {
    const int to = flow[s] > 0 ? 1 : 0;
    const Index cell = site_cells_(to, s), from = site_cells_(1 - to, s);
    if (!(cell_depth_[cell] > 0)) continue;
    const double inflow = site_length_[s] * flow_depth_[s] * std::abs(flow[s]);
    const Tangent turn = edge_direction_[to][s] * std::conj(edge_direction_[1 - to][s]);
    exchange_[cell] += inflow;
    cell_transport_[cell] += inflow * (cell_velocity_[from] * turn - cell_velocity_[cell]);
  }
  for (const Opening& opening : openings_) {
    const Index cell = opening.cell();
    if (!opening.crossing.enters || brings_velocity(opening.crossing) || !(cell_depth_[cell] > 0)) continue;
    const double inflow = -opening.crossing.out;
    exchange_[cell] += inflow;
    cell_transport_[cell] -= inflow * cell_velocity_[cell];
  }
  for (Index i = 0; i < cells_.count(); ++i)
    if (exchange_[i] > 0)
      cell_transport_[i] /= std::max(cell_depth_[i] * cells_.area[i], std::abs(scale) * exchange_[i]);
  for (Index s = 0; s < sites(); ++s) {
    if (advected_[s] != 0) continue;
    double change = 0, water = 0;
    for (int side = 0; side < 2; ++side) {
      const Index cell = site_cells_(side, s);
      const double part =
          (side == 0 ? left_share_[s] : 1 - left_share_[s]) * std::max(cell_depth_[cell], 0.0);
      const Tangent normal = Tangent(0, -1) * edge_direction_[side][s];  // −i times the direction of the edge
      change += part * (std::conj(normal) * cell_transport_[cell]).real();
      water += part;
    }
    if (water > 0) out[s] += scale * change / water;
  }
}

}  // namespace shoal
