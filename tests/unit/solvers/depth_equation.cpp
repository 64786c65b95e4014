// The depth equation: its forms of ∇aₙ agree as the mesh is refined, and which of them keep mass.
#include "solvers/integrators/depth_equation.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

using test::Configuration;
using test::Trial;

Configuration setup(const std::string& gradient, const std::string& mesh, const std::string& reference) {
  Configuration configuration{.mesh = mesh, .integrator = "newmark"};
  configuration.parameters = {{"acceleration_gradient", gradient}, {"reference_depth", reference}};
  configuration.bed_depth = [](const Vector3& x) { return 1 + 0.2 * x.y(); };
  configuration.normal_acceleration = [](const Vector3& x) {
    return -test::gravity * (1 + 0.2 * x.x() + 0.1 * x.y() * x.z());
  };
  configuration.initial.depth = [](const Vector3& x) {
    return 1 + 0.2 * x.y() + 0.1 * std::sin(2 * x.z() + x.x());
  };
  return configuration;
}

/// newmark's, as far as they are the equation's.
struct EquationOptions {
  DepthEquationOptions equation;
  static Options<EquationOptions> describe() {
    return Options<EquationOptions>().part(&EquationOptions::equation,
                                           DepthEquationOptions::describe("mean"));
  }
};

Vector acceleration(const Trial& simulation) {
  DepthEquation equation(
      {simulation.right_side, simulation.parameters, &test::catalog().linear_solvers.find("cholmod")},
      read_options<EquationOptions>(simulation.parameters).equation);
  equation.start(simulation.volume());
  Vector out;
  equation.acceleration(simulation.volume(), out);
  return out;
}

/// ‖η_tt(gradient) − η_tt(exact)‖ / ‖η_tt(exact)‖ in the area-weighted norm.
double distance_from_exact(const std::string& gradient, const std::string& mesh) {
  const Trial simulation(setup(gradient, mesh, "1"));
  const Vector exact = acceleration(Trial(setup("exact", mesh, "1")));
  const Vector weight = simulation.discretization->cells().area.cwiseInverse();
  const Vector difference = acceleration(simulation) - exact;
  return std::sqrt(difference.cwiseAbs2().dot(weight) / exact.cwiseAbs2().dot(weight));
}

TEST(DepthEquation, the_printed_form_converges_to_the_exact_one) {
  std::vector<double> sizes, distances;
  for (const int level : {3, 4, 5}) {
    sizes.push_back(1.0 / (1 << level));
    distances.push_back(distance_from_exact("paper", "icosphere:" + std::to_string(level)));
  }
  // First order: at the twelve vertices of valence five cotangent Laplacians are not consistent pointwise.
  EXPECT_GT(test::slope(sizes, distances), 0.95)
      << distances[0] << " " << distances[1] << " " << distances[2];
}

TEST(DepthEquation, dropping_the_gradient_of_the_acceleration_solves_another_equation) {
  EXPECT_GT(distance_from_exact("dropped", "icosphere:5"), 0.1);
}

TEST(DepthEquation, sums_to_zero_with_one_depth_unless_the_gradient_is_dropped) {
  const auto gain = [](const std::string& gradient, const std::string& reference) {
    const Vector a = acceleration(Trial(setup(gradient, "icosphere:3", reference)));
    return std::abs(a.sum()) / a.cwiseAbs().sum();
  };
  EXPECT_LT(gain("exact", "mean"), 1e-14);
  EXPECT_GT(gain("exact", "local"), 1e-3);
  EXPECT_LT(gain("paper", "mean"), 1e-14);
  EXPECT_GT(gain("dropped", "mean"), 1e-3);
}

// The printed form sums to zero only as a whole, and the symmetric matrix leaves out a part.
TEST(DepthEquation, keeps_mass_over_a_run_with_the_exact_gradient_only) {
  const auto drift = [](const std::string& gradient) {
    Trial simulation(setup(gradient, "icosphere:3", "mean"));
    simulation.prepare(1.0 / 60);
    const double before = simulation.mass();
    simulation.run(120);
    return std::abs(simulation.mass() / before - 1);
  };
  EXPECT_LT(drift("exact"), 1e-13);
  EXPECT_GT(drift("paper"), 1e-6);
  EXPECT_GT(drift("dropped"), 1e-3);
}

TEST(DepthEquation, all_forms_are_one_where_the_acceleration_is_uniform) {
  Configuration a = setup("exact", "icosphere:3", "mean"), b = setup("paper", "icosphere:3", "mean"),
                c = setup("dropped", "icosphere:3", "mean");
  for (Configuration* s : {&a, &b, &c})
    s->normal_acceleration = [](const Vector3&) { return -test::gravity; };
  const Vector exact = acceleration(Trial(a));
  EXPECT_LT((acceleration(Trial(b)) - exact).norm(), 1e-12 * exact.norm());
  EXPECT_LT((acceleration(Trial(c)) - exact).norm(), 1e-12 * exact.norm());
}

TEST(DepthEquation, keeps_mass_with_depths_that_vary_where_their_gradient_is_kept) {
  for (const std::string reference : {"initial", "local"})
    for (const std::string integrator : {"newmark", "implicit-euler"}) {
      Configuration configuration = setup("exact", "icosphere:3", reference);
      configuration.integrator = integrator;
      configuration.parameters.emplace("depth_gradient", "exact");
      configuration.body_acceleration = [](const Vector3& x) { return Vector3(0.5, x.z(), 0); };
      Trial simulation(configuration);
      simulation.prepare(1.0 / 60);
      const double before = simulation.mass();
      simulation.run(120);
      EXPECT_NEAR(simulation.mass() / before, 1, 1e-13) << reference << " " << integrator;
    }
}

/// Of waves over a bed that slopes, in equations that are linear: their energy is kept exactly.
TEST(DepthEquation, energy_is_kept_where_the_gradient_of_the_depth_is_kept) {
  for (const std::string scheme : {"fefv", "dec"}) {
    Configuration configuration = setup("exact", "icosphere:3", "initial");
    configuration.discretization = scheme;
    configuration.parameters.emplace("depth_gradient", "exact");
    configuration.normal_acceleration = [](const Vector3&) { return -test::gravity; };
    Trial simulation(configuration);
    simulation.prepare(1.0 / 60);
    const double before = simulation.energy();
    constexpr double round_off = 1e-12;  // 300 steps and two solves, each to 1e-14
    for (int step = 0; step < 300; ++step) {
      simulation.run(1);
      ASSERT_NEAR(simulation.energy() / before, 1, round_off) << scheme << " " << step;
    }
  }
}

TEST(DepthEquation, energy_of_a_depth_rate_is_that_of_the_flow_it_was_made_from) {
  for (const std::string reference : {"initial", "local"}) {
    Configuration configuration = setup("exact", "icosphere:3", reference);
    configuration.parameters.emplace("depth_gradient", "exact");
    Trial simulation(configuration);
    const WaveSide wave(simulation.right_side);
    const Vector potential = test::random_vector(simulation.volume().size(), 5);
    wave.add_gradient(potential, 1, Vector::Ones(wave.sites()), simulation.velocity());
    const double of_flow = simulation.kinetic_energy();
    simulation.prepare(1.0 / 60);
    EXPECT_NEAR(simulation.kinetic_energy() / of_flow, 1, 1e-12) << reference;
  }
}

TEST(DepthEquation, refuses_to_keep_the_gradient_of_the_depth_in_a_printed_form) {
  for (const char* printed : {"acceleration_gradient", "forcing"}) {
    Configuration configuration = setup("exact", "icosphere:1", "local");
    configuration.parameters["depth_gradient"] = "exact";
    configuration.parameters[printed] = "paper";
    EXPECT_THROW(Trial{configuration}, Refusal) << printed;
  }
  Configuration constant = setup("exact", "icosphere:1", "mean");
  constant.parameters["depth_gradient"] = "exact";
  EXPECT_THROW(Trial{constant}, Refusal);
}

TEST(DepthEquation, what_it_solves_is_what_it_prepared) {
  using Forms = std::pair<std::string, std::string>;
  for (const auto& [gradient, depth_gradient] :
       {Forms{"exact", "dropped"}, Forms{"dropped", "dropped"}, Forms{"paper", "dropped"},
        Forms{"exact", "exact"}, Forms{"dropped", "exact"}}) {
    Configuration configuration = setup(gradient, "icosphere:2", "local");
    configuration.parameters.emplace("depth_gradient", depth_gradient);
    const Trial simulation(configuration);
    DepthEquation equation(
        {simulation.right_side, simulation.parameters, &test::catalog().linear_solvers.find("cholmod")},
        read_options<EquationOptions>(simulation.parameters).equation);
    const Vector volume = simulation.volume();
    const Vector right_side = test::random_vector(volume.size(), 3);
    Vector increment, change;
    StageClock clock;
    equation.start(volume);
    ASSERT_TRUE(equation.prepare(volume, 1.5, 0.01, clock).ok);
    ASSERT_TRUE(equation.solve(right_side, increment, change, clock).ok);
    EXPECT_LT((1.5 * increment - 0.01 * change - right_side).norm(), 1e-13 * right_side.norm());
    if (gradient == "paper") continue;  // its acceleration holds terms that its matrix leaves out
    Vector before, after;
    equation.acceleration(volume, before);
    equation.acceleration(volume + increment, after);
    EXPECT_LT((after - before - change).norm(), 1e-10 * change.norm()) << gradient << " " << depth_gradient;
  }
}

TEST(DepthEquation, a_body_force_keeps_the_mass_unless_it_acts_as_printed) {
  const auto drift = [](const std::string& forcing) {
    Configuration configuration{.integrator = "newmark", .parameters = {{"forcing", forcing}}};
    configuration.initial.depth = [](const Vector3& x) { return 1 + 0.1 * x.x(); };
    configuration.body_acceleration = [](const Vector3&) { return Vector3(0.5, 0, 0); };
    Trial simulation(configuration);
    simulation.prepare(1.0 / 60);
    const double before = simulation.mass();
    simulation.run(60);
    return std::abs(simulation.mass() / before - 1);
  };
  EXPECT_LT(drift("exact"), 1e-13);
  EXPECT_GT(drift("paper"), 1e-3);
}

class ImplicitEulerOptions : public testing::Test {
 protected:
  static Vector volume_after(std::map<std::string, Value> parameters, int steps) {
    Configuration configuration{.integrator = "implicit-euler", .parameters = std::move(parameters)};
    configuration.initial.depth = [](const Vector3& x) { return 1 + 0.1 * std::exp(3 * (x.z() - 1)); };
    Trial simulation(configuration);
    simulation.prepare(1.0 / 60);
    simulation.run(steps);
    return simulation.volume();
  }
};

// The term counts the motion a second time: damping the first away leaves the scheme without the term.
TEST_F(ImplicitEulerOptions, with_Laytons_term_and_full_damping_is_that_without_both) {
  const Vector plain = volume_after({}, 60);
  const Vector layton = volume_after({{"divergence_term", "layton"}, {"damping", 1.0}}, 60);
  EXPECT_LT((layton - plain).norm(), 1e-13 * plain.norm());
}

TEST_F(ImplicitEulerOptions,
       squared_divergence_in_the_matrix_and_on_the_right_differ_at_third_order_in_the_step) {
  const Vector none = volume_after({}, 20);
  const Vector matrix = volume_after({{"divergence_term", "matrix"}}, 20);
  const Vector right = volume_after({{"divergence_term", "right-side"}}, 20);
  EXPECT_GT((matrix - none).norm(), 1e-5 * none.norm());
  EXPECT_LT((matrix - right).norm(), 0.1 * (matrix - none).norm());
}

TEST_F(ImplicitEulerOptions, keeps_mass_with_one_reference_depth) {
  const double before = volume_after({}, 0).sum();
  EXPECT_NEAR(volume_after({{"reference_depth", "mean"}}, 200).sum() / before, 1, 1e-13);
  EXPECT_GT(std::abs(volume_after({}, 200).sum() / before - 1), 1e-3);
}

}  // namespace
}  // namespace shoal
