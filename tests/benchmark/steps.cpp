// What one step costs. Each benchmark prints its ratio to the figure it is held against ("ratio": above 1 is
// faster).
//   build/release/benchmarks --benchmark_filter=substep
#include "tests/support/simulation.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

using namespace shoal;
using namespace shoal::test;

namespace {

Configuration sphere(const std::string& discretization, const std::string& integrator, std::int64_t level) {
  Configuration setup{.mesh = "icosphere:" + std::to_string(level),
                      .discretization = discretization,
                      .integrator = integrator};
  setup.initial.depth = [](const Vector3& x) {
    return 1 + 0.01 * std::exp(-(x - Vector3::UnitZ()).squaredNorm() / 0.25);
  };
  setup.substeps = 1;
  return setup;
}

/// Explicit schemes: triangles (or cells) updated per second against a goal in millions.
void substep(benchmark::State& state, const std::string& discretization, double goal) {
  Simulation simulation(sphere(discretization, "explicit", state.range(0)));
  simulation.prepare(0.5 * simulation.discretization->stable_dt(simulation.state));
  for (auto _ : state) simulation.run(1);
  const double triangles = static_cast<double>(simulation.surface.mesh.face_count());
  state.counters["Mtri/s"] =
      benchmark::Counter(1e-6 * triangles, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["ratio"] =
      benchmark::Counter(1e-6 * triangles / goal, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(substep, fefv, std::string("fefv"), 400)->DenseRange(4, 7)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(substep, dec, std::string("dec"), 400)->DenseRange(4, 7)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(substep, kinetic, std::string("kinetic"), 50)
    ->DenseRange(4, 7)
    ->Unit(benchmark::kMicrosecond);

/// Implicit schemes with the matrix assembled and factorized anew in each step, against factor + solve of the
/// best CHOLMOD configuration measured (ms at 2562, 9350, 40962, 163842 vertices; interpolated in log–log).
double best_cholmod_milliseconds(double vertices) {
  constexpr double size[] = {2562, 9350, 40962, 163842}, ms[] = {1.97, 9.92, 88.6, 376};
  int i = 0;
  while (i < 2 && vertices > size[i + 1]) ++i;
  const double t = std::log(vertices / size[i]) / std::log(size[i + 1] / size[i]);
  return ms[i] * std::pow(ms[i + 1] / ms[i], t);
}

void changing_matrix(benchmark::State& state, const std::string& integrator) {
  Simulation simulation(sphere("fefv", integrator, state.range(0)));
  simulation.prepare(1.0 / 60);
  for (auto _ : state) {
    simulation.integrator->refresh();
    simulation.run(1);
  }
  const double vertices = static_cast<double>(simulation.surface.mesh.vertex_count);
  state.counters["ratio"] = benchmark::Counter(1e-3 * best_cholmod_milliseconds(vertices),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(changing_matrix, newmark, std::string("newmark"))
    ->DenseRange(4, 6)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(changing_matrix, semi_implicit, std::string("semi-implicit"))
    ->DenseRange(4, 6)
    ->Unit(benchmark::kMillisecond);

/// The same with the factor kept: a solve and a few sweeps.
void kept_matrix(benchmark::State& state) {
  Simulation simulation(sphere("fefv", "newmark", state.range(0)));
  simulation.prepare(1.0 / 60);
  for (auto _ : state) simulation.run(1);
  const double vertices = static_cast<double>(simulation.surface.mesh.vertex_count);
  state.counters["ratio"] = benchmark::Counter(1e-3 * best_cholmod_milliseconds(vertices),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(kept_matrix)->DenseRange(4, 6)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
