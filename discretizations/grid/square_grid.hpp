// The square cells of a flat mesh, for schemes that need them.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/mesh/geometry.hpp"

#include <array>

namespace shoal {

/// Squares of side Δ in rows and columns: the triangles of a flat mesh, joined in pairs along their longest edges. Any part of
/// the squares may be missing (holes, L-shapes), and either direction may be periodic.
///
/// x points along a side of the squares, y is perpendicular to it, to its left seen from above. Cells are numbered along x, then
/// along y. Sides of cells are numbered west (−x), east (+x), south (−y), north (+y).
struct SquareGrid {
  static constexpr Index none = -1;
  enum Side { west, east, south, north };

  /// A side of one or two cells. Normal to x: first = west cell, second = east cell; normal to y: first = south, second = north.
  struct Edge {
    Index first, second;  ///< none beyond a wall
    int axis;             ///< of its normal: 0 for x, 1 for y
    Index of_mesh;
    bool is_wall() const { return first == none || second == none; }
    Index inside() const { return first == none ? second : first; }
  };

  double side = 0;  ///< Δ, m
  Index columns = 0, rows = 0;
  Vector3 x_axis, y_axis;
  Points centre;                          ///< [3, cells] m
  Array<Index> column, row;               ///< [cells]
  Array<Index> cell_at;                   ///< [columns × rows], row by row: the cell there, or none
  Array<Index> of_face;                   ///< [nF] the cell of each triangle
  Array<std::array<Index, 4>> neighbour;  ///< [cells] by side; none at a wall
  Array<Edge> edges;                      ///< those normal to x first, each kind in the order of the cells
  Array<std::array<Index, 4>> edge_of;    ///< [cells] by side
  Array<std::array<Index, 4>> corners;  ///< [cells] vertices: south-west, south-east, north-west, north-east

  Index count() const { return static_cast<Index>(column.size()); }
  double area() const { return side * side; }
  Index at(Index column_, Index row_) const { return cell_at[row_ * columns + column_]; }
};

/// The squares of a mesh. Throws Refusal that names the first triangle which has no partner, or the difference from squares.
SquareGrid make_square_grid(const Mesh& mesh, const Geometry& geometry);

}  // namespace shoal
