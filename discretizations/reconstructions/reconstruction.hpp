// A reconstruction for finite volumes: the states on both sides of an edge, from the means of the cells.
//
//     struct MyReconstruction {
//       auto prepare(const CellsAndEdges& values, const Limiter& limiter) const;  // once per evaluation: a small object
//     };                                        // to copy into the loop, with  Sides operator()(Index e) const;
//
// A limiter bounds the slopes of a reconstruction. It is a separate type, with the parameters of its describe(), if any; its
// interface is defined by the reconstruction.
//
// The conformance tests require that the states of equal cells are those of the cells, and that the two sides are swapped when
// the two cells of an edge are. The interface serves reconstructions that need only the means of the cells: it has no positions
// and no neighbours of a cell, and edges on walls and boundaries use the mean. CONTRIBUTING.md lists what a reconstruction with
// slopes must revise.
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/fluxes/flux.hpp"
#include "discretizations/mesh/mesh.hpp"

namespace shoal {

/// The limiter of reconstructions without slopes.
struct Unlimited {};

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

  /// The state of a cell in the frame of an edge; negative depths count as dry.
  EdgeState left_state(Index e, double depth_there, double v1, double v2) const {
    return in_frame(depth_there, v1, v2, normal_left_1[e], normal_left_2[e]);
  }
  EdgeState right_state(Index e, double depth_there, double v1, double v2) const {
    return in_frame(depth_there, v1, v2, normal_right_1[e], normal_right_2[e]);
  }

 private:
  static EdgeState in_frame(double depth, double v1, double v2, double n1, double n2) {
    return {depth > 0 ? depth : 0, v1 * n1 + v2 * n2, v2 * n1 - v1 * n2};
  }
};

}  // namespace shoal
