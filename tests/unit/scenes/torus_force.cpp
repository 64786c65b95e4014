// Water on a torus that is pushed from one side: symmetric about the planes that contain the push, and with an energy
// equal to the work of the push.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

struct Pushed {
  explicit Pushed(const std::string& text)
      : configuration(expand(test::catalog(), parse_experiment("scene = 'torus-force'\n" + text, "test.toml"))
                          .front()
                          .configuration),
        surface(load_surface(test::catalog(), configuration)),
        simulation(test::catalog(), configuration, surface) {
    StageClock clock;
    while (simulation.steps_done() < simulation.steps()) EXPECT_TRUE(simulation.step(clock).ok);
  }

  RunConfiguration configuration;
  Surface surface;
  Simulation simulation;
};

/// The largest difference of elevation between mirror images in the plane of these axes, over the largest
/// elevation.
double asymmetry(const Pushed& run, int mirrored_axis) {
  Values depth;
  run.simulation.water().sample("depth_at_vertices", depth);
  const Vector elevation = depth.row(0).transpose().array() - run.simulation.scene().depth;
  double largest = 0;
  for (Eigen::Index i = 0; i < run.surface.x.cols(); ++i) {
    Vector3 image = run.surface.x.col(i);
    image[mirrored_axis] *= -1;
    Eigen::Index twin = 0;
    const double distance = (run.surface.x.colwise() - image).colwise().norm().minCoeff(&twin);
    EXPECT_LT(distance, 1e-12);
    largest = std::max(largest, std::abs(elevation[i] - elevation[twin]));
  }
  return largest / elevation.cwiseAbs().maxCoeff();
}

const char* const schemes[] = {"discretization = 'fefv'\n",
                               "discretization = 'dec'\nparameters.dual = 'barycentric'\n",
                               "discretization = 'kinetic'\n"};

TEST(TorusForce, leaves_the_water_symmetric_about_the_planes_of_the_push) {
  constexpr double tolerance = 1e-11;  // roundings in 120 steps; the mesh has the same symmetry
  for (const std::string scheme : schemes) {
    const Pushed run(scheme + "mesh = 'torus:32x24'\ndt = '1/240'\nend = 0.5\n");
    for (const int axis : {1, 2}) EXPECT_LT(asymmetry(run, axis), tolerance) << scheme;
    EXPECT_GT(asymmetry(run, 0), 0.1) << scheme;
  }
}

TEST(TorusForce, gives_the_water_the_energy_that_it_works) {
  constexpr double tolerance = 0.01;  // of the time step, for low waves
  for (const std::string scheme : {schemes[0], schemes[1]}) {
    const Pushed run(scheme + "substeps = 6\nparameters.push = 0.01\nend = 3\n");
    const ShallowWater& water = run.simulation.water();
    EXPECT_GT(water.ledger().work_forces, 0);
    EXPECT_NEAR(water.energy().total() / water.ledger().work_forces, 1, tolerance) << scheme;
  }
}

TEST(TorusForce, gives_newmark_its_work_exactly) {
  // The rule of the midpoint, and a matrix that does not change: the account closes at any time step.
  constexpr double tolerance = 1e-9;  // the potential's own solve
  for (const std::string drag : {"", "parameters.rayleigh = 0.7\n"}) {
    const Pushed run("integrator = 'newmark'\ndt = 0.1\nend = 3\n" + drag);
    const ShallowWater& water = run.simulation.water();
    EXPECT_GT(water.ledger().work_forces, 0);
    EXPECT_NEAR(water.energy().total() / water.ledger().work_forces, 1, tolerance) << drag;
  }
}

}  // namespace
}  // namespace shoal
