// Numbers in equal ratios or differences.
#include "experiments/harness/plan/number_rule.hpp"

#include "discretizations/common/parameters.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

constexpr std::int64_t max_numbers = 10'000;  // about as many as an experiment may have runs
constexpr std::int64_t max_digits = 17;       // that a double distinguishes

/// The parts between the colons.
std::vector<std::string> split_at_colons(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

/// Parses a number or a fraction with more digits than a double has, so that intermediate values are rounded to the number that a
/// user would write, such as 0.01 between 0.001 and 1 in a geometric rule.
long double precise(const std::string& text) {
  const auto slash = text.find('/');
  const long double numerator = std::strtold(text.substr(0, slash).c_str(), nullptr);
  return slash == std::string::npos ? numerator
                                    : numerator / std::strtold(text.substr(slash + 1).c_str(), nullptr);
}

double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

}  // namespace

std::optional<std::vector<double>> numbers_of_rule(const std::string& text, const std::string& where) {
  const std::vector<std::string> parts = split_at_colons(text);
  const bool geometric = parts.front() == "geometric";
  if (parts.size() < 2 || (!geometric && parts.front() != "arithmetic")) return {};
  const auto refuse = [&](const std::string& why) {
    return Error(fmt::format(
        "{}: '{}' {}; write {}:A:B:N[:D], N numbers from A to B in equal {}, rounded to D significant digits",
        where, text, why, parts.front(), geometric ? "ratios" : "differences"));
  };
  if (parts.size() < 4 || parts.size() > 5) throw refuse(fmt::format("has {} parts", parts.size()));
  const double first = parse_number(parts[1], where), last = parse_number(parts[2], where);
  if (!std::isfinite(first) || !std::isfinite(last)) throw refuse("has an end that is not finite");
  if (geometric && (first == 0 || last == 0 || (first > 0) != (last > 0)))
    throw refuse("reaches or crosses zero");
  const auto count = parse_whole_number(parts[3], 2, max_numbers);
  if (!count)
    throw refuse(fmt::format("has N = {}, which is not a whole number from 2 to {}", parts[3], max_numbers));
  const auto digits =
      parts.size() == 5 ? parse_whole_number(parts[4], 1, max_digits) : std::optional<std::int64_t>(0);
  if (!digits)
    throw refuse(fmt::format("has D = {}, which is not a whole number from 1 to {}", parts[4], max_digits));

  const long double a = precise(parts[1]), b = precise(parts[2]);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < *count; ++i) {
    const long double part = static_cast<long double>(i) / static_cast<long double>(*count - 1);
    const auto value = static_cast<double>(geometric ? a * std::pow(b / a, part) : a + (b - a) * part);
    numbers.push_back(*digits > 0 ? rounded(value, static_cast<int>(*digits)) : value);
  }
  numbers.front() = first;
  numbers.back() = last;
  return numbers;
}

}  // namespace shoal
