// Counts, angles and dual lengths of a surface.
#include "discretizations/mesh/quality.hpp"

#include "discretizations/common/array.hpp"
#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {
namespace {

/// The number of sets that contain an element with in[i].
Index count_sets(DisjointSets& sets, const Array<char>& in) {
  Index count = 0;
  for (Index i = 0; i < in.size(); ++i) count += in[i] && sets.find(i) == i;
  return count;
}

void set_topology(const Mesh& mesh, MeshQuality& quality) {
  quality.vertices = mesh.vertex_count;
  quality.faces = mesh.face_count();
  quality.edges = mesh.edge_count();
  quality.euler_characteristic = mesh.euler_characteristic();
  quality.closed = mesh.closed();
  // A boundary vertex of a manifold has two wall edges: the loops are the connected components of the graph
  // of walls.
  DisjointSets parts(mesh.vertex_count), loops(mesh.vertex_count);
  Array<char> everywhere(mesh.vertex_count, 1), at_wall(mesh.vertex_count, 0);
  for (Index edge = 0; edge < mesh.edge_count(); ++edge) {
    const Index tail = mesh.edges(0, edge), head = mesh.edges(1, edge);
    parts.join(tail, head);
    if (!mesh.is_wall(edge)) continue;
    loops.join(tail, head);
    at_wall[tail] = at_wall[head] = 1;
  }
  quality.components = count_sets(parts, everywhere);
  quality.boundary_loops = count_sets(loops, at_wall);
  quality.genus = (2 * quality.components - quality.boundary_loops - quality.euler_characteristic) / 2;
}

/// Nearest-rank quantiles; sorts its argument.
Quantiles quantiles_of(Array<double>& values) {
  std::sort(values.begin(), values.end());
  Quantiles quantiles;
  for (std::size_t q = 0; q < quantiles.size(); ++q)
    quantiles[q] =
        values[static_cast<Index>(std::lround(quantile_levels[q] * static_cast<double>(values.size() - 1)))];
  return quantiles;
}

void set_angles(const Surface& surface, const Geometry& geometry, MeshQuality& quality) {
  Array<double> angles(3 * surface.mesh.face_count());
  double smallest = 180;
  for (Index face = 0; face < surface.mesh.face_count(); ++face) {
    bool obtuse = false;
    for (int c = 0; c < 3; ++c) {
      const double cotangent = geometry.cotangent(c, face);
      const double angle = std::atan2(1.0, cotangent) * 180 / std::numbers::pi;
      angles[3 * face + c] = angle;
      obtuse = obtuse || cotangent < -degenerate_dual;
      if (angle < smallest) {
        smallest = angle;
        quality.worst_face = surface.input_face[face];
      }
    }
    quality.obtuse_faces += obtuse;
  }
  quality.angle = quantiles_of(angles);
}

void set_lengths(const Mesh& mesh, const Geometry& geometry, MeshQuality& quality) {
  quality.edge_length_min = geometry.edge_length.minCoeff();
  quality.edge_length_mean = geometry.edge_length.mean();
  quality.edge_length_max = geometry.edge_length.maxCoeff();

  Vector ratio = Vector::Zero(mesh.edge_count());
  for (Index face = 0; face < mesh.face_count(); ++face)
    for (int c = 0; c < 3; ++c) ratio[mesh.face_edges(c, face)] += 0.5 * geometry.cotangent(c, face);
  quality.dual_min = ratio.cwiseProduct(geometry.edge_length).minCoeff();
  quality.negative_duals = static_cast<Index>((ratio.array() < -degenerate_dual).count());
  quality.degenerate_duals = static_cast<Index>((ratio.array().abs() <= degenerate_dual).count());
  Array<double> ratios(ratio.begin(), ratio.end());
  quality.dual_over_primal = quantiles_of(ratios);
}

/// Describes the position of a boundary set.
std::string describe_boundary(const Surface& surface, const BoundarySet& set) {
  double length = 0;
  Vector3 centre = Vector3::Zero(), low = Vector3::Constant(std::numeric_limits<double>::infinity()),
          high = -low;
  for (const Index edge : set.edges) {
    const Vector3 tail = surface.x.col(surface.mesh.edges(0, edge));
    Vector3 head = surface.x.col(surface.mesh.edges(1, edge));
    if (surface.mesh.periodic()) head += surface.mesh.edge_shift.col(edge);
    const double l = (head - tail).norm();
    length += l;
    centre += l * (tail + head) / 2;
    low = low.cwiseMin(tail).cwiseMin(head);
    high = high.cwiseMax(tail).cwiseMax(head);
  }
  centre /= length;
  const auto text = [](const Vector3& x) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]);
  };
  return fmt::format("{}: {} edges, {:.4g} m, about {}, from {} to {}", set.name, set.edges.size(), length,
                     text(centre), text(low), text(high));
}

std::string row(const Quantiles& quantiles) {
  std::string text;
  for (const double value : quantiles) text += fmt::format("{:>11.4g}", value);
  return text;
}

}  // namespace

MeshQuality assess(const Surface& surface, const Geometry& geometry) {
  MeshQuality quality;
  set_topology(surface.mesh, quality);
  quality.area = geometry.total_area();
  set_angles(surface, geometry, quality);
  set_lengths(surface.mesh, geometry, quality);
  return quality;
}

std::string quality_report(const Surface& surface, const MeshQuality& quality) {
  std::string text = fmt::format("mesh          {} ({})\n", surface.name,
                                 surface.source == "generated" ? "generated" : "file");
  text += fmt::format("elements      {} vertices, {} edges, {} faces\n", quality.vertices, quality.edges,
                      quality.faces);
  text +=
      fmt::format("topology      {}, Euler characteristic {}, {} component{}, genus {}, {} boundary loop{}\n",
                  quality.closed ? "closed" : "with boundary", quality.euler_characteristic,
                  quality.components, quality.components == 1 ? "" : "s", quality.genus,
                  quality.boundary_loops, quality.boundary_loops == 1 ? "" : "s");
  for (const BoundarySet& set : surface.mesh.boundary_sets)
    text += fmt::format("boundary      {}\n", describe_boundary(surface, set));
  text += fmt::format("area          {:.10g} m²\n", quality.area);
  text += fmt::format("edge length   min {:.6g}, mean {:.6g}, max {:.6g} m\n", quality.edge_length_min,
                      quality.edge_length_mean, quality.edge_length_max);
  text += "                      min         1%        10%        50%        90%        99%        max\n";
  text += fmt::format("angle (°)     {}\n", row(quality.angle));
  text += fmt::format("dual/primal   {}\n", row(quality.dual_over_primal));
  text += fmt::format("obtuse        {} faces ({:.1f} %); smallest angle in face {} of the input (from 0)\n",
                      quality.obtuse_faces, 100.0 * quality.obtuse_faces / quality.faces, quality.worst_face);
  text += fmt::format("dual edges    smallest {:.3g} m; {} negative, {} degenerate (|d| ≤ {:g} l)\n",
                      quality.dual_min, quality.negative_duals, quality.degenerate_duals, degenerate_dual);
  for (const std::string& repair : surface.repairs) text += fmt::format("repaired      {}\n", repair);
  return text;
}

}  // namespace shoal
