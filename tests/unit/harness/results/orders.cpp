// Orders fitted to known errors, and the requirements of orders on runs.
#include "experiments/harness/results/orders.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

constexpr double rounding = 1e-12;  // of logarithms of numbers between 1e-6 and 1

TEST(OrderFit, of_a_pure_power_is_its_exponent_without_spread) {
  const std::vector<double> h = {0.4, 0.2, 0.1, 0.05};
  for (const double p : {0.5, 1.0, 2.0, 3.5}) {
    std::vector<double> error;
    for (const double x : h) error.push_back(7e-3 * std::pow(x, p));
    const OrderFit fit = fit_order(h, error);
    EXPECT_NEAR(fit.order, p, rounding);
    EXPECT_NEAR(fit.standard_error, 0, rounding);
  }
}

TEST(OrderFit, has_the_standard_error_of_linear_regression) {
  // log h = −1, 0, 1, 2 and residuals (1, −1, −1, 1)·d, which are orthogonal to 1 and to log h: the slope stays, and its
  // standard error is √(4d²/2 / 5).
  const double d = 0.1;
  std::vector<double> h, error;
  const double sign[] = {1, -1, -1, 1};
  for (int i = 0; i < 4; ++i) {
    h.push_back(std::exp(i - 1.0));
    error.push_back(1e-3 * std::exp(2 * (i - 1.0) + sign[i] * d));
  }
  const OrderFit fit = fit_order(h, error);
  EXPECT_NEAR(fit.order, 2, rounding);
  EXPECT_NEAR(fit.standard_error, d * std::sqrt(2.0 / 5), rounding);
}

TEST(OrderFit, of_two_points_is_the_order_between_them_and_has_no_spread) {
  const OrderFit fit = fit_order(std::vector{0.2, 0.1}, std::vector{8e-3, 1e-3});
  EXPECT_NEAR(fit.order, 3, rounding);
  EXPECT_TRUE(std::isnan(fit.standard_error));
}

TEST(OrderFit, leaves_out_what_is_no_error_or_only_rounding) {
  const std::vector<double> h = {0.4, 0.2, 0.1, 0.05, 0.025}, error = {0.16, std::nan(""), 0.01, 0, 1e-14};
  EXPECT_NEAR(fit_order(h, error).order, 2, rounding);
  EXPECT_TRUE(std::isnan(fit_order(std::vector{0.1}, std::vector{1.0}).order));
  EXPECT_TRUE(std::isnan(fit_order(std::vector{0.1, 0.1}, std::vector{1.0, 2.0}).order));
}

std::string missing(const std::string& text, const OrderRequest& request = {}) {
  std::vector<RunConfiguration> plan;
  for (const PlannedRun& run :
       expand(test::catalog(), parse_experiment("scene = 'rest'\n" + text, "test.toml")))
    plan.push_back(run.configuration);
  return no_order(plan, request);
}

TEST(Order, needs_two_meshes_of_a_family_or_four_steps_on_a_mesh) {
  EXPECT_EQ(missing("mesh = 'icosphere:1,2'"), "");
  EXPECT_EQ(missing("mesh = 'icosphere:1'\ndt = 'geometric:0.1:0.0125:4'"), "");
  EXPECT_NE(missing("mesh = ['icosphere:1', 'uv-sphere:2', 'blob:3', 'blob:3:slivers']")
                .find("two meshes of one family"),
            std::string::npos);
  EXPECT_NE(missing("mesh = 'icosphere:1'\ndt = [0.1, 0.05, 0.025]").find("4 steps"), std::string::npos);
  EXPECT_NE(missing("mesh = 'icosphere:1,2'", {.space = false, .time = true, .errors = {}}), "");
}

TEST(Order, is_asked_for_by_a_known_word) {
  const OrderRequest request = order_request("space", "here", {"l1_error"});
  EXPECT_TRUE(request.space);
  EXPECT_FALSE(request.time);
  EXPECT_EQ(request.errors, std::vector<std::string>{"l1_error"});
  try {
    order_request("tine", "here", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "here: 'tine' is not one of space, time, both; did you mean 'time'?");
  }
}

/// Errors at h = 1, ½, ¼ …, the first `large` of which exceed a third of the solution.
OrderLine line_of(const std::vector<double>& errors, std::size_t large) {
  OrderLine line{true, {}, "icosphere", "l2_error", {}, {}};
  std::vector<double> sizes;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    sizes.push_back(std::pow(0.5, i));
    line.points.push_back({.at = "level " + std::to_string(i),
                           .x = sizes[i],
                           .finished = true,
                           .error = errors[i],
                           .order = i == 0 ? std::nan("") : std::log2(errors[i - 1] / errors[i]),
                           .is_large = i < large});
  }
  line.fit = fit_order(sizes, errors);
  return line;
}

std::string table_of(const OrderLine& line) {
  return format_orders({{}, {line}, {}}, TableFormat::markdown);
}

TEST(OrderTable, marks_orders_between_errors_above_a_third_of_the_solution) {
  const std::string table = table_of(line_of({0.64, 0.16, 0.04, 0.01}, 1));
  EXPECT_NE(table.find("| 2.00 ! |"), std::string::npos) << table;
  EXPECT_NE(table.find("| 2.00  |"), std::string::npos) << table;
  EXPECT_NE(table.find(" ! |\n"), std::string::npos) << table;  // the fitted one
  EXPECT_NE(table.find("! not asymptotic"), std::string::npos) << table;
  const std::string small = table_of(line_of({0.64, 0.16, 0.04, 0.01}, 0));
  EXPECT_EQ(small.find("asymptotic"), std::string::npos) << small;
  EXPECT_EQ(small.find('!'), std::string::npos) << small;
}

TEST(OrderTable, marks_fits_of_orders_that_differ) {
  const auto with_orders = [](double first, double second) {
    return table_of(line_of({0.1, 0.1 / std::exp2(first), 0.1 / std::exp2(first + second)}, 0));
  };
  EXPECT_NE(with_orders(1.2, 1.6).find("± 0.12 ? |"), std::string::npos) << with_orders(1.2, 1.6);
  EXPECT_NE(with_orders(1.6, 1.2).find("? not asymptotic"), std::string::npos);
  EXPECT_EQ(with_orders(1.4, 1.6).find('?'), std::string::npos) << with_orders(1.4, 1.6);
}

}  // namespace
}  // namespace shoal
