// What tests of possibly broken schemes share: loops of steps that end, and one message for many comparisons.
#pragma once

#include "tests/support/catch.hpp"

#include <cmath>
#include <string>

namespace shoal::test {

/// step(length()) until time() reaches `end`. Fails, instead of going on, at a length that is not a positive number, at a step that
/// returns false, and after max_steps; no listed scheme needs a quarter of them.
template <class Time, class Length, class Step>
void step_until(double end, const Time& time, const Length& length, const Step& step) {
  constexpr int max_steps = 20000;
  for (int steps = 0; time() < end; ++steps) {
    if (steps == max_steps)
      FAIL("not at the end, t = " << end << ", after " << steps << " steps: t = " << time());
    const double dt = length();
    if (!(dt > 0 && std::isfinite(dt))) FAIL("a step of " << dt << " at t = " << time());
    if (!step(dt)) FAIL("a step failed, or its result is not finite, at t = " << time());
  }
}

/// The number of equal steps of at most `longest` to `end`; fails if there is no reasonable one.
inline int step_count(double end, double longest) {
  constexpr double max_steps = 1e6;
  const double steps = std::ceil(end / longest);
  if (!(steps > 0 && steps < max_steps)) FAIL("steps of " << longest << " to t = " << end);
  return static_cast<int>(steps);
}

/// The largest of many values, NaN above all, and what was true there.
class Largest {
 public:
  template <class Describe>
  void add(double value, const Describe& describe) {
    if (value <= value_ || std::isnan(value_)) return;
    value_ = value;
    where_ = describe();
  }
  void add(double value) {
    add(value, [] { return std::string(); });
  }
  double value() const { return value_; }
  const std::string& where() const { return where_; }

 private:
  double value_ = -HUGE_VAL;
  std::string where_;
};

}  // namespace shoal::test
