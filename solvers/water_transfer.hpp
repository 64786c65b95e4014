// The same water on another scheme's cells: the level of lakes stays one level, over any bed and beside dry land, and mass is
// kept.
//
// Level. h of wet cells, deeper than 1e-6 of the deepest, goes to the other cells through values at vertices. A dry cell beside water (one that shares a triangle
// or vertex) counts with the level of the water around it where its bed stands above that, as on a shore, else with its bed, as
// before a front; dry land beyond has no level. Where all is wet nothing of that applies.
//
// Mass. Of each lake, a connected set of cells that have a level, η = max(0, h + δ + H), with the δ that gives its volume.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

/// Cells with the triangles that they refer to.
struct PlacedCells {
  const Mesh& mesh;
  const Cells& cells;
  const Vector& face_area;  ///< m²
};

/// [cells of `to`] m³. `cells_stay`: cells of both are the same triangles, or vertices of the same triangles.
Vector transferred_volume(const PlacedCells& from, const ConstBlock& volume, const PlacedCells& to,
                          bool cells_stay);

/// Whether a state of one scheme is valid, with the same meaning, for the other.
bool same_unknowns(const Discretization& from, const Discretization& to);

/// The state of another scheme on the same surface: volumes as above; velocities of triangles stay, or go through vertices
/// where the triangles are others.
State transferred_state(const State& state, const Forces& forces, const Discretization& from,
                        const Discretization& to);

}  // namespace shoal
