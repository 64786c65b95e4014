// Advections in runs: what remains of a passive field, their place in a step, and the pairs that they are
// refused for.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

PlannedRun planned(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "test.toml")).front();
}

class Completed {
 public:
  explicit Completed(const std::string& text)
      : configuration_(planned(text).configuration),
        surface_(load_surface(test::catalog(), configuration_)),
        simulation(test::catalog(), configuration_, surface_) {
    while (simulation.steps_done() < simulation.steps() && simulation.step(clock_).ok) continue;
  }

 private:
  RunConfiguration configuration_;
  Surface surface_;
  StageClock clock_;

 public:
  Simulation simulation;
};

double kinetic_energy(const Simulation& simulation) {
  return simulation.water().kinetic_energy(simulation.state());
}

/// The part of its energy that a field keeps over one revolution.
double kept(const std::string& advection, double dt) {
  const std::string text = "scene = 'solid-rotation'\nmesh = 'icosphere:4'\nadvection = '" + advection +
                           "'\ndt = " + std::to_string(dt) + "\n";
  const double after = kinetic_energy(Completed(text).simulation),
               before = kinetic_energy(Completed(text + "end = 1e-9\n").simulation);
  return after / before;
}

// 2562 vertices, edges of 0.075 m, speeds up to 1 m/s.
TEST(SolidRotation, loses_most_of_its_energy_in_the_thesis_transport_and_little_in_the_corrected_one) {
  EXPECT_LT(kept("semi-lagrangian", 0.075), 0.6);
  EXPECT_NEAR(kept("bfecc", 0.075), 1, 0.06);
  EXPECT_NEAR(kept("bfecc", 0.3), 1, 0.02);
}

TEST(SolidRotation, does_not_grow_at_small_courant_numbers) {
  const double part = kept("bfecc", 0.0075);
  EXPECT_LT(part, 1.001);
  EXPECT_GT(part, 0.6);
}

/// After one revolution, ‖v − turned by `sign`·2π cos θ about the normal (Ω × x)‖ / ‖Ω × x‖, θ the angle from
/// the pole.
double distance_from_turned(int level, double sign, const std::string& more = "") {
  const Completed run("scene = 'solid-rotation'\nmesh = 'icosphere:" + std::to_string(level) +
                      "'\nadvection = 'bfecc'\ndt = " + std::to_string(1.2 / (1 << level)) + "\n" + more);
  const Discretization& scheme = run.simulation.discretization();
  const Vector3 axis = Vector3(0.3, -0.5, 1).normalized();
  Values velocity;
  run.simulation.water().sample("velocity", velocity);
  double difference = 0, size = 0;
  for (Index k = 0; k < scheme.mesh().face_count(); ++k) {
    const Vector3 x = scheme.geometry().centroid(scheme.mesh(), k), normal = x.normalized();
    const Vector3 start = axis.cross(x);
    const double angle = sign * 2 * std::numbers::pi * axis.dot(normal);
    const Vector3 exact = Eigen::AngleAxisd(angle, normal) * start;
    difference += scheme.geometry().face_area[k] * (velocity.col(k) - exact).squaredNorm();
    size += scheme.geometry().face_area[k] * start.squaredNorm();
  }
  return std::sqrt(difference / size);
}

// Parallel transport around a circle turns a vector by the solid angle it encloses, 2π (1 − cos θ).
TEST(SolidRotation, turns_the_field_as_parallel_transport_does) {
  const double coarse = distance_from_turned(3, -1), fine = distance_from_turned(4, -1);
  EXPECT_LT(fine, 0.1);
  EXPECT_GT(std::log2(coarse / fine), 1.2);
  EXPECT_GT(distance_from_turned(4, 0), 1);
  EXPECT_GT(distance_from_turned(4, 1), 1);
}

// L_v v♭ = 0: a one-form that is carried by a rotation is turned with it.
TEST(SolidRotation, stays_as_it_is_where_its_one_form_is_carried) {
  const std::string one_form = "parameters.carries = 'one-form'\n";
  EXPECT_LT(distance_from_turned(3, 0, one_form), 0.025);
  EXPECT_LT(distance_from_turned(4, 0, one_form), 0.01);
}

TEST(SolidRotation, is_of_no_interest_without_an_advection) {
  EXPECT_THROW(Completed("scene = 'solid-rotation'\nmesh = 'icosphere:2'\ndt = 0.1"), Refusal);
}

TEST(SolidRotation, is_refused_where_the_velocity_only_carries_itself) {
  EXPECT_THROW(
      Completed("scene = 'solid-rotation'\nmesh = 'icosphere:2'\ndt = 0.1\nadvection = 'vector-invariant'"),
      Refusal);
}

TEST(Advection, leaves_the_depth_alone_and_moves_the_wave) {
  const std::string text = "scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = '1/60'\nend = 0.5\n";
  const Completed without(text), with(text + "advection = 'bfecc'");
  const double mass = without.simulation.water().volume().sum();
  EXPECT_NEAR(with.simulation.water().volume().sum(), mass, 1e-13 * mass);
  EXPECT_GT((with.simulation.water().volume() - without.simulation.water().volume()).norm(), 1e-5 * mass);
}

TEST(Continuity, in_advective_form_approximates_the_same_waves_and_loses_mass) {
  const auto end = [](const std::string& mesh, const std::string& more) -> Vector {
    return Completed("scene = 'sphere-bump'\nmesh = '" + mesh +
                     "'\ndt = '1/60'\nend = 0.5\nadvection = 'bfecc'\n" + more)
        .simulation.water()
        .volume();
  };
  std::vector<double> lost, apart;
  for (const char* mesh : {"icosphere:3", "icosphere:4"}) {
    const Vector flux = end(mesh, ""), advective = end(mesh, "parameters.continuity = 'advective'");
    lost.push_back(std::abs(advective.sum() / flux.sum() - 1));
    apart.push_back((advective - flux).norm() / flux.norm());
    EXPECT_GT(lost.back(), 1e-6);
  }
  EXPECT_LT(apart[0], 0.01);
  EXPECT_LT(apart[1], 0.7 * apart[0]);
}

TEST(Continuity, in_advective_form_is_refused_where_it_means_nothing) {
  const std::string text =
      "scene = 'bump'\nmesh = 'icosphere:2'\ndt = 0.01\nend = 0.02\nparameters.continuity = 'advective'\n";
  EXPECT_THROW(Completed(text + "advection = 'bfecc'\nintegrator = 'semi-implicit'"), Refusal);
  EXPECT_THROW(Completed(text + "advection = 'bfecc'\nparameters.flux_depth = 'edge'"), Refusal);
  for (const char* advection : {"none", "vector-invariant"})  // it belongs to those that trace
    EXPECT_THROW(Completed(text + "advection = '" + advection + "'"), Error);
}

TEST(Continuity, in_advective_form_is_refused_before_the_mesh_is_read) {
  const auto refusal = [](const std::string& text) {
    return planned("scene = 'bump'\nmesh = 'no/such/mesh.obj'\nparameters.continuity = 'advective'\n" + text)
        .refusal;
  };
  for (const char* integrator : {"semi-implicit", "implicit-euler", "newmark"})
    EXPECT_EQ(refusal(std::string("advection = 'none'\nintegrator = '") + integrator + "'"),
              "with continuity = advective there is no flux for this integrator to solve for; "
              "use continuity = flux, or an integrator that computes the depth rate from the velocity");
  for (const char* advection : {"none", "vector-invariant"})
    EXPECT_EQ(refusal(std::string("advection = '") + advection + "'"),
              "continuity = advective requires an advection scheme that transports the depth: "
              "semi-lagrangian or bfecc");
  for (const char* integrator : {"explicit", "ssprk3", "implicit-euler-velocity", "newmark-analytic"})
    EXPECT_EQ(refusal(std::string("advection = 'bfecc'\nintegrator = '") + integrator + "'"), "");
}

TEST(Advection, precedes_each_step_or_each_substep) {
  const std::string text = "scene = 'sphere-bump'\nmesh = 'icosphere:2'\nadvection = 'semi-lagrangian'\n";
  const auto volume = [&](const std::string& more) -> Vector {
    return Completed(text + more).simulation.water().volume();
  };
  const Vector frame = volume("dt = 0.03\nend = 0.3\nsubsteps = 3\n"),
               substep =
                   volume("dt = 0.03\nend = 0.3\nsubsteps = 3\nparameters.advection_interval = 'substep'"),
               short_frames = volume("dt = 0.01\nend = 0.3\nsubsteps = 1\n");
  EXPECT_EQ(substep, short_frames);
  EXPECT_NE(frame, substep);
}

TEST(Advection, is_refused_where_there_is_no_velocity_vector_to_carry) {
  const auto refusal = [](const std::string& text) { return planned("scene = 'bump'\n" + text).refusal; };
  EXPECT_EQ(refusal("advection = 'bfecc'"), "");
  EXPECT_EQ(refusal("advection = 'bfecc'\ndiscretization = 'dec'"),
            "advection = bfecc: requires a velocity vector per triangle");
  EXPECT_EQ(refusal("advection = 'bfecc'\nintegrator = 'newmark'"),
            "advection = bfecc: newmark carries no velocity to transport");
}

}  // namespace
}  // namespace shoal
