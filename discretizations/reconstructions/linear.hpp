// linear: in each cell, elevation h, depth η and velocity v vary linearly, with the gradients that fit the means of the cells
// across the edges best. Second order.
//
//     q(x) = q̄ + θ g·(x − x̄),    g = Σ_j c_j (q_j − q̄),    c_j = (Σ_i w_i d_i d_iᵀ)⁻¹ w_j d_j,    w_j = 1/|d_j|²,
//
// where d_j is the centroid of neighbour j, unfolded about the common edge into the plane of the cell, and v_j is turned about
// that edge likewise. The bed at an edge is H = η − h, so that water at rest has one elevation on both sides (Audusse et al.
// 2004, §4.1); θ is the factor of the limiter, and that of η at most what keeps η ≥ 0 at the edges. A wall mirrors the cell; a
// cell at an open edge takes the mean g of its neighbours. Dry land with its bed above the water is no neighbour of h, and no dry cell one of v; dry cells have no
// slopes. Derivation: finite_volume.md.
#pragma once

#include "discretizations/boundaries.hpp"
#include "discretizations/common/array.hpp"
#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/reconstructions/reconstruction.hpp"
#include "discretizations/reconstructions/vertex_bounds.hpp"

#include <array>
#include <cmath>

namespace shoal {

/// The edges of a scheme, in its order: normals in the frames of both cells, [nE].
struct EdgeNormals {
  const Vector &left_1, &left_2, &right_1, &right_2;
};

/// Where a limiter compares the values of a cell with those of its neighbours.
enum class LimitedAt {
  nowhere,
  edges,    ///< the midpoints of the edges, with the three neighbours
  vertices  ///< with all cells around the vertex
};

/// A value per corner of each cell, all first corners first: one pointer, so that loops over cells are vectorised.
template <class T>
struct PerCorner {
  const T* values;
  Index cells;
  T operator()(int corner, Index cell) const { return values[corner * cells + cell]; }
};

/// visit(corner), written out, because a loop inside the loop over cells would keep it from being vectorised.
template <class Visit>
inline void at_corners(const Visit& visit) {
  visit(0);
  visit(1);
  visit(2);
}

/// Which edges of a cell are open.
struct OpenEdges {
  std::array<bool, 3> open = {};
  bool operator()(int corner) const { return open[corner]; }
  bool any() const { return open[0] || open[1] || open[2]; }
};
struct NoOpenEdges {
  constexpr bool operator()(int /*corner*/) const { return false; }
};

/// g of each quantity of a cell, in its frame.
struct Gradients {
  double depth_1 = 0, depth_2 = 0, elevation_1 = 0, elevation_2 = 0, v11 = 0, v12 = 0, v21 = 0, v22 = 0;
};

class LinearReconstruction {
 public:
  /// `place` [nE]: the number of each edge of the mesh in the order of the scheme.
  void measure(const Mesh& mesh, const Array<FaceFrame>& frames, const Array<Index>& place,
               const EdgeNormals& normals, LimitedAt limited);

  template <class Limiter>
  void extend(const Limiter& limiter, const CellMeans& means, const Array<OpenBoundary::Place>& open,
              Traces& traces) const;

 private:
  /// [3·nF], see PerCorner; of the edge opposite to the corner.
  using Corners = Vector;
  OpenEdges open_edges(Index cell, const Array<OpenBoundary::Place>& open) const;
  /// Lets the limiters at vertices take any value at those of open edges, because all cells around these are on one side.
  void open_vertices(const Array<OpenBoundary::Place>& open, BoundsAtVertices& bounds) const;

  Array<Index> neighbour_, slot_;  // on walls the cell itself, mirrored
  Array<Index> side_;              // [nE] corner · nF + cell, of the left cell
  Corners weight_1_, weight_2_;    // c_j
  Corners turn_1_, turn_2_;        // cos, sin: from the frame of the neighbour
  Corners middle_1_, middle_2_;    // midpoint of the edge − centroid
  Corners normal_1_, normal_2_;
  VertexBounds bounds_;  // if limited at vertices
  Index cells_ = 0, edges_ = 0;
};

/// Extends the mean of one cell. A function object with plain pointers, so that the loop over cells is vectorised.
template <class Limiter>
struct ExtendCell {
  Limiter limiter;
  CellMeans means;
  PerCorner<Index> neighbour, slot, vertex;
  PerCorner<double> c1, c2, turn_1, turn_2, x1, x2, n1, n2, at_1, at_2;
  const BoundsAtVertices::AtVertex* bounds;
  struct {
    double *depth, *normal, *tangential, *bed, *weight;
  } there;

  void operator()(Index k) const {
    const Differences to = differences(k, NoOpenEdges());
    extend<Limiter::at>(k, to, fit(k, to), NoOpenEdges());
  }

  /// q_j − q̄
  struct Differences {
    double depth[3], elevation[3], v1[3], v2[3];
  };
  template <class Open>
  Differences differences(Index k, const Open& is_open) const {
    Differences to;
    const double depth = means.depth[k] > 0 ? means.depth[k] : 0, elevation = depth - means.bed[k];
    const double wet = depth > means.dry_depth ? 1 : 0;
    at_corners([&](int j) {
      const Index i = neighbour(j, k);
      const double depth_there = means.depth[i] > 0 ? means.depth[i] : 0, height = depth_there - means.bed[i];
      const double a = means.velocity_1[i],
                   b = means.velocity_2[i] * (i == k ? -1 : 1);  // a wall mirrors the cell
      // factors instead of branches, which would make loads conditional
      const double flows = depth_there > means.dry_depth && !is_open(j) ? wet : 0,
                   joins = depth_there > means.dry_depth || height < elevation ? wet : 0;
      to.depth[j] = wet * (depth_there - depth);
      to.elevation[j] = joins * (height - elevation);
      to.v1[j] = flows * (turn_1(j, k) * a - turn_2(j, k) * b - means.velocity_1[k]);
      to.v2[j] = flows * (turn_2(j, k) * a + turn_1(j, k) * b - means.velocity_2[k]);
    });
    return to;
  }

  Gradients fit(Index k, const Differences& to) const {
    Gradients g;
    at_corners([&](int j) {
      g.depth_1 += c1(j, k) * to.depth[j];
      g.depth_2 += c2(j, k) * to.depth[j];
      g.elevation_1 += c1(j, k) * to.elevation[j];
      g.elevation_2 += c2(j, k) * to.elevation[j];
      g.v11 += c1(j, k) * to.v1[j];
      g.v12 += c2(j, k) * to.v1[j];
      g.v21 += c1(j, k) * to.v2[j];
      g.v22 += c2(j, k) * to.v2[j];
    });
    return g;
  }

  /// The mean of the gradients of the neighbours with uses(neighbour); zero without any, or in a dry cell.
  template <class Uses>
  Gradients mean_around(Index k, const Uses& uses) const {
    Gradients sum;
    double count = 0;
    for (int j = 0; j < 3 && means.depth[k] > means.dry_depth; ++j) {
      const Index i = neighbour(j, k);
      if (!uses(i)) continue;
      ++count;
      const Gradients g = fit(i, differences(i, NoOpenEdges()));
      const Tangent turn(turn_1(j, k), turn_2(j, k));
      const auto add = [&](double& to_1, double& to_2, Tangent gradient) {
        const Tangent turned = turn * gradient;
        to_1 += turned.real();
        to_2 += turned.imag();
      };
      add(sum.depth_1, sum.depth_2, {g.depth_1, g.depth_2});
      add(sum.elevation_1, sum.elevation_2, {g.elevation_1, g.elevation_2});
      // R G Rᵀ: the rows of R G, each turned like a gradient
      add(sum.v11, sum.v12,
          {turn.real() * g.v11 - turn.imag() * g.v21, turn.real() * g.v12 - turn.imag() * g.v22});
      add(sum.v21, sum.v22,
          {turn.imag() * g.v11 + turn.real() * g.v21, turn.imag() * g.v12 + turn.real() * g.v22});
    }
    if (count > 0)
      for (double* value : {&sum.depth_1, &sum.depth_2, &sum.elevation_1, &sum.elevation_2, &sum.v11,
                            &sum.v12, &sum.v21, &sum.v22})
        *value /= count;
    return sum;
  }

  /// No limit applies at open edges: there the slope changes the values by as much as at the other edges together.
  template <LimitedAt at, class Open>
  void extend(Index k, const Differences& to, const Gradients& g, const Open& is_open) const {
    constexpr double to_vertex = -2;  // a vertex and the midpoint of the opposite edge, from the centroid
    const double depth = means.depth[k] > 0 ? means.depth[k] : 0, bed = means.bed[k], elevation = depth - bed;
    const double v1 = means.velocity_1[k], v2 = means.velocity_2[k];
    const double wet = depth > means.dry_depth ? 1 : 0;
    // The changes from the centroid to the edges, and their factors
    double to_depth[3], to_elevation[3], to_v1[3], to_v2[3];
    double factor_depth = 1, factor_elevation = 1, factor_v = 1;
    const auto least = [](double a, double b) { return a < b ? a : b; };
    at_corners([&](int j) {
      to_depth[j] = g.depth_1 * x1(j, k) + g.depth_2 * x2(j, k);
      to_elevation[j] = g.elevation_1 * x1(j, k) + g.elevation_2 * x2(j, k);
      to_v1[j] = g.v11 * x1(j, k) + g.v12 * x2(j, k);
      to_v2[j] = g.v21 * x1(j, k) + g.v22 * x2(j, k);
    });
    if constexpr (at == LimitedAt::edges) {
      const auto limit = [&](const double(&around)[3], const double(&change)[3], double& factor) {
        double above = 0, below = 0;
        at_corners([&](int j) {
          above = around[j] > above ? around[j] : above;
          below = -around[j] > below ? -around[j] : below;
        });
        at_corners([&](int j) {
          const double allowed = limiter(change[j] < 0 ? below : above, std::abs(change[j]));
          factor = least(factor, is_open(j) ? 1 : allowed);
        });
      };
      limit(to.depth, to_depth, factor_depth);
      limit(to.elevation, to_elevation, factor_elevation);
    }
    if constexpr (at == LimitedAt::vertices)
      at_corners([&](int j) {
        const Index i = vertex(j, k);
        const auto limit = [&](double mean, double change, double least_there, double greatest_there,
                               double& factor) {
          const double room = change < 0 ? mean - least_there : greatest_there - mean;
          factor = least(factor, limiter(room > 0 ? room : 0, std::abs(change)));
        };
        limit(depth, to_vertex * to_depth[j], bounds[i].least_depth, bounds[i].greatest_depth, factor_depth);
        limit(elevation, to_vertex * to_elevation[j], bounds[i].least_elevation, bounds[i].greatest_elevation,
              factor_elevation);
      });
    at_corners([&](int j) {
      const double lost = -to_depth[j];
      factor_depth = least(factor_depth, lost > depth ? depth / lost : 1);
    });
    // The mean of ηv over the midpoints is η̄v̄.
    const double part = wet * factor_depth / (3 * (depth > means.dry_depth ? depth : 1));
    double shift_1 = 0, shift_2 = 0;
    at_corners([&](int j) {
      shift_1 += part * to_depth[j] * to_v1[j];
      shift_2 += part * to_depth[j] * to_v2[j];
    });
    if constexpr (at == LimitedAt::vertices)
      at_corners([&](int j) {
        const Index i = vertex(j, k);
        const auto there_1 = [&](double a, double b) { return at_1(j, k) * a - at_2(j, k) * b; };
        const auto there_2 = [&](double a, double b) { return at_2(j, k) * a + at_1(j, k) * b; };
        const double a = to_vertex * to_v1[j] - shift_1, b = to_vertex * to_v2[j] - shift_2;
        const double off_1 = there_1(v1, v2) - bounds[i].centre_1,
                     off_2 = there_2(v1, v2) - bounds[i].centre_2;
        // from v̄ to the edge of the disc: |off + t change|² = r²
        const double along = off_1 * there_1(a, b) + off_2 * there_2(a, b), change = a * a + b * b;
        const double inside = bounds[i].radius_squared - off_1 * off_1 - off_2 * off_2;
        const double room = std::sqrt(along * along + change * (inside > 0 ? inside : 0)) - along;
        factor_v = least(factor_v, limiter(room > 0 ? room : 0, change));
      });
    at_corners([&](int j) {
      to_v1[j] -= shift_1;
      to_v2[j] -= shift_2;
    });
    if constexpr (at == LimitedAt::edges)
      at_corners([&](int j) {
        double room = 0;
        at_corners([&](int i) {
          const double along = to.v1[i] * to_v1[j] + to.v2[i] * to_v2[j];
          room = along > room ? along : room;
        });
        const double allowed = limiter(room, to_v1[j] * to_v1[j] + to_v2[j] * to_v2[j]);
        factor_v = least(factor_v, is_open(j) ? 1 : allowed);
      });
    at_corners([&](int j) {
      const Index s = slot(j, k);
      const double at_edge = depth + factor_depth * to_depth[j], at_edge_or_0 = at_edge > 0 ? at_edge : 0;
      const double bed_at_edge = at_edge_or_0 - (elevation + factor_elevation * to_elevation[j]);
      const double w1 = v1 + factor_v * to_v1[j], w2 = v2 + factor_v * to_v2[j];
      there.depth[s] = at_edge_or_0;
      there.bed[s] = bed_at_edge;
      there.weight[s] = 0.5 * (at_edge_or_0 + depth) * (bed - bed_at_edge);
      there.normal[s] = w1 * n1(j, k) + w2 * n2(j, k);
      there.tangential[s] = w2 * n1(j, k) - w1 * n2(j, k);
    });
  }
};

template <class Limiter>
void LinearReconstruction::extend(const Limiter& limiter, const CellMeans& means,
                                  const Array<OpenBoundary::Place>& open, Traces& traces) const {
  for (Vector* values : {&traces.depth, &traces.normal, &traces.tangential, &traces.bed, &traces.weight})
    if (values->size() == 0) values->setZero(2 * edges_);
  if constexpr (Limiter::at == LimitedAt::vertices) {
    bounds_.compute(means, traces.bounds);
    open_vertices(open, traces.bounds);
  }
  const auto of = [this]<class Values>(const Values& values) {
    return PerCorner<std::remove_cvref_t<decltype(values[0])>>{values.data(), cells_};
  };
  const ExtendCell<Limiter> extend_cell = {
      limiter,
      means,
      of(neighbour_),
      of(slot_),
      of(bounds_.vertex()),
      of(weight_1_),
      of(weight_2_),
      of(turn_1_),
      of(turn_2_),
      of(middle_1_),
      of(middle_2_),
      of(normal_1_),
      of(normal_2_),
      of(bounds_.turn_1()),
      of(bounds_.turn_2()),
      traces.bounds.at.data(),
      {traces.depth.data(), traces.normal.data(), traces.tangential.data(), traces.bed.data(),
       traces.weight.data()}};
  parallel_for(
      cells_, [=](Index begin, Index end) __attribute__((flatten)) {
#pragma omp simd
        for (Index k = begin; k < end; ++k) extend_cell(k);
      });
  constexpr LimitedAt at = Limiter::at == LimitedAt::nowhere ? LimitedAt::nowhere : LimitedAt::edges;
  for (const OpenBoundary::Place& place : open) {
    const Index k = side_[place.at] % cells_;
    const OpenEdges is_open = open_edges(k, open);
    extend_cell.template extend<at>(
        k, extend_cell.differences(k, is_open),
        extend_cell.mean_around(k, [&](Index i) { return i != k && !open_edges(i, open).any(); }), is_open);
  }
}

}  // namespace shoal
