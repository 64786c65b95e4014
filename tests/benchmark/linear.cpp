// What the linear systems of implicit steps cost: assembly, analysis, factorization and solve with every
// solver of the list, and whole frames of newmark. "ratio" is a reference time over the time taken, above 1
// is faster: for factorization and solve the best CHOLMOD configuration of a 2-core Zen 4, for frames the
// factorization and solve of the best CHOLMOD configuration on this machine, alternating with the frames.
//   build/release/benchmarks --benchmark_filter=linear
#include "measure.hpp"
#include "solvers/linear/flush_subnormals.hpp"
#include "tests/support/trial.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>

using namespace shoal;
using namespace shoal::test;

namespace {

/// A mesh, and what the best of CHOLMOD's configurations took on one of its size, s (0: not measured).
struct Size {
  const char* mesh;
  double factorize, solve, assemble;
};
constexpr Size sizes[] = {{"icosphere:4", 1.9e-3, 0.07e-3, 0},
                          {"torus:85x110", 9.6e-3, 0.32e-3, 0.15e-3},  // 9350 vertices
                          {"icosphere:6", 84e-3, 4.6e-3, 0},
                          {"icosphere:7", 354e-3, 22e-3, 0}};

void set_ratio(benchmark::State& state, double against, double taken) {
  if (against > 0) state.counters["ratio"] = against / taken;
}

/// diag(A/r) + ¼Δt² K(s), weights changed by a percent from one assembly to the next.
class System {
 public:
  explicit System(const char* mesh)
      : simulation_({.mesh = mesh}),
        wave_(simulation_.right_side),
        mass_(simulation_.discretization->cells().area.cwiseQuotient(
            WaveForces::of(simulation_.forces).root_acceleration)),
        matrix(wave_.stiffness_pattern()),
        right_side(mass_.cwiseProduct(random_vector(matrix.cols(), 1))) {
    for (unsigned i = 0; i < 4; ++i)
      weights_.push_back(WaveForces::of(simulation_.forces).site_root_acceleration.array() *
                         (1 + 0.01 * random_vector(wave_.sites(), i).array()));
    assemble();
  }
  void assemble() {
    constexpr double dt = 1.0 / 60;
    wave_.assemble(mass_, 0.25 * dt * dt, weights_[next_++ % weights_.size()], matrix);
  }

 private:
  Trial simulation_;
  const WaveSide wave_;
  Vector mass_;
  std::vector<Vector> weights_;
  std::size_t next_ = 0;

 public:
  SymmetricMatrix matrix;
  Vector right_side;
};

std::unique_ptr<LinearSolver> make(const LinearSolverEntry& entry,
                                   const std::map<std::string, Value>& given = {}) {
  return entry.make(Parameters(entry.parameters, given));
}

void assembly(benchmark::State& state, const Size& size) {
  System system(size.mesh);
  set_ratio(state, size.assemble, measure(state, [&] { system.assemble(); }));
}

void analysis(benchmark::State& state, const Size& size, const LinearSolverEntry& entry) {
  const System system(size.mesh);
  const auto solver = make(entry);
  for (auto _ : state) solver->analyze(system.matrix);
}

void factorization(benchmark::State& state, const Size& size, const LinearSolverEntry& entry) {
  System system(size.mesh);
  const auto solver = make(entry);
  solver->analyze(system.matrix);
  StageClock clock;
  const FlushSubnormals flush;  // as the integrators do
  double total = 0;
  for (auto _ : state) {
    system.assemble();
    const double taken = seconds([&] { solver->factorize(system.matrix, clock); });
    state.SetIterationTime(taken);
    total += taken;
  }
  set_ratio(state, size.factorize, total / static_cast<double>(state.iterations()));
}

void solve(benchmark::State& state, const Size& size, const LinearSolverEntry& entry) {
  const System system(size.mesh);
  const auto solver = make(entry);
  solver->analyze(system.matrix);
  StageClock clock;
  const FlushSubnormals flush;
  SolverReport report = solver->factorize(system.matrix, clock);
  Vector x;
  set_ratio(state, size.solve, measure(state, [&] { report = solver->solve(system.right_side, x, clock); }));
  state.counters["solver_iterations"] = report.iterations;
}

/// The faster of simplicial and supernodal.
std::unique_ptr<LinearSolver> best_cholmod(const System& system) {
  std::unique_ptr<LinearSolver> best;
  double min_time = std::numeric_limits<double>::infinity();
  for (const double supernodal_size : {0.0, 1e12}) {
    auto solver = make(catalog().linear_solvers.find("cholmod"), {{"supernodal_size", supernodal_size}});
    solver->analyze(system.matrix);
    StageClock clock;
    double time = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i)
      time = std::min(time, seconds([&] { solver->factorize(system.matrix, clock); }));
    if (time > min_time) continue;
    min_time = time;
    best = std::move(solver);
  }
  return best;
}

/// Frames of newmark, between which a wave of the normal acceleration changes the matrix by about `change`
/// (Frobenius norm, against the first one); all of the step, but not the change of the forcing.
void frame(benchmark::State& state, const Size& size, const std::string& solver, double change) {
  Configuration setup{.mesh = size.mesh, .integrator = "newmark", .linear_solver = solver};
  setup.initial.depth = [](const Vector3& x) {
    return 1 + 0.01 * std::exp(-4 * (x - Vector3::UnitZ()).squaredNorm());
  };
  Trial simulation(setup);
  const auto integrator = make_integrator(simulation);
  const auto set_acceleration = [&](double phase) {
    Forcing forcing;
    forcing.normal_acceleration.resize(simulation.surface.mesh.vertex_count);
    for (Index i = 0; i < simulation.surface.mesh.vertex_count; ++i)
      forcing.normal_acceleration[i] =
          -gravity * (1 + 2 * change * std::sin(3 * simulation.geometry.x(0, i) + phase));
    simulation.set_forcing(forcing);
    integrator->refresh();
  };
  simulation.state = integrator->start(std::move(simulation.state));
  const auto step = [&] { integrator->step(simulation.state, 1.0 / 60, simulation.clock); };
  set_acceleration(0);
  step();
  simulation.clock.reset();
  System system(size.mesh);
  const FlushSubnormals flush;
  const auto reference = best_cholmod(system);
  StageClock unused;
  Vector x;
  double frames = 0, references = 0, phase = 0;
  for (auto _ : state) {
    set_acceleration(phase += 2.4);
    const double own = seconds(step);
    system.assemble();
    references += seconds([&] {
      reference->factorize(system.matrix, unused);
      reference->solve(system.right_side, x, unused);
    });
    frames += own;
    state.SetIterationTime(own);
  }
  state.counters["ratio"] = references / frames;
  const SolverWork& work = simulation.clock.work();
  state.counters["solver_iterations"] =
      benchmark::Counter(work.iterations, benchmark::Counter::kAvgIterations);
  state.counters["factorizations"] =
      benchmark::Counter(work.factorizations, benchmark::Counter::kAvgIterations);
}

const bool registered = [] {
  const auto add = [](const std::string& name, const auto& work) {
    return benchmark::RegisterBenchmark(name.c_str(), work)->Unit(benchmark::kMillisecond);
  };
  for (const Size& size : sizes) {
    const std::string at = std::string("/") + size.mesh;
    add("linear/assembly" + at, [&size](benchmark::State& state) { assembly(state, size); });
    for (const LinearSolverEntry& entry : catalog().linear_solvers) {
      if (entry.name != "eigen-cg")  // has nothing to analyze
        add("linear/analysis/" + entry.name + at,
            [&](benchmark::State& state) { analysis(state, size, entry); });
      if (entry.name != "lagged-cholesky")  // would keep it; what it saves shows in frames
        add("linear/factorization/" + entry.name + at, [&](benchmark::State& state) {
          factorization(state, size, entry);
        })->UseManualTime();
      add("linear/solve/" + entry.name + at, [&](benchmark::State& state) { solve(state, size, entry); });
    }
    for (const char* solver : {"multifrontal", "cholmod", "lagged-cholesky"})
      for (const auto& [change, percent] : {std::pair(0.01, "1%"), std::pair(0.001, "0.1%")})
        add(std::string("linear/frame/") + solver + at + "/change:" + percent,
            [&size, solver, change = change](benchmark::State& state) { frame(state, size, solver, change); })
            ->UseManualTime();
  }
  return true;
}();

}  // namespace
