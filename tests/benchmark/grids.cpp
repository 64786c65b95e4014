// What one step on square cells costs, beside the figures of the sources ("ratio": above 1 is faster). Packets of Lee & O'Sullivan 2007,
// section 5: updates per second of N² cells with 2 × 2 packets on a Xeon at 3.6 GHz.
//   build/release/benchmarks --benchmark_filter=grid
#include "measure.hpp"
#include "tests/support/trial.hpp"

#include <benchmark/benchmark.h>

#include <cmath>

using namespace shoal;
using namespace shoal::test;

namespace {

/// Water with waves and a swirl in a basin of size × size cells of 1 m.
Configuration basin(const std::string& discretization, std::int64_t size) {
  const std::string side = std::to_string(size);
  Configuration setup{.mesh = "rectangle:" + side + "x" + side + ":" + side + "x" + side + ":structured",
                      .discretization = discretization,
                      .integrator = "own"};
  const double k = 2 * M_PI / static_cast<double>(size);
  setup.initial.depth = [k](const Vector3& x) {
    return 1 + 0.05 * std::cos(3 * k * x.x()) * std::cos(2 * k * x.y());
  };
  setup.initial.velocity = [k](const Vector3& x) {
    return Vector3(0.5 * std::sin(k * x.x()) * std::cos(k * x.y()),
                   -0.5 * std::cos(k * x.x()) * std::sin(k * x.y()), 0);
  };
  return setup;
}

void grid(benchmark::State& state, const std::string& discretization, double published) {
  Trial simulation(basin(discretization, state.range(0)));
  const double dt = 0.5 * simulation.stable_dt();
  const auto integrator = make_integrator(simulation);
  const double seconds = measure(state, [&] { integrator->step(simulation.state, dt, simulation.clock); });
  state.counters["Mcells/s"] = 1e-6 * static_cast<double>(state.range(0) * state.range(0)) / seconds;
  state.counters["ratio"] = 1 / (seconds * published);
}
BENCHMARK_CAPTURE(grid, packets_25, std::string("packets"), 3185.7)->Arg(25)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(grid, packets_50, std::string("packets"), 736.0)->Arg(50)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(grid, packets_100, std::string("packets"), 177.5)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(grid, packets_200, std::string("packets"), 43.7)->Arg(200)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(grid, packets_400, std::string("packets"), 10.2)->Arg(400)->Unit(benchmark::kMicrosecond);

}  // namespace
