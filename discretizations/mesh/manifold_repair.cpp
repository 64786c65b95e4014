// Makes any set of triangles a manifold: separates edges shared by more than two faces, and vertices at which
// fans meet.
#include "discretizations/mesh/repair.hpp"

#include "discretizations/common/disjoint_sets.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

template <class Keep>
Index keep_faces(Faces& faces, const Keep& keep) {
  Index kept = 0;
  for (Index face = 0; face < faces.cols(); ++face)
    if (keep(face)) faces.col(kept++) = faces.col(face).eval();
  const Index dropped = static_cast<Index>(faces.cols()) - kept;
  faces.conservativeResize(Eigen::NoChange, kept);
  return dropped;
}

Index drop_faces_that_name_a_vertex_twice(Faces& faces) {
  return keep_faces(faces, [&](Index k) {
    return faces(0, k) != faces(1, k) && faces(1, k) != faces(2, k) && faces(2, k) != faces(0, k);
  });
}

Index drop_repeated_faces(Faces& faces) {
  std::vector<std::pair<std::array<Index, 3>, Index>> keys;
  for (Index k = 0; k < faces.cols(); ++k) {
    std::array<Index, 3> corners = {faces(0, k), faces(1, k), faces(2, k)};
    std::sort(corners.begin(), corners.end());
    keys.emplace_back(corners, k);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<char> repeated(keys.size(), false);
  for (std::size_t i = 1; i < keys.size(); ++i) repeated[keys[i].second] = keys[i].first == keys[i - 1].first;
  return keep_faces(faces, [&](Index k) { return !repeated[k]; });
}

bool is_flat(const Triangles& triangles, Index face) {
  const Vector3 a = triangles.x.col(triangles.faces(0, face)), b = triangles.x.col(triangles.faces(1, face)),
                c = triangles.x.col(triangles.faces(2, face));
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return !((b - a).cross(c - a).norm() / 2 > degenerate_area * longest);
}

/// The corner opposite to the longest edge.
int middle_corner(const Triangles& triangles, Index face) {
  std::array<double, 3> length;
  for (int c = 0; c < 3; ++c)
    length[c] = (triangles.x.col(edge_head(triangles.faces, face, c)) -
                 triangles.x.col(edge_tail(triangles.faces, face, c)))
                    .norm();
  return static_cast<int>(std::max_element(length.begin(), length.end()) - length.begin());
}

/// A flat face has a corner on its longest edge: splits the faces on the other side of that edge at this
/// corner. Drops it if there are none. Returns the number of changes; further rounds may be necessary.
Index flip_flat_faces(Triangles& triangles) {
  Index changed = 0;
  Faces& faces = triangles.faces;
  const EdgeList list = list_edges(faces, static_cast<Index>(triangles.x.cols()));
  std::vector<char> touched(faces.cols(), false), dropped(faces.cols(), false);
  std::vector<std::array<Index, 3>> added;
  for (Index face = 0; face < faces.cols(); ++face) {
    if (touched[face] || !is_flat(triangles, face)) continue;
    const int c = middle_corner(triangles, face);
    const Index edge = list.face_edges(c, face), tip = faces(c, face);
    std::vector<Index> behind;  // other sides of the edge: 3·face + opposite corner
    for (Index i = 0; i < list.side_count(edge); ++i)
      if (const Index side = list.side[list.side_start[edge] + i]; side / 3 != face) behind.push_back(side);
    if (std::any_of(behind.begin(), behind.end(), [&](Index side) { return touched[side / 3]; })) continue;
    bool is_free = true;  // whether the column of the flat face can be reused for a new face
    for (const Index side : behind) {
      const Index other = side / 3;
      const int opposite = static_cast<int>(side % 3);
      const Index far = faces(opposite, other), tail = edge_tail(faces, other, opposite),
                  head = edge_head(faces, other, opposite);
      touched[other] = true;
      if (tip == far) {
        dropped[other] = true;
        continue;
      }
      faces.col(other) << far, tail, tip;
      if (is_free)
        faces.col(face) << far, tip, head;
      else
        added.push_back({far, tip, head});
      is_free = false;
    }
    dropped[face] = is_free;
    touched[face] = true;
    ++changed;
  }
  keep_faces(faces, [&](Index k) { return !dropped[k]; });
  const Eigen::Index kept = faces.cols();
  faces.conservativeResize(Eigen::NoChange, kept + static_cast<Eigen::Index>(added.size()));
  for (std::size_t i = 0; i < added.size(); ++i)
    faces.col(kept + static_cast<Eigen::Index>(i)) << added[i][0], added[i][1], added[i][2];
  return changed;
}

/// Connects the faces at an edge with more than two faces in pairs.
class EdgeSplitter {
 public:
  /// `turn`: 1 if faces are oriented outward of the body that they bound, −1 if inward.
  EdgeSplitter(const Triangles& triangles, const EdgeList& list, Index edge, double turn)
      : triangles_(triangles), list_(list), tail_(list.edges(0, edge)) {
    const Vector3 axis = triangles.x.col(list.edges(1, edge)) - triangles.x.col(tail_);
    axis_ = turn * axis.normalized();
    for (Index k = 0; k < list.side_count(edge); ++k) sides_.push_back(list.side[list.side_start[edge] + k]);
  }

  /// Calls join(side, side) for each pair. Rotating through the body behind the first face, each face that
  /// runs along the edge in the same direction is joined with the next unpaired one that runs in the opposite
  /// direction, like brackets.
  template <class Join>
  void pair(Join&& join) const {
    std::vector<std::pair<double, Index>> order;
    for (const Index side : sides_) order.emplace_back(angle(sides_.front(), side), side);
    std::sort(order.begin(), order.end());
    std::vector<Index> open, closing;  // closing: for faces still open after a full turn
    for (const auto& [angle, side] : order) {
      if (runs_along(side)) {
        open.push_back(side);
      } else if (open.empty()) {
        closing.push_back(side);
      } else {
        join(open.back(), side);
        open.pop_back();
      }
    }
    for (std::size_t k = 0; k < closing.size() && !open.empty(); ++k, open.pop_back())
      join(open.back(), closing[k]);
  }

 private:
  bool runs_along(Index side) const { return edge_tail(triangles_.faces, side / 3, side % 3) == tail_; }
  /// Direction from the edge into the face, perpendicular to the edge.
  Vector3 direction(Index side) const {
    const Vector3 d = triangles_.x.col(triangles_.faces(side % 3, side / 3)) - triangles_.x.col(tail_);
    return d - axis_ * axis_.dot(d);
  }
  /// Angle from one face to another, in [0, 2π), in the direction from a face along the edge e into the body
  /// behind it: with d the direction into the face, its normal is e × d, and the rotation goes from d towards
  /// −e × d.
  double angle(Index from, Index to) const {
    const Vector3 u = direction(from), v = direction(to);
    const double angle = std::atan2(-axis_.dot(u.cross(v)), u.dot(v));
    return angle < 0 ? angle + 2 * std::numbers::pi : angle;
  }

  const Triangles& triangles_;
  const EdgeList& list_;
  Index tail_;
  Vector3 axis_;
  std::vector<Index> sides_;
};

/// Whether the enclosed volume is negative, i.e. most faces are oriented inward.
bool look_inward(const Triangles& triangles) {
  const Vector3 origin = triangles.x.col(triangles.faces(0, 0));
  double volume = 0;
  for (Index k = 0; k < triangles.faces.cols(); ++k) {
    const Vector3 a = triangles.x.col(triangles.faces(0, k)) - origin,
                  b = triangles.x.col(triangles.faces(1, k)) - origin,
                  c = triangles.x.col(triangles.faces(2, k)) - origin;
    volume += a.dot(b.cross(c));
  }
  return volume < 0;
}

/// Gives every fan of corners, connected across edges, its own vertex. Edges with three or more faces connect
/// them in pairs or, if `apart`, not at all. Returns the number of added vertices.
Index split_vertices(Triangles& triangles, bool apart) {
  Faces& faces = triangles.faces;
  const EdgeList list = list_edges(faces, static_cast<Index>(triangles.x.cols()));
  DisjointSets corners(3 * static_cast<Index>(faces.cols()));
  const auto corner_at = [&](Index vertex, Index face) {
    for (Index c = 0; c < 2; ++c)
      if (faces(c, face) == vertex) return 3 * face + c;
    return 3 * face + 2;
  };
  const auto join = [&](Index one, Index other) {
    for (const Index vertex : {edge_tail(faces, one / 3, one % 3), edge_head(faces, one / 3, one % 3)})
      corners.join(corner_at(vertex, one / 3), corner_at(vertex, other / 3));
  };
  const double turn = faces.cols() > 0 && look_inward(triangles) ? -1 : 1;
  for (Index edge = 0; edge < list.edge_count(); ++edge) {
    const Index* side = &list.side[list.side_start[edge]];
    if (list.side_count(edge) == 2)
      join(side[0], side[1]);
    else if (list.side_count(edge) > 2 && !apart)
      EdgeSplitter(triangles, list, edge, turn).pair(join);
  }
  const Index before = static_cast<Index>(triangles.x.cols());
  std::vector<Index> first(before, -1), number(3 * faces.cols(), -1), origin;
  for (Index corner = 0; corner < 3 * faces.cols(); ++corner) {
    const Index fan = corners.find(corner), vertex = faces(corner % 3, corner / 3);
    if (number[fan] >= 0) continue;
    if (first[vertex] < 0) {
      number[fan] = first[vertex] = vertex;
    } else {
      number[fan] = before + static_cast<Index>(origin.size());
      origin.push_back(vertex);
    }
  }
  for (Index corner = 0; corner < 3 * faces.cols(); ++corner)
    faces(corner % 3, corner / 3) = number[corners.find(corner)];
  triangles.x.conservativeResize(Eigen::NoChange, before + static_cast<Index>(origin.size()));
  for (std::size_t k = 0; k < origin.size(); ++k) {
    triangles.x.col(before + static_cast<Index>(k)) = triangles.x.col(origin[k]).eval();
    triangles.source_vertex.push_back(triangles.source_vertex[origin[k]]);
  }
  return static_cast<Index>(origin.size());
}

Index crowded_edges(const Triangles& triangles) {
  const EdgeList list = list_edges(triangles.faces, static_cast<Index>(triangles.x.cols()));
  Index count = 0;
  for (Index edge = 0; edge < list.edge_count(); ++edge) count += list.side_count(edge) > 2;
  return count;
}

}  // namespace

std::vector<std::string> RepairReport::sentences() const {
  std::vector<std::string> all;
  const auto add = [&](Index count, const char* what) {
    if (count > 0) all.push_back(fmt::format(fmt::runtime(what), count));
  };
  add(twice, "dropped {} faces with a repeated vertex");
  add(repeated, "dropped {} duplicate faces");
  add(flat, "flipped or dropped {} faces without area");
  add(edges, "separated the surface at {} edges with three or more faces");
  add(vertices, "split vertices, adding {}");
  return all;
}

RepairReport make_manifold(Triangles& triangles) {
  RepairReport report;
  report.twice = drop_faces_that_name_a_vertex_twice(triangles.faces);
  report.repeated = drop_repeated_faces(triangles.faces);
  constexpr int max_rounds = 8;  // each round at least halves a row of flat faces
  for (int round = 0; round < max_rounds; ++round) {
    const Index changed = flip_flat_faces(triangles);
    if (changed == 0) break;
    report.flat += changed;
    drop_faces_that_name_a_vertex_twice(triangles.faces);
    drop_repeated_faces(triangles.faces);
  }
  report.edges = crowded_edges(triangles);
  report.vertices = split_vertices(triangles, false);
  // Pairs that meet again at both ends of their edge are separated completely.
  if (crowded_edges(triangles) > 0) report.vertices += split_vertices(triangles, true);
  return report;
}

}  // namespace shoal
