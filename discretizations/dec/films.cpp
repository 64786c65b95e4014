// Upstream differences of v·∇v in and beside films (wave_scheme.md, Dry land).
#include "discretizations/dec/dec.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

void Dec::measure_edge_directions() {
  const Mesh& mesh = triangulation_.mesh;
  for (int side = 0; side < 2; ++side) {
    edge_direction_[side].resize(sites());
    for (Index s = 0; s < sites(); ++s)
      edge_direction_[side][s] =
          dual_.along(edge_of(s), side) * dual_.face_turn(mesh.edge_faces(side, edge_of(s)));
  }
  // The centroid of a triangle is the mean of its edge midpoints.
  centroid_.assign(cells_.count(), Tangent(0));
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int side = 0; side < (mesh.is_wall(e) ? 1 : 2); ++side) {
      const Index face = mesh.edge_faces(side, e), cell = cell_of(face);
      const Tangent arm = dual_.unfolded_arm(e, side, dual_.part_length(e, side)) * dual_.face_turn(face);
      const double part = triangulation_.face_area[face] / (3 * cells_.area[cell]);
      centroid_[cell] += side == 0 ? part * arm : -part * arm;
    }
}

/// Sets ζ = 0 in cells whose v·∇v uses upstream differences.
void Dec::zero_film_vorticity(const Films& films, Vector& cell_vorticity) const {
  if (!films.any) return;
  for (Index i = 0; i < cells_.count(); ++i)
    if (films.in_film[i]) cell_vorticity[i] = 0;
}

/// Cell vectors (1/A) Σ ± l_e u_e (x_e − x_cell) (Perot 2000) with the centroid as x_cell. The centroid is
/// inside the cell, so that no edge has more weight than its share of the cell, unlike with a circumcentre.
void Dec::compute_cell_velocity(VectorIn flow, const Openings& openings, DecScratch& s) const {
  sum_moments(flow, s.moment, s);
  s.leaving.setZero(cells_.count());
  for (Index e = 0; e < sites(); ++e) {
    s.leaving[site_.cells(0, e)] += site_.length[e] * flow[e];
    s.leaving[site_.cells(1, e)] -= site_.length[e] * flow[e];
  }
  s.cell_velocity.resize(cells_.count());
  for (Index i = 0; i < cells_.count(); ++i)
    s.cell_velocity[i] =
        inverse_area_[i] * (Tangent(s.moment.x[i], s.moment.y[i]) - s.leaving[i] * centroid_[i]);
  for (const Opening& opening : openings) {
    const Crossing& crossing = opening.crossing;
    s.cell_velocity[opening.cell()] += inverse_area_[opening.cell()] * crossing.speed *
                                       (opening.moment - crossing.place.length * centroid_[opening.cell()]);
  }
}

/// −v·∇v by upstream differences at the sites in and beside films. In each cell (1/V) Σ F (v_up − v) over the
/// sites with inflow, with cell vectors, and over openings where water at rest enters; at the site the mean
/// of both cells, weighted by their depths and shares. V may be nearly zero: the divisor is at least the
/// inflow during a step of length `scale`, so that a step replaces at most all of the water.
void Dec::add_upstream_transport(VectorIn flow, const Films& films, const Openings& openings, double scale,
                                 VectorOut out, DecScratch& s) const {
  const Vector &depth = s.shore.cell_depth, &flow_depth = s.shore.flow_depth;
  compute_cell_velocity(flow, openings, s);
  s.cell_transport.assign(cells_.count(), Tangent(0));
  s.exchange.setZero(cells_.count());
  for (Index e = 0; e < sites(); ++e) {
    const int to = flow[e] > 0 ? 1 : 0;
    const Index cell = site_.cells(to, e), from = site_.cells(1 - to, e);
    if (!(depth[cell] > 0)) continue;
    const double inflow = site_.length[e] * flow_depth[e] * std::abs(flow[e]);
    const Tangent turn = edge_direction_[to][e] * std::conj(edge_direction_[1 - to][e]);
    s.exchange[cell] += inflow;
    s.cell_transport[cell] += inflow * (s.cell_velocity[from] * turn - s.cell_velocity[cell]);
  }
  for (const Opening& opening : openings) {
    const Index cell = opening.cell();
    if (!opening.crossing.enters || opening.crossing.brings_velocity() || !(depth[cell] > 0)) continue;
    const double inflow = -opening.crossing.out;
    s.exchange[cell] += inflow;
    s.cell_transport[cell] -= inflow * s.cell_velocity[cell];
  }
  for (Index i = 0; i < cells_.count(); ++i)
    if (s.exchange[i] > 0)
      s.cell_transport[i] /= std::max(depth[i] * cells_.area[i], std::abs(scale) * s.exchange[i]);
  for (Index e = 0; e < sites(); ++e) {
    if (films.advected[e] != 0) continue;
    double change = 0, water = 0;
    for (int side = 0; side < 2; ++side) {
      const Index cell = site_.cells(side, e);
      const double part =
          (side == 0 ? site_.left_share[e] : 1 - site_.left_share[e]) * std::max(depth[cell], 0.0);
      const Tangent normal = Tangent(0, -1) * edge_direction_[side][e];  // −i times the direction of the edge
      change += part * (std::conj(normal) * s.cell_transport[cell]).real();
      water += part;
    }
    if (water > 0) out[e] += scale * change / water;
  }
}

}  // namespace shoal
