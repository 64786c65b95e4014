// The motion of the shoreline, which is the line depth = wet_depth, and the volume of shallower water.
#include "discretizations/mesh/closest_point.hpp"
#include "experiments/harness/diagnostics/diagnostic.hpp"
#include "solvers/coupling/fluid_surface.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace shoal {
namespace {

/// The line drawn by the reference application: points on edges of the mesh, and one segment in each partly wet triangle.
class Shoreline {
 public:
  Shoreline(const Mesh& mesh, double wet_depth)
      : surface_(mesh, {.iso_level = wet_depth, .line_margin = margin, .back = false}) {}

  void extract(const Points& x, const Vector& depth) {
    surface_.update(x, Points::Zero(3, x.cols()), depth, Vector::Zero(x.cols()));  // nothing is displaced
    const Index count = surface_.vertex_count();
    first_ = count;
    while (first_ > 0 && surface_.sheet(first_ - 1) == Sheet::line) --first_;
    segments_.resize(3, surface_.face_count());
    Index segment = 0;
    for (Index f = 0; f < surface_.face_count(); ++f) {
      std::array<Index, 3> line{};
      int on_line = 0;
      for (int c = 0; c < 3; ++c)
        if (const Index v = surface_.faces()(c, f); v >= first_)
          line[static_cast<std::size_t>(on_line++)] = v - first_;
      if (on_line == 2) segments_.col(segment++) << line[0], line[1], line[1];
    }
    segments_.conservativeResize(3, segment);
  }

  bool empty() const { return segments_.cols() == 0; }
  /// The points of the line [3, n], moved with the mesh to its vertices x.
  Points points(const Points& x) const {
    const auto ends = surface_.ends();
    const VectorIn alpha = surface_.alpha();
    Points points(3, surface_.vertex_count() - first_);
    for (Index i = 0; i < points.cols(); ++i) {
      const Index v = first_ + i;
      points.col(i) = alpha[v] * x.col(ends(0, v)) + (1 - alpha[v]) * x.col(ends(1, v));
    }
    return points;
  }
  /// The segments as degenerate triangles.
  const Faces& segments() const { return segments_; }

 private:
  static constexpr double margin =
      1e-9;  // fraction of an edge; keeps the line off vertices that lie exactly at the level
  FluidSurface surface_;
  Index first_ = 0;  // the first vertex of the surface that lies on the line
  Faces segments_;
};

/// The largest distance of a point of `line` from the line before, both moved to the vertices x.
double distance(const Shoreline& line, const Shoreline& before, const Points& x) {
  double largest = 0;
  const SurfaceTree tree(before.segments(), before.points(x));
  const Points points = line.points(x);
  for (const auto point : points.colwise())
    largest = std::max(largest, (tree.closest(point).x - point).norm());
  return largest;
}

double mean_edge(const Mesh& mesh, const Points& x) {
  const auto length = [&](Index e) { return (x.col(mesh.edges(0, e)) - x.col(mesh.edges(1, e))).norm(); };
  return sum(mesh, Location::edge, length) / static_cast<double>(mesh.edge_count());
}

}  // namespace

DiagnosticEntry shoreline_diagnostic() {
  return {
      "shoreline", [](const Simulation& simulation) {
        std::vector<DiagnosticColumn> columns;
        const Mesh& mesh = simulation.whole_surface().mesh;  // the line is drawn on rank 0
        if (simulation.scene().regions.empty() || mesh.periodic()) return columns;
        const auto line = std::make_shared<Shoreline>(mesh, simulation.scene().wet_depth),
                   line_before = std::make_shared<Shoreline>(mesh, simulation.scene().wet_depth);
        const auto before = std::make_shared<Vector>();  // positions and depths in the previous row
        columns.push_back(
            {{"shoreline_step", "1",
              "largest distance of the line depth = wet_depth from that of the previous row / mean edge "
              "length; NaN if one of them is empty",
              1, true},
             [=, &mesh](Instant& now, double* value) {
               const Mesh& here = now.discretization().mesh();
               const Points x = gathered(here, Location::vertex, now.water().geometry().x);
               const Vector depth =
                   gathered(here, Location::vertex, now.output("depth_at_vertices")).topRows(1).transpose();
               double step = -std::numeric_limits<double>::infinity();
               if (ranks_of(here).rank() == 0) {
                 line->extract(x, depth);
                 if (before->size())
                   line_before->extract(before->head(x.size()).reshaped(3, x.cols()), before->tail(x.cols()));
                 before->resize(4 * x.cols());
                 *before << x.reshaped(), depth;
                 step = line->empty() || line_before->empty()
                            ? std::numeric_limits<double>::quiet_NaN()
                            : distance(*line, *line_before, x) / mean_edge(mesh, x);
               }
               *value = largest_of_all(here, step);
             },
             before});
        columns.push_back({{"shallow_volume", "m^3", "volume of water where it is not deeper than wet_depth"},
                           [](Instant& now, double* value) {
                             const Cells& cells = now.discretization().cells();
                             const Vector& depth = now.depth();
                             *value = sum(now.discretization().mesh(), cells, [&](Index i) {
                               return depth[i] <= now.simulation().scene().wet_depth
                                          ? cells.area[i] * depth[i]
                                          : 0;
                             });
                           }});
        return columns;
      }};
}

}  // namespace shoal
