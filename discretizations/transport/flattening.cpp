// Fans in order, their flattened edges, and the means in them.
#include "discretizations/transport/flattening.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/operators/trigonometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

/// The corner that follows counterclockwise about the same vertex, or none at a wall.
Index next_in_fan(const Mesh& mesh, Index corner) {
  const Index face = corner / 3, edge = mesh.face_edges((corner % 3 + 1) % 3, face);
  const Index other = mesh.edge_faces(0, edge) == face ? mesh.edge_faces(1, edge) : mesh.edge_faces(0, edge);
  if (other == Mesh::none) return Mesh::none;
  Index local = 0;
  while (mesh.faces(local, other) != mesh.faces(corner % 3, face)) ++local;
  return 3 * other + local;
}

}  // namespace

Flattening::Flattening(const Mesh& mesh, FanWeight weight)
    : mesh_(mesh),
      weight_(weight),
      corner_(mesh.ring_corner),
      on_wall_(mesh.vertex_count),
      wedge_(mesh.ring_corner.size()),
      angle_(3 * mesh.face_count()),
      stretch_(mesh.vertex_count),
      cosine_(3 * mesh.face_count()),
      sine_(3 * mesh.face_count()),
      angle_before_(3 * mesh.face_count()),
      fan_angle_(mesh.vertex_count),
      wall_length_(Vector::Zero(mesh.vertex_count)),
      along_wall_(mesh.vertex_count) {
  for (Index i = 0; i < on_wall_.size(); ++i) {
    const Index begin = mesh.ring_start[i];
    const Index end = mesh.ring_start[i + 1];
    Index first = mesh.ring_corner[begin];
    for (Index j = begin; j < end; ++j) {
      const Index corner = mesh.ring_corner[j];
      if (!mesh.is_wall(mesh.face_edges((corner % 3 + 2) % 3, corner / 3))) continue;
      first = corner;
      on_wall_[i] = 1;
    }
    for (Index j = begin; j < end; ++j) {
      corner_[j] = first;
      first = next_in_fan(mesh, first);
    }
  }
}

/// Three passes: the angles, their sums around each vertex, and the wedges one after the other, each turned
/// by the angles before it.
void Flattening::refresh(const Geometry& geometry) {
  const double* __restrict cotangent = geometry.cotangent.data();
  const Index* __restrict vertex = mesh_.faces.data();
  double *__restrict angle = angle_.data(), *__restrict stretch = stretch_.data(),
                     *__restrict cosine = cosine_.data(), *__restrict sine = sine_.data();
  parallel_for(3 * mesh_.face_count(), [=](Index first, Index last) {
#pragma omp simd
    for (Index c = first; c < last; ++c) angle[c] = arc_cotangent(cotangent[c]);
  });
  parallel_for(mesh_.vertex_count, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double angles = 0;
      for (Index j = mesh_.ring_start[i]; j < mesh_.ring_start[i + 1]; ++j) {
        angle_before_[corner_[j]] = angles;
        angles += angle[corner_[j]];
      }
      fan_angle_[i] = on_wall_[i] ? std::numeric_limits<double>::infinity() : angles;
      stretch[i] = on_wall_[i] ? 1 : 2 * std::numbers::pi / angles;
    }
  });
  parallel_for(3 * mesh_.face_count(), [=](Index first, Index last) {
#pragma omp simd
    for (Index c = first; c < last; ++c) cosine_and_sine(stretch[vertex[c]] * angle[c], cosine[c], sine[c]);
  });
  parallel_for(mesh_.vertex_count, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) place_wedges(geometry, i);
  });
}

void Flattening::place_wedges(const Geometry& geometry, Index vertex) {
  const Index begin = mesh_.ring_start[vertex];
  const Index end = mesh_.ring_start[vertex + 1];
  double total = 0;
  double x = 1, y = 0;  // the direction reached
  if (on_wall_[vertex])
    wall_length_[vertex] = geometry.edge_length[first_edge(vertex)] + geometry.edge_length[last_edge(vertex)];
  for (Index j = begin; j < end; ++j) {
    const Index face = corner_[j] / 3, corner = corner_[j] % 3;
    const Index* edges = &mesh_.face_edges(0, face);
    const Index after = corner == 2 ? 0 : corner + 1, before = corner == 0 ? 2 : corner - 1;
    const double length = geometry.edge_length[edges[before]],
                 next_length = geometry.edge_length[edges[after]];
    const double c = cosine_[corner_[j]], s = sine_[corner_[j]];
    const double ux = length * x, uy = length * y;
    const double turned = x * c - y * s;
    y = x * s + y * c;
    x = turned;
    const double vx = next_length * x, vy = next_length * y;
    Wedge& wedge = wedge_[j];
    wedge = corner == 0   ? Wedge{ux, uy, vx, vy}
            : corner == 1 ? Wedge{-vx, -vy, ux - vx, uy - vy}
                          : Wedge{vx - ux, vy - uy, -ux, -uy};
    wedge.inverse_determinant = 1 / (length * next_length * s);
    wedge.weight = weight_ == FanWeight::angle ? angle_[corner_[j]] : geometry.face_area[face];
    total += wedge.weight;
  }
  for (Index j = begin; j < end; ++j) wedge_[j].weight *= 1 / total;
  // From where the fan ends to where it began; −x is the cosine of the turn.
  const Tangent along(1 - x, -y);
  const double kept = std::max(0.0, -2 * x - 1);
  along_wall_[vertex] = kept > 0 ? std::sqrt(kept) * along / std::abs(along) : 0;
}

/// Where the fan of a vertex on a wall begins, and where it ends. Both run in the direction of along_wall_.
Index Flattening::first_edge(Index vertex) const {
  const Index corner = corner_[mesh_.ring_start[vertex]];
  return mesh_.face_edges((corner + 2) % 3, corner / 3);
}
Index Flattening::last_edge(Index vertex) const {
  const Index corner = corner_[mesh_.ring_start[vertex + 1] - 1];
  return mesh_.face_edges((corner + 1) % 3, corner / 3);
}

void Flattening::set_along_walls(const Vector& circulation, Array<BarycentricRates>& at_corners) const {
  parallel_for(mesh_.vertex_count, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      if (!on_wall_[i]) continue;
      const double speed = (circulation[first_edge(i)] + circulation[last_edge(i)]) / wall_length_[i];
      const double kept = std::norm(along_wall_[i]);  // 1 − φ⁴ of the speed, and nothing from 60° on
      const Tangent v = speed * (2 - kept) * std::sqrt(kept) * along_wall_[i];
      for (Index j = mesh_.ring_start[i]; j < mesh_.ring_start[i + 1]; ++j) {
        const Wedge& wedge = wedge_[j];
        at_corners[corner_[j]] = {(v.real() * wedge.qy - v.imag() * wedge.qx) * wedge.inverse_determinant,
                                  (v.imag() * wedge.px - v.real() * wedge.py) * wedge.inverse_determinant};
      }
    }
  });
}

void Flattening::interpolate(const VectorIn& flow, Array<BarycentricRates>& at_corners) const {
  at_corners.resize(corner_.size());
  const Index faces = mesh_.face_count();
  const double* __restrict first = flow.data(), * __restrict second = first + faces;
  const Index* __restrict start = mesh_.ring_start.data();
  const Index* __restrict corner = corner_.data();
  const Wedge* __restrict wedges = wedge_.data();
  BarycentricRates* __restrict out = at_corners.data();
  const char* __restrict on_wall = on_wall_.data();
  const Tangent* __restrict along_wall = along_wall_.data();
  parallel_for(mesh_.vertex_count, [=](Index first_vertex, Index last_vertex) {
    for (Index i = first_vertex; i < last_vertex; ++i) {
      double x = 0, y = 0;
      for (Index j = start[i]; j < start[i + 1]; ++j) {
        const Index face = corner[j] / 3;
        const Wedge& wedge = wedges[j];
        const double a = wedge.weight * first[face], b = wedge.weight * second[face];
        x += a * wedge.px + b * wedge.qx;
        y += a * wedge.py + b * wedge.qy;
      }
      if (on_wall[i]) {
        const Tangent t = along_wall[i];
        const double along = x * t.real() + y * t.imag();
        x = along * t.real();
        y = along * t.imag();
      }
      for (Index j = start[i]; j < start[i + 1]; ++j) {
        const Wedge& wedge = wedges[j];
        out[corner[j]] = {(x * wedge.qy - y * wedge.qx) * wedge.inverse_determinant,
                          (y * wedge.px - x * wedge.py) * wedge.inverse_determinant};
      }
    }
  });
}

}  // namespace shoal
