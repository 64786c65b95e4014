// Exact sums against sums in four times the precision, in any order and grouping.
#include "discretizations/common/exact_sum.hpp"
#include "tests/support/random_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace shoal {
namespace {

using test::random_values;

__extension__ using Quad = __float128;

double exact(const Vector& values) {
  ExactSum sum;
  sum.add(values);
  return sum.value();
}

Vector of(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Eigen::Index>(values.size()));
}

/// As a reduction of integers does.
void add_words(ExactSum& part, ExactSum& sum) {
  const auto words = part.words(), to = sum.words();
  for (std::size_t i = 0; i < words.size(); ++i) to[i] += words[i];
}

TEST(ExactSum, of_nothing_is_zero) {
  EXPECT_EQ(exact(Vector()), 0);
  EXPECT_EQ(exact(of({0.0, -0.0})), 0);
}

TEST(ExactSum, of_one_value_is_that_value) {
  for (const double value :
       {1.0, -1.0, 0.1, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, -1e-310})
    EXPECT_EQ(exact(of({value})), value);
  for (const double value : random_values(1000, 1000, 1)) EXPECT_EQ(exact(of({value})), value);
}

TEST(ExactSum, keeps_what_large_terms_leave_behind) {
  EXPECT_EQ(exact(of({1e308, -1e308, 5e-324})), 5e-324);
  EXPECT_EQ(exact(of({1e16, 1, 1, -1e16})), 2);
  EXPECT_EQ(exact(of({1e308, 1e308, -1e308})), 1e308);  // where a sum in doubles is infinite on the way
  EXPECT_EQ(exact(of({1e308, 1e308})), std::numeric_limits<double>::infinity());
}

TEST(ExactSum, rounds_once_to_nearest_and_halves_to_even) {
  const double one = 1, half = std::ldexp(1, -53), beyond = std::ldexp(1, -200);
  EXPECT_EQ(exact(of({one, half})), one);
  EXPECT_EQ(exact(of({one, half, beyond})), std::nextafter(one, 2));
  EXPECT_EQ(exact(of({-one, -half, -beyond})), -std::nextafter(one, 2));
  EXPECT_EQ(exact(of({std::nextafter(one, 2), half})), std::nextafter(std::nextafter(one, 2), 2));
}

TEST(ExactSum, agrees_with_a_sum_of_four_times_the_precision) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Vector values = random_values(5000, 20, seed);  // whose sums fit into 113 bits
    Quad sum = 0;
    for (const double value : values) sum += value;
    EXPECT_EQ(exact(values), static_cast<double>(sum)) << seed;
  }
}

TEST(ExactSum, does_not_depend_on_order_or_grouping) {
  Vector values = random_values(20000, 900, 7);
  const double sum = exact(values);
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 10; ++repeat) {
    std::shuffle(values.begin(), values.end(), random);
    EXPECT_EQ(exact(values), sum);
    ExactSum parts;
    for (Eigen::Index begin = 0; begin < values.size();) {
      const auto count =
          std::min<Eigen::Index>(1 + static_cast<Eigen::Index>(random() % 3000), values.size() - begin);
      ExactSum part;
      part.add(values.segment(begin, count));
      add_words(part, parts);
      begin += count;
    }
    EXPECT_EQ(parts.value(), sum);
  }
}

/// Chunks are added by vector instructions; one value after the other is what they have to agree with.
TEST(ExactSum, of_chunks_is_that_of_single_values) {
  for (const int range : {0, 20, 300, 1020})
    for (const Eigen::Index count : {1, 7, 8, 511, 512, 513, 3000}) {
      const Vector values = random_values(count, range, 5);
      ExactSum all;
      for (const double value : values) {
        ExactSum single;
        single.add(value);
        add_words(single, all);
      }
      EXPECT_EQ(exact(values), all.value()) << range << ' ' << count;
    }
}

TEST(ExactSum, of_what_is_not_finite_is_that_of_IEEE_arithmetic) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exact(of({1, infinity, 2})), infinity);
  EXPECT_EQ(exact(of({-infinity, 1, -infinity})), -infinity);
  EXPECT_TRUE(std::isnan(exact(of({1, std::nan("")}))));
  EXPECT_TRUE(std::isnan(exact(of({infinity, std::nan("")}))));
  EXPECT_TRUE(std::isnan(exact(of({infinity, -infinity}))));
  Vector many = Vector::Ones(1000);
  many[700] = -infinity;
  EXPECT_EQ(exact(many), -infinity);
  many[20] = std::nan("");
  EXPECT_TRUE(std::isnan(exact(many)));
  many.setZero();
  many[700] = std::nan("");
  EXPECT_TRUE(std::isnan(exact(many)));
}

}  // namespace
}  // namespace shoal
