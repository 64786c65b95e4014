// Reconstructions for finite volumes: the states on both sides of an edge, from the means of the cells.
#pragma once

#include "discretizations/common/types.hpp"
#include "discretizations/fluxes/flux.hpp"

namespace shoal {

/// The water on both sides of an edge, in the frame of the edge, and the bed depth H there, m.
struct Sides {
  EdgeState left, right;
  double bed_left, bed_right;
};

/// Means of the cells, and the edges with a cell on both sides. Plain arrays, so that the loop over edges is vectorised.
struct CellsAndEdges {
  const Index *left, *right;                            ///< [edges] cells
  const double *depth, *velocity_1, *velocity_2, *bed;  ///< [cells] η, v in the cell's frame, H
  const double *normal_left_1, *normal_left_2;          ///< [edges] the normal in the frame of the left cell
  const double *normal_right_1, *normal_right_2;        ///< [edges] the normal in the frame of the right cell
};

/// constant: the mean of each cell, extended to its edges. First order.
struct ConstantReconstruction {
  static constexpr bool has_slopes = false;
  CellsAndEdges means;

  Sides operator()(Index e) const {
    const Index l = means.left[e], r = means.right[e];
    return {in_frame(l, means.normal_left_1[e], means.normal_left_2[e]),
            in_frame(r, means.normal_right_1[e], means.normal_right_2[e]), means.bed[l], means.bed[r]};
  }

 private:
  EdgeState in_frame(Index cell, double n1, double n2) const {
    const double depth = means.depth[cell], v1 = means.velocity_1[cell], v2 = means.velocity_2[cell];
    return {depth > 0 ? depth : 0, v1 * n1 + v2 * n2, v2 * n1 - v1 * n2};
  }
};

/// Means of the cells [nF].
struct CellMeans {
  const double *depth, *velocity_1, *velocity_2, *bed;
  double dry_depth;  ///< m
};

/// What limiters at vertices allow there, see vertex_bounds.hpp: depth and elevation between the least and the greatest of the
/// cells around the vertex, the velocity in a disc. Empty under other limiters.
struct BoundsAtVertices {
  /// In one cache line, because a cell reads those of three vertices anywhere.
  struct alignas(64) AtVertex {
    double least_depth, greatest_depth, least_elevation, greatest_elevation;  ///< m
    double centre_1, centre_2;  ///< m/s, in the frame of the vertex
    double radius_squared;      ///< m²/s²
  };
  Array<AtVertex> at;         ///< [nV]
  Vector around_1, around_2;  ///< work space: the velocities of the cells around all vertices
};

/// What each cell extends to the midpoints of its edges: slot e for the left cell of edge e, nE + e for its right cell. Empty
/// under constant reconstruction.
struct Traces {
  Vector depth, normal, tangential;  ///< [2·nE] η, and v in the frame of the edge
  Vector bed;                        ///< [2·nE] H
  Vector weight;  ///< [2·nE] ½ (η + η̄)(H̄ − H), m²: the force of the bed within the cell, divided by l g
  BoundsAtVertices bounds;

  bool empty() const { return depth.size() == 0; }
  EdgeState state(Index slot) const { return {depth[slot], normal[slot], tangential[slot]}; }
};

/// The sides given by the traces.
struct TracedSides {
  static constexpr bool has_slopes = true;
  const double *depth, *normal, *tangential, *bed, *weight;
  Index edges;  ///< slot of the right cell minus that of the left one

  Sides operator()(Index e) const {
    const Index r = edges + e;
    return {{depth[e], normal[e], tangential[e]}, {depth[r], normal[r], tangential[r]}, bed[e], bed[r]};
  }
};

}  // namespace shoal
