// Families of triangulations of the unit sphere, whose edges halve from level to level.
#pragma once

#include "discretizations/common/array.hpp"

#include <cstdint>

namespace shoal {

struct SphereMesh {
  Faces faces;  ///< [3, nF] counterclockwise seen from outside
  Points x;     ///< [3, nV] of length 1
};

/// The icosahedron with vertices at both poles, each triangle split into four `level` times, with new vertices projected to the sphere:
/// 10·4^level + 2 vertices.
SphereMesh icosphere(Index level);

/// icosphere(level) with every vertex displaced in its tangent plane, uniformly within a disc of radius `jitter` times the mean length of
/// its edges, and projected to the sphere. Up to jitter = 0.3 no triangle is inverted.
SphereMesh jittered_sphere(Index level, double jitter, std::uint64_t seed);

/// M = 2^(level+1) rows between the poles with 2M vertices each, every other row shifted by half a cell:
/// 2M(M − 1) + 2 vertices; triangles become thin towards the poles.
SphereMesh uv_sphere(Index level);

/// The Delaunay triangulation of 10·4^level + 2 random points with a minimum distance: dart throwing with a radius that is reduced when
/// there is no more room (McCool & Fiume 1992). Angles are above 20°.
SphereMesh random_sphere(Index level, std::uint64_t seed);

/// The icosahedron with the five triangles at its north pole split into four, twice, with neighbours bisected to keep it conforming; then
/// each triangle split into four `level` times: 30·4^level + 2 vertices, with edges at the pole a quarter as long as those far away.
SphereMesh refined_sphere(Index level);

/// The convex hull of points on the unit sphere, which is their Delaunay triangulation on it. The first four must be the
/// corners of a tetrahedron around the origin, 0, 1, 2 counterclockwise seen from outside. O(n^(4/3)) for points in random
/// order.
Faces delaunay_on_sphere(const Points& x);

}  // namespace shoal
