// Overlays that show the inner quantities of a scheme (Angst 2007, table C.2).
#pragma once

#include "reference/view/shown_run.hpp"

namespace shoal {

/// [3, 2n] the ends of all edges, each edge once; `x` [3, nV].
Points edge_lines(const Mesh& mesh, const Points& x);

/// The same for triangles that share vertices wherever they share edges, such as the water surface.
Points edge_lines(const Faces& faces, const Points& x);

/// [3, nV] m/s: the mean over the flattened fan of triangles around each vertex (Angst 2007, 5.3), in the plane normal to the
/// vertex's normal.
Points velocity_at_vertices(const Mesh& mesh, const Geometry& geometry, const Points& normals,
                            const Values& velocity);

/// [3, 3·nF] m/s: the same mean mapped back to each triangle at the vertex, a u + b u' with (a, b) of (5.5) and the edges u, u' from the
/// vertex; corner c of triangle k at 3·k + c. On a curved surface the vectors at a vertex form a cone (fig. 5.6 b).
Points velocity_at_corners(const Mesh& mesh, const Geometry& geometry, const Values& velocity);

/// [3, 2n] the straight segments of the paths that semi-Lagrangian advection traces back over `time`, s (5.2.1), from the barycentres of
/// the triangles `starts` or from the vertices `starts`, on the surface `x` [3, nV]. They follow the velocity of each triangle, or
/// keep that of their start.
Points traces_from_faces(const Mesh& mesh, const Geometry& geometry, const Values& velocity,
                         const Array<Index>& starts, double time, const Points& x,
                         bool keep_velocity = false);
Points traces_from_vertices(const Mesh& mesh, const Geometry& geometry, const Values& velocity,
                            const Array<Index>& starts, double time, const Points& x);

}  // namespace shoal
