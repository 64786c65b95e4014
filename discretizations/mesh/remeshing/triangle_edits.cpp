#include "discretizations/mesh/remeshing/triangle_edits.hpp"

namespace shoal {

TriangleEdits::TriangleEdits(const Mesh& mesh, const Points& x)
    : tail_(3 * mesh.face_count(), none),
      twin_(3 * mesh.face_count(), none),
      outgoing_(mesh.vertex_count, none),
      vertex_count_(mesh.vertex_count) {
  Array<Index> left(mesh.edge_count(), none);  // one half-edge of each edge already visited
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index h = 3 * k + c, edge = mesh.face_edges((c + 2) % 3, k);
      tail_[h] = mesh.faces(c, k);
      outgoing_[tail_[h]] = h;
      if (left[edge] == none)
        left[edge] = h;
      else
        join(h, left[edge]);
    }
  x_.reserve(mesh.vertex_count);
  for (Index v = 0; v < mesh.vertex_count; ++v) x_.push_back(x.col(v));
}

Index TriangleEdits::degree(Index v) const {
  Index count = 0;
  for_each_outgoing(v, [&](Index) { ++count; });
  return count;
}

bool TriangleEdits::are_neighbours(Index v, Index w) const {
  bool found = false;
  for_each_outgoing(v, [&](Index h) { found = found || head(h) == w; });
  return found;
}

Vector3 TriangleEdits::area_vector(Index h) const {
  const Vector3& a = x_[tail(h)];
  return (x_[head(h)] - a).cross(x_[apex(h)] - a);
}

Vector3 TriangleEdits::normal(Index v) const {
  Vector3 sum = Vector3::Zero();
  for_each_outgoing(v, [&](Index h) { sum += area_vector(h); });
  return sum.normalized();
}

bool TriangleEdits::can_flip(Index h) const {
  return degree(tail(h)) > 3 && degree(head(h)) > 3 && !are_neighbours(apex(h), apex(twin_[h]));
}

// The faces (a, b, c) and (b, a, d) beside h = ab become (d, c, a) and (c, d, b).
void TriangleEdits::flip(Index h) {
  const Index g = twin_[h];
  const Index bc = next(h), ca = previous(h), ad = next(g), db = previous(g);
  const Index a = tail_[h], b = tail_[g], c = tail_[ca], d = tail_[db];
  const Index beyond_bc = twin_[bc], beyond_ca = twin_[ca], beyond_ad = twin_[ad], beyond_db = twin_[db];
  tail_[h] = d, tail_[bc] = c, tail_[ca] = a;
  tail_[g] = c, tail_[ad] = d, tail_[db] = b;
  join(bc, beyond_ca);
  join(ca, beyond_ad);
  join(ad, beyond_db);
  join(db, beyond_bc);
  outgoing_[a] = ca, outgoing_[b] = db, outgoing_[c] = bc, outgoing_[d] = ad;
}

// The faces (a, b, c) and (b, a, d) beside h = ab become (a, m, c), (m, a, d), and the new ones (m, b, c), (b, m, d).
Index TriangleEdits::split(Index h, const Vector3& x) {
  const Index g = twin_[h], mc = next(h), dm = previous(g);
  const Index b = tail_[g], c = tail_[previous(h)], d = tail_[dm], m = outgoing_.size();
  const Index mb = tail_.size(), bc = mb + 1, cm = mb + 2, bm = mb + 3, md = mb + 4, db = mb + 5;
  const Index beyond_bc = twin_[mc], beyond_db = twin_[dm];
  for (const Index tail : {m, b, c, b, m, d}) tail_.push_back(tail);
  for (int k = 0; k < 6; ++k) twin_.push_back(none);
  tail_[mc] = tail_[g] = m;
  join(mb, bm);
  join(mc, cm);
  join(dm, md);
  join(bc, beyond_bc);
  join(db, beyond_db);
  outgoing_[b] = bc;
  outgoing_.push_back(mc);
  x_.push_back(x);
  ++vertex_count_;
  return m;
}

bool TriangleEdits::can_collapse(Index h) const {
  const Index a = tail(h), b = head(h), c = apex(h), d = apex(twin_[h]);
  if (degree(c) <= 3 || degree(d) <= 3) return false;
  bool linked = true;
  for_each_outgoing(a, [&](Index k) {
    const Index v = head(k);
    if (v != b && v != c && v != d && are_neighbours(v, b)) linked = false;
  });
  return linked;
}

// With the faces (a, b, c) and (b, a, d) beside h = ab, the edges ac and bc are merged, and so are ad and bd.
void TriangleEdits::collapse(Index h) {
  const Index g = twin_[h], a = tail_[h], b = tail_[g], c = apex(h), d = apex(g);
  Index k = h;
  do {
    tail_[k] = b;
    k = next(twin_[k]);
  } while (k != h);
  const Index cb = twin_[next(h)], bc = twin_[previous(h)], db = twin_[next(g)], bd = twin_[previous(g)];
  join(cb, bc);
  join(db, bd);
  outgoing_[a] = none, outgoing_[b] = bc, outgoing_[c] = cb, outgoing_[d] = db;
  for (const Index gone : {h, next(h), previous(h), g, next(g), previous(g)}) tail_[gone] = none;
  --vertex_count_;
}

void TriangleEdits::compact() {
  Array<Index> vertex_number(vertex_end(), none), number(half_edge_count(), none);
  Index vertices = 0, half_edges = 0;
  for (Index v = 0; v < vertex_end(); ++v)
    if (has_vertex(v)) vertex_number[v] = vertices++;
  for (Index h = 0; h < half_edge_count(); ++h)
    if (has_half_edge(h)) number[h] = half_edges++;
  for (Index h = 0; h < half_edge_count(); ++h) {
    if (number[h] == none) continue;
    tail_[number[h]] = vertex_number[tail_[h]];
    twin_[number[h]] = number[twin_[h]];
  }
  for (Index v = 0; v < vertex_end(); ++v) {
    if (vertex_number[v] == none) continue;
    outgoing_[vertex_number[v]] = number[outgoing_[v]];
    x_[vertex_number[v]] = x_[v];
  }
  tail_.resize(half_edges);
  twin_.resize(half_edges);
  outgoing_.resize(vertices);
  x_.resize(vertices);
}

Faces TriangleEdits::faces() const {
  return Eigen::Map<const Faces>(tail_.data(), 3, half_edge_count() / 3);
}

Points TriangleEdits::positions() const {
  Points x(3, vertex_end());
  for (Index v = 0; v < vertex_end(); ++v) x.col(v) = x_[v];
  return x;
}

}  // namespace shoal
