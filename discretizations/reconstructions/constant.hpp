// constant: the mean of each cell, extended to its edges. First order.
#pragma once

#include "discretizations/reconstructions/reconstruction.hpp"

namespace shoal {

struct ConstantReconstruction {
  struct Prepared {
    CellsAndEdges values;
    Sides operator()(Index e) const {
      const Index l = values.left[e], r = values.right[e];
      return {values.left_state(e, values.depth[l], values.velocity_1[l], values.velocity_2[l]),
              values.right_state(e, values.depth[r], values.velocity_1[r], values.velocity_2[r]),
              values.bed[l], values.bed[r]};
    }
  };
  Prepared prepare(const CellsAndEdges& values, Unlimited) const { return {values}; }
};

}  // namespace shoal
