// Marching triangles for both sheets, which share the vertices on the line.
#include "solvers/coupling/fluid_surface.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The corner of the face that is opposite to the edge.
Index opposite_vertex(const Mesh& mesh, Index edge, int side) {
  const Index face = mesh.edge_faces(side, edge);
  int c = 0;
  while (mesh.face_edges(c, face) != edge) ++c;
  return mesh.faces(c, face);
}

void check_mesh(const Mesh& mesh) {
  if (mesh.periodic()) throw Error("the mesh is periodic, so that the water surface would not be closed");
  // A line across two such faces would have two edges between the same vertices.
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (!mesh.is_wall(e) && opposite_vertex(mesh, e, 0) == opposite_vertex(mesh, e, 1))
      throw Error(fmt::format("faces {} and {} have the same three vertices", mesh.edge_faces(0, e),
                              mesh.edge_faces(1, e)));
}

void check_size(const char* what, Eigen::Index size, Index vertex_count) {
  if (size != vertex_count) throw Error(fmt::format("{} {} for {} vertices", size, what, vertex_count));
}

}  // namespace

Options<FluidSurfaceOptions> FluidSurfaceOptions::describe() {
  using O = FluidSurfaceOptions;
  return Options<O>()
      .number("iso_level", "m", &O::iso_level, 0, 1e300,
              "depth above which a vertex counts as wet (Angst 2007, appendix A)")
      .number("sheet_thickness", "m", &O::thickness, 1e-6, 1e300,
              "ε: the front and back sheets of the water are 2ε apart and meet ε below the bed")
      .number("line_margin", "1", &O::line_margin, 1e-6, 0.25,
              "minimum distance of the line between wet and dry from the ends of an edge / its length")
      .choice("back_sheet", &O::back, {{"on", true}, {"off", false}},
              "add a back sheet, which closes the surface");
}

FluidSurface::FluidSurface(const Mesh& mesh, const FluidSurfaceOptions& options)
    : mesh_(mesh), options_(options), front_(mesh.vertex_count), line_(mesh.edge_count()) {
  check_mesh(mesh);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) walls_.push_back(e);
  largest_alpha_.resize(mesh.vertex_count);
  rise_.resize(mesh.vertex_count);
  const Index max_vertices = 2 * mesh.vertex_count + mesh.edge_count();
  points_.resize(3, max_vertices);
  normals_.resize(3, max_vertices);
  ends_.resize(2, max_vertices);
  alpha_.resize(max_vertices);
  faces_.resize(3, 4 * mesh.face_count() + 2 * walls_.size());
}

void FluidSurface::configure(const FluidSurfaceOptions& options) {
  options_ = options;
  wet_count_ = vertex_count_ = face_count_ = 0;  // the present surface has the layout of the old options
}

void FluidSurface::update(const Points& x, const Points& normals, const VectorIn& depth,
                          const VectorIn& bed_depth) {
  check(x, normals, depth, bed_depth);
  number_wet(depth);
  cut_edges(depth);
  place_sheets(x, normals, depth, bed_depth);
  place_line(x, normals, bed_depth);
  face_count_ = 0;
  for (Index k = 0; k < mesh_.face_count(); ++k) add_front(k);
  if (options_.back) {
    add_back();
    for (const Index edge : walls_) add_wall(edge);
  }
  set_normals(normals);
}

void FluidSurface::check(const Points& x, const Points& normals, const VectorIn& depth,
                         const VectorIn& bed_depth) const {
  check_size("positions", x.cols(), mesh_.vertex_count);
  check_size("normals", normals.cols(), mesh_.vertex_count);
  check_size("depths", depth.size(), mesh_.vertex_count);
  check_size("bed depths", bed_depth.size(), mesh_.vertex_count);
  for (Index i = 0; i < mesh_.vertex_count; ++i) {
    if (!std::isfinite(depth[i] - bed_depth[i]))
      throw Error(fmt::format("vertex {}: a depth of {} m over a bed depth of {} m is not finite", i,
                              depth[i], bed_depth[i]));
    if (!x.col(i).allFinite() || !normals.col(i).allFinite())
      throw Error(fmt::format("vertex {}: its position or normal is not finite", i));
  }
}

void FluidSurface::number_wet(const VectorIn& depth) {
  wet_count_ = 0;
  for (Index i = 0; i < mesh_.vertex_count; ++i)
    front_[i] = depth[i] > options_.iso_level ? wet_count_++ : Mesh::none;
}

/// Sets the vertices of the line, and for each wet vertex the largest α and the smallest rise along its edges.
void FluidSurface::cut_edges(const VectorIn& depth) {
  largest_alpha_.setZero();
  rise_.setConstant(infinity);
  vertex_count_ = line_begin();
  for (Index e = 0; e < mesh_.edge_count(); ++e) {
    Index wet = mesh_.edges(0, e), other = mesh_.edges(1, e);
    rise_[wet] = std::min(rise_[wet], depth[other] - depth[wet]);
    rise_[other] = std::min(rise_[other], depth[wet] - depth[other]);
    line_[e] = Mesh::none;
    if (is_wet(wet) == is_wet(other)) continue;
    if (is_wet(other)) std::swap(wet, other);
    const double alpha = (options_.iso_level - depth[other]) / (depth[wet] - depth[other]);
    largest_alpha_[wet] = std::max(largest_alpha_[wet], alpha);
    line_[e] = vertex_count_++;
    ends_.col(line_[e]) << wet, other;
    // With this order of arguments α becomes δ if it is NaN, because differences underflow or overflow.
    alpha_[line_[e]] = std::min(std::max(options_.line_margin, alpha), 1 - options_.line_margin);
  }
}

/// w: 1 at the line, 0 at a distance of one edge.
double FluidSurface::line_weight(Index vertex, double depth) const {
  const double above = depth - options_.iso_level, rise = rise_[vertex];
  // A pit that falls dry at its bottom would suddenly open a hole on all edges, so it sinks to the line beforehand.
  const double pit =
      rise > above ? std::min(1 - above / rise, 1 - above / (options_.iso_level + options_.thickness)) : 0;
  return std::min(std::max(largest_alpha_[vertex], pit), 1 - options_.line_margin);
}

void FluidSurface::place_sheets(const Points& x, const Points& normals, const VectorIn& depth,
                                const VectorIn& bed_depth) {
  for (Index i = 0; i < mesh_.vertex_count; ++i) {
    if (!is_wet(i)) continue;
    const double weight = line_weight(i, depth[i]), at_line = -weight * (bed_depth[i] + options_.thickness);
    for (Index p = front_[i], shift = 0; p < line_begin(); p += wet_count_, ++shift) {
      const double height = depth[i] - bed_depth[i] - 2 * shift * options_.thickness;
      points_.col(p) = x.col(i) + ((1 - weight) * height + at_line) * normals.col(i);
      ends_.col(p) << i, i;
      alpha_[p] = 1;
    }
  }
}

void FluidSurface::place_line(const Points& x, const Points& normals, const VectorIn& bed_depth) {
  const auto below_bed = [&](Index i) -> Vector3 {
    return x.col(i) - (bed_depth[i] + options_.thickness) * normals.col(i);
  };
  for (Index p = line_begin(); p < vertex_count_; ++p)
    points_.col(p) = alpha_[p] * below_bed(ends_(0, p)) + (1 - alpha_[p]) * below_bed(ends_(1, p));
}

/// The wet part of a face, counter-clockwise like the face.
void FluidSurface::add_front(Index face) {
  const auto wet = [&](int c) { return is_wet(mesh_.faces(c % 3, face)); };
  const auto front = [&](int c) { return front_[mesh_.faces(c % 3, face)]; };
  const auto line_between = [&](int c, int d) { return line_[mesh_.face_edges(3 - c % 3 - d % 3, face)]; };
  const int count = wet(0) + wet(1) + wet(2);
  if (count == 0) return;
  if (count == 3) return add_face(front(0), front(1), front(2));
  int odd = 0;  // the only wet corner, or the only dry one
  while (wet(odd) != (count == 1)) ++odd;
  const Index to_next = line_between(odd, odd + 1), to_last = line_between(odd, odd + 2);
  if (count == 1) return add_face(front(odd), to_next, to_last);
  // Always the same diagonal: a choice by length would be discontinuous.
  add_face(front(odd + 1), front(odd + 2), to_last);
  add_face(front(odd + 1), to_last, to_next);
}

void FluidSurface::add_back() {
  const Index front_faces = face_count_;
  for (Index k = 0; k < front_faces; ++k)
    add_face(back_of(faces_(0, k)), back_of(faces_(2, k)), back_of(faces_(1, k)));
}

/// Joins the front sheet to the back sheet along the wet part of a wall.
void FluidSurface::add_wall(Index edge) {
  const Index tail = mesh_.edges(0, edge), head = mesh_.edges(1, edge);
  if (!is_wet(tail) && !is_wet(head)) return;
  const Index from = is_wet(tail) ? front_[tail] : line_[edge],
              to = is_wet(head) ? front_[head] : line_[edge];
  if (is_wet(tail)) add_face(to, from, back_of(from));
  if (is_wet(head)) add_face(to, back_of(from), back_of(to));
}

void FluidSurface::set_normals(const Points& mesh_normals) {
  normals_.leftCols(vertex_count_).setZero();
  for (Index k = 0; k < face_count_; ++k) {
    const Vector3 origin = points_.col(faces_(0, k)), first = points_.col(faces_(1, k)) - origin,
                  second = points_.col(faces_(2, k)) - origin;
    const Vector3 twice_area = first.cross(second);
    for (int c = 0; c < 3; ++c) normals_.col(faces_(c, k)) += twice_area;
  }
  for (Index p = 0; p < vertex_count_; ++p) {
    const double size = normals_.col(p).norm();
    if (size > 0 && size < infinity)
      normals_.col(p) /= size;
    else
      normals_.col(p) = (sheet(p) == Sheet::back ? -1 : 1) * mesh_normals.col(ends_(0, p));
  }
}

void FluidSurface::interpolate(const VectorIn& field, VectorOut on_surface) const {
  check_size("values", field.size(), mesh_.vertex_count);
  check_size("places", on_surface.size(), vertex_count_);
  for (Index p = 0; p < vertex_count_; ++p) {
    const double first = field[ends_(0, p)];
    on_surface[p] =
        sheet(p) == Sheet::line ? alpha_[p] * first + (1 - alpha_[p]) * field[ends_(1, p)] : first;
  }
}

}  // namespace shoal
