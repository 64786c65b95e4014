// Projection of velocities at dry cells, and upstream differences of v·∇v in and beside films
// (wave_scheme.md, Dry land).
#include "discretizations/fefv/fefv.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

namespace {

double rate_of(int corner, const double* flow) {
  return corner == 0 ? -(flow[0] + flow[1]) : flow[corner - 1];
}

}  // namespace

/// Inverts the matrix of push_at_site(). If it is singular, which limited cotangents may cause, p = 0: the
/// force is neglected.
void Fefv::potential_at_site(Index site, const double* flow, double* p) const {
  const double g11 = limited_.gradient_11[site], g12 = limited_.gradient_12[site],
               g22 = limited_.gradient_22[site];
  const double determinant = g11 * g22 - g12 * g12, inverse = determinant > 0 ? 1 / determinant : 0;
  p[0] = 0;
  p[1] = inverse * (g12 * flow[1] - g22 * flow[0]);
  p[2] = inverse * (g12 * flow[0] - g11 * flow[1]);
}

/// v − (v·∇φ꜀) ∇φ꜀/|∇φ꜀|², with the products ∇φ·∇φ of the gradient, written such that the flux through the
/// corner is exactly zero.
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

/// The projection onto the cone β꜀ = 0 at closed corners, β꜀ ≥ 0 at dry corners: onto one of its sides if the
/// result satisfies the other constraints, otherwise to its apex, v = 0.
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

/// −v·∇v by upstream differences on the triangles in and beside films: (1/V) Σ F (v_up − v) over the edges
/// with inflow, where v_up is rotated about the edge into the plane of the triangle, F uses the flux depth of
/// the upstream triangle, and V = A η̄. At openings, inflow of water at rest (v_up = 0) is included; without
/// it, the pressure there would accelerate the water without bound. V may be nearly zero: the divisor is at
/// least the inflow during a step of length `scale`, so that a step replaces at most all of the water.
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
    double exchange = s.from_rest[k];  // inflow, m³/s
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
