// Velocities beside dry land, and v·∇v from upstream in and beside films (wave_scheme.md, Dry land).
#include "discretizations/fefv/fefv.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

namespace {

double rate_of(int corner, const double* flow) {
  return corner == 0 ? -(flow[0] + flow[1]) : flow[corner - 1];
}

}  // namespace

/// The inverse of the matrix of push_at_site(); without one, as with limited cotangents it may be, no force is seen.
void Fefv::potential_at_site(Index site, const double* flow, double* p) const {
  const double g11 = limited_.gradient_11[site], g12 = limited_.gradient_12[site],
               g22 = limited_.gradient_22[site];
  const double determinant = g11 * g22 - g12 * g12, inverse = determinant > 0 ? 1 / determinant : 0;
  p[0] = 0;
  p[1] = inverse * (g12 * flow[1] - g22 * flow[0]);
  p[2] = inverse * (g12 * flow[0] - g11 * flow[1]);
}

/// v − (v·∇φ꜀) ∇φ꜀/|∇φ꜀|², with the ∇φ·∇φ of the gradient: what it pushes through the corner vanishes to the last bit.
void Fefv::remove_flow_through(Index site, int corner, double* flow) const {
  const double g11 = limited_.gradient_11[site], g12 = limited_.gradient_12[site],
               g22 = limited_.gradient_22[site];
  if (corner == 0) {
    const double part = rate_of(0, flow) / (g11 + 2 * g12 + g22);
    flow[0] += part * (g11 + g12);
    flow[1] = -flow[0];
  } else if (corner == 1) {
    flow[1] -= flow[0] / g11 * g12;
    flow[0] = 0;
  } else {
    flow[0] -= flow[1] / g22 * g12;
    flow[1] = 0;
  }
}

/// The projection onto the cone β꜀ = 0 of closed, β꜀ ≥ 0 of dry corners: onto one of its sides if that is within the others,
/// else its tip.
unsigned Fefv::hold(Index site, unsigned closed, unsigned dry, double* flow) const {
  const auto outflow = [&](const double* rates) {
    unsigned leaving = closed;
    for (int c = 0; c < 3; ++c)
      if ((dry >> c & 1) && rate_of(c, rates) < 0) leaving |= 1U << c;
    return leaving;
  };
  const unsigned leaving = outflow(flow);
  if (!leaving) return 0;
  const unsigned sides = closed ? closed : leaving;
  for (int c = 0; c < 3; ++c) {
    const unsigned side = 1U << c;
    if (!(sides & side) || (closed & ~side)) continue;
    double within[2] = {flow[0], flow[1]};
    remove_flow_through(site, c, within);
    if (outflow(within) & ~side) continue;
    flow[0] = within[0];
    flow[1] = within[1];
    return side;
  }
  flow[0] = flow[1] = 0;
  return closed | dry;
}

/// −v·∇v from upstream on the triangles in and beside films: (1/V) Σ F (v_up − v) over what flows in through their edges,
/// turned over the edge into their plane, with the depth at which it flows there and their own water V = A η̄; at openings
/// over what enters from rest, without which the pressure there would drive the water on and on. V may be next to nothing: in
/// a step of the length `scale` what is there is replaced by what flows in at most.
void Fefv::add_upstream_transport(const ConstBlock& flow, const Films& films,
                                  const Array<Crossing>& crossings, double scale, VectorOut out,
                                  FefvScratch& s) const {
  const Vector& flow_depth = s.shore.flow_depth;
  const Index faces = mesh_.face_count();
  s.transport.resize(3, faces);
  s.from_rest.setZero(faces);
  for (const Crossing& crossing : crossings)
    if (crossing.enters && !crossing.brings_velocity())
      s.from_rest[mesh_.edge_faces(0, crossing.place.edge)] -= crossing.out;
  for (Index k = 0; k < faces; ++k) {
    if (films.advected[k] != 0) continue;
    const Vector3 own = velocity_vector(flow, k), normal = geometry_.face_normal.col(k);
    const double water = geometry_.face_area[k] * s.site_depth[k];
    s.transport.col(k).setZero();
    if (!(water > 0)) continue;
    double exchange = s.from_rest[k];  // what flows in, m³/s
    Vector3 sum = -exchange * own;
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh_.face_edges(c, k);
      if (mesh_.is_wall(e)) continue;
      const Index other = mesh_.edge_faces(mesh_.edge_faces(0, e) == k ? 1 : 0, e);
      const Vector3 edge = geometry_.edge_vector(mesh_, e);
      const Vector3 there = velocity_vector(flow, other), other_normal = geometry_.face_normal.col(other);
      const Vector3 turned =
          (there.dot(edge) * edge + there.dot(edge.cross(other_normal)) * edge.cross(normal)) /
          edge.squaredNorm();
      const double side = mesh_.edge_faces(0, e) == k ? 1 : -1;  // edge × normal points out of the left face
      const double inflow = -0.5 * side * (own + turned).dot(edge.cross(normal)) * flow_depth[other];
      if (!(inflow > 0)) continue;
      exchange += inflow;
      sum += inflow * (turned - own);
    }
    if (exchange > 0) s.transport.col(k) = sum / std::max(water, std::abs(scale) * exchange);
  }
  for (Index k = 0; k < faces; ++k) {
    if (films.advected[k] != 0) continue;
    const Vector3 change = scale / geometry_.face_area[k] * s.transport.col(k);
    out[k] += change.dot(area_gradient(mesh_, geometry_, k, 1));
    out[faces + k] += change.dot(area_gradient(mesh_, geometry_, k, 2));
  }
}

}  // namespace shoal
