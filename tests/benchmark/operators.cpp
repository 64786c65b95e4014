// What the operators of a substep cost, against the speed of this machine's memory: "ratio" is the traffic
// that an operator cannot avoid per second, over that of a triad a = b + s·c of the same size, measured in
// the same run.
//   build/release/benchmarks --benchmark_filter=operator
#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "measure.hpp"
#include "tests/support/trial.hpp"

#include <benchmark/benchmark.h>

using namespace shoal;
using namespace shoal::test;

namespace {

/// Bytes per second of a triad whose three arrays have `bytes` together; the best of some repetitions.
double triad_bandwidth(double bytes) {
  const auto size = static_cast<Eigen::Index>(bytes / (3 * sizeof(double)));
  Vector a = Vector::Zero(size), b = Vector::Ones(size), c = Vector::Ones(size);
  double best = 0;
  const int repetitions = static_cast<int>(std::max(10.0, 2e8 / bytes));
  for (int i = 0; i < repetitions; ++i) {
    const double taken = seconds([&] {
      a = b + 1e-9 * c;
      benchmark::DoNotOptimize(a.data());
    });
    best = std::max(best, 3 * sizeof(double) * static_cast<double>(size) / taken);
    std::swap(a, b);
  }
  return best;
}

struct Fixture {
  explicit Fixture(const std::string& discretization, std::int64_t level)
      : simulation({.mesh = "icosphere:" + std::to_string(level), .discretization = discretization}),
        wave(simulation.right_side),
        pressure(random_vector(simulation.volume().size(), 1)),
        weight(Vector::Ones(wave.sites())),
        flow(random_vector(simulation.velocity().size(), 2)),
        out(Vector::Zero(pressure.size())) {}
  Trial simulation;
  const WaveSide wave;
  Vector pressure, weight, flow, out;
};

/// `taken` in s per repetition; `bytes` is what has to be read and written at least.
void report(benchmark::State& state, const Mesh& mesh, double taken, double bytes) {
  state.counters["Mtri/s"] = 1e-6 * static_cast<double>(mesh.face_count()) / taken;
  state.counters["ratio"] = bytes / triad_bandwidth(bytes) / taken;
}

constexpr double d = sizeof(double), i = sizeof(Index);

void operator_gradient(benchmark::State& state, const std::string& discretization) {
  Fixture f(discretization, state.range(0));
  const double taken = measure(state, [&] { f.wave.add_gradient(f.pressure, 1e-3, f.weight, f.flow); });
  const double cells = static_cast<double>(f.out.size()), sites = static_cast<double>(f.weight.size()),
               flow = static_cast<double>(f.flow.size());
  // p; weight; flow twice; then the metric and the ends: 3 values, 3 corners of a face or 1 value, 2 cells of
  // an edge.
  report(state, f.simulation.surface.mesh, taken,
         d * (cells + sites + 2 * flow) + (discretization == "fefv" ? 3 * d + 3 * i : d + 2 * i) * sites);
}

void operator_outflow(benchmark::State& state, const std::string& discretization) {
  Fixture f(discretization, state.range(0));
  const double taken = measure(state, [&] { f.wave.add_outflow(f.flow, 1e-3, f.weight, f.out); });
  const double cells = static_cast<double>(f.out.size()), sites = static_cast<double>(f.weight.size()),
               flow = static_cast<double>(f.flow.size());
  // flow; weight; area or length; out twice; 3 or 2 slots per site.
  report(state, f.simulation.surface.mesh, taken,
         d * (flow + 2 * sites + 2 * cells) + (discretization == "fefv" ? 3 : 2) * i * sites);
}

void operator_stiffness(benchmark::State& state, const std::string& discretization) {
  Fixture f(discretization, state.range(0));
  const double taken = measure(state, [&] { f.wave.add_stiffness(f.pressure, 1e-3, f.weight, f.out); });
  const double cells = static_cast<double>(f.out.size()), sites = static_cast<double>(f.weight.size());
  const double edges = static_cast<double>(f.simulation.surface.mesh.edge_count());
  // p; out twice; weight; 3 cotangents per face or a length ratio per edge; two ends per edge.
  report(
      state, f.simulation.surface.mesh, taken,
      d * (3 * cells + sites) + (discretization == "fefv" ? 3 * d * sites : 2 * d * sites) + 2 * i * edges);
}

void geometry_refresh(benchmark::State& state) {
  Surface surface = load_surface("icosphere:" + std::to_string(state.range(0)));
  Geometry geometry = make_geometry(surface.mesh, surface.x);
  const double taken = measure(state, [&] { compute_geometry(surface.mesh, surface.x, geometry); });
  const double triangles = static_cast<double>(surface.mesh.face_count());
  // x twice; corners; normal, area and three cotangents; vertex area; edge lengths with their ends.
  const double bytes = triangles * (3 * d + 3 * i + 7 * d + 0.5 * d + 1.5 * (d + 2 * i));
  report(state, surface.mesh, taken, bytes);
}

BENCHMARK_CAPTURE(operator_gradient, fefv, std::string("fefv"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(operator_gradient, dec, std::string("dec"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(operator_outflow, fefv, std::string("fefv"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(operator_outflow, dec, std::string("dec"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(operator_stiffness, fefv, std::string("fefv"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(operator_stiffness, dec, std::string("dec"))
    ->DenseRange(4, 8, 2)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(geometry_refresh)->DenseRange(4, 8, 2)->Unit(benchmark::kMicrosecond);

}  // namespace
