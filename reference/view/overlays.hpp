// What can be laid over the water to look into a scheme (Angst 2007, table C.2).
#pragma once

#include "reference/view/shown_run.hpp"

namespace shoal {

/// [3, 2n] the ends of all edges, each once; `x` [3, nV].
Points edge_lines(const Mesh& mesh, const Points& x);

/// Those of triangles whose shared edges are shared by vertices too, as the water's surface.
Points edge_lines(const Faces& faces, const Points& x);

/// [3, nV] m/s: the mean of the triangles around each vertex, their fan flattened (Angst 2007, 5.3), in the plane of the
/// vertex's normal.
Points velocity_at_vertices(const Mesh& mesh, const Geometry& geometry, const Points& normals,
                            const Values& velocity);

/// [3, 2n] the straight parts of the paths back in time for `time`, s, as the semi-Lagrangian advection takes them (5.2.1): from
/// the barycentres of `starts`, or from these vertices. On the surface `x` [3, nV].
Points traces_from_faces(const Mesh& mesh, const Geometry& geometry, const Values& velocity,
                         const Array<Index>& starts, double time, const Points& x);
Points traces_from_vertices(const Mesh& mesh, const Geometry& geometry, const Values& velocity,
                            const Array<Index>& starts, double time, const Points& x);

}  // namespace shoal
