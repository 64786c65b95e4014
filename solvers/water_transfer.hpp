// Transfers water to the cells of another scheme. It conserves mass, and a lake keeps a uniform level over any bed and beside
// dry land.
//
// Level. h of wet cells (deeper than 1e-6 of the deepest) is interpolated to the new cells through values at vertices. A dry
// cell that shares a triangle or vertex with water has the level of the surrounding water if its bed is above that level, as
// on a shore, and otherwise the level of its bed, as ahead of a front. Other dry cells have no level. Without dry cells,
// none of these rules applies.
//
// Mass. In each lake, a connected set of cells with a level, η = max(0, h + δ + H), where δ is chosen such that the lake
// keeps its volume.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

/// Cells and the triangles to which they refer.
struct PlacedCells {
  const Mesh& mesh;
  const Cells& cells;
  const Vector& face_area;  ///< m²
};

/// The transferred volume [cells of `to`], m³. `cells_stay`: the cells of both are the same triangles, or vertices of the
/// same triangles.
Vector transferred_volume(const PlacedCells& from, const ConstBlock& volume, const PlacedCells& to,
                          bool cells_stay);

/// Whether a state of one scheme is valid for the other with the same meaning.
bool same_unknowns(const Discretization& from, const Discretization& to);

/// The state of another scheme on the same surface: volumes as above; velocities on triangles are kept, or interpolated
/// through vertices if the triangles differ.
State transferred_state(const State& state, const Forces& forces, const Discretization& from,
                        const Discretization& to);

}  // namespace shoal
