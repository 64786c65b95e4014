#include "discretizations/common/binned_sum.hpp"

#include "discretizations/common/exact_sum.hpp"

#include <limits>

namespace shoal {
namespace {

constexpr int width = 34;

double quantum(int bin) {
  return std::ldexp(1.0, width * bin - 1000);
}

/// Terms up to this size have no part in the bin above.
double limit(int bin) {
  return std::ldexp(quantum(bin), width - 1);
}

}  // namespace

bool BinnedSum::take(double largest, Eigen::Index count, const std::array<std::uint64_t, folds>& sums) {
  if (!(largest <= limit(bins - 1))) {
    ++words_[2 * bins];
    return true;
  }
  if (largest > limit_) {
    while (largest > limit(top_)) ++top_;
    words_[bins + top_] = 1;
    limit_ = limit(top_);
    for (int f = 0; f < folds; ++f) shift_[f] = std::ldexp(1.5, 52) * quantum(top_ - f);
    return false;
  }
  for (int f = 0; f < folds; ++f)
    words_[top_ - f] += static_cast<std::int64_t>(sums[f] - static_cast<std::uint64_t>(count) *
                                                                std::bit_cast<std::uint64_t>(shift_[f]));
  return true;
}

double BinnedSum::value() const {
  if (words_[2 * bins] != 0) return std::numeric_limits<double>::quiet_NaN();
  int top = bins - 1;
  while (top >= folds && words_[bins + top] == 0) --top;
  ExactSum sum;
  for (int k = top - folds + 1; k <= top; ++k) {
    constexpr std::int64_t half = std::int64_t{1} << 32;  // both halves of the integer are exact as doubles
    const std::int64_t high = words_[k] / half, low = words_[k] % half;
    sum.add(static_cast<double>(high) * static_cast<double>(half) * quantum(k));
    sum.add(static_cast<double>(low) * quantum(k));
  }
  return sum.value();
}

}  // namespace shoal
