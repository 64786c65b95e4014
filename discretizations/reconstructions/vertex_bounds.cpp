#include "discretizations/reconstructions/vertex_bounds.hpp"

#include "discretizations/common/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

/// A corner of a cell.
struct Corner {
  Index cell;
  int corner;
};

/// The corner at the same vertex beyond the edge opposite to `across` of this cell; cell none beyond a wall.
Corner beyond(const Mesh& mesh, const Corner& at, int across) {
  const Index edge = mesh.face_edges(across, at.cell), left = mesh.edge_faces(0, edge);
  const Index other = left == at.cell ? mesh.edge_faces(1, edge) : left;
  if (other == Mesh::none) return {Mesh::none, 0};
  // On both sides the vertex follows the edge's opposite corner, or precedes it.
  int opposite = 0;
  while (mesh.face_edges(opposite, other) != edge) ++opposite;
  const bool left_handed = across == (at.corner + 1) % 3;
  return {other, (opposite + (left_handed ? 1 : 2)) % 3};
}

}  // namespace

void VertexBounds::measure(const Mesh& mesh, const Array<FaceFrame>& frames,
                           const std::function<Tangent(Index edge)>& wall_normal) {
  const Index cells = mesh.face_count();
  vertex_.resize(3 * cells);
  turn_1_.resize(3 * cells);
  turn_2_.resize(3 * cells);
  for (int c = 0; c < 3; ++c)
    for (Index k = 0; k < cells; ++k) vertex_[c * cells + k] = mesh.faces(c, k);
  start_ = {0};
  around_.clear();
  Array<Corner> fan;
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    const Index first = mesh.ring_corner[mesh.ring_start[i]];
    Corner at = {first / 3, static_cast<int>(first % 3)};
    const Index start = at.cell;
    // against the orientation to a wall, or once around
    for (;;) {
      const Corner before = beyond(mesh, at, (at.corner + 2) % 3);
      if (before.cell == Mesh::none || before.cell == start) break;
      at = before;
    }
    fan.clear();
    double angle = 0;
    const auto outgoing = [&](const Corner& c) { return frames[c.cell].edge(c.corner); };
    const auto width = [&](const Corner& c) {
      return std::arg(-frames[c.cell].edge((c.corner + 2) % 3) * std::conj(outgoing(c)));
    };
    const Index begin = at.cell;
    bool closed = false;
    do {
      fan.push_back(at);
      angle += width(at);
      at = beyond(mesh, at, (at.corner + 1) % 3);
      closed = at.cell == begin;
    } while (at.cell != Mesh::none && !closed);
    const double scale = closed ? 2 * std::numbers::pi / angle : 1;
    double reached = 0;
    for (const Corner& c : fan) {
      const double half = 0.5 * width(c);
      const Tangent out = outgoing(c);
      const Tangent turn = std::polar(1.0, reached + (scale - 1) * half) * std::conj(out) / std::abs(out);
      reached += 2 * scale * half;
      turn_1_[c.corner * cells + c.cell] = turn.real();
      turn_2_[c.corner * cells + c.cell] = turn.imag();
      around_.push_back({c.cell, turn, false});
      for (const int across : {1, 2}) {
        const Index edge = mesh.face_edges((c.corner + across) % 3, c.cell);
        if (!mesh.is_wall(edge)) continue;
        const Tangent normal = wall_normal(edge);
        around_.push_back({c.cell, -turn * normal * normal, true});
      }
    }
    start_.push_back(around_.size());
  }
}

void VertexBounds::compute(const CellMeans& means, BoundsAtVertices& bounds) const {
  const Index vertices = start_.size() - 1;
  bounds.at.resize(vertices);
  for (Vector* values : {&bounds.around_1, &bounds.around_2})
    if (values->size() == 0) values->setZero(around_.size());
  parallel_for(vertices, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      constexpr double unlimited = std::numeric_limits<double>::infinity();
      double least_depth = unlimited, greatest_depth = 0, least = unlimited, greatest = -unlimited;
      Index wet = start_[i];  // end of the velocities at this vertex
      for (Index q = start_[i]; q < start_[i + 1]; ++q) {
        const auto& [k, turn, mirrored] = around_[q];
        const double depth = std::max(0.0, means.depth[k]), elevation = depth - means.bed[k];
        least_depth = std::min(least_depth, depth);
        greatest_depth = std::max(greatest_depth, depth);
        least = std::min(least, elevation);
        greatest = std::max(greatest, elevation);  // of dry land, too: a film on a slope keeps its slope
        if (!(depth > means.dry_depth)) continue;
        const Tangent v(means.velocity_1[k], means.velocity_2[k]);
        const Tangent here = turn * (mirrored ? std::conj(v) : v);
        bounds.around_1[wet] = here.real();
        bounds.around_2[wet++] = here.imag();
      }
      const auto velocity = [&](Index q) { return Tangent(bounds.around_1[q], bounds.around_2[q]); };
      Tangent centre = 0;
      double farthest = -1, radius = 0;
      for (Index a = start_[i]; a < wet; ++a)
        for (Index b = start_[i]; b <= a; ++b)
          if (const double apart = std::norm(velocity(a) - velocity(b)); apart > farthest) {
            farthest = apart;
            centre = 0.5 * (velocity(a) + velocity(b));
          }
      for (Index q = start_[i]; q < wet; ++q) radius = std::max(radius, std::norm(velocity(q) - centre));
      bounds.at[i] = {least_depth, greatest_depth, least, greatest, centre.real(), centre.imag(), radius};
    }
  });
}

}  // namespace shoal
