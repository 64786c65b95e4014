// The coefficients of the listed Runge–Kutta methods, and properties derived from coefficients.
#include "solvers/integrators/runge_kutta.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr double rounding = 1e-14;  // of sums of a few products of coefficients

/// A rooted tree, given by its subtrees at the root: one order condition, of the order of its number of vertices (Butcher 1963).
struct Tree {
  std::vector<Tree> branches;

  int order() const {
    int sum = 1;
    for (const Tree& branch : branches) sum += branch.order();
    return sum;
  }
  double density() const {
    double product = order();
    for (const Tree& branch : branches) product *= branch.density();
    return product;
  }
  double weight(const Tableau& tableau, Index stage) const {
    double product = 1;
    for (const Tree& branch : branches) {
      double sum = 0;
      for (Index j = 0; j < stage; ++j) sum += tableau.a[stage][j] * branch.weight(tableau, j);
      product *= sum;
    }
    return product;
  }
};

/// Appends the trees of `tree` with more branches, from all[first] on, of `left` vertices in all.
void grow(const Tree& tree, int left, std::size_t first, const std::vector<Tree>& all,
          std::vector<Tree>& grown) {
  if (left == 0) grown.push_back(tree);
  for (std::size_t i = first; i < all.size(); ++i) {
    if (all[i].order() > left) continue;
    Tree more = tree;
    more.branches.push_back(all[i]);
    grow(more, left - all[i].order(), i, all, grown);
  }
}

std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> all;
  for (int vertices = 1; vertices <= order; ++vertices) {
    std::vector<Tree> grown;
    grow({}, vertices - 1, 0, all, grown);
    all.insert(all.end(), grown.begin(), grown.end());
  }
  return all;
}

int order_of(const Tableau& tableau) {
  const std::vector<Tree> trees = trees_up_to(6);
  int order = 6;
  for (const Tree& tree : trees) {
    double sum = 0;
    for (Index i = 0; i < tableau.stages(); ++i) sum += tableau.b[i] * tree.weight(tableau, i);
    if (std::abs(sum - 1 / tree.density()) > rounding) order = std::min(order, tree.order() - 1);
  }
  return order;
}

const Tableau& tableau_of(const std::string& method) {
  return runge_kutta_methods().find(method).tableau;
}

TEST(RungeKutta, there_are_as_many_conditions_as_rooted_trees) {
  EXPECT_EQ(trees_up_to(5).size(), 17u);
  EXPECT_EQ(trees_up_to(6).size(), 37u);
}

TEST(RungeKutta, methods_have_the_order_that_they_state_and_no_higher_one) {
  for (const RungeKuttaMethod& method : runge_kutta_methods()) {
    EXPECT_EQ(order_of(method.tableau), method.order) << method.name;
    EXPECT_EQ(StabilityPolynomial(method.tableau).order(), method.order) << method.name;
  }
}

TEST(RungeKutta, stages_of_euler_steps_are_the_coefficients_of_butcher) {
  const Tableau& heun = tableau_of("ssprk2");
  EXPECT_EQ(heun.a, (Array<Array<double>>{{}, {1}}));
  EXPECT_EQ(heun.b, (Array<double>{0.5, 0.5}));
  const Tableau& three = tableau_of("ssprk3");
  EXPECT_EQ(three.a, (Array<Array<double>>{{}, {1}, {0.25, 0.25}}));
  EXPECT_EQ(three.b, (Array<double>{1.0 / 6, 1.0 / 6, 2.0 / 3}));
  // q_t = sin q + 0.1 by both forms.
  const auto f = [](const State& q) -> Vector { return q.q.array().sin() + 0.1; };
  for (const RungeKuttaMethod& method : runge_kutta_methods()) {
    if (method.tableau.euler.empty()) continue;
    Tableau rates_alone = method.tableau;
    rates_alone.euler = {};
    State one{Vector::LinSpaced(5, 0, 1)}, other = one;
    RungeKuttaSteps(method.tableau)
        .by_euler_stages(
            one, 0.5, [&](Index, const State& from, double dt, State& to) { to.q = from.q + dt * f(from); });
    RungeKuttaSteps(rates_alone).by_rates(other, 0.5, [&](Index, const State& y, double dt, State& rate) {
      rate.q = dt * f(y);
    });
    EXPECT_LT((one.q - other.q).norm(), rounding) << method.name;
  }
}

TEST(RungeKutta, undamped_waves_are_stable_up_to_the_limits_of_theory) {
  const auto limit = [](const Tableau& tableau) { return StabilityPolynomial(tableau).imaginary_limit(); };
  EXPECT_EQ(limit(of_euler_stages({{1, 1}})), 0);
  EXPECT_EQ(limit(tableau_of("ssprk2")), 0);
  EXPECT_NEAR(limit(tableau_of("ssprk3")), std::numbers::sqrt3, rounding);
  EXPECT_NEAR(limit(tableau_of("rk4")), 2 * std::numbers::sqrt2, rounding);
  for (const RungeKuttaMethod& method : runge_kutta_methods()) {
    const StabilityPolynomial polynomial(method.tableau);
    const double y = limit(method.tableau);
    const auto modulus = [&](double part) { return std::abs(polynomial({0, part * y})); };
    if (y == 0) continue;
    EXPECT_NEAR(modulus(1), 1, rounding) << method.name;
    EXPECT_LT(modulus(0.9), 1) << method.name;
    EXPECT_GT(modulus(1.01), 1) << method.name;
  }
}

TEST(RungeKutta, a_method_that_amplifies_undamped_waves_asks_for_a_flux_that_damps) {
  const auto refusal = [](const IntegratorEntry& entry) {
    return entry.incompatibility(test::catalog().discretizations.find("fefv"), {});
  };
  EXPECT_EQ(refusal(runge_kutta(runge_kutta_methods().find("ssprk2"))),
            "requires a dissipative flux, because it amplifies undamped waves, |z|² = 1 + (ωΔt)⁴/4");
  EXPECT_EQ(refusal(runge_kutta({"euler", 1, of_euler_stages({{1, 1}}), ""})),
            "requires a dissipative flux, because it amplifies undamped waves, |z|² = 1 + (ωΔt)²/1");
  EXPECT_EQ(refusal(runge_kutta(runge_kutta_methods().find("rk4"))), "");
}

TEST(RungeKutta, methods_of_euler_steps_alone_claim_positive_depths) {
  for (const RungeKuttaMethod& method : runge_kutta_methods()) {
    const IntegratorEntry entry = runge_kutta(method);
    EXPECT_EQ(entry.claims.positive, method.name.starts_with("ssp")) << method.name;
    EXPECT_EQ(entry.euler_part, method.name == "ssprk43" ? 0.5 : 1) << method.name;
  }
}

TEST(RungeKutta, embedded_solutions_are_of_lower_order) {
  for (const RungeKuttaMethod& method : runge_kutta_methods()) {
    if (method.tableau.embedded.empty()) continue;
    Tableau lower = method.tableau;
    lower.b = lower.embedded;
    EXPECT_EQ(order_of(lower), method.order - 1) << method.name;
  }
}

/// The water after `end` s of a wave.
State wave_after(double end, int steps, double tolerance, const std::string& scheme = "fefv") {
  test::Configuration setup{.mesh = "icosphere:1", .discretization = scheme, .integrator = "dormand-prince"};
  setup.parameters = {{"error_tolerance", tolerance}};
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * std::exp(4 * (x.z() - 1)); };
  test::Trial trial(setup);
  trial.prepare(end / steps);
  trial.run(steps);
  return trial.state;
}

TEST(ErrorControl, of_a_large_tolerance_changes_no_bit) {
  for (const char* scheme : {"fefv", "dec", "hllc"})
    EXPECT_EQ(wave_after(0.4, 8, 0.1, scheme).q, wave_after(0.4, 8, 0, scheme).q) << scheme;
}

TEST(ErrorControl, reaches_an_error_in_proportion_to_the_tolerance_with_steps_of_any_length) {
  const State exact = wave_after(1, 2000, 0);
  const auto error = [&](int steps, double tolerance) {
    return (wave_after(1, steps, tolerance).q - exact.q).norm() / exact.q.norm();
  };
  EXPECT_GT(error(10, 0), 1e-5);  // 0.1 s is about the stable step
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    constexpr double substeps = 100;  // at most, whose errors add up
    EXPECT_LT(error(10, tolerance), substeps * tolerance) << tolerance;
    EXPECT_GT(error(10, tolerance), 1e-4 * tolerance) << tolerance;  // otherwise the substeps are too short
  }
}

TEST(ErrorControl, leaves_still_water_at_rest) {
  test::Configuration setup{.mesh = "icosphere:1", .integrator = "dormand-prince"};
  setup.parameters = {{"error_tolerance", 1e-10}};
  setup.bed_depth = [](const Vector3& x) { return 1 + 0.3 * x.x() * x.y(); };
  setup.initial.depth = setup.bed_depth;
  test::Trial trial(setup);
  trial.prepare(0.05);
  trial.run(20);
  EXPECT_LT(trial.max_elevation(), 1e-12);
}

TEST(VectorInvariant, ends_a_step_that_takes_more_substeps_than_any_bounded_flow) {
  test::Configuration setup{.discretization = "dec", .advection = "vector-invariant", .splitting = "lie"};
  setup.initial.velocity = [](const Vector3& x) { return Vector3(-x.y(), x.x(), 0); };
  test::Trial simulation(setup);
  simulation.prepare(1e6);
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.ok);
  EXPECT_TRUE(report.unstable);
  EXPECT_NE(report.reason.find("substeps of the advection, more than 10000"), report.reason.npos)
      << report.reason;
}

}  // namespace
}  // namespace shoal
