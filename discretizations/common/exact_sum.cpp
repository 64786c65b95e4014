#include "discretizations/common/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int64_t base = std::int64_t{1} << 32;
constexpr int lowest_exponent = -1074;  // exponent of the lowest bit of digit 0, that of the smallest double

/// The e with 2^e ≤ x < 2^(e+1), for a normal number x.
int exponent_of(double x) {
  return (static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff) - 1023;
}

}  // namespace

/// Splits off from each waiting value its multiple of a quantum derived from the largest value, then from the rest that of a second
/// quantum; the remainders stay, and `largest` becomes the largest of them. Returns the sums of both multiples. The quanta are large
/// enough to make the sums exact in any order: each multiple has at most 43 bits, their sum 9 more.
std::array<double, 2> ExactSum::take_multiples(double& largest) {
  static_assert(chunk <= 1 << 9);
  using Lanes = Eigen::Array<double, lanes, 1>;
  constexpr int bits_left = 42;  // a remainder is at most half a quantum
  const int exponent = exponent_of(largest);
  const double shift = std::ldexp(1.5, exponent + 11),  // its last bit, 2^-52 of it, is the quantum
      second_shift = std::ldexp(1.5, exponent - bits_left + 11);
  Lanes sum = Lanes::Zero(), second_sum = Lanes::Zero(), size = Lanes::Zero();
  for (int i = 0; i < filled_; i += lanes) {
    Eigen::Map<Lanes, Eigen::AlignedMax> values(waiting_.data() + i);
    const Lanes x = values, shifted = x + shift, multiple = shifted - shift, rest = x - multiple;
    const Lanes second_shifted = rest + second_shift, second = second_shifted - second_shift,
                remainder = rest - second;
    sum += multiple;
    second_sum += second;
    size = size.max(remainder.abs());
    values = remainder;
  }
  largest = size.maxCoeff();
  return {sum.sum(), second_sum.sum()};
}

/// Adds multiples of quanta, then those of the remainders, and so on: one round if no value is below 2^-31 of the largest.
void ExactSum::take_waiting() {
  if (filled_ == 0) return;
  constexpr int simple = 900;  // bound on exponents: quanta stay normal numbers and sums finite
  const int padded = (filled_ + lanes - 1) / lanes * lanes;
  std::fill(waiting_.begin() + filled_, waiting_.begin() + padded, 0.0);
  filled_ = padded;
  // maxCoeff may ignore NaN; the sum of multiples then detects it.
  double largest = Eigen::Map<Eigen::ArrayXd, Eigen::AlignedMax>(waiting_.data(), padded).abs().maxCoeff();
  do {
    if (largest != 0 && std::abs(exponent_of(largest)) > simple) {
      for (int i = 0; i < padded; ++i) take(waiting_[i]);
      break;
    }
    const auto [sum, second_sum] = take_multiples(largest);
    take(sum);
    if (!std::isfinite(sum)) break;
    take(second_sum);
  } while (largest != 0);
  filled_ = 0;
}

/// x = ± mantissa · 2^(exponent − 1074), its lower bits in one digit and the others in the next.
void ExactSum::take(double x) {
  if (room_ == 0) carry();
  --room_;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52) & 0x7ff;
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (biased == 0x7ff) {
    ++words_[digits + (std::isnan(x) ? 2 : x < 0)];
    return;
  }
  if (biased != 0) mantissa |= std::uint64_t{1} << 52;
  const int exponent = biased == 0 ? 0 : biased - 1, digit = exponent >> 5, shift = exponent & 31;
  const auto low = static_cast<std::int64_t>((mantissa << shift) & 0xffffffff);
  const auto high = static_cast<std::int64_t>(mantissa >> (32 - shift));
  const bool negative = std::signbit(x);
  words_[digit] += negative ? -low : low;
  words_[digit + 1] += negative ? -high : high;
}

/// Normalises the digits to [0, 2³²) except the highest, which carries the sign.
void ExactSum::carry() {
  for (int i = 0; i + 1 < digits; ++i) {
    const std::int64_t over = words_[i] >> 32;
    words_[i] -= over * base;
    words_[i + 1] += over;
  }
  room_ = additions_between_carries;
}

double ExactSum::value() {
  take_waiting();
  const bool high = words_[digits] != 0, low = words_[digits + 1] != 0;
  if (words_[digits + 2] != 0 || (high && low)) return std::numeric_limits<double>::quiet_NaN();
  if (high || low) return (high ? 1 : -1) * std::numeric_limits<double>::infinity();
  carry();
  std::array<std::int64_t, words_count> size = words_;
  const bool negative = size[digits - 1] < 0;
  if (negative) {
    std::int64_t borrowed = 0;
    for (int i = 0; i < digits; ++i) {
      const std::int64_t digit = -words_[i] - borrowed;
      borrowed = i + 1 < digits && digit < 0 ? 1 : 0;
      size[i] = digit + borrowed * base;
    }
  }
  int top = digits - 1;
  while (top > 0 && size[top] == 0) --top;
  // The three highest digits contain at least 65 bits of the sum; one more bit for all lower ones decides
  // ties.
  Wide leading = 0;
  for (int i = top; i > top - 3; --i)
    leading = (leading << 32) | static_cast<std::uint64_t>(i < 0 ? 0 : size[i]);
  if (std::any_of(size.begin(), size.begin() + std::max(0, top - 2),
                  [](std::int64_t digit) { return digit != 0; }))
    leading |= 1;
  const double rounded = std::ldexp(static_cast<double>(leading), 32 * (top - 2) + lowest_exponent);
  return negative ? -rounded : rounded;
}

}  // namespace shoal
