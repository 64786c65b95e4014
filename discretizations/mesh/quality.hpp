// Quality of a surface: topology, and the shapes of its triangles and of its circumcentric dual.
#pragma once

#include "discretizations/mesh/surface.hpp"

#include <array>
#include <string>

namespace shoal {

/// Quantile levels that summarize distributions: the extremes and the percentiles 1, 10, 50, 90 and 99.
inline constexpr std::array<double, 7> quantile_levels = {0, 0.01, 0.1, 0.5, 0.9, 0.99, 1};
using Quantiles = std::array<double, quantile_levels.size()>;

/// A dual edge shorter than this times its primal edge is degenerate.
inline constexpr double degenerate_dual = 1e-6;

struct MeshQuality {
  Index vertices = 0, faces = 0, edges = 0;
  Index euler_characteristic = 0;
  Index components = 0;
  Index boundary_loops = 0;
  /// Number of handles of all components, from χ = 2·components − 2·genus − boundary_loops.
  Index genus = 0;
  bool closed = false;

  double area = 0;         ///< m²
  Quantiles angle{};       ///< all corners, degrees
  Index obtuse_faces = 0;  ///< with an angle above 90°
  Index worst_face = 0;    ///< the face with the smallest angle, in the input's order
  double edge_length_min = 0, edge_length_mean = 0, edge_length_max = 0;  ///< m

  /// Circumcentric dual edges, d = ½ l (cot α + cot β) with the angles opposite to the edge (one of them at a
  /// wall), as d / l. Negative if the edge is not Delaunay; zero if circumcentres coincide (the
  /// diagonals of right-angled cells), where a scheme that divides by d must merge the faces.
  Quantiles dual_over_primal{};
  double dual_min = 0;         ///< smallest d, m
  Index negative_duals = 0;    ///< d < −degenerate_dual · l
  Index degenerate_duals = 0;  ///< |d| ≤ degenerate_dual · l
};

MeshQuality assess(const Surface& surface, const Geometry& geometry);

/// The report of `shoal inspect MESH`: one fact per line, with units, and the repairs at the end.
std::string quality_report(const Surface& surface, const MeshQuality& quality);

}  // namespace shoal
