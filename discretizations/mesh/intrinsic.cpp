// Edge flips based on lengths alone.
#include "discretizations/mesh/intrinsic.hpp"

#include <cmath>
#include <deque>

namespace shoal {
namespace {

/// Sums of cotangents above this count as Delaunay, so that four points on a circle are not flipped.
constexpr double delaunay_tolerance = -1e-10;

/// Cotangents and area of a triangle from its edge lengths (opposite to corners 0, 1, 2); Heron's formula in
/// Kahan's order keeps thin triangles accurate.
void measure_face(IntrinsicTriangulation& t, Index face) {
  double length[3];
  for (int c = 0; c < 3; ++c) length[c] = t.edge_length[t.mesh.face_edges(c, face)];
  double a = length[0], b = length[1], c = length[2];
  if (a < b) std::swap(a, b);
  if (a < c) std::swap(a, c);
  if (b < c) std::swap(b, c);
  const double product = (a + (b + c)) * (c - (a - b)) * (c + (a - b)) * (a + (b - c));
  const double area = 0.25 * std::sqrt(std::max(product, 0.0));
  t.face_area[face] = area;
  for (int k = 0; k < 3; ++k) {
    const double opposite = length[k], left = length[(k + 1) % 3], right = length[(k + 2) % 3];
    t.cotangent(k, face) = (left * left + right * right - opposite * opposite) / (4 * area);
  }
}

/// Records the position of `edge` in `face`.
void attach(IntrinsicTriangulation& t, Index edge, int side, Index face, int corner) {
  t.mesh.edge_faces(side, edge) = face;
  t.edge_corner(side, edge) = corner;
  t.mesh.face_edges(corner, face) = edge;
}

/// The side of `edge` that was (face, corner) before a flip.
int side_of(const IntrinsicTriangulation& t, Index edge, Index face, int corner) {
  return t.mesh.edge_faces(0, edge) == face && t.edge_corner(0, edge) == corner ? 0 : 1;
}

/// Replaces the edge a→b between the faces (a, b, c) and (b, a, d) by d→c between (a, d, c) and (b, c, d).
void flip(IntrinsicTriangulation& t, Index edge) {
  Mesh& mesh = t.mesh;
  const Index left = mesh.edge_faces(0, edge), right = mesh.edge_faces(1, edge);
  const int at_c = t.edge_corner(0, edge), at_d = t.edge_corner(1, edge);
  const int left_a = (at_c + 1) % 3, left_b = (at_c + 2) % 3;    // left is (c, a, b), starting at at_c
  const int right_b = (at_d + 1) % 3, right_a = (at_d + 2) % 3;  // right is (d, b, a), starting at at_d
  const Index a = mesh.faces(left_a, left), b = mesh.faces(left_b, left);
  const Index c = mesh.faces(at_c, left), d = mesh.faces(at_d, right);
  const Index bc = mesh.face_edges(left_a, left), ca = mesh.face_edges(left_b, left);
  const Index ad = mesh.face_edges(right_b, right), db = mesh.face_edges(right_a, right);
  const int bc_side = side_of(t, bc, left, left_a), ca_side = side_of(t, ca, left, left_b);
  const int ad_side = side_of(t, ad, right, right_b), db_side = side_of(t, db, right, right_a);

  // Unfold both triangles into the plane with a at the origin and b on the axis.
  const double base = t.edge_length[edge];
  const auto place = [&](Index to_a, Index to_b, double area, double sign) {
    const double la = t.edge_length[to_a], lb = t.edge_length[to_b];
    return Eigen::Vector2d((la * la - lb * lb + base * base) / (2 * base), sign * 2 * area / base);
  };
  const double length = (place(ca, bc, t.face_area[left], 1) - place(ad, db, t.face_area[right], -1)).norm();

  mesh.faces.col(left) << a, d, c;
  mesh.faces.col(right) << b, c, d;
  mesh.edges.col(edge) << d, c;
  t.edge_length[edge] = length;
  attach(t, edge, 0, left, 0);
  attach(t, ca, ca_side, left, 1);
  attach(t, ad, ad_side, left, 2);
  attach(t, edge, 1, right, 0);
  attach(t, db, db_side, right, 1);
  attach(t, bc, bc_side, right, 2);
  measure_face(t, left);
  measure_face(t, right);
}

bool is_delaunay(const IntrinsicTriangulation& t, Index edge) {
  if (t.mesh.is_wall(edge)) return true;
  const double sum = t.cotangent(t.edge_corner(0, edge), t.mesh.edge_faces(0, edge)) +
                     t.cotangent(t.edge_corner(1, edge), t.mesh.edge_faces(1, edge));
  return sum >= delaunay_tolerance;
}

}  // namespace

IntrinsicTriangulation intrinsic_triangulation(const Mesh& mesh, const Geometry& geometry) {
  IntrinsicTriangulation t;
  t.mesh.vertex_count = mesh.vertex_count;
  refresh(t, mesh, geometry);
  return t;
}

void refresh(IntrinsicTriangulation& t, const Mesh& mesh, const Geometry& geometry) {
  t.edge_length = geometry.edge_length;
  t.cotangent = geometry.cotangent;
  t.face_area = geometry.face_area;
  if (t.flips.empty() && t.edge_corner.size()) return;
  t.mesh.corner_shift = mesh.corner_shift;  // for meshes without flips
  t.mesh.edge_shift = mesh.edge_shift;
  t.mesh.faces = mesh.faces;
  t.mesh.edges = mesh.edges;
  t.mesh.edge_faces = mesh.edge_faces;
  t.mesh.face_edges = mesh.face_edges;
  t.edge_corner.setConstant(2, mesh.edge_count(), Mesh::none);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh.face_edges(c, k);
      t.edge_corner(mesh.edge_faces(0, e) == k ? 0 : 1, e) = c;
    }
  for (const Flip& one : t.flips) flip(t, one.edge);
}

void flip_to_delaunay(IntrinsicTriangulation& t) {
  std::deque<Index> queue;
  Array<char> queued(t.mesh.edge_count(), 1);
  for (Index e = 0; e < t.mesh.edge_count(); ++e) queue.push_back(e);
  while (!queue.empty()) {
    const Index edge = queue.front();
    queue.pop_front();
    queued[edge] = 0;
    if (is_delaunay(t, edge)) continue;
    flip(t, edge);
    t.flips.push_back({edge, t.mesh.edge_faces(0, edge), t.mesh.edge_faces(1, edge)});
    for (int side = 0; side < 2; ++side)
      for (int c = 1; c < 3; ++c) {  // the new edge is opposite to corner 0 of both faces
        const Index neighbour = t.mesh.face_edges(c, t.mesh.edge_faces(side, edge));
        if (queued[neighbour]) continue;
        queued[neighbour] = 1;
        queue.push_back(neighbour);
      }
  }
}

/// If the two triangles of a flip no longer form a convex quadrilateral, the new triangles cover more than
/// the surface; the sum of areas detects this.
bool follow_delaunay(IntrinsicTriangulation& t, const Mesh& mesh, const Geometry& geometry) {
  constexpr double round_off = 1e-9;
  refresh(t, mesh, geometry);
  const double area = geometry.total_area();
  bool sound = std::abs(t.face_area.sum() - area) <= round_off * area;
  for (Index e = 0; sound && e < t.mesh.edge_count(); ++e) sound = is_delaunay(t, e);
  if (sound) return false;
  t = intrinsic_triangulation(mesh, geometry);
  flip_to_delaunay(t);
  return true;
}

}  // namespace shoal
