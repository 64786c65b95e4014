// Sums of doubles whose bits depend neither on order nor on grouping, at less cost than exact ones.
#pragma once

#include "discretizations/common/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace shoal {

/// A sum on bins with fixed quanta q_k = 2^(34 k − 1000) (Ahrens, Demmel & Nguyen 2020, doi:10.1145/3389360). Each term is split into
/// multiples of the quantum of the highest bin that any term needs and of those of the two bins below; what is left is dropped. The
/// multiples are added as integers, in any order. For n ≤ 2²⁹ terms of size at most M, the error is at most n 2^-68 M, and one rounding.
class BinnedSum {
 public:
  static constexpr int bins = 58, words_count = 2 * bins + 1;

  /// Adds term(i) for the i in [begin, end), which may be evaluated more than once. To be vectorized, it captures pointers by value.
  template <class Term>
  void add(Eigen::Index begin, Eigen::Index end, const Term& term) {
    for (; begin < end; begin += chunk) {
      const Eigen::Index next = std::min(begin + chunk, end);
      while (!add_chunk(begin, next, term)) {
      }
    }
  }

  /// NaN if a term is not finite, or above 2^970.
  double value() const;

  /// For reductions word by word: the sums of the bins, how many sums have each bin as their highest, and how many chunks have a term
  /// that is not finite.
  std::span<std::int64_t, words_count> words() { return words_; }

 private:
  static constexpr int folds = 3;
  static constexpr Eigen::Index chunk = 1024;

  /// Returns false, with a higher bin as the highest, if a term needs it.
  template <class Term>
  bool add_chunk(Eigen::Index begin, Eigen::Index end, const Term& term) {
    // The lowest bits of x + shift are the multiple of the quantum that is next to x.
    const auto [first, second, third] = shift_;
    std::uint64_t largest = 0, sum_1 = 0, sum_2 = 0, sum_3 = 0;
    for (Eigen::Index i = begin; i < end; ++i) {
      const double x = term(i), x_1 = x + first;
      const double y = x - (x_1 - first), y_2 = y + second;
      const double z = y - (y_2 - second), z_3 = z + third;
      largest = std::max(largest,
                         std::bit_cast<std::uint64_t>(std::abs(x)));  // that of NaN and ∞ is above all others
      sum_1 += std::bit_cast<std::uint64_t>(x_1);
      sum_2 += std::bit_cast<std::uint64_t>(y_2);
      sum_3 += std::bit_cast<std::uint64_t>(z_3);
    }
    return take(std::bit_cast<double>(largest), end - begin, {sum_1, sum_2, sum_3});
  }
  bool take(double largest, Eigen::Index count, const std::array<std::uint64_t, folds>& sums);

  std::array<std::int64_t, words_count> words_{};
  int top_ = folds - 1;
  double limit_ = 0;  // on the size of terms without a part in a bin above top_
  std::array<double, folds> shift_{};
};

}  // namespace shoal
