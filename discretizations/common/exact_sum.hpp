// Sums of doubles that are exact until they are rounded once, so that neither order nor grouping affects a
// bit.
#pragma once

#include "discretizations/common/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace shoal {

/// The sum as an integer of 2144 bits, in overlapping digits of 32 bits: the small superaccumulator of Neal
/// (2015, arXiv:1505.05571). Two sums are added by adding their digits, as in any reduction of integers.
/// Values are buffered and added in batches.
class ExactSum {
 public:
  static constexpr int digits = 67, words_count = digits + 3;

  void add(double x) {
    waiting_[filled_++] = x;
    if (filled_ == chunk) take_waiting();
  }
  /// Adds the elements of a vector or of a vector expression.
  template <class Values>
  void add(const Eigen::DenseBase<Values>& values) {
    for (Eigen::Index begin = 0; begin < values.size();) {
      const auto count = static_cast<int>(std::min<Eigen::Index>(chunk - filled_, values.size() - begin));
      Eigen::Map<Eigen::ArrayXd>(waiting_.data() + filled_, count) =
          values.derived().segment(begin, count).array();
      begin += count;
      filled_ += count;
      if (filled_ == chunk) take_waiting();
    }
  }

  /// Adds value(i) for `count` numbers i from `begin` on.
  template <class Value>
  void add(Index begin, Index count, const Value& value) {
    for (const Index end = begin + count; begin < end;) {
      const int part = std::min<Index>(chunk - filled_, end - begin);
      double* to = waiting_.data() + filled_;
      for (int i = 0; i < part; ++i) to[i] = value(begin + i);
      begin += part;
      filled_ += part;
      if (filled_ == chunk) take_waiting();
    }
  }

  /// The sum, rounded to nearest. If terms are not finite, the sum in IEEE arithmetic.
  double value();

  /// For reductions: the normalised digits, of which 2³⁰ sums can be added word by word. The last three words
  /// count the terms that are ∞, −∞ and NaN.
  std::span<std::int64_t, words_count> words() {
    take_waiting();
    carry();
    return words_;
  }

 private:
  static constexpr int chunk = 512, lanes = 16;
  /// A digit can overflow after this many additions of a mantissa of 53 bits, shifted by less than 32.
  static constexpr int additions_between_carries = 1 << 10;

  void take_waiting();
  std::array<double, 2> take_multiples(double& largest);
  void take(double x);
  void carry();

  std::array<std::int64_t, words_count> words_{};
  int room_ = additions_between_carries, filled_ = 0;
  alignas(64) std::array<double, chunk> waiting_;
};

}  // namespace shoal
