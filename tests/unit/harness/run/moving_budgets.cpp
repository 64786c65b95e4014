// Budgets of energy that close where a surface moves and forces, openings, sources or jumps of its velocity add their part.
#include "tests/support/watched_run.hpp"

namespace shoal {
namespace {

using test::WatchedRun, test::dec, test::fefv, test::order;

const std::vector<std::string> openings = {"left = outflow", "left = discharge 0.2; right = outflow",
                                           "left = level 0.1; right = level 0",
                                           "left = inflow 0.52 0.3; right = level 0"};

/// Water 0.5 m deep, not flat.
std::string custom(const std::string& mesh, const std::string& motion) {
  return "scene = 'custom'\nmesh = '" + mesh + "'\nmotion = '" + motion +
         "'\nparameters.depth = 0.5\nparameters.initial_elevation = '0.03*cos(2*x+1)'\n";
}

std::string tank(const std::string& motion, const std::string& boundaries) {
  return custom("rectangle:12x8:3x2:structured", motion) + "end = 0.2\nboundaries = '" + boundaries + "'\n";
}

double unaccounted(const std::string& settings, double dt) {
  WatchedRun run(settings + fmt::format("dt = {}\n", dt));
  return run.to_the_end().unaccounted();
}

/// Relative to the energy: to third order, but for what is small at once.
void expect_closed(const std::string& settings, double dt) {
  constexpr double negligible = 1e-6, third_order = 4;  // 8 in the limit
  const double coarse = unaccounted(settings, dt), fine = unaccounted(settings, dt / 2);
  EXPECT_TRUE(fine < negligible || coarse / fine > third_order) << settings << ": " << coarse << ", " << fine;
}

TEST(MovingBudget, closes_at_openings_where_the_normal_acceleration_varies) {
  for (const std::string& scheme : {fefv, dec})
    for (const std::string& boundaries : openings)
      expect_closed(
          tank("translation", boundaries) + "parameters.normal_acceleration = '-9.81+4*sin(2*y)'\n" + scheme,
          0.004);
}

TEST(MovingBudget, closes_at_openings_of_a_surface_that_turns) {
  for (const std::string& scheme : {fefv, dec})
    for (const std::string& boundaries : openings)
      expect_closed(tank("turning", boundaries) +
                        "parameters.motion_axis = '0,0,1'\nparameters.motion_rate = 0.3\n"
                        "parameters.coriolis = 0.7\n" +
                        scheme,
                    0.004);
}

TEST(MovingBudget, closes_where_the_velocity_of_the_surface_jumps_at_the_start) {
  for (const std::string& scheme : {fefv, dec})
    for (const std::string onset : {"continued", "sudden"})
      expect_closed(custom("icosphere:1", "crumple") + "end = 0.1\nparameters.inertia = 'on'\n" +
                        "parameters.onset = '" + onset + "'\n" + scheme,
                    0.005);
}

/// A drag interrupts another: the acceleration jumps. A figure freezes and goes on at once: the velocity jumps.
TEST(MovingBudget, closes_where_the_motion_bends_between_two_steps) {
  for (const std::string& scheme : {fefv, dec})
    expect_closed(custom("icosphere:1", "none") +
                      "end = 0.4\ninputs = \"0.1 drag to=.3,0,0\\n0.2 drag to=-.3,0,0\"\n" + scheme,
                  0.01);
  expect_closed(
      "scene = 'custom'\nmesh = 'figure:300'\nmotion = 'skin'\nend = 0.25\n"
      "parameters.depth = 3\nparameters.gravity = 30\nparameters.clip_speed = 0.3\n"
      "parameters.blend_delay = 0\nparameters.freeze = '0.1:0.2'\n" +
          fefv,
      0.005);
}

/// A sink that takes all there is: at any step, its rate at the mean of both ends of a step is not that of the substeps.
TEST(MovingBudget, of_a_sink_that_runs_dry_closes_in_substeps) {
  constexpr double first_order = 1.5;  // 2 in the limit
  for (const std::string scheme : {"'fefv'\n", "'dec'\n"}) {
    const auto gap = [&](double dt) {
      WatchedRun run(
          "scene = 'custom'\nmesh = 'rectangle:12x8:3x2:structured'\nend = 0.2\nparameters.depth = 0.3\n"
          "inputs = '0 source at=0.2,1,0 radius=0.3 discharge=-1 lasting=9'\nintegrator = "
          "'explicit'\nadvection = 'vector-invariant'\n" +
          fmt::format("dt = {}\ndiscretization = ", dt) + scheme);
      run.to_the_end();
      return std::abs(run.end("energy_total") - run.start("energy_total") - run.end("work_source"));
    };
    const double coarse = gap(0.002), fine = gap(0.001);
    EXPECT_GT(coarse / fine, first_order) << scheme << coarse << ", " << fine;
  }
}

/// Splittings evaluate advection and rotation apart, and move the surface by whole steps: first order, and the same limit as
/// that of methods of stages.
TEST(MovingBudget, closes_on_surfaces_that_deform_where_the_step_is_split) {
  constexpr double first_order = 1.8;    // 2 in the limit
  constexpr double second_order = 1e-4;  // left by extrapolation to dt = 0; an unprojected force leaves 1e-2
  const std::vector<std::string> actions = {
      "", "parameters.coriolis = 0.7\n", "parameters.body_acceleration = '0.3*y,0.2*x*z+0.1,0.4*cos(3*x)'\n"};
  for (const std::string& action : actions)
    for (const std::string scheme : {"'dec'\n", "'dec'\nparameters.dual = 'intrinsic'\n",
                                     "'dec'\nparameters.dual = 'barycentric'\n", "'fefv'\n"}) {
      const auto budget = [&](const std::string& integrator, double dt) {
        WatchedRun run(
            "scene = 'custom'\nmesh = 'icosphere:1'\nmotion = 'bulge'\nend = 0.2\n"
            "parameters.depth = 0.3\nparameters.initial_elevation = '0.02*x*y'\n"
            "advection = 'vector-invariant'\n" +
            action + "discretization = " + scheme + "integrator = " + integrator +
            fmt::format("dt = {}\n", dt));
        run.to_the_end();
        return std::pair(run.unaccounted(), run.end("energy_total"));
      };
      const double energy = budget("'ssprk3'\n", 0.002).second;
      for (const std::string integrator :
           {"'explicit'\n", "'semi-implicit'\n", "'ssprk3'\nsplitting = 'lie'\n"}) {
        const auto coarse = budget(integrator, 0.002), fine = budget(integrator, 0.001);
        EXPECT_GT(coarse.first / fine.first, first_order) << action << scheme << integrator;
        EXPECT_NEAR(2 * fine.second - coarse.second, energy, second_order * energy)
            << action << scheme << integrator;
      }
    }
}

/// As the kick of a surface that was at rest before, and none of one that has always moved as it will.
TEST(MovingBudget, of_a_jump_is_that_of_the_whole_jump_or_of_none) {
  const auto kinetic_after_one_step = [](const std::string& onset) {
    WatchedRun run(custom("icosphere:1", "crumple") + "dt = 1e-4\nend = 1e-4\nparameters.onset = '" + onset +
                   "'\n" + fefv);
    run.to_the_end();
    return run.end("energy_kinetic");
  };
  EXPECT_LT(kinetic_after_one_step("continued"), 1e-3 * kinetic_after_one_step("sudden"));
}

TEST(MovingBudget, lets_the_scene_crumple_start_with_every_method_of_stages) {
  for (const std::string scheme : {"fefv", "dec", "hllc"})
    for (const std::string integrator : {"ssprk3", "rk4", "ssprk43"}) {
      WatchedRun run("scene = 'crumple'\ndt = 0.0015\nend = 0.03\ndiscretization = '" + scheme +
                     "'\nintegrator = '" + integrator + "'\n");
      run.to_the_end();
      EXPECT_LT(run.unaccounted(), 0.1) << scheme << integrator;
    }
}

/// Water enters dry cells and is pulled on in the same step: a source of water at rest adds energy there.
TEST(MovingBudget, of_a_source_on_dry_ground_under_a_force_has_its_sign) {
  const auto source = [](const std::string& integrator, double dt) {
    WatchedRun run(
        fmt::format("scene = 'fill-walking'\ndiscretization = 'hllc'\nintegrator = '{}'\nend = {}\n"
                    "dt = {}\n",
                    integrator, 0.02, dt));
    return run.to_the_end().end("work_source");
  };
  for (const std::string integrator : {"ssprk2", "ssprk3", "ssprk43"}) {
    const double coarse = source(integrator, 0.01), fine = source(integrator, 0.002);
    EXPECT_GT(coarse, 0) << integrator;
    EXPECT_NEAR(coarse, fine, 0.1 * fine) << integrator;
  }
}

/// Differences of velocities in time, without errors in space. Where flow through an opening changes its direction the rates
/// jump with the prescribed head of entering water: no such opening here.
TEST(MovingBudget, leaves_stages_their_order_where_forces_are_projected) {
  const auto velocity = [](const std::string& settings, int steps) {
    WatchedRun run(settings + fmt::format("dt = '0.2/{}'\n", steps) + fefv);
    run.to_the_end();
    const ShallowWater& water = run.simulation().water();
    return Vector(water.state()[water.discretization().velocity()]);
  };
  for (const std::string& settings :
       {custom("icosphere:1", "bulge") + "end = 0.2\nparameters.coriolis = 0.7\n",
        tank("turning", "left = inflow 0.52 0.3") +
            "parameters.motion_axis = '0,0,1'\nparameters.motion_rate = 0.3\n"}) {
    const Vector finest = velocity(settings, 320);
    const double coarse = (velocity(settings, 40) - finest).norm(),
                 fine = (velocity(settings, 80) - finest).norm();
    EXPECT_GT(order(coarse, fine), 2.8) << settings << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace shoal
