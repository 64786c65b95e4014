// Interpolating vectors from triangles to vertices and back: in the form that Angst 2007 first implemented, with a 3×3 matrix and two
// inversions per triangle of a fan, and in the optimized one, (5.3) and (5.5) (§5.2.2). "times": how many times as fast the optimized
// form is; "Mtri/s" of that form. Both start from the flattened angles. The results are compared before they are timed.
//   build/release/benchmarks --benchmark_filter=flattening
#include "discretizations/transport/flattening.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "measure.hpp"
#include "tests/support/trial.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

using namespace shoal;
using namespace shoal::test;

namespace {

/// T(v)ᵢ = [û û' n̂] diag(|u|, |u'|, 1) [u u' n]⁻¹ for each triangle around a vertex.
class MatrixForm {
 public:
  MatrixForm(const Surface& surface, const Geometry& geometry, const Flattening& flattening)
      : mesh_(surface.mesh),
        x_(surface.x),
        geometry_(geometry),
        directions_(4, 3 * mesh_.face_count()),
        weight_(3 * mesh_.face_count()) {
    for (Index corner = 0; corner < weight_.size(); ++corner) {
      const double stretch = 2 * std::numbers::pi / flattening.fan_angle(mesh_.faces(corner % 3, corner / 3));
      const double begin = stretch * flattening.angle_before(corner);
      weight_[corner] = stretch * flattening.angle(corner);
      const double end = begin + weight_[corner];
      directions_.col(corner) << std::cos(begin), std::sin(begin), std::cos(end), std::sin(end);
    }
  }

  /// v [3, nF] → the vectors at the corners, [3, 3·nF].
  void interpolate(const Points& v, Points& at_corners) const {
    for (Index i = 0; i < mesh_.vertex_count; ++i) {
      Vector3 sum = Vector3::Zero();
      for (Index j = mesh_.ring_start[i]; j < mesh_.ring_start[i + 1]; ++j) {
        const Index corner = mesh_.ring_corner[j];
        sum += weight_[corner] / (2 * std::numbers::pi) * (map_of(corner) * v.col(corner / 3));
      }
      for (Index j = mesh_.ring_start[i]; j < mesh_.ring_start[i + 1]; ++j) {
        const Index corner = mesh_.ring_corner[j];
        at_corners.col(corner) = map_of(corner).inverse() * sum;
      }
    }
  }

 private:
  Eigen::Matrix3d map_of(Index corner) const {
    const Index face = corner / 3;
    const Vector3 at = x_.col(mesh_.faces(corner % 3, face)),
                  u = x_.col(mesh_.faces((corner + 1) % 3, face)) - at,
                  w = x_.col(mesh_.faces((corner + 2) % 3, face)) - at;
    Eigen::Matrix3d edges, flat;
    edges << u, w, geometry_.face_normal.col(face);
    const auto direction = directions_.col(corner);
    flat << Vector3(direction[0], direction[1], 0) * u.norm(),
        Vector3(direction[2], direction[3], 0) * w.norm(), Vector3::UnitZ();
    return flat * edges.inverse();
  }

  const Mesh& mesh_;
  const Points& x_;
  const Geometry& geometry_;
  Eigen::Matrix4Xd directions_;  // [4, 3·nF] û and û'
  Vector weight_;                // [3·nF] θ̂
};

Vector3 vector_of(const Surface& surface, Index face, const BarycentricRates& rates) {
  const auto at = [&](int c) { return surface.x.col(surface.mesh.faces(c, face)); };
  return rates.first * (at(1) - at(0)) + rates.second * (at(2) - at(0));
}

void flattening_forms(benchmark::State& state) {
  const Surface surface = load_surface("icosphere:" + std::to_string(state.range(0)));
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  const Index faces = surface.mesh.face_count();
  Flattening flattening(surface.mesh, FanWeight::angle);
  flattening.refresh(geometry);
  const Vector flow = random_vector(2 * faces, 1);
  Points v(3, faces), by_matrices(3, 3 * faces);
  for (Index k = 0; k < faces; ++k) v.col(k) = vector_of(surface, k, {flow[k], flow[faces + k]});
  Array<CornerRates> optimized;
  const MatrixForm matrices(surface, geometry, flattening);
  matrices.interpolate(v, by_matrices);
  flattening.interpolate(flow, optimized);
  constexpr double rounding = 1e-11;  // relative to the largest vector
  double difference = 0;
  for (Index corner = 0; corner < 3 * faces; ++corner) {
    const Vector3 one = vector_of(surface, corner / 3, optimized[corner].rates(corner % 3));
    difference = std::max(difference, (one - by_matrices.col(corner)).norm());
  }
  if (!(difference < rounding * v.colwise().norm().maxCoeff()))
    return state.SkipWithError("the forms differ");
  constexpr int repetitions = 5;
  double slow = std::numeric_limits<double>::infinity();
  for (int k = 0; k < repetitions; ++k)
    slow = std::min(slow, seconds([&] { matrices.interpolate(v, by_matrices); }));
  const double fast = measure(state, [&] { flattening.interpolate(flow, optimized); });
  state.counters["Mtri/s"] = 1e-6 * static_cast<double>(faces) / fast;
  state.counters["times"] = slow / fast;
}

BENCHMARK(flattening_forms)->DenseRange(4, 6, 2)->Unit(benchmark::kMicrosecond);

}  // namespace
