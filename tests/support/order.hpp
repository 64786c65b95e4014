// Orders in Δt of an integrator on a scheme, measured free of the effects of round-off.
#pragma once

#include "tests/support/trial.hpp"

#include <functional>

namespace shoal::test {

/// Whether the order that both claim is that of the scheme's kinks. A step that crosses a kink has an error of Δt² times
/// a factor that depends on where within the step it lies: single errors scatter about the order.
bool limited_by_kinks(const DiscretizationEntry& scheme, const IntegratorEntry& integrator);

/// error(steps); with kinks the root mean square of the errors of eight numbers of steps, from `steps` to just below twice as
/// many, each times (its number/steps)², as errors of order 2 would be.
double typical_error(int steps, bool kinks, const std::function<double(int)>& error);

/// What rounding may add to an error that an order is read from, at most: a tenth of it. Of the last of three errors that
/// changes the slope by 0.07.
constexpr double min_above_rounding = 10;

struct OrderInTime {
  double order = 0;           ///< least-squares slope of the error over halvings of Δt
  double above_rounding = 0;  ///< the smallest of those errors, over what rounding can have added to it
};

/// Of `setup`, over 0.25 s. Orders below 4: over three halvings from 1/64 of that. Orders of 4 and 5: over the two shortest
/// halvings, down to 1/128, whose errors stand out of the rounding; of order 5 at an amplitude of 0.2 those are 1/32 to
/// 1/128, of higher orders too few are left. The reference is the same method with 8 times shorter steps than
/// the shortest: of order p its error is 8⁻ᵖ of the smallest one. Errors are typical_error()s.
OrderInTime order_in_time(const Configuration& setup, int claimed);

}  // namespace shoal::test
