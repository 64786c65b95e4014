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
Order local_order(const Faces& faces, const Points& x, const Points& corner_shift,
                  const Array<Index>& part = {}) {
  Points centroids(3, faces.cols());
  for (Eigen::Index k = 0; k < centroids.cols(); ++k) {
    centroids.col(k) = (x.col(faces(0, k)) + x.col(faces(1, k)) + x.col(faces(2, k))) / 3;
    if (corner_shift.size()) centroids.col(k) += corner_shift.middleCols<3>(3 * k).rowwise().sum() / 3;
  }
  return locality_order(faces, static_cast<Index>(x.cols()), centroids, part);
}

Order order_of_source(const Triangles& triangles) {
  Order order{std::vector<Index>(triangles.x.cols()), std::vector<Index>(triangles.faces.cols())};
  std::iota(order.vertices.begin(), order.vertices.end(), 0);
  std::iota(order.faces.begin(), order.faces.end(), 0);
  return order;
}

/// Renumbers vertices and faces; the order of corners within a face is kept.
void reorder(const Faces& old_faces, const Points& old_x, Order order, Surface& surface, Faces& faces) {
  const Index vertex_count = static_cast<Index>(old_x.cols());
  surface.input_vertex = std::move(order.vertices);
  surface.input_face = std::move(order.faces);
  std::vector<Index> number(vertex_count);
  surface.x.resize(3, vertex_count);
  for (Index i = 0; i < vertex_count; ++i) {
    number[surface.input_vertex[i]] = i;
    surface.x.col(i) = old_x.col(surface.input_vertex[i]);
  }
  Faces renumbered = old_faces;
  for (Index& vertex : renumbered.reshaped()) vertex = number[vertex];
  faces.resize(3, renumbered.cols());
  for (Index k = 0; k < faces.cols(); ++k) faces.col(k) = renumbered.col(surface.input_face[k]);
}

/// Gives a mesh with edges the shifts of corners and those of edges that follow.
void set_shifts(Mesh& mesh, Points corner_shift) {
  mesh.corner_shift = std::move(corner_shift);
  mesh.edge_shift.resize(3, mesh.edge_count());
  for (Index k = mesh.face_count() - 1; k >= 0; --k)
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh.face_edges(c, k);
      const Eigen::Index tail = 3 * Eigen::Index{k} + (c + 1) % 3, head = 3 * Eigen::Index{k} + (c + 2) % 3;
      const double sign = mesh.edge_faces(0, e) == k ? 1 : -1;
      mesh.edge_shift.col(e) = sign * (mesh.corner_shift.col(head) - mesh.corner_shift.col(tail));
    }
}

/// Shifts of the corners of renumbered faces.
Points reordered(const Points& corner_shift, const std::vector<Index>& faces) {
  Points result(3, corner_shift.cols());
  for (Eigen::Index k = 0; k < corner_shift.cols() / 3; ++k)
    result.middleCols<3>(3 * k) = corner_shift.middleCols<3>(3 * Eigen::Index{faces.begin()[k]});
  return result;
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
  reorder(triangles.faces, triangles.x,
          numbering == Numbering::local ? local_order(triangles.faces, triangles.x, {})
                                        : order_of_source(triangles),
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
  reorder(faces, x, local_order(faces, x, {}), surface, surface.mesh.faces);
  surface.mesh.vertex_count = static_cast<Index>(x.cols());
  return surface;
}

Surface make_periodic_surface(std::string name, const Faces& faces, const Points& x,
                              const Points& corner_shift) {
  Surface surface;
  surface.name = std::move(name);
  surface.source = "generated";
  Faces ordered;
  reorder(faces, x, local_order(faces, x, corner_shift), surface, ordered);
  Mesh& mesh = surface.mesh;
  mesh = make_mesh(ordered, static_cast<Index>(x.cols()));
  set_shifts(mesh, reordered(corner_shift, surface.input_face));
  mesh.boundary_sets = boundary_loops(mesh, surface.input_vertex);
  make_geometry(mesh, surface.x);  // throws if a face has no area
  return surface;
}

Surface in_parts(const Surface& surface, const Array<Index>& part) {
  const Mesh& before = surface.mesh;
  Surface result;
  Faces ordered;
  reorder(before.faces, surface.x, local_order(before.faces, surface.x, before.corner_shift, part), result,
          ordered);
  const Array<Index> old_face(result.input_face.begin(), result.input_face.end());
  for (Index k = 0; k < old_face.size(); ++k)
    if (k == 0 || part[old_face[k]] != part[old_face[k - 1]]) result.part_begin.push_back(k);
  result.part_begin.push_back(old_face.size());

  Mesh& mesh = result.mesh;
  if (before.edge_count() == 0) {
    mesh.faces = std::move(ordered);
    mesh.vertex_count = before.vertex_count;
  } else {
    mesh = make_mesh(ordered, before.vertex_count);
    if (before.periodic()) set_shifts(mesh, reordered(before.corner_shift, result.input_face));
    Array<Index> number(before.edge_count());
    for (Index k = 0; k < old_face.size(); ++k)
      for (int c = 0; c < 3; ++c) number[before.face_edges(c, old_face[k])] = mesh.face_edges(c, k);
    mesh.boundary_sets = before.boundary_sets;
    for (BoundarySet& set : mesh.boundary_sets) {
      for (Index& edge : set.edges) edge = number[edge];
      std::ranges::sort(set.edges);
    }
  }

  for (Index& vertex : result.input_vertex) vertex = surface.input_vertex.begin()[vertex];
  for (Index& face : result.input_face) face = surface.input_face.begin()[face];
  result.name = surface.name;
  result.source = surface.source;
  result.source_vertex = surface.source_vertex;
  result.weld = surface.weld;
  result.repairs = surface.repairs;
  return result;
}

}  // namespace shoal
