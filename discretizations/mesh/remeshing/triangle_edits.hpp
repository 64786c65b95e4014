// A closed triangle surface with changing connectivity: edges are split, collapsed and flipped one at a time.
#pragma once

#include "discretizations/mesh/mesh.hpp"

namespace shoal {

/// Half-edge h = 3k + c runs from corner c of face k to the next corner. Removed faces and vertices keep their indices, marked by `none`,
/// until compact().
class TriangleEdits {
 public:
  static constexpr Index none = -1;

  TriangleEdits(const Mesh& mesh, const Points& x);

  static Index next(Index h) { return h % 3 == 2 ? h - 2 : h + 1; }
  static Index previous(Index h) { return h % 3 == 0 ? h + 2 : h - 1; }

  Index half_edge_count() const { return tail_.size(); }
  Index vertex_count() const { return vertex_count_; }  ///< without removed ones
  Index vertex_end() const { return outgoing_.size(); }
  bool has_vertex(Index v) const { return outgoing_[v] != none; }
  bool has_half_edge(Index h) const { return tail_[h] != none; }
  Index tail(Index h) const { return tail_[h]; }
  Index head(Index h) const { return tail_[next(h)]; }
  Index apex(Index h) const { return tail_[previous(h)]; }  ///< the corner opposite to h
  Index twin(Index h) const { return twin_[h]; }
  Vector3 x(Index v) const { return x_[v]; }
  void move(Index v, const Vector3& to) { x_[v] = to; }

  /// Calls body(h) for the half-edges that leave v, clockwise seen from outside.
  template <class Body>
  void for_each_outgoing(Index v, const Body& body) const {
    const Index first = outgoing_[v];
    Index h = first;
    do {
      body(h);
      h = next(twin_[h]);
    } while (h != first);
  }
  Index degree(Index v) const;
  bool are_neighbours(Index v, Index w) const;

  double length(Index h) const { return (x_[head(h)] - x_[tail(h)]).norm(); }
  Vector3 area_vector(Index h) const;  ///< normal of the face of h times twice its area
  Vector3 normal(Index v) const;       ///< unit, area-weighted

  /// Whether the faces beside h stay distinct and every vertex keeps at least three neighbours.
  bool can_flip(Index h) const;
  /// Flips h and its twin in the quadrilateral of their faces.
  void flip(Index h);

  /// Inserts a new vertex at `x` into h, which then ends there. Returns the vertex.
  Index split(Index h, const Vector3& x);

  /// The link condition: the ends have no common neighbours except the two apexes (Dey et al. 1999), so that the surface
  /// stays a manifold of the same genus.
  bool can_collapse(Index h) const;
  /// Merges the tail of h into its head and removes the tail.
  void collapse(Index h);

  /// Drops removed elements and renumbers the others, preserving their order.
  void compact();
  Faces faces() const;       ///< after compact()
  Points positions() const;  ///< after compact()

 private:
  void join(Index h, Index g) {
    twin_[h] = g;
    twin_[g] = h;
  }

  Array<Index> tail_, twin_;  // [3 nF]
  Array<Index> outgoing_;     // [nV] one half-edge that leaves the vertex
  Array<Vector3> x_;
  Index vertex_count_ = 0;
};

}  // namespace shoal
