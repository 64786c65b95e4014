// From raw triangles to a surface: repairs, checks, reordering.
#include "discretizations/mesh/surface.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/reorder.hpp"
#include "discretizations/mesh/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace shoal {
namespace {

std::string counted(Index count, const char* singular, const char* plural) {
  return fmt::format("{} {}", count, count == 1 ? singular : plural);
}

void repair(Triangles& triangles, const std::optional<WeldTolerance>& weld,
            std::vector<std::string>& repairs) {
  const auto [welded, lost] = weld ? weld_vertices(triangles, *weld, !weld->is_default()) : Welded();
  if (welded > 0)
    repairs.push_back(fmt::format("welded {} {}", counted(welded, "vertex", "vertices"),
                                  weld->is_default() ? "at the place of another"
                                                     : fmt::format("within {} of another", describe(*weld))));
  if (lost > 0)
    repairs.push_back(fmt::format("dropped {} that lost a corner", counted(lost, "face", "faces")));
  const Index dropped = drop_unused_vertices(triangles);
  if (dropped > 0)
    repairs.push_back(fmt::format("dropped {} in no face", counted(dropped, "vertex", "vertices")));
  check_shapes(triangles);
  const Index turned = orient_faces(triangles);
  if (turned > 0)
    repairs.push_back(fmt::format("flipped {} for a consistent orientation with closed parts facing outward",
                                  counted(turned, "face", "faces")));
}

/// The order for locality. If `corner_shift` is not empty, corner c of face k lies at its vertex's position plus column 3k + c.
Order local_order(const Triangles& triangles, const Points& corner_shift) {
  Points centroids(3, triangles.faces.cols());
  for (Eigen::Index k = 0; k < centroids.cols(); ++k) {
    centroids.col(k) = (triangles.x.col(triangles.faces(0, k)) + triangles.x.col(triangles.faces(1, k)) +
                        triangles.x.col(triangles.faces(2, k))) /
                       3;
    if (corner_shift.size()) centroids.col(k) += corner_shift.middleCols<3>(3 * k).rowwise().sum() / 3;
  }
  return locality_order(triangles.faces, static_cast<Index>(triangles.x.cols()), centroids);
}

Order order_of_source(const Triangles& triangles) {
  Order order{std::vector<Index>(triangles.x.cols()), std::vector<Index>(triangles.faces.cols())};
  std::iota(order.vertices.begin(), order.vertices.end(), 0);
  std::iota(order.faces.begin(), order.faces.end(), 0);
  return order;
}

/// Renumbers vertices and faces; the order of corners within a face is kept.
void reorder(const Triangles& triangles, Order order, Surface& surface, Faces& faces) {
  const Index vertex_count = static_cast<Index>(triangles.x.cols());
  surface.input_vertex = std::move(order.vertices);
  surface.input_face = std::move(order.faces);
  std::vector<Index> number(vertex_count);
  surface.x.resize(3, vertex_count);
  for (Index i = 0; i < vertex_count; ++i) {
    number[surface.input_vertex[i]] = i;
    surface.x.col(i) = triangles.x.col(surface.input_vertex[i]);
  }
  Faces renumbered = triangles.faces;
  for (Index& vertex : renumbered.reshaped()) vertex = number[vertex];
  faces.resize(3, renumbered.cols());
  for (Index k = 0; k < faces.cols(); ++k) faces.col(k) = renumbered.col(surface.input_face[k]);
}

}  // namespace

Surface make_surface(std::string name, std::string source, const Faces& faces, const Points& x,
                     const std::optional<WeldTolerance>& weld, Numbering numbering) {
  Surface surface;
  surface.name = std::move(name);
  surface.source = std::move(source);
  if (weld) surface.weld = *weld;
  Triangles triangles{x, faces, std::vector<Index>(x.cols())};
  std::iota(triangles.source_vertex.begin(), triangles.source_vertex.end(), 0);
  check_indices(faces, static_cast<Index>(x.cols()));
  check_positions(x);
  repair(triangles, weld, surface.repairs);

  // First in the numbering of the source, for messages; then in Shoal's.
  make_mesh(triangles.faces, static_cast<Index>(triangles.x.cols()), &triangles.source_vertex);
  Faces ordered;
  reorder(triangles, numbering == Numbering::local ? local_order(triangles, {}) : order_of_source(triangles),
          surface, ordered);
  surface.mesh = make_mesh(ordered, static_cast<Index>(triangles.x.cols()));
  surface.mesh.boundary_sets = boundary_loops(surface.mesh, surface.input_vertex);
  if (triangles.x.cols() != x.cols()) surface.source_vertex = std::move(triangles.source_vertex);
  return surface;
}

Surface list_triangles(std::string name, std::string source, const Faces& faces, const Points& x) {
  Surface surface;
  surface.name = std::move(name);
  surface.source = std::move(source);
  const Triangles triangles{x, faces, {}};
  reorder(triangles, local_order(triangles, {}), surface, surface.mesh.faces);
  surface.mesh.vertex_count = static_cast<Index>(x.cols());
  return surface;
}

Surface make_periodic_surface(std::string name, const Faces& faces, const Points& x,
                              const Points& corner_shift) {
  Surface surface;
  surface.name = std::move(name);
  surface.source = "generated";
  Triangles triangles{x, faces, {}};
  Faces ordered;
  reorder(triangles, local_order(triangles, corner_shift), surface, ordered);
  Mesh& mesh = surface.mesh;
  mesh = make_mesh(ordered, static_cast<Index>(x.cols()));
  mesh.corner_shift.resize(3, corner_shift.cols());
  for (Index k = 0; k < mesh.face_count(); ++k)
    mesh.corner_shift.middleCols<3>(3 * Eigen::Index{k}) =
        corner_shift.middleCols<3>(3 * Eigen::Index{surface.input_face.begin()[k]});
  mesh.edge_shift.resize(3, mesh.edge_count());
  for (Index k = mesh.face_count() - 1; k >= 0; --k)
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh.face_edges(c, k);
      const Eigen::Index tail = 3 * Eigen::Index{k} + (c + 1) % 3, head = 3 * Eigen::Index{k} + (c + 2) % 3;
      const double sign = mesh.edge_faces(0, e) == k ? 1 : -1;
      mesh.edge_shift.col(e) = sign * (mesh.corner_shift.col(head) - mesh.corner_shift.col(tail));
    }
  mesh.boundary_sets = boundary_loops(mesh, surface.input_vertex);
  make_geometry(mesh, surface.x);  // throws if a face has no area
  return surface;
}

}  // namespace shoal
