// What one step costs. Each benchmark prints its ratio to a reference figure ("ratio": above 1 is faster).
//   build/release/benchmarks --benchmark_filter=substep
#include "measure.hpp"
#include "tests/support/trial.hpp"

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
  Trial simulation(sphere(discretization, "explicit", state.range(0)));
  const double dt = 0.5 * simulation.stable_dt();
  const auto integrator = make_integrator(simulation);
  simulation.state = integrator->start(std::move(simulation.state), simulation.forces);
  const double millions = 1e-6 * static_cast<double>(simulation.surface.mesh.face_count());
  const double speed = millions / measure(state, [&] {
                         integrator->step(simulation.state, simulation.forces, dt, simulation.clock);
                       });
  state.counters["Mtri/s"] = speed;
  state.counters["ratio"] = speed / goal;
}
BENCHMARK_CAPTURE(substep, fefv, std::string("fefv"), 400)->DenseRange(4, 7)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(substep, dec, std::string("dec"), 400)->DenseRange(4, 7)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(substep, kinetic, std::string("kinetic"), 50)
    ->DenseRange(4, 7)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
