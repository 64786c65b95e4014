// Rules for lists of numbers: their values, and messages on mistakes.
#include "experiments/harness/plan/number_rule.hpp"

#include "discretizations/common/error.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

using Numbers = std::vector<double>;

Numbers numbers(const std::string& rule) {
  return numbers_of_rule(rule, "here").value_or(Numbers{});
}

std::string error_message(const std::string& rule) {
  try {
    numbers_of_rule(rule, "here");
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(NumberRule, geometric_numbers_are_those_that_one_would_write) {
  EXPECT_EQ(numbers("geometric:1/60:1/960:5"),
            (Numbers{1.0 / 60, 1.0 / 120, 1.0 / 240, 1.0 / 480, 1.0 / 960}));
  EXPECT_EQ(numbers("geometric:1/120:1/7680:4"), (Numbers{1.0 / 120, 1.0 / 480, 1.0 / 1920, 1.0 / 7680}));
  EXPECT_EQ(numbers("geometric:1e-3:1:4"), (Numbers{0.001, 0.01, 0.1, 1}));
  EXPECT_EQ(numbers("geometric:1000:1:4"), (Numbers{1000, 100, 10, 1}));
  EXPECT_EQ(numbers("geometric:-1:-8:4"), (Numbers{-1, -2, -4, -8}));
}

TEST(NumberRule, arithmetic_numbers_are_those_that_one_would_write) {
  EXPECT_EQ(numbers("arithmetic:0.002:0.008:4"), (Numbers{0.002, 0.004, 0.006, 0.008}));
  EXPECT_EQ(numbers("arithmetic:-1:1:3"), (Numbers{-1, 0, 1}));
}

TEST(NumberRule, digits_are_significant_ones) {
  EXPECT_EQ(numbers("geometric:0.0035:0.7:24:3")[7], 0.0176);
  EXPECT_EQ(numbers("geometric:1:2:3:2"), (Numbers{1, 1.4, 2}));
}

TEST(NumberRule, both_ends_are_exact_whatever_the_digits) {
  const Numbers found = numbers("geometric:1/3:2/7:5:2");
  EXPECT_EQ(found.front(), 1.0 / 3);
  EXPECT_EQ(found.back(), 2.0 / 7);
}

TEST(NumberRule, other_texts_are_no_rules) {
  for (const char* text : {"", "auto", "1/60", "every:0.1", "geometric", "geometrical:1:2:3", "icosphere:4"})
    EXPECT_FALSE(numbers_of_rule(text, "here")) << text;
}

TEST(NumberRule, mistakes_are_named_with_what_is_allowed) {
  const std::string allowed =
      "; write geometric:A:B:N[:D], N numbers from A to B in equal ratios, rounded to D significant "
      "digits";
  EXPECT_EQ(error_message("geometric:1:2"), "here: 'geometric:1:2' has 3 parts" + allowed);
  EXPECT_EQ(error_message("geometric:0:2:3"), "here: 'geometric:0:2:3' reaches or crosses zero" + allowed);
  EXPECT_EQ(error_message("geometric:-1:2:3"), "here: 'geometric:-1:2:3' reaches or crosses zero" + allowed);
  EXPECT_EQ(error_message("geometric:1:inf:3"),
            "here: 'geometric:1:inf:3' has an end that is not finite" + allowed);
  EXPECT_EQ(error_message("geometric:1:2:1"),
            "here: 'geometric:1:2:1' has N = 1, which is not a whole number from 2 to 10000" + allowed);
  EXPECT_EQ(error_message("geometric:1:2:3:0"),
            "here: 'geometric:1:2:3:0' has D = 0, which is not a whole number from 1 to 17" + allowed);
  EXPECT_EQ(error_message("geometric:one:2:3"), "here: 'one' is not a number");
  EXPECT_NE(error_message("arithmetic:1:2").find("in equal differences"), std::string::npos);
}

}  // namespace
}  // namespace shoal
