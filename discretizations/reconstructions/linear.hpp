// linear: in each cell, elevation h, depth η and velocity v vary linearly, with the gradients that fit the means of the cells
// across the edges best. Second order.
//
//     q(x) = q̄ + θ g·(x − x̄),    g = Σ_j c_j (q_j − q̄),    c_j = (Σ_i w_i d_i d_iᵀ)⁻¹ w_j d_j,    w_j = 1/|d_j|²,
//
// where d_j is the centroid of neighbour j, unfolded about the common edge into the plane of the cell, and v_j is turned about
// that edge likewise. The bed at an edge is H = η − h, so that water at rest has one elevation on both sides (Audusse et al.
// 2004, §4.1); θ is the factor of the limiter, and that of η at most what keeps η ≥ 0 at the edges. A wall mirrors the cell. Dry land with its
// bed above the water is no neighbour of h, and no dry cell one of v; dry cells have no slopes. Derivation: finite_volume.md.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/reconstructions/reconstruction.hpp"

#include <array>
#include <cmath>

namespace shoal {

/// The edges of a scheme, in its order: normals in the frames of both cells, [nE].
struct EdgeNormals {
  const Vector &left_1, &left_2, &right_1, &right_2;
};

/// Means of the cells [nF].
struct CellMeans {
  const double *depth, *velocity_1, *velocity_2, *bed;
  double dry_depth;  ///< m
};

class LinearReconstruction {
 public:
  /// `place` [nE]: the number of each edge of the mesh in the order of the scheme.
  void measure(const Mesh& mesh, const Array<FaceFrame>& frames, const Array<Index>& place,
               const EdgeNormals& normals);

  /// Extends the mean of one cell.
  void flatten(Index cell, const CellMeans& means, Traces& traces) const;
  template <class Limiter>
  void extend(const Limiter& limiter, const CellMeans& means, Traces& traces) const;

 private:
  using Corners = std::array<Vector, 3>;          // per corner of a cell: the edge opposite to it
  std::array<Array<Index>, 3> neighbour_, slot_;  // on walls the cell itself, mirrored
  Corners weight_1_, weight_2_;                   // c_j
  Corners turn_1_, turn_2_;                       // cos, sin: from the frame of the neighbour
  Corners middle_1_, middle_2_;                   // midpoint of the edge − centroid
  Corners normal_1_, normal_2_;
  Index cells_ = 0, edges_ = 0;
};

template <class Limiter>
void LinearReconstruction::extend(const Limiter& limiter, const CellMeans& means, Traces& traces) const {
  for (Vector* values : {&traces.depth, &traces.normal, &traces.tangential, &traces.bed, &traces.weight})
    if (values->size() == 0) values->setZero(2 * edges_);
  std::array<const Index*, 3> neighbour, slot;
  std::array<const double*, 3> c1, c2, turn_1, turn_2, x1, x2, n1, n2;
  for (int j = 0; j < 3; ++j) {
    neighbour[j] = neighbour_[j].data();
    slot[j] = slot_[j].data();
    c1[j] = weight_1_[j].data();
    c2[j] = weight_2_[j].data();
    turn_1[j] = turn_1_[j].data();
    turn_2[j] = turn_2_[j].data();
    x1[j] = middle_1_[j].data();
    x2[j] = middle_2_[j].data();
    n1[j] = normal_1_[j].data();
    n2[j] = normal_2_[j].data();
  }
  double *depth_there = traces.depth.data(), *normal_there = traces.normal.data(),
         *tangential_there = traces.tangential.data(), *bed_there = traces.bed.data(),
         *weight_there = traces.weight.data();
  parallel_for(
      cells_, [=](Index begin, Index end) __attribute__((flatten)) {
#pragma omp simd
        for (Index k = begin; k < end; ++k) {
          const double depth = means.depth[k] > 0 ? means.depth[k] : 0, bed = means.bed[k],
                       elevation = depth - bed;
          const double v1 = means.velocity_1[k], v2 = means.velocity_2[k];
          const double wet = depth > means.dry_depth ? 1 : 0;
          // q_j − q̄, and the gradients
          double of_depth[3], of_elevation[3], of_v1[3], of_v2[3];
          double depth_1 = 0, depth_2 = 0, elevation_1 = 0, elevation_2 = 0, v11 = 0, v12 = 0, v21 = 0,
                 v22 = 0;
          for (int j = 0; j < 3; ++j) {
            const Index i = neighbour[j][k];
            const double there = means.depth[i] > 0 ? means.depth[i] : 0, height = there - means.bed[i];
            const bool wet_there = there > means.dry_depth;
            const double a = means.velocity_1[i],
                         b = means.velocity_2[i] * (i == k ? -1 : 1);  // a wall mirrors the cell
            of_depth[j] = wet * (there - depth);
            of_elevation[j] = wet_there || height < elevation ? wet * (height - elevation) : 0;
            of_v1[j] = wet_there ? wet * (turn_1[j][k] * a - turn_2[j][k] * b - v1) : 0;
            of_v2[j] = wet_there ? wet * (turn_2[j][k] * a + turn_1[j][k] * b - v2) : 0;
            depth_1 += c1[j][k] * of_depth[j];
            depth_2 += c2[j][k] * of_depth[j];
            elevation_1 += c1[j][k] * of_elevation[j];
            elevation_2 += c2[j][k] * of_elevation[j];
            v11 += c1[j][k] * of_v1[j];
            v12 += c2[j][k] * of_v1[j];
            v21 += c1[j][k] * of_v2[j];
            v22 += c2[j][k] * of_v2[j];
          }
          // The changes from the centroid to the edges, and their factors
          double to_depth[3], to_elevation[3], to_v1[3], to_v2[3];
          double factor_depth = 1, factor_elevation = 1, factor_v = 1;
          const auto least = [](double a, double b) { return a < b ? a : b; };
          for (int j = 0; j < 3; ++j) {
            to_depth[j] = depth_1 * x1[j][k] + depth_2 * x2[j][k];
            to_elevation[j] = elevation_1 * x1[j][k] + elevation_2 * x2[j][k];
            to_v1[j] = v11 * x1[j][k] + v12 * x2[j][k];
            to_v2[j] = v21 * x1[j][k] + v22 * x2[j][k];
          }
          if constexpr (Limiter::limits) {
            const auto limit = [&](const double(&around)[3], const double(&change)[3], double& factor) {
              double above = 0, below = 0;
              for (int j = 0; j < 3; ++j) {
                above = around[j] > above ? around[j] : above;
                below = -around[j] > below ? -around[j] : below;
              }
              for (int j = 0; j < 3; ++j)
                factor = least(
                    factor, limiter(change[j] < 0 ? below : above, change[j] < 0 ? -change[j] : change[j]));
            };
            limit(of_depth, to_depth, factor_depth);
            limit(of_elevation, to_elevation, factor_elevation);
          }
          for (int j = 0; j < 3; ++j) {
            const double lost = -to_depth[j];
            factor_depth = least(factor_depth, lost > depth ? depth / lost : 1);
          }
          // The mean of ηv over the midpoints is η̄v̄.
          const double part = wet * factor_depth / (3 * (depth > means.dry_depth ? depth : 1));
          double shift_1 = 0, shift_2 = 0;
          for (int j = 0; j < 3; ++j) {
            shift_1 += part * to_depth[j] * to_v1[j];
            shift_2 += part * to_depth[j] * to_v2[j];
          }
          for (int j = 0; j < 3; ++j) {
            to_v1[j] -= shift_1;
            to_v2[j] -= shift_2;
          }
          if constexpr (Limiter::limits)
            for (int j = 0; j < 3; ++j) {
              double room = 0;
              for (int i = 0; i < 3; ++i) {
                const double there = of_v1[i] * to_v1[j] + of_v2[i] * to_v2[j];
                room = there > room ? there : room;
              }
              factor_v = least(factor_v, limiter(room, to_v1[j] * to_v1[j] + to_v2[j] * to_v2[j]));
            }
          for (int j = 0; j < 3; ++j) {
            const Index s = slot[j][k];
            const double at_edge = depth + factor_depth * to_depth[j],
                         at_edge_or_0 = at_edge > 0 ? at_edge : 0;
            const double bed_at_edge = at_edge_or_0 - (elevation + factor_elevation * to_elevation[j]);
            const double w1 = v1 + factor_v * to_v1[j], w2 = v2 + factor_v * to_v2[j];
            depth_there[s] = at_edge_or_0;
            bed_there[s] = bed_at_edge;
            weight_there[s] = 0.5 * (at_edge_or_0 + depth) * (bed - bed_at_edge);
            normal_there[s] = w1 * n1[j][k] + w2 * n2[j][k];
            tangential_there[s] = w2 * n1[j][k] - w1 * n2[j][k];
          }
        }
      });
}

}  // namespace shoal
