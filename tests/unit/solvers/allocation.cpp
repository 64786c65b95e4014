// No integrator allocates memory inside a step, nor does a linear solver that claims so. malloc is replaced
// in this program by one that counts; for the integrators the linear solver is replaced by one that only
// divides by the diagonal.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/coupling/fluid_surface.hpp"
#include "solvers/shallow_water.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define SHOAL_COUNTS_ALLOCATIONS 1

namespace {
bool counting = false;
long allocations = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
  allocations += counting;
  return __libc_malloc(size);
}
void* __libc_memalign(std::size_t alignment, std::size_t size);
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  allocations += counting;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

namespace shoal {
namespace {

class DiagonalSolver final : public LinearSolver {
 public:
  void analyze(const SymmetricMatrix&) override {}
  SolverReport factorize(const SymmetricMatrix& matrix, StageClock&) override {
    diagonal_.resize(matrix.cols());
    for (Index i = 0; i < matrix.cols(); ++i) diagonal_[i] = matrix.valuePtr()[matrix.outerIndexPtr()[i]];
    return {};
  }
  SolverReport solve(const Vector& right_side, Vector& solution, StageClock&) override {
    solution = right_side.cwiseQuotient(diagonal_);
    return {};
  }

 private:
  Vector diagonal_;
};

const LinearSolverEntry& diagonal_solver() {
  static const LinearSolverEntry entry = [] {
    LinearSolverEntry solver;
    solver.make = [](const Parameters&) { return std::make_unique<DiagonalSolver>(); };
    return solver;
  }();
  return entry;
}

long allocations_in_ten_steps(const DiscretizationEntry& scheme, const IntegratorEntry& integrator_entry,
                              const std::map<std::string, Value>& parameters,
                              const std::string& mesh = "icosphere:2") {
  test::Configuration setup{.mesh = mesh,
                            .discretization = scheme.name,
                            .integrator = integrator_entry.name,
                            .parameters = parameters,
                            .normal_acceleration = [](const Vector3& x) { return -9 - x.x(); }};
  if (integrator_entry.carries_velocity) setup.rotation = {0.1, 0, 0.2};
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.01 * x.y(); };
  test::Trial simulation(setup);
  const auto integrator =
      make_integrator(integrator_entry, scheme,
                      {simulation.right_side, simulation.parameters, &diagonal_solver(), simulation.terms});
  integrator->set_substeps(2);
  simulation.state = integrator->start(std::move(simulation.state));
  for (int step = 0; step < 2; ++step) integrator->step(simulation.state, 1e-4, simulation.clock);
  allocations = 0;
  counting = true;
  for (int step = 0; step < 10; ++step) integrator->step(simulation.state, 1e-4, simulation.clock);
  counting = false;
  return allocations;
}

/// The same where each step begins with new positions and forces, on `mesh`.
long allocations_in_ten_moving_steps(const DiscretizationEntry& scheme,
                                     const IntegratorEntry& integrator_entry,
                                     const AdvectionEntry& advection_entry, const std::string& mesh,
                                     const std::map<std::string, Value>& parameters = {}) {
  test::Trial simulation({.mesh = mesh,
                          .discretization = scheme.name,
                          .integrator = integrator_entry.name,
                          .parameters = parameters,
                          .body_acceleration = [](const Vector3& x) { return x; }});
  Discretization& discretization = *simulation.discretization;
  State& state = simulation.state;
  const SplittingEntry splitting = default_splitting(integrator_entry, &advection_entry);
  const auto integrator =
      make_integrator(integrator_entry, scheme,
                      {simulation.right_side, simulation.parameters, &diagonal_solver(),
                       integrated_terms(splitting, scheme, integrator_entry, &advection_entry)});
  integrator->set_substeps(2);
  const auto advection =
      advection_entry.make(simulation.right_side, Parameters(advection_entry.parameters, {}));
  state = integrator->start(std::move(state));
  const Points start = simulation.geometry.x;
  Points x = start;
  Forcing forcing{Vector(start.cols()), test::gravity, Points(3, start.cols())};
  allocations = 0;
  for (int frame = 0; frame < 12; ++frame) {
    counting = frame >= 2;
    for (Eigen::Index i = 0; i < start.cols(); ++i) {
      x.col(i) = (1 + 1e-3 * frame * start(2, i)) * start.col(i);
      forcing.normal_acceleration[i] = -9 - 0.1 * frame * x(0, i);
      forcing.body_acceleration.col(i) = 0.1 * frame * x.col(i);
    }
    compute_geometry(simulation.surface.mesh, x, simulation.geometry);
    offered<MovesWithSurface>(discretization)->refresh(integrator_entry.carries_velocity ? &state : nullptr);
    simulation.right_side.derive(forcing);
    integrator->refresh();
    if (advection) {
      advection->refresh(simulation.clock);
      advection->advect(state, 1e-4, state, simulation.clock);
    }
    integrator->step(state, 1e-4, simulation.clock);
    counting = false;
  }
  return allocations;
}

TEST(Step, allocates_nothing_on_a_surface_that_moves) {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators)
      for (const AdvectionEntry& advection : test::catalog().advections) {
        if (!integrator.incompatibility(scheme, {}).empty() ||
            !advection.incompatibility(scheme, integrator, {}).empty())
          continue;
        EXPECT_EQ(allocations_in_ten_moving_steps(scheme, integrator, advection, "icosphere:2", {}), 0)
            << scheme.name << " × " << integrator.name << " × " << advection.name;
      }
}

TEST(Step, allocates_nothing_on_a_surface_that_moves_with_any_option) {
  using Options = std::map<std::string, Value>;
  const auto expect_none = [](const std::string& scheme, const std::string& integrator,
                              const Options& options) {
    EXPECT_EQ(allocations_in_ten_moving_steps(test::catalog().discretizations.find(scheme),
                                              test::catalog().integrators.find(integrator),
                                              test::catalog().advections.front(), "blob:3:slivers", options),
              0)
        << scheme << " × " << integrator;
  };
  expect_none("dec", "explicit", {{"dual", "intrinsic"}});
  for (const std::string carried : {"barycentric", "rotated"})
    for (const std::string scheme : {"fefv", "kinetic"})
      expect_none(scheme, "explicit", {{"carried_velocity", carried}});
  expect_none("fefv", "newmark", {{"negative_cotangents", "zero"}, {"reference_depth", "initial"}});
  expect_none("fefv", "newmark", {{"acceleration_gradient", "paper"}, {"displacement_damping", 1.0}});
  expect_none("fefv", "implicit-euler", {{"divergence_term", "matrix"}});
}

TEST(Step, allocates_nothing) {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      if (!integrator.incompatibility(scheme, {}).empty()) continue;
      EXPECT_EQ(allocations_in_ten_steps(scheme, integrator, {}), 0)
          << scheme.name << " × " << integrator.name;
    }
}

TEST(Step, allocates_nothing_on_square_cells) {
  for (const DiscretizationEntry& scheme : test::grid_schemes())
    EXPECT_EQ(allocations_in_ten_steps(scheme, test::catalog().integrators.find("own"), {},
                                       "rectangle:60x50:60x50:structured"),
              0)
        << scheme.name;
}

TEST(Step, allocates_nothing_with_any_option) {
  const auto& fefv = test::catalog().discretizations.find("fefv");
  using Options = std::map<std::string, Value>;
  for (const Options& options : {Options{{"reference_depth", "local"}, {"mass_rescale", "on"}},
                                 Options{{"reference_depth", "local"}, {"depth_gradient", "exact"}},
                                 Options{{"acceleration_gradient", "paper"}, {"displacement_damping", 1.0}},
                                 Options{{"acceleration_gradient", "dropped"}, {"rayleigh", 1.0}}})
    EXPECT_EQ(allocations_in_ten_steps(fefv, test::catalog().integrators.find("newmark"), options), 0);
  for (const Options& options : {Options{{"divergence_term", "matrix"}},
                                 Options{{"divergence_term", "right-side"}, {"reference_depth", "mean"}}})
    EXPECT_EQ(allocations_in_ten_steps(fefv, test::catalog().integrators.find("implicit-euler"), options), 0);
  EXPECT_EQ(allocations_in_ten_steps(fefv, test::catalog().integrators.find("newmark-analytic"),
                                     {{"velocity_rule", "midpoint"}}),
            0);
}

TEST(Advection, allocates_nothing) {
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const AdvectionEntry& entry : test::catalog().advections) {
      if (!entry.incompatibility(scheme, test::catalog().integrators.find("explicit"), {}).empty()) continue;
      test::Trial simulation({.mesh = "icosphere:3",
                              .discretization = scheme.name,
                              .parameters = {{"continuity", "advective"}}});
      simulation.velocity() = test::random_vector(simulation.velocity().size(), 1);
      const bool has_choice = std::any_of(entry.parameters.begin(), entry.parameters.end(),
                                          [](const ParameterInfo& info) { return info.name == "carries"; });
      for (const char* carries : {"vector", "one-form"}) {
        if (!has_choice && std::string(carries) != "vector") continue;
        std::map<std::string, Value> chosen;
        if (has_choice) chosen["carries"] = carries;
        const auto advection = entry.make(simulation.right_side, Parameters(entry.parameters, chosen));
        if (!advection) continue;
        for (const bool measured : {false, true}) {
          allocations = 0;
          counting = measured;
          advection->refresh(simulation.clock);
          advection->advect(simulation.state, 0.01, simulation.state, simulation.clock);
          counting = false;
        }
        EXPECT_EQ(allocations, 0) << scheme.name << ", " << entry.name << ", " << carries;
      }
    }
}

/// A whole frame of an application: forces, the surface, the step.
TEST(ShallowWater, allocates_nothing_on_a_moving_surface) {
  const Surface surface = load_surface("icosphere:2");
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      if (!integrator.incompatibility(scheme, {}).empty()) continue;
      const AdvectionEntry& advection = test::catalog().advections.find("semi-lagrangian");
      const LinearSolverEntry& solver = test::catalog().linear_solvers.find("multifrontal");
      Forcing forcing{Vector::Constant(surface.mesh.vertex_count, -9.81)};
      forcing.body_acceleration.setConstant(3, surface.mesh.vertex_count, 0.1);
      ShallowWater water(
          surface.mesh, surface.x, [](const Vector3&) { return 1.0; }, forcing,
          with_parameters(
              {.discretization = scheme,
               .integrator = integrator,
               .linear_solver = integrator.uses_linear_solver ? &solver : nullptr,
               .advection = advection.incompatibility(scheme, integrator, {}).empty() ? &advection : nullptr,
               .substeps = 2,
               .forced = true},
              {{"inertia", "on"}, {"friction", 0.5}}),
          [](const Discretization& discretization, const Forces&) { return discretization.project({}); });
      StageClock clock;
      Points x = surface.x;
      for (int frame = 0; frame < 12; ++frame) {
        if (frame == 2) allocations = 0;
        x = (1 + 0.01 * std::sin(0.3 * frame)) * surface.x;
        counting = frame >= 2;
        water.set_forcing(forcing);
        water.move_to(x, 1e-3, clock);
        EXPECT_TRUE(water.step(1e-3, clock).ok);
        counting = false;
      }
      EXPECT_EQ(allocations, 0) << scheme.name << " × " << integrator.name;
    }
}

TEST(ShallowWater, allocates_nothing_to_look_ahead_along_a_motion) {
  const Surface surface = load_surface("icosphere:2");
  const IntegratorEntry& integrator = test::catalog().integrators.find("ssprk3");
  for (const DiscretizationEntry& scheme : test::surface_schemes()) {
    if (!integrator.incompatibility(scheme, {}).empty()) continue;
    ShallowWater water(
        surface.mesh, surface.x, [](const Vector3&) { return 1.0; },
        {Vector::Constant(surface.mesh.vertex_count, -9.81)},
        with_parameters({.discretization = scheme, .integrator = integrator}),
        [](const Discretization& discretization, const Forces&) { return discretization.project({}); });
    water.follow([rest = surface.x](double time, Points& x) { x = (1 + 0.01 * std::sin(time)) * rest; },
                 1e-3);
    StageClock clock;
    allocations = 0;
    for (int step = 0; step < 4; ++step) {
      counting = step >= 2;
      EXPECT_GT(water.stable_dt_within(1e-3), 0);
      counting = false;
      EXPECT_TRUE(water.step(1e-3, clock).ok);
    }
    EXPECT_EQ(allocations, 0) << scheme.name;
  }
}

TEST(ShallowWater, allocates_nothing_at_open_boundaries) {
  const Surface surface = load_surface("rectangle:8x6:4x3");
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      if (!integrator.incompatibility(scheme, {}).empty() || !integrator.explicit_terms.has(Term::gravity))
        continue;
      const AdvectionEntry& advection = test::catalog().advections.find("vector-invariant");
      Forcing forcing{Vector::Constant(surface.mesh.vertex_count, -9.81)};
      forcing.boundaries =
          parse_boundaries("left = discharge 0:0,1:0.3; right = outflow; top = level 0:0,1:0.1");
      const bool joins =
          !scheme.transports_momentum() && advection.incompatibility(scheme, integrator, {}).empty();
      ShallowWater water(
          surface.mesh, surface.x, [](const Vector3&) { return 1.0; }, forcing,
          with_parameters({.discretization = scheme,
                           .integrator = integrator,
                           .advection = joins ? &advection : nullptr}),
          [](const Discretization& discretization, const Forces&) { return discretization.project({}); });
      StageClock clock;
      const double* const place = water.state().q.data();
      for (int step = 0; step < 11; ++step) {
        if (step == 2) allocations = 0;
        counting = step >= 2;
        water.set_forcing(forcing);
        EXPECT_TRUE(water.step(1e-3, clock).ok);
        counting = false;
      }
      EXPECT_EQ(allocations, 0) << scheme.name << " × " << integrator.name;
      EXPECT_EQ(water.state().q.data(), place) << scheme.name << " × " << integrator.name;
    }
}

TEST(ShallowWater, allocates_nothing_where_forces_depend_on_the_time) {
  const Surface surface = load_surface("icosphere:2");
  TimedForces forces({{.add =
                           [](double time, const WaterNow& water, double share, ForceSum& sum) {
                             sum.body_acceleration().row(0).array() += share * std::sin(40 * time);
                             sum.inflow(water.discretization.cells().count()).array() += share * 0.01;
                           }},
                      {.add = [](double, const WaterNow&, double share,
                                 ForceSum& sum) { sum.normal_acceleration().array() -= share; },
                       .interval = {0.0055, 0.0085},
                       .varies = false}});
  for (const DiscretizationEntry& scheme : test::surface_schemes())
    for (const IntegratorEntry& integrator : test::catalog().integrators)
      for (const bool moves : {false, true}) {
        if (!integrator.incompatibility(scheme, {}).empty() || !integrator.carries_velocity ||
            integrator.uses_linear_solver)
          continue;
        ShallowWater water(
            surface.mesh, surface.x, [](const Vector3&) { return 1.0; },
            {Vector::Constant(surface.mesh.vertex_count, -9.81)},
            with_parameters({.discretization = scheme, .integrator = integrator, .forced = true}),
            [](const Discretization& discretization, const Forces&) { return discretization.project({}); });
        water.add_term(forces);
        constexpr double dt = 1e-3;
        if (moves)
          water.follow([&](double time, Points& x) { x = (1 + 0.01 * std::sin(3 * time)) * surface.x; }, dt);
        StageClock clock;
        for (int step = 0; step < 12; ++step) {
          if (step == 2) allocations = 0;
          counting = step >= 2;
          EXPECT_TRUE(water.step(dt, clock).ok);
          counting = false;
        }
        EXPECT_EQ(allocations, 0) << scheme.name << " × " << integrator.name << (moves ? ", moving" : "");
      }
}

TEST(FluidSurface, allocates_nothing_once_it_is_made) {
  for (const char* name : {"icosphere:3", "rectangle:12x9"}) {
    const Surface surface = load_surface(name);
    Points normals;
    vertex_normals(surface.mesh, make_geometry(surface.mesh, surface.x), normals);
    const Vector bed_depth = Vector::Zero(surface.mesh.vertex_count);
    Vector depth(surface.mesh.vertex_count);
    FluidSurface water(surface.mesh);
    allocations = 0;
    for (int frame = 0; frame < 40; ++frame) {
      depth = (surface.x.row(0).array() * 9 + frame).sin() + 0.1 * (frame - 20);
      counting = true;
      water.update(surface.x, normals, depth, bed_depth);
      counting = false;
    }
    EXPECT_EQ(allocations, 0) << name;
    EXPECT_EQ(water.face_count() % 2, 0);
  }
}

TEST(LinearSolvers, allocate_nothing_between_analyses) {
  for (const LinearSolverEntry& entry : test::catalog().linear_solvers) {
    test::Trial simulation(
        {.mesh = "icosphere:4", .integrator = "semi-implicit", .linear_solver = entry.name});
    simulation.prepare(1.0 / 60);
    simulation.run(2);
    allocations = 0;
    counting = true;
    simulation.run(10);
    counting = false;
    if (entry.claims.allocation_free) {
      EXPECT_EQ(allocations, 0) << entry.name;
    }
  }
}

TEST(Step, an_allocation_would_be_noticed) {
  allocations = 0;
  counting = true;
  Vector vector = Vector::Zero(1000);
  counting = false;
  EXPECT_GT(allocations + (vector[0] > 0), 0);
}

}  // namespace
}  // namespace shoal

#endif
