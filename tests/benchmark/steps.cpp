// What one step costs. Each benchmark prints its ratio to a reference figure ("ratio": above 1 is faster).
//   build/release/benchmarks --benchmark_filter=substep
#include "discretizations/mesh/loading/load_surface.hpp"
#include "measure.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/trial.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

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
  simulation.state = integrator->start(std::move(simulation.state));
  const double millions = 1e-6 * static_cast<double>(simulation.surface.mesh.face_count());
  const double speed =
      millions / measure(state, [&] { integrator->step(simulation.state, dt, simulation.clock); });
  state.counters["Mtri/s"] = speed;
  state.counters["ratio"] = speed / goal;
}
BENCHMARK_CAPTURE(substep, fefv, std::string("fefv"), 400)->DenseRange(4, 7)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(substep, dec, std::string("dec"), 400)->DenseRange(4, 7)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(substep, kinetic, std::string("kinetic"), 50)
    ->DenseRange(4, 7)
    ->Unit(benchmark::kMicrosecond);

/// Finite volumes with hllc on 81 920 triangles: the updates of ssprk2 per second against a goal in millions.
void updates(benchmark::State& state, const std::string& limiter, double goal) {
  Configuration setup = sphere("hllc", "ssprk2", 6);
  if (!limiter.empty()) setup.parameters = {{"reconstruction", "linear"}, {"limiter", limiter}};
  Trial simulation(setup);
  const double dt = 0.5 * simulation.stable_dt();
  const auto integrator = make_integrator(simulation);
  const double millions = 2e-6 * static_cast<double>(simulation.surface.mesh.face_count());
  const double speed =
      millions / measure(state, [&] { integrator->step(simulation.state, dt, simulation.clock); });
  state.counters["Mtri/s"] = speed;
  state.counters["ratio"] = speed / goal;
}
BENCHMARK_CAPTURE(updates, first_order, std::string(), 40)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(updates, none, std::string("none"), 15)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(updates, barth_jespersen, std::string("barth-jespersen"), 15)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(updates, venkatakrishnan, std::string("venkatakrishnan"), 15)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(updates, kuzmin, std::string("kuzmin"), 15)->Unit(benchmark::kMicrosecond);

/// lattice-boltzmann on n × n cells. A step reads and writes nine numbers per cell; the goal is 60 % of the bytes per second that a
/// copy of nine other numbers per cell moves.
void lattice(benchmark::State& state, const std::string& collision, bool uneven) {
  const std::string n = std::to_string(state.range(0));
  Configuration setup{.mesh = "rectangle:" + n + "x" + n + ":" + n + "x" + n + ":structured",
                      .discretization = "lattice-boltzmann",
                      .integrator = "own",
                      .parameters = {{"collision", collision}}};
  if (uneven) setup.bed_depth = [](const Vector3& x) { return 1 + 0.1 * std::sin(x.x()); };
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * std::cos(0.1 * x.x()); };
  Trial simulation(setup);
  const double dt = 0.5 * simulation.stable_dt();
  const auto integrator = make_integrator(simulation);
  const double cells = static_cast<double>(simulation.volume().size());
  const double step = measure(state, [&] { integrator->step(simulation.state, dt, simulation.clock); });
  const Vector from = Vector::Ones(9 * simulation.volume().size());
  Vector to = from;
  constexpr int repetitions = 20;
  const double copy = seconds([&] {
                        for (int i = 0; i < repetitions; ++i) {
                          to = from;
                          benchmark::DoNotOptimize(to.data());
                          benchmark::ClobberMemory();
                        }
                      }) /
                      repetitions;
  state.counters["Mcells/s"] = 1e-6 * cells / step;
  state.counters["GB/s"] = 1e-9 * 18 * sizeof(double) * cells / step;
  state.counters["copy_GB/s"] = 1e-9 * 18 * sizeof(double) * cells / copy;
  state.counters["ratio"] = copy / (0.6 * step);
}
BENCHMARK_CAPTURE(lattice, bgk, std::string("bgk"), false)
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(lattice, bgk_over_a_bed, std::string("bgk"), true)
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(lattice, smagorinsky, std::string("smagorinsky"), false)
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);

/// A substep of ssprk3 with fefv's vector-invariant advection on the default tolerance: as long as
/// `times` such substeps with the plain rotation; the goal is so many at most.
void projection(benchmark::State& state, const std::string& rotation, double goal) {
  const auto in_motion = [&](const std::string& which) {
    Configuration setup = sphere("fefv", "ssprk3", state.range(0));
    setup.advection = "vector-invariant";
    setup.parameters["rotation"] = which;
    setup.initial.velocity = [](const Vector3& x) -> Vector3 {
      return 0.3 * Vector3(1, 2, 3).normalized().cross(x) * (1 + x.x());
    };
    return std::make_unique<Trial>(setup);
  };
  const auto stepper = [](Trial& simulation) {
    return [&simulation, dt = 0.3 * simulation.stable_dt(),
            integrator = std::shared_ptr<Integrator>(make_integrator(simulation))] {
      integrator->step(simulation.state, dt, simulation.clock);
    };
  };
  const auto plain = in_motion("plain"), projected = in_motion(rotation);
  const auto plain_step = stepper(*plain), step = stepper(*projected);
  step();
  plain_step();
  constexpr int repetitions = 20;
  const double of_plain = seconds([&] {
    for (int i = 0; i < repetitions; ++i) plain_step();
  });
  const double times = measure(state, step) * repetitions / of_plain;
  state.counters["times"] = times;
  state.counters["ratio"] = goal / times;
}
BENCHMARK_CAPTURE(projection, weighted, std::string("projected"), 10)
    ->DenseRange(4, 6)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(projection, unweighted, std::string("unweighted"), 10)
    ->DenseRange(4, 6)
    ->Unit(benchmark::kMicrosecond);

/// A step of ShallowWater on 5120 triangles, as python_steps.py takes it from Python.
void water_step(benchmark::State& state, const std::string& discretization, const std::string& integrator) {
  const Surface surface = load_surface("icosphere:4");
  const Catalog& entries = catalog();
  const IntegratorEntry& stepper = entries.integrators.find(integrator);
  ShallowWater water(
      surface.mesh, surface.x, [](const Vector3&) { return 1.0; },
      {Vector::Constant(surface.mesh.vertex_count, -9.81)},
      with_parameters(
          {.discretization = entries.discretizations.find(discretization),
           .integrator = stepper,
           .linear_solver = stepper.uses_linear_solver ? &entries.linear_solvers.front() : nullptr,
           .substeps = std::max(1, stepper.default_substeps)}),
      [](const Discretization& scheme, const Forces&) {
        return scheme.project(
            {[](const Vector3& x) { return 1 + 0.1 * std::exp(-4 * (x - Vector3::UnitZ()).squaredNorm()); },
             {}});
      });
  const double dt = 0.4 * water.stable_dt();
  StageClock clock;
  measure(state, [&] { water.step(dt, clock); });
}
BENCHMARK_CAPTURE(water_step, fefv_explicit, std::string("fefv"), std::string("explicit"))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(water_step, fefv_newmark, std::string("fefv"), std::string("newmark"))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(water_step, dec_explicit, std::string("dec"), std::string("explicit"))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(water_step, hllc_ssprk3, std::string("hllc"), std::string("ssprk3"))
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
