// How the shoreline moves, the line in which the depth is wet_depth, and how much water lies in shallower places.
#include "experiments/harness/diagnostics/diagnostic.hpp"
#include "solvers/coupling/fluid_surface.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace shoal {
namespace {

/// As the reference application draws it: points on edges of the mesh, and segments, one in each triangle between wet and dry.
class Shoreline {
 public:
  Shoreline(const Mesh& mesh, double wet_depth)
      : surface_(mesh, {.iso_level = wet_depth, .line_margin = margin, .back = false}) {}

  void extract(const Points& x, const Vector& depth) {
    surface_.update(x, Points::Zero(3, x.cols()), depth, Vector::Zero(x.cols()));  // nothing is displaced
    points_.clear();
    segments_.clear();
    const auto ends = surface_.ends();
    const auto alpha = surface_.alpha();
    for (Index i = 0; i < surface_.vertex_count(); ++i)
      if (surface_.sheet(i) == Sheet::line) points_.push_back({ends(0, i), ends(1, i), alpha[i]});
    const Index first = surface_.vertex_count() - points_.size();
    for (Index f = 0; f < surface_.face_count(); ++f) {
      std::array<Index, 2> line{};
      int count = 0;
      for (int c = 0; c < 3; ++c)
        if (const Index v = surface_.faces()(c, f); v >= first) line[count++] = v - first;
      if (count == 2) segments_.push_back(line);
    }
  }

  bool empty() const { return segments_.empty(); }
  Index point_count() const { return points_.size(); }
  /// Where the mesh is now, which carries the line with it.
  Vector3 point(Index i, const Points& x) const {
    const Point& p = points_[i];
    return p.alpha * x.col(p.wet) + (1 - p.alpha) * x.col(p.dry);
  }
  /// m, of a place from this line.
  double distance(const Vector3& from, const Points& x) const {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [a, b] : segments_) {
      const Vector3 start = point(a, x), along = point(b, x) - start;
      const double length = along.squaredNorm(),
                   t = length > 0 ? std::clamp((from - start).dot(along) / length, 0.0, 1.0) : 0;
      least = std::min(least, (from - start - t * along).norm());
    }
    return least;
  }

 private:
  static constexpr double margin =
      1e-9;  // of an edge: the level's own line, but for a vertex that lies on it
  struct Point {
    Index wet, dry;
    double alpha;
  };
  FluidSurface surface_;
  Array<Point> points_;
  Array<std::array<Index, 2>> segments_;
};

double mean_edge(const Mesh& mesh, const Points& x) {
  double sum = 0;
  for (Index e = 0; e < mesh.edge_count(); ++e)
    sum += (x.col(mesh.edges(0, e)) - x.col(mesh.edges(1, e))).norm();
  return sum / static_cast<double>(mesh.edge_count());
}

/// The shorelines of this row and the one before, which change places.
struct Shorelines {
  Shorelines(const Mesh& mesh, double wet_depth)
      : lines{Shoreline(mesh, wet_depth), Shoreline(mesh, wet_depth)} {}
  void change_places() { newer = 1 - newer; }
  Shoreline& now() { return lines[newer]; }
  const Shoreline& before() const { return lines[1 - newer]; }

  std::array<Shoreline, 2> lines;
  std::size_t newer = 0;
};

}  // namespace

DiagnosticEntry shoreline_diagnostic() {
  return {"shoreline", [](const Simulation& simulation) {
            std::vector<DiagnosticColumn> columns;
            const Mesh& mesh = simulation.surface().mesh;
            if (simulation.scene().regions.empty() || mesh.periodic()) return columns;
            auto lines = std::make_shared<Shorelines>(mesh, simulation.scene().wet_depth);
            columns.push_back(
                {{"shoreline_step", "1",
                  "farthest way of a point of the line depth = wet_depth from that line in the row before, "
                  "over the mean "
                  "edge; NaN where one of them is empty",
                  1, true},
                 [lines](Instant& now, double* value) {
                   const Geometry& geometry = now.water().geometry();
                   lines->change_places();
                   lines->now().extract(geometry.x, now.output("depth_at_vertices").row(0).transpose());
                   *value = std::numeric_limits<double>::quiet_NaN();
                   if (lines->now().empty() || lines->before().empty()) return;
                   *value = 0;
                   for (Index i = 0; i < lines->now().point_count(); ++i)
                     *value = std::max(
                         *value, lines->before().distance(lines->now().point(i, geometry.x), geometry.x));
                   *value /= mean_edge(now.simulation().surface().mesh, geometry.x);
                 }});
            columns.push_back(
                {{"shallow_volume", "m^3", "of the water in places that are not deeper than wet_depth"},
                 [](Instant& now, double* value) {
                   const Vector& area = now.discretization().cells().area;
                   *value = 0;
                   for (Index i = 0; i < area.size(); ++i)
                     if (now.depth()[i] <= now.simulation().scene().wet_depth)
                       *value += area[i] * now.depth()[i];
                 }});
            return columns;
          }};
}

}  // namespace shoal
