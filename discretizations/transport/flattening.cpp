// Fans in order, their flattened edges, and the means in them.
#include "discretizations/transport/flattening.hpp"

#include "discretizations/common/parallel.hpp"

#include <cmath>
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
      on_wall_(static_cast<std::size_t>(mesh.vertex_count)),
      wedge_(mesh.ring_corner.size()) {
  for (std::size_t i = 0; i < on_wall_.size(); ++i) {
    const auto begin = static_cast<std::size_t>(mesh.ring_start[i]);
    const auto end = static_cast<std::size_t>(mesh.ring_start[i + 1]);
    Index first = mesh.ring_corner[begin];
    for (std::size_t j = begin; j < end; ++j) {
      const Index corner = mesh.ring_corner[j];
      if (!mesh.is_wall(mesh.face_edges((corner % 3 + 2) % 3, corner / 3))) continue;
      first = corner;
      on_wall_[i] = 1;
    }
    for (std::size_t j = begin; j < end; ++j) {
      corner_[j] = first;
      first = next_in_fan(mesh, first);
    }
  }
}

void Flattening::refresh(const Geometry& geometry) {
  parallel_for(mesh_.vertex_count, [&](Index first_vertex, Index last_vertex) {
    for (Index i = first_vertex; i < last_vertex; ++i) {
      const auto begin = static_cast<std::size_t>(mesh_.ring_start[static_cast<std::size_t>(i)]);
      const auto end = static_cast<std::size_t>(mesh_.ring_start[static_cast<std::size_t>(i) + 1]);
      double angles = 0, areas = 0;
      for (std::size_t j = begin; j < end; ++j) {
        const Index face = corner_[j] / 3, corner = corner_[j] % 3;
        const double angle = std::atan2(1.0, geometry.cotangent(corner, face));
        wedge_[j].weight = angle;
        angles += angle;
        areas += geometry.face_area[face];
      }
      const double stretch = on_wall_[static_cast<std::size_t>(i)] ? 1 : 2 * std::numbers::pi / angles;
      double direction = 0;
      for (std::size_t j = begin; j < end; ++j) {
        const Index face = corner_[j] / 3, corner = corner_[j] % 3;
        Wedge& wedge = wedge_[j];
        const double angle = stretch * wedge.weight;
        const double length = geometry.edge_length[mesh_.face_edges((corner + 2) % 3, face)];
        const double next_length = geometry.edge_length[mesh_.face_edges((corner + 1) % 3, face)];
        wedge.ux = length * std::cos(direction);
        wedge.uy = length * std::sin(direction);
        direction += angle;
        wedge.next_x = next_length * std::cos(direction);
        wedge.next_y = next_length * std::sin(direction);
        wedge.inverse_determinant = 1 / (wedge.ux * wedge.next_y - wedge.uy * wedge.next_x);
        wedge.weight = weight_ == FanWeight::angle ? wedge.weight / angles : geometry.face_area[face] / areas;
      }
    }
  });
}

void Flattening::interpolate(const Vector& flow, std::vector<BarycentricRates>& at_corners) const {
  at_corners.resize(corner_.size());
  const Index faces = mesh_.face_count();
  parallel_for(mesh_.vertex_count, [&](Index first_vertex, Index last_vertex) {
    for (Index i = first_vertex; i < last_vertex; ++i) {
      const auto begin = static_cast<std::size_t>(mesh_.ring_start[static_cast<std::size_t>(i)]);
      const auto end = static_cast<std::size_t>(mesh_.ring_start[static_cast<std::size_t>(i) + 1]);
      double x = 0, y = 0;
      for (std::size_t j = begin; j < end; ++j) {
        const Index face = corner_[j] / 3;
        const int corner = static_cast<int>(corner_[j] % 3);
        const BarycentricRates rates{flow[face], flow[faces + face]};
        const Wedge& wedge = wedge_[j];
        const double a = wedge.weight * rates[(corner + 1) % 3], b = wedge.weight * rates[(corner + 2) % 3];
        x += a * wedge.ux + b * wedge.next_x;
        y += a * wedge.uy + b * wedge.next_y;
      }
      for (std::size_t j = begin; j < end; ++j) {
        const Wedge& wedge = wedge_[j];
        const double a = (x * wedge.next_y - y * wedge.next_x) * wedge.inverse_determinant;
        const double b = (y * wedge.ux - x * wedge.uy) * wedge.inverse_determinant;
        // β of corner + 1 is a and of corner + 2 is b.
        const Index corner = corner_[j] % 3;
        at_corners[static_cast<std::size_t>(corner_[j])] = corner == 0   ? BarycentricRates{a, b}
                                                           : corner == 1 ? BarycentricRates{-a - b, a}
                                                                         : BarycentricRates{b, -a - b};
      }
    }
  });
}

}  // namespace shoal
