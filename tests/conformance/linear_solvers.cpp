// What every linear solver must do, on the systems that the implicit integrators make of the schemes. Solvers
// come from the list, and each once more for every alternative of its parameters: a new one is tested by
// being listed.
#include "tests/support/catch.hpp"
#include "tests/support/trial.hpp"

#include <limits>

using namespace shoal;
using namespace shoal::test;

extern "C" void openblas_set_num_threads(int threads);

namespace {

using Given = std::map<std::string, Value>;

struct Variant {
  const LinearSolverEntry* entry;
  Given given;

  std::string name() const {
    std::string text = entry->name;
    for (const auto& [key, value] : given) text += " " + key + "=" + to_string(value);
    return text;
  }
  const ParameterInfo* parameter(const std::string& key) const {
    for (const ParameterInfo& info : entry->parameters)
      if (info.name == key) return &info;
    return nullptr;
  }
  std::unique_ptr<LinearSolver> make(const SymmetricMatrix& pattern, Given more = {}) const {
    more.insert(given.begin(), given.end());
    auto solver = entry->make(Parameters(entry->parameters, more));
    solver->analyze(pattern);
    return solver;
  }
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  for (const LinearSolverEntry& entry : catalog().linear_solvers) {
    all.push_back({&entry, {}});
    for (const ParameterInfo& info : entry.parameters)
      for (std::size_t i = 1; i < info.choices.size(); ++i)
        all.push_back({&entry, {{info.name, info.choices[i]}}});
  }
  return all;
}

/// diag(A/r) + Δt² K(s) of a scheme, Δt in multiples of its explicit limit.
class System {
 public:
  System(const std::string& discretization, double multiple, const std::string& mesh = "icosphere:3")
      : simulation_({.mesh = mesh, .discretization = discretization}),
        wave_(simulation_.right_side),
        dt_(multiple * simulation_.stable_dt()),
        matrix(wave_.stiffness_pattern()) {
    assemble(0, 0);
  }

  /// Weights changed at random by `change`, relatively.
  void assemble(double change, unsigned seed) {
    const Vector weight = WaveForces::of(simulation_.forces).site_root_acceleration.array() *
                          (1 + change * random_vector(wave_.sites(), seed).array());
    wave_.assemble(mass(), dt_ * dt_, weight, matrix);
  }
  void assemble_with_mass(double factor) {
    wave_.assemble(factor * mass(), dt_ * dt_, WaveForces::of(simulation_.forces).site_root_acceleration,
                   matrix);
  }
  Vector mass() const {
    return simulation_.discretization->cells().area.cwiseQuotient(
        WaveForces::of(simulation_.forces).root_acceleration);
  }
  Vector right_side(unsigned seed) const { return mass().cwiseProduct(random_vector(matrix.rows(), seed)); }
  Vector residual(const Vector& b, const Vector& x) const {
    return b - matrix.selfadjointView<Eigen::Lower>() * x;
  }

 private:
  Trial simulation_;
  const WaveSide wave_;
  double dt_;

 public:
  SymmetricMatrix matrix;
};

/// By the entry's claim. `b` is what was solved for.
void check_solution(const Variant& variant, const System& system, const Vector& b, const Vector& x,
                    const SolverReport& report) {
  const double residual = system.residual(b, x).norm();
  const SymmetricMatrix whole = system.matrix.selfadjointView<Eigen::Lower>();
  const double round_off =
      100 * std::numeric_limits<double>::epsilon() * (whole.norm() * x.norm() + b.norm());
  if (variant.entry->claims.direct) {
    CHECK(residual <= round_off);
    CHECK(report.iterations == 0);
  } else {
    const double tolerance = std::get<double>(variant.parameter("tolerance")->fallback);
    constexpr double two_ways_to_add = 1.01;
    CHECK(residual <= two_ways_to_add * std::max(round_off, tolerance * b.norm()));
    CHECK_FALSE(std::isnan(report.residual));
  }
  if (!std::isnan(report.residual)) {
    CHECK(std::abs(report.residual * b.norm() - residual) <= round_off);
  }
}

}  // namespace

TEST_CASE("every linear solver solves the systems of every wave scheme", "[linear][own]") {
  const std::string scheme = GENERATE("fefv", "dec");
  const double multiple = GENERATE(1.0, 10.0, 100.0, 1e4);  // the last: condition 1e9
  System system(scheme, multiple);
  for (const Variant& variant : variants()) {
    INFO(variant.name() << " on " << scheme << ", dt = " << multiple << " explicit limits");
    const auto solver = variant.make(system.matrix);
    for (const unsigned seed : {1u, 2u, 3u}) {  // the analysis is kept
      system.assemble(0.3, seed);
      StageClock clock;
      SolverReport report = solver->factorize(system.matrix, clock);
      REQUIRE(report.ok);
      const Vector b = system.right_side(seed + 10);
      Vector x;
      report = solver->solve(b, x, clock);
      INFO(report.reason);
      REQUIRE(report.ok);
      check_solution(variant, system, b, x, report);
    }
  }
}

TEST_CASE("linear solvers put their time into the stages factorization and solve", "[linear][own]") {
  const System system("fefv", 10);
  for (const Variant& variant : variants()) {
    INFO(variant.name());
    const auto solver = variant.make(system.matrix);
    StageClock clock;
    const SolverReport report = solver->factorize(system.matrix, clock);
    CHECK(report.factorizations == 1);
    CHECK(clock.seconds(Stage::factorization) > 0);
    CHECK(clock.seconds(Stage::solve) == 0);
    const double before = clock.seconds(Stage::factorization);
    Vector x;
    solver->solve(system.right_side(1), x, clock);
    CHECK(clock.seconds(Stage::solve) > 0);
    CHECK(clock.seconds(Stage::factorization) == before);
  }
}

TEST_CASE("linear solvers give the same bits again, whatever the number of threads", "[linear][own]") {
  // Large enough for supernodes and for BLAS to share out its work.
  System system("fefv", 30, "icosphere:5");
  for (const Variant& variant : variants()) {
    INFO(variant.name());
    const auto solutions = [&](int threads) {
      openblas_set_num_threads(threads);
      const auto solver = variant.make(
          system.matrix, variant.parameter("supernodal_size") ? Given{{"supernodal_size", 0.0}} : Given{});
      std::vector<Vector> x(3);
      StageClock clock;
      for (unsigned i = 0; i < 3; ++i) {
        system.assemble(0.01, i);
        solver->factorize(system.matrix, clock);
        if (i > 0) x[i] = x[i - 1];
        solver->solve(system.right_side(i), x[i], clock);
      }
      return x;
    };
    const auto first = solutions(1), again = solutions(1), threaded = solutions(2);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(first[i] == again[i]);
      if (variant.entry->claims.same_bits) CHECK(first[i] == threaded[i]);
    }
  }
  openblas_set_num_threads(1);
}

TEST_CASE("a matrix that is not positive definite is reported and spoils nothing", "[linear][own]") {
  const std::string fault = GENERATE("no mass: negative diagonal", "one negative eigenvalue", "not a number");
  System system("fefv", 10);
  for (const Variant& variant : variants()) {
    INFO(variant.name() << ", " << fault);
    const auto solver = variant.make(system.matrix);
    const Vector b = system.right_side(1);
    StageClock clock;
    Vector x;
    const auto attempt = [&] {
      const SolverReport report = solver->factorize(system.matrix, clock);
      return report.ok ? solver->solve(b, x, clock) : report;
    };
    for (const bool used_before : {false, true}) {
      if (fault == "not a number") {
        system.assemble(0, 0);
        system.matrix.valuePtr()[5] = std::numeric_limits<double>::quiet_NaN();
      } else {
        system.assemble_with_mass(fault == "one negative eigenvalue" ? -1e-3 : -1e3);
      }
      x.resize(0);
      const SolverReport report = attempt();
      INFO((used_before ? "after a good matrix" : "at first") << ": " << report.reason);
      CHECK_FALSE(report.ok);
      CHECK_FALSE(report.reason.empty());
      system.assemble(0, 0);
      x.resize(0);
      const SolverReport good = attempt();
      INFO(good.reason);
      REQUIRE(good.ok);
      check_solution(variant, system, b, x, good);
    }
  }
}

TEST_CASE("a right side that is zero or not a number", "[linear][own]") {
  System system("fefv", 10);
  for (const Variant& variant : variants()) {
    INFO(variant.name());
    const auto solver = variant.make(system.matrix);
    for (const double change : {0.0, 0.01}) {  // a lagged factor included
      system.assemble(change, 1);
      StageClock clock;
      REQUIRE(solver->factorize(system.matrix, clock).ok);
      Vector x, b = Vector::Zero(system.matrix.rows());
      CHECK(solver->solve(b, x, clock).ok);
      CHECK(x == b);
      b[17] = std::numeric_limits<double>::quiet_NaN();
      const SolverReport report = solver->solve(b, x, clock);
      CHECK((!report.ok || x.hasNaN()));
      b = system.right_side(1);
      x.resize(0);
      const SolverReport good = solver->solve(b, x, clock);
      CHECK(good.ok);
      check_solution(variant, system, b, x, good);
    }
  }
}

TEST_CASE("an iteration that does not get there is reported", "[linear][own]") {
  System system("fefv", 100);
  int failed = 0;
  for (const Variant& variant : variants()) {
    if (variant.entry->claims.direct) continue;
    INFO(variant.name());
    const auto solver = variant.make(system.matrix, {{"max_iterations", 1.0}});
    StageClock clock;
    REQUIRE(solver->factorize(system.matrix, clock).ok);
    const Vector b = system.right_side(1);
    Vector x;
    const SolverReport report = solver->solve(b, x, clock);
    if (report.ok) {
      check_solution(variant, system, b, x, report);
      continue;
    }
    ++failed;
    CHECK(report.iterations == 1);
    CHECK(report.residual > std::get<double>(variant.parameter("tolerance")->fallback));
    CHECK(report.reason.find("did not converge") != std::string::npos);
  }
  CHECK(failed > 0);
}

TEST_CASE("a warm start needs fewer iterations where the right side varies slowly", "[linear][own]") {
  System system("fefv", 10);
  int tried = 0;
  for (const Variant& variant : variants()) {
    if (!variant.parameter("start") || variant.given.count("start")) continue;
    ++tried;
    INFO(variant.name());
    const auto iterations = [&](const std::string& start) {
      const auto solver = variant.make(system.matrix, {{"start", start}});
      const Vector b = system.right_side(1), change = system.right_side(2);
      StageClock clock;
      Vector x;
      int sum = 0;
      for (int i = 0; i < 10; ++i) {
        system.assemble(1e-3, static_cast<unsigned>(i));
        REQUIRE(solver->factorize(system.matrix, clock).ok);
        const SolverReport report = solver->solve(b + 1e-3 * i * change, x, clock);
        REQUIRE(report.ok);
        sum += report.iterations;
      }
      return sum;
    };
    CHECK(iterations("warm") < iterations("cold"));
  }
  CHECK(tried >= 2);
}

TEST_CASE("a lagged factor serves while the matrix drifts and is renewed when that is cheaper",
          "[linear][own]") {
  constexpr int cost = 20;
  const Variant variant{&catalog().linear_solvers.find("lagged-cholesky"),
                        {{"factorization_cost", std::to_string(cost)}}};
  System system("fefv", 30);
  const auto solver = variant.make(system.matrix);
  StageClock clock;
  Vector x;
  const auto step = [&](double change, unsigned seed) {
    system.assemble(change, seed);
    SolverReport sum = solver->factorize(system.matrix, clock);
    REQUIRE(sum.ok);
    const Vector b = system.right_side(seed);
    const SolverReport report = solver->solve(b, x, clock);
    INFO(report.reason);
    REQUIRE(report.ok);
    check_solution(variant, system, b, x, report);
    sum.iterations += report.iterations;
    sum.factorizations += report.factorizations;
    return sum;
  };
  SECTION("a change of 1 % costs few iterations and no factorization") {
    constexpr int few = 7;  // the condition of the preconditioned matrix is 1.02/0.98; 1e-10 takes 5 or 6
    for (unsigned i = 0; i < 20; ++i) {
      const SolverReport report = step(0.01, i);
      CHECK(report.factorizations == (i == 0));
      CHECK(report.iterations <= few);
    }
  }
  SECTION("a matrix that stays is solved directly at last") {
    step(0, 0);
    step(0.1, 1);
    SolverReport report;
    int factorizations = 0;
    for (int i = 0; i < cost; ++i) {
      report = solver->solve(system.right_side(2), x, clock);
      factorizations += report.factorizations;
    }
    CHECK(factorizations == 1);
    CHECK(report.iterations == 0);
  }
  SECTION("a drift costs less than half of keeping the factor, or of renewing it each time") {
    // The weights wander off; cost of both alternatives in iterations.
    int iterations = 0, factorizations = 0;
    constexpr int steps = 100;
    for (int i = 0; i < steps; ++i) {
      const SolverReport report = step(0.01 * i, 1);
      iterations += report.iterations;
      factorizations += report.factorizations;
    }
    CHECK(factorizations > 1);
    CHECK(factorizations * cost + iterations < steps * cost / 2);
  }
  SECTION("a matrix changed beyond recognition is factorized, and soon without trying") {
    int iterations = 0, factorizations = 0;
    constexpr int steps = 100;
    for (unsigned i = 0; i < steps; ++i) {
      system.assemble_with_mass(std::pow(10.0, 3 * random_vector(1, i)[0]));
      factorizations += solver->factorize(system.matrix, clock).factorizations;
      const SolverReport report = solver->solve(system.right_side(i), x, clock);
      REQUIRE(report.ok);
      factorizations += report.factorizations;
      iterations += report.iterations;
    }
    INFO(factorizations << " factorizations, " << iterations << " iterations");
    CHECK(factorizations * cost + iterations < steps * cost * 3 / 2);
  }
}

TEST_CASE("an implicit integrator comes to the same with every solver", "[linear][own]") {
  constexpr double far_above_tolerance = 1e-7;  // 1e-10 in each of 30 steps, of increments that grow
  for (const IntegratorEntry& integrator : catalog().integrators) {
    if (!integrator.uses_linear_solver) continue;
    const auto volumes = [&](const Variant& variant) -> Vector {
      Configuration setup{.integrator = integrator.name, .linear_solver = variant.entry->name};
      setup.parameters = variant.given;
      setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * std::sin(2 * x.x() + 1); };
      Trial simulation(setup);
      simulation.prepare(1.0 / 60);
      const double mass = simulation.mass();
      simulation.run(30);
      CHECK(simulation.clock.work().factorizations >= 1);
      if (integrator.claims.conserves_mass) CHECK(std::abs(simulation.mass() / mass - 1) <= 1e-13);
      return simulation.volume();
    };
    const Vector reference = volumes({&catalog().linear_solvers.front(), {}});
    for (const Variant& variant : variants()) {
      INFO(integrator.name << " with " << variant.name());
      CHECK((volumes(variant) - reference).norm() <= far_above_tolerance * reference.norm());
    }
  }
}
