#include "discretizations/mesh/remeshing/remesh.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/closest_point.hpp"
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/remeshing/triangle_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace shoal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// relative to the target length (Botsch & Kobbelt 2004)
constexpr double longest = 4.0 / 3, shortest = 4.0 / 5;
/// Edges shorter than this fraction of the target length are stuck: relaxation cannot lengthen them.
constexpr double stuck = 0.5;
constexpr Index max_vertices = 5'000'000;  // keeps half-edges well within Index
/// Minimum cosine between the normals of a face before and after an edit, or of two faces after a flip:
/// coarse meshes of thin parts may rotate considerably, while folds rotate by more than a right angle.
constexpr double min_cosine = 0.3;
/// A move may remove at most 2 % of the area around a vertex: otherwise relaxation at the rim of a thin part
/// would pull vertices off it, from one side to the other, and the part would shrink.
constexpr double min_area = 0.98;
/// Vertices of faces with an angle below 20° may move and lose area, because the limit above would also
/// preserve folds.
constexpr double thin_cotangent = 2.747;

double cosine(const Vector3& a, const Vector3& b) {
  const double norms = a.norm() * b.norm();
  return norms > 0 ? a.dot(b) / norms : -1;
}

/// The cotangent of the angle opposite to ab in the triangle (a, b, c).
double opposite_cotangent(const Vector3& a, const Vector3& b, const Vector3& c) {
  return (a - c).dot(b - c) / (a - c).cross(b - c).norm();
}

class Remesher {
 public:
  Remesher(const Mesh& mesh, const Points& x, const RemeshOptions& options)
      : mesh_(mesh), options_(options), tree_(mesh.faces, x), edits_(mesh, x) {}

  RemeshedSurface run() {
    double length = options_.vertices > 0 ? length_for(options_.vertices) : options_.edge_length;
    if (length < length_for(max_vertices))
      throw Error(fmt::format("an edge length of {} m is too short: it gives more than {} vertices", length,
                              max_vertices));
    for (int round = 0; round < options_.sizing_rounds; ++round) {
      split_long_edges(longest * length);
      collapse_short_edges(shortest * length, longest * length);
      // A length that gives roughly the required number leaves few forced edits.
      if (options_.vertices > 0)
        length *= std::sqrt(static_cast<double>(edits_.vertex_count()) / options_.vertices);
      reach_number();
      flip_towards_six_neighbours();
      relax();
    }
    for (int round = 0; round < options_.smoothing_rounds; ++round) {
      if (2 * round < options_.smoothing_rounds) {
        collapse_short_edges(stuck * length, infinity);
        reach_number();
      }
      flip_to_delaunay();
      relax();
    }
    flip_to_delaunay();
    return result();
  }

 private:
  /// L of 2N equilateral triangles: A = 2N √3/4 L².
  double length_for(Index vertices) const {
    double twice_area = 0;
    for (Index h = 0; h < edits_.half_edge_count(); h += 3) twice_area += edits_.area_vector(h).norm();
    return std::sqrt(twice_area / (std::sqrt(3.0) * vertices));
  }

  Vector3 projected(const Vector3& point, const Vector3& normal) const {
    return options_.project ? options_.project(point, normal) : tree_.closest(point, normal).x;
  }

  struct Candidate {
    double length;
    Index half_edge;
  };

  /// One half-edge of every edge with low < length < high, shortest first.
  Array<Candidate> edges_between(double low, double high) const {
    Array<Candidate> candidates;
    for (Index h = 0; h < edits_.half_edge_count(); ++h) {
      if (!edits_.has_half_edge(h) || edits_.twin(h) < h) continue;
      const double length = edits_.length(h);
      if (length > low && length < high) candidates.push_back({length, h});
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::pair(a.length, a.half_edge) < std::pair(b.length, b.half_edge);
    });
    return candidates;
  }

  /// Whether an edit of this pass has changed a face of the edge, which is then deferred to the next pass.
  bool is_touched(const Array<char>& touched, Index h) const {
    return touched[edits_.tail(h)] || touched[edits_.head(h)] || touched[edits_.apex(h)] ||
           touched[edits_.apex(edits_.twin(h))];
  }
  void touch(Array<char>& touched, Index h) const {
    for (const Index v : {edits_.tail(h), edits_.head(h), edits_.apex(h), edits_.apex(edits_.twin(h))})
      touched[v] = true;
  }

  void split_long_edges(double limit) {
    constexpr int max_passes = 40;  // enough for projections that lengthen edges
    for (int pass = 0; pass < max_passes; ++pass)
      if (split_longest_edges(limit, max_vertices - edits_.vertex_count()) == 0) return;
  }

  /// One pass over the edges longer than `limit`, longest first, until `most` are split. Returns the number
  /// of splits.
  Index split_longest_edges(double limit, Index most) {
    const Array<Candidate> candidates = edges_between(limit, infinity);
    Array<char> touched(edits_.vertex_end(), false);
    Index count = 0;
    for (auto edge = candidates.rbegin(); edge != candidates.rend() && count < most; ++edge) {
      const Index h = edge->half_edge;
      if (is_touched(touched, h)) continue;
      touch(touched, h);
      const Vector3 normal = (edits_.area_vector(h) + edits_.area_vector(edits_.twin(h))).normalized();
      edits_.split(h, projected(0.5 * (edits_.x(edits_.tail(h)) + edits_.x(edits_.head(h))), normal));
      touched.push_back(true);  // the new vertex: half-edges of the faces beside h now start there
      ++count;
    }
    return count;
  }

  void collapse_short_edges(double limit, double max_length) {
    while (collapse_shortest_edges(limit, max_length, max_vertices) > 0) continue;
  }

  /// One pass over the edges shorter than `limit`, shortest first, provided that no edge becomes longer than
  /// `max_length`.
  Index collapse_shortest_edges(double limit, double max_length, Index most) {
    Array<char> touched(edits_.vertex_end(), false);
    Index count = 0;
    for (const Candidate& edge : edges_between(-1, limit)) {
      if (count == most) break;
      const Index h = edge.half_edge;
      if (!edits_.has_half_edge(h) || is_touched(touched, h) || !edits_.can_collapse(h)) continue;
      const Index b = edits_.head(h);
      const std::optional<Vector3> x = place_of_collapse(h, max_length);
      if (!x) continue;
      touch(touched, h);
      edits_.collapse(h);
      edits_.move(b, *x);
      ++count;
    }
    return count;
  }

  /// The position at which the ends of h may be merged: the middle, or the end that preserves more of the
  /// area. A collapse that is not forced (with a limit of lengths) must preserve it.
  std::optional<Vector3> place_of_collapse(Index h, double max_length) const {
    const Index a = edits_.tail(h), b = edits_.head(h);
    const Vector3 normal = (edits_.area_vector(h) + edits_.area_vector(edits_.twin(h))).normalized();
    const Vector3 middle = projected(0.5 * (edits_.x(a) + edits_.x(b)), normal);
    std::optional<Vector3> place;
    double largest = 0, kept = 0;
    for (const Vector3& x : {middle, edits_.x(a), edits_.x(b)}) {
      const double area = ring_area(a, x, b) + ring_area(b, x, a);
      largest = std::max(largest, area);
      if (place && !(min_area * area > kept)) continue;
      if (!can_move(a, x, b, max_length) || !can_move(b, x, a, max_length)) continue;
      kept = area;
      place = x;
    }
    if (max_length < infinity && kept < min_area * largest) return std::nullopt;
    return place;
  }

  /// Twice the area of the faces of v without the vertex `other`, with v at x.
  double ring_area(Index v, const Vector3& x, Index other = TriangleEdits::none) const {
    double area = 0;
    edits_.for_each_outgoing(v, [&](Index h) {
      const Index p = edits_.head(h), q = edits_.apex(h);
      if (p != other && q != other) area += (edits_.x(p) - x).cross(edits_.x(q) - x).norm();
    });
    return area;
  }

  /// Whether an angle of a face of v is below 20°.
  bool has_thin_face(Index v) const {
    bool found = false;
    edits_.for_each_outgoing(v, [&](Index h) {
      for (const Index side : {h, edits_.next(h), edits_.previous(h)})
        if (opposite_cotangent(edits_.x(edits_.tail(side)), edits_.x(edits_.head(side)),
                               edits_.x(edits_.apex(side))) > thin_cotangent)
          found = true;
    });
    return found;
  }

  /// Whether moving v to x inverts no face of v without the vertex `other` and makes no edge longer than
  /// `max_length`.
  bool can_move(Index v, const Vector3& x, Index other, double max_length) const {
    bool possible = true;
    edits_.for_each_outgoing(v, [&](Index h) {
      const Index p = edits_.head(h), q = edits_.apex(h);
      if (p != other && (edits_.x(p) - x).norm() > max_length) possible = false;
      if (!possible || p == other || q == other) return;
      const Vector3 turned = (edits_.x(p) - x).cross(edits_.x(q) - x);
      if (cosine(turned, edits_.area_vector(h)) < min_cosine) possible = false;
    });
    return possible;
  }

  /// Splits the longest edges or collapses the shortest until the number of vertices is exact.
  void reach_number() {
    const Index count = options_.vertices > 0 ? options_.vertices : edits_.vertex_count();
    while (edits_.vertex_count() < count) split_longest_edges(0, count - edits_.vertex_count());
    while (edits_.vertex_count() > count)
      if (collapse_shortest_edges(infinity, infinity, edits_.vertex_count() - count) == 0)
        throw Error(fmt::format("{} vertices are too few: with fewer than {} the surface would fold", count,
                                edits_.vertex_count()));
    edits_.compact();
  }

  bool flip_folds(Index h) const {
    const Index g = edits_.twin(h);
    const Vector3 a = edits_.x(edits_.tail(h)), b = edits_.x(edits_.head(h)), c = edits_.x(edits_.apex(h)),
                  d = edits_.x(edits_.apex(g));
    const Vector3 first = (c - d).cross(a - d), second = (d - c).cross(b - c);
    const Vector3 before = edits_.area_vector(h) + edits_.area_vector(g);
    return std::min({cosine(first, second), cosine(first, before), cosine(second, before)}) < min_cosine;
  }

  /// One pass of flips that reduce the squared deviations of the four degrees from six.
  void flip_towards_six_neighbours() {
    const auto squared = [](Index deviation) { return deviation * deviation; };
    for (Index h = 0; h < edits_.half_edge_count(); ++h) {
      if (edits_.twin(h) < h) continue;
      const Index a = edits_.degree(edits_.tail(h)) - 6, b = edits_.degree(edits_.head(h)) - 6,
                  c = edits_.degree(edits_.apex(h)) - 6, d = edits_.degree(edits_.apex(edits_.twin(h))) - 6;
      const Index before = squared(a) + squared(b) + squared(c) + squared(d);
      const Index after = squared(a - 1) + squared(b - 1) + squared(c + 1) + squared(d + 1);
      if (after < before && edits_.can_flip(h) && !flip_folds(h)) edits_.flip(h);
    }
  }

  /// Flips edges with a negative sum of the two opposite cotangents if this increases the sum. In space this
  /// need not terminate by itself.
  void flip_to_delaunay() {
    constexpr int max_passes = 20;
    bool flipped = true;
    for (int pass = 0; flipped && pass < max_passes; ++pass) {
      flipped = false;
      for (Index h = 0; h < edits_.half_edge_count(); ++h) {
        if (edits_.twin(h) < h) continue;
        const Vector3 a = edits_.x(edits_.tail(h)), b = edits_.x(edits_.head(h)),
                      c = edits_.x(edits_.apex(h)), d = edits_.x(edits_.apex(edits_.twin(h)));
        const double before = opposite_cotangent(a, b, c) + opposite_cotangent(a, b, d);
        const double after = opposite_cotangent(c, d, a) + opposite_cotangent(c, d, b);
        if (!(before < 0 && after > before) || !edits_.can_flip(h) || flip_folds(h)) continue;
        edits_.flip(h);
        flipped = true;
      }
    }
  }

  /// Moves each vertex v in its tangent plane to Σ Aₖ mₖ / Σ Aₖ, with mₖ the midpoint of the edge opposite to
  /// v in face k, and projects it back onto the surface; reduces the step if a face would be inverted or area
  /// be lost.
  void relax() {
    for (Index v = 0; v < edits_.vertex_end(); ++v) {
      const Vector3 x = edits_.x(v);
      Vector3 step = Vector3::Zero();
      double area = 0;
      edits_.for_each_outgoing(v, [&](Index h) {
        const Vector3 p = edits_.x(edits_.head(h)) - x, q = edits_.x(edits_.apex(h)) - x;
        const double n = edits_.area_vector(h).norm();
        step += n * (p + q) / 2;
        area += n;
      });
      if (!(area > 0)) continue;
      const Vector3 normal = edits_.normal(v);
      step = (step - step.dot(normal) * normal) / area;
      const Vector3 start = projected(x, normal);
      const double area_before = ring_area(v, start);
      for (const double part : {1.0, 0.5, 0.25, 0.0}) {
        const Vector3 moved = part > 0 ? projected(x + part * step, normal) : start;
        if (!can_move(v, moved, TriangleEdits::none, infinity)) continue;
        if (!has_thin_face(v) && ring_area(v, moved) < min_area * area_before) continue;
        edits_.move(v, moved);
        break;
      }
    }
  }

  RemeshedSurface result() {
    RemeshedSurface surface{edits_.faces(), edits_.positions(), {}};
    const Index count = edits_.vertex_end();
    surface.places.face.resize(count);
    surface.places.corners.resize(3, count);
    surface.places.weights.resize(3, count);
    for (Index v = 0; v < count; ++v) {
      const SurfacePoint place = tree_.closest(edits_.x(v), edits_.normal(v));
      surface.places.face[v] = place.face;
      surface.places.corners.col(v) = mesh_.faces.col(place.face);
      surface.places.weights.col(v) = place.weights;
    }
    return surface;
  }

  const Mesh& mesh_;
  const RemeshOptions& options_;
  SurfaceTree tree_;
  TriangleEdits edits_;
};

void check(const Mesh& mesh, const Points& x, const RemeshOptions& options) {
  if (mesh.periodic()) throw Error("a periodic surface cannot be remeshed");
  if (!mesh.closed()) throw Error("a surface with boundary cannot be remeshed; it must be closed");
  if (!(options.edge_length >= 0 && options.edge_length < infinity))
    throw Error(fmt::format("an edge length of {} is not a positive number", options.edge_length));
  if ((options.edge_length > 0) == (options.vertices != 0))
    throw Error("remeshing requires either an edge length or a number of vertices");
  if (options.vertices != 0 && (options.vertices < 4 || options.vertices > max_vertices))
    throw Error(fmt::format("{} vertices are not a number in [4, {}]", options.vertices, max_vertices));
  make_geometry(mesh, x);  // throws if a position is not finite or a face has no area
}

}  // namespace

RemeshedSurface remesh(const Mesh& mesh, const Points& x, const RemeshOptions& options) {
  check(mesh, x, options);
  return Remesher(mesh, x, options).run();
}

Eigen::MatrixXd transfer(const Eigen::MatrixXd& values, const SurfacePlaces& places) {
  Eigen::MatrixXd result(values.rows(), places.corners.cols());
  for (Eigen::Index i = 0; i < result.cols(); ++i)
    result.col(i) = values(Eigen::all, places.corners.col(i)) * places.weights.col(i);
  return result;
}

}  // namespace shoal
