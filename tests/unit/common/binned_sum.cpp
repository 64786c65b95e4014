// Reproducible sums: the same bits for any order and grouping, and near the exact sum.
#include "discretizations/common/binned_sum.hpp"

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

void add(const Vector& values, Eigen::Index begin, Eigen::Index end, BinnedSum& sum) {
  sum.add(begin, end, [value = values.data()](Eigen::Index i) { return value[i]; });
}

double binned(const Vector& values) {
  BinnedSum sum;
  add(values, 0, values.size(), sum);
  return sum.value();
}

double exact(const Vector& values) {
  ExactSum sum;
  sum.add(values);
  return sum.value();
}

TEST(BinnedSum, is_within_its_error_of_the_exact_sum) {
  for (const int range : {0, 20, 100, 900})
    for (const Eigen::Index count : {1, 7, 1023, 1024, 1025, 30000}) {
      Vector values = random_values(count, range, 5);
      if (count > 1) values[count - 1] = -exact(values.head(count - 1));  // they nearly cancel
      const double of_bins = static_cast<double>(count) * std::ldexp(values.cwiseAbs().maxCoeff(), -68),
                   of_rounding = std::numeric_limits<double>::epsilon() * std::abs(exact(values));
      EXPECT_LE(std::abs(binned(values) - exact(values)), of_bins + of_rounding) << range << ' ' << count;
    }
}

TEST(BinnedSum, does_not_depend_on_order_or_grouping) {
  for (const int range : {1, 40, 900}) {
    Vector values = random_values(20000, range, 7);
    const double sum = binned(values);
    std::mt19937 random(3);
    for (int repeat = 0; repeat < 20; ++repeat) {
      std::shuffle(values.begin(), values.end(), random);
      if (repeat % 2 == 0)  // with small values in some parts and large ones in others
        std::sort(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      EXPECT_EQ(binned(values), sum);
      BinnedSum parts;
      for (Eigen::Index begin = 0; begin < values.size();) {
        const auto end =
            std::min<Eigen::Index>(begin + 1 + static_cast<Eigen::Index>(random() % 3000), values.size());
        BinnedSum part;
        add(values, begin, end, part);
        const auto words = part.words(), to = parts.words();
        for (std::size_t i = 0; i < words.size(); ++i) to[i] += words[i];  // as a reduction of integers does
        begin = end;
      }
      EXPECT_EQ(parts.value(), sum);
    }
  }
}

/// A term at the limit of a bin is rounded to zero there, in the same way as one that was never tried there.
TEST(BinnedSum, does_not_depend_on_grouping_at_the_limits_of_bins) {
  Vector values(6);
  for (int bin = 3; bin < 57; ++bin) {
    const double limit = std::ldexp(1.0, 34 * bin - 1000 + 33);
    values << limit, std::nextafter(limit, 0), -limit, std::nextafter(limit, HUGE_VAL), limit / 3, limit;
    double first = 0;
    for (Eigen::Index split = 0; split <= 6; ++split) {
      BinnedSum low, high;
      add(values, 0, split, low);
      add(values, split, 6, high);
      const auto words = low.words(), to = high.words();
      for (std::size_t i = 0; i < words.size(); ++i) to[i] += words[i];
      if (split == 0) first = high.value();
      EXPECT_EQ(high.value(), first) << bin << ' ' << split;
    }
  }
}

TEST(BinnedSum, of_nothing_or_zeros_is_zero) {
  EXPECT_EQ(binned(Vector()), 0);
  EXPECT_EQ(binned(Vector::Constant(5, -0.0)), 0);
}

TEST(BinnedSum, of_what_is_not_finite_is_NaN) {
  for (const double bad : {std::nan(""), -std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300})
    for (const Eigen::Index place : {0, 20, 1999}) {
      Vector values = random_values(2000, 3, 1);
      values[place] = bad;
      EXPECT_TRUE(std::isnan(binned(values))) << bad << ' ' << place;
    }
}

}  // namespace
}  // namespace shoal
