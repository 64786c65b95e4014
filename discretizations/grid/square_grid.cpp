#include "discretizations/grid/square_grid.hpp"

#include "discretizations/common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

namespace shoal {
namespace {

constexpr double tolerance = 1e-6;  // relative to the side of a square

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("needs square cells, each cut into two triangles: " + what +
                "; use e.g. rectangle:40x10:4x1:structured");
}

/// The corner opposite to the longest edge.
int right_corner(const Mesh& mesh, const Geometry& geometry, Index face) {
  int longest = 0;
  for (int c = 1; c < 3; ++c)
    if (geometry.edge_length[mesh.face_edges(c, face)] > geometry.edge_length[mesh.face_edges(longest, face)])
      longest = c;
  return longest;
}

Vector3 leg(const Mesh& mesh, const Geometry& geometry, Index face, int right, int which) {
  return geometry.corner(mesh, face, (right + 1 + which) % 3) - geometry.corner(mesh, face, right);
}

/// Of the four directions along the sides, the one nearest to the first axis of space.
Vector3 choose_axis(const Vector3& first, const Vector3& second) {
  const Vector3 preferred(1, 0.5, 0.25);
  Vector3 best = first;
  for (const Vector3& one : {Vector3(-first), second, Vector3(-second)})
    if (one.dot(preferred) > best.dot(preferred)) best = one;
  return best.normalized();
}

/// Positions along one axis, in cells.
struct Axis {
  Vector3 direction;
  double begin = 0, side = 0;
  double squares = 0;
  Index count = 0;
  bool periodic = false;

  double at(const Vector3& x) const { return (x.dot(direction) - begin) / side; }
  Index cell(double position) const {
    const Index i = static_cast<Index>(std::floor(position));
    return periodic ? ((i % count) + count) % count : i;
  }
};

Axis measure(const Mesh& mesh, const Geometry& geometry, const Vector3& direction, double side) {
  Axis axis{direction};
  const Eigen::RowVectorXd along = direction.transpose() * geometry.x;
  axis.begin = along.minCoeff();
  double length = along.maxCoeff() - axis.begin;
  for (Eigen::Index i = 0; i < mesh.corner_shift.cols(); ++i) {
    const double shift = std::abs(mesh.corner_shift.col(i).dot(direction));
    if (shift <= tolerance * side) continue;
    length = axis.periodic ? std::min(length, shift) : shift;
    axis.periodic = true;
  }
  axis.squares = std::round(length / side);
  axis.side = length / axis.squares;
  return axis;
}

class Builder {
 public:
  Builder(const Mesh& mesh, const Geometry& geometry) : mesh_(mesh), geometry_(geometry) {}

  SquareGrid build() {
    choose_axes();
    join_triangles();
    number_cells();
    connect();
    number_edges();
    return std::move(grid_);
  }

 private:
  void choose_axes() {
    const Vector3 normal = geometry_.face_normal.col(0);
    for (Index k = 0; k < mesh_.face_count(); ++k)
      if ((geometry_.face_normal.col(k) - normal).norm() > tolerance) refuse("the surface is not flat");
    const int right = right_corner(mesh_, geometry_, 0);
    const Vector3 first = leg(mesh_, geometry_, 0, right, 0), second = leg(mesh_, geometry_, 0, right, 1);
    const double side = first.norm();
    if (std::abs(second.norm() - side) > tolerance * side)
      refuse(fmt::format("cells measure {:.9g} by {:.9g} m", std::max(side, second.norm()),
                         std::min(side, second.norm())));
    grid_.x_axis = choose_axis(first, second);
    grid_.y_axis = normal.cross(grid_.x_axis).normalized();
    x_ = measure(mesh_, geometry_, grid_.x_axis, side);
    y_ = measure(mesh_, geometry_, grid_.y_axis, side);
    constexpr double most = std::numeric_limits<Index>::max();
    if (x_.squares * y_.squares > most)
      refuse(fmt::format(
          "the rectangle around them holds {:.3g} × {:.3g} squares, and at most {:.1e} are allowed",
          x_.squares, y_.squares, most));
    if (std::abs(x_.side - y_.side) > tolerance * side)
      refuse(fmt::format("cells measure {:.9g} by {:.9g} m", x_.side, y_.side));
    x_.count = static_cast<Index>(x_.squares);
    y_.count = static_cast<Index>(y_.squares);
    grid_.side = x_.side;
    grid_.columns = x_.count;
    grid_.rows = y_.count;
  }

  /// Sets the place of each triangle: the number of its square in the box.
  void join_triangles() {
    place_.assign(mesh_.face_count(), 0);
    face_at_.assign(x_.count * y_.count, {SquareGrid::none, SquareGrid::none});
    for (Index k = 0; k < mesh_.face_count(); ++k) {
      const int right = right_corner(mesh_, geometry_, k);
      for (int which = 0; which < 2; ++which) {
        const Vector3 side = leg(mesh_, geometry_, k, right, which);
        const double along = std::max(std::abs(side.dot(grid_.x_axis)), std::abs(side.dot(grid_.y_axis)));
        if (std::abs(side.norm() - grid_.side) > tolerance * grid_.side ||
            std::abs(along - grid_.side) > tolerance * grid_.side)
          refuse(fmt::format("triangle {} is not half of such a square", k));
      }
      const Vector3 middle =
          0.5 * (geometry_.corner(mesh_, k, (right + 1) % 3) + geometry_.corner(mesh_, k, (right + 2) % 3));
      const double x = x_.at(middle), y = y_.at(middle);
      if (std::abs(x - std::floor(x) - 0.5) > tolerance * x_.count ||
          std::abs(y - std::floor(y) - 0.5) > tolerance * y_.count)
        refuse(fmt::format("triangle {} lies between the rows of the others", k));
      place_[k] = y_.cell(y) * x_.count + x_.cell(x);
      auto& faces = face_at_[place_[k]];
      if (faces[1] != SquareGrid::none) refuse(fmt::format("triangle {} lies on top of others", k));
      faces[faces[0] == SquareGrid::none ? 0 : 1] = k;
    }
    for (const auto& [first, second] : face_at_) {
      if (first == SquareGrid::none) continue;
      const Index diagonal = mesh_.face_edges(right_corner(mesh_, geometry_, first), first);
      const bool joined = second != SquareGrid::none &&
                          diagonal == mesh_.face_edges(right_corner(mesh_, geometry_, second), second);
      if (!joined) refuse(fmt::format("triangle {} has no partner", first));
    }
  }

  void number_cells() {
    grid_.cell_at.assign(face_at_.size(), SquareGrid::none);
    for (Index place = 0; place < static_cast<Index>(face_at_.size()); ++place)
      if (face_at_[place][0] != SquareGrid::none) {
        grid_.cell_at[place] = grid_.count();
        grid_.column.push_back(place % x_.count);
        grid_.row.push_back(place / x_.count);
      }
    grid_.of_face.resize(mesh_.face_count());
    for (Index k = 0; k < mesh_.face_count(); ++k) grid_.of_face[k] = grid_.cell_at[place_[k]];
    grid_.centre.resize(3, grid_.count());
    for (Index k = 0; k < mesh_.face_count(); ++k) {
      // Planes of several parts of a surface may be parallel.
      const Vector3 x = geometry_.x.col(mesh_.faces(0, k));
      const Vector3 above = x - x.dot(grid_.x_axis) * grid_.x_axis - x.dot(grid_.y_axis) * grid_.y_axis;
      const Index c = grid_.of_face[k];
      grid_.centre.col(c) = above + (x_.begin + (grid_.column[c] + 0.5) * grid_.side) * grid_.x_axis +
                            (y_.begin + (grid_.row[c] + 0.5) * grid_.side) * grid_.y_axis;
    }
  }

  /// Which side of its square a leg of a triangle is.
  int side_of(Index face, int corner, int right) const {
    const Vector3 middle = 0.5 * (geometry_.corner(mesh_, face, (corner + 1) % 3) +
                                  geometry_.corner(mesh_, face, (corner + 2) % 3));
    const Vector3 centre = 0.5 * (geometry_.corner(mesh_, face, (right + 1) % 3) +
                                  geometry_.corner(mesh_, face, (right + 2) % 3));
    const double x = (middle - centre).dot(grid_.x_axis), y = (middle - centre).dot(grid_.y_axis);
    if (std::abs(x) > std::abs(y)) return x < 0 ? SquareGrid::west : SquareGrid::east;
    return y < 0 ? SquareGrid::south : SquareGrid::north;
  }

  void connect() {
    grid_.neighbour.assign(grid_.count(),
                           {SquareGrid::none, SquareGrid::none, SquareGrid::none, SquareGrid::none});
    mesh_edge_.resize(grid_.count());
    grid_.corners.resize(grid_.count());
    for (Index k = 0; k < mesh_.face_count(); ++k) {
      const Index cell = grid_.of_face[k];
      const int right = right_corner(mesh_, geometry_, k);
      const Vector3 centre =
          0.5 * (geometry_.corner(mesh_, k, (right + 1) % 3) + geometry_.corner(mesh_, k, (right + 2) % 3));
      for (int c = 0; c < 3; ++c) {
        const Vector3 from_centre = geometry_.corner(mesh_, k, c) - centre;
        const int corner =
            (from_centre.dot(grid_.x_axis) > 0 ? 1 : 0) + (from_centre.dot(grid_.y_axis) > 0 ? 2 : 0);
        grid_.corners[cell][corner] = mesh_.faces(c, k);
        if (c == right) continue;
        const Index edge = mesh_.face_edges(c, k);
        const int side = side_of(k, c, right);
        mesh_edge_[cell][side] = edge;
        const Index other =
            mesh_.edge_faces(0, edge) == k ? mesh_.edge_faces(1, edge) : mesh_.edge_faces(0, edge);
        if (other == Mesh::none) continue;
        const Index next = grid_.of_face[other];
        grid_.neighbour[cell][side] = next;
        const Index dx = side == SquareGrid::east ? 1 : side == SquareGrid::west ? -1 : 0;
        const Index dy = side == SquareGrid::north ? 1 : side == SquareGrid::south ? -1 : 0;
        if ((grid_.column[next] - grid_.column[cell] - dx) % x_.count != 0 ||
            (grid_.row[next] - grid_.row[cell] - dy) % y_.count != 0)
          refuse("the seam of the periodic surface does not join the rows");
      }
    }
  }

  void number_edges() {
    grid_.edge_of.resize(grid_.count());
    for (int axis = 0; axis < 2; ++axis) {
      const int low = 2 * axis, high = low + 1;
      for (Index cell = 0; cell < grid_.count(); ++cell)
        for (const int side : {low, high}) {
          const Index other = grid_.neighbour[cell][side];
          if (side == low && other != SquareGrid::none) continue;  // the high side of the other
          grid_.edge_of[cell][side] = static_cast<Index>(grid_.edges.size());
          if (other != SquareGrid::none) grid_.edge_of[other][low] = grid_.edge_of[cell][side];
          grid_.edges.push_back(
              {side == low ? other : cell, side == low ? cell : other, axis, mesh_edge_[cell][side]});
        }
    }
  }

  const Mesh& mesh_;
  const Geometry& geometry_;
  SquareGrid grid_;
  Axis x_, y_;
  Array<Index> place_;
  Array<std::array<Index, 2>> face_at_;
  Array<std::array<Index, 4>> mesh_edge_;
};

}  // namespace

SquareGrid make_square_grid(const Mesh& mesh, const Geometry& geometry) {
  return Builder(mesh, geometry).build();
}

}  // namespace shoal
