// Shoal embedded in another program: water on a sphere under an implicit integrator with the given linear solver, and
// its volume before and after.
#include "discretizations/list.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/integrators/list.hpp"
#include "solvers/linear/list.hpp"
#include "solvers/shallow_water.hpp"

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  using namespace shoal;
  const auto schemes = builtin_discretizations();
  const auto integrators = builtin_integrators();
  const auto solvers = builtin_linear_solvers();
  try {
    const DiscretizationEntry& scheme = schemes.find("fefv");
    const IntegratorEntry& integrator = integrators.find("newmark");
    const LinearSolverEntry& solver = argc > 1 ? solvers.find(argv[1]) : solvers.front();
    const Surface surface = load_surface("icosphere:3");
    ShallowWater water(
        surface.mesh, surface.x, [](const Vector3&) { return 1.0; },
        {Vector::Constant(surface.mesh.vertex_count, -9.81)},
        with_parameters({.discretization = scheme, .integrator = integrator, .linear_solver = &solver}),
        [](const Discretization& discretization, const Forces&) {
          const auto hump = [](const Vector3& x) { return 1 + 0.1 * std::exp(8 * (x.z() - 1)); };
          return discretization.project({hump, {}});
        });

    StageClock clock;
    const double before = water.volume().sum();
    for (int step = 0; step < 20; ++step)
      if (const StepReport report = water.step(1.0 / 60, clock); !report.ok) throw Error(report.reason);
    const double after = water.volume().sum();
    std::printf("volume %.12g m^3 at t = 0, %.12g m^3 at t = %.3g s\n", before, after, water.time());
    return std::abs(after / before - 1) < 1e-13 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "embedded: %s\n", error.what());
    return 2;
  }
}
