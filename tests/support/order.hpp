// Orders in Δt of an integrator on a scheme, measured free of the effects of round-off.
#pragma once

#include "tests/support/trial.hpp"

#include <functional>

namespace shoal::test {

/// Whether kinks of the scheme limit the order of the pair. A step that crosses a kink has an error of Δt² times a factor that
/// depends on the position of the kink within the step, so that single errors scatter about the order.
bool limited_by_kinks(const DiscretizationEntry& scheme, const IntegratorEntry& integrator);

/// error(steps). With kinks: the root mean square of the errors for eight numbers of steps n from `steps` to just below 2·steps,
/// each scaled by (n/steps)², as is right for errors of order 2.
double typical_error(int steps, bool kinks, const std::function<double(int)>& error);

/// Round-off may contribute at most a tenth of an error from which an order is computed. In the last of three errors, a tenth
/// changes the slope by 0.07.
constexpr double min_above_rounding = 10;

struct OrderInTime {
  double order = 0;           ///< least-squares slope of the error over halvings of Δt
  double above_rounding = 0;  ///< the smallest of those errors, divided by its possible round-off
};

/// The order of `setup` over 0.25 s. Orders below 4 use three halvings, starting at 1/64 of that time. Orders 4 and 5 use the two
/// shortest halvings, down to 1/128, whose errors exceed round-off; for order 5 at an amplitude of 0.2 these are 1/32 to 1/128, and
/// for higher orders too few remain. The reference is the same method with steps 8 times shorter than the shortest; at order p its
/// error is 8⁻ᵖ of the smallest error. Errors are typical_error()s.
OrderInTime order_in_time(const Configuration& setup, int claimed);

}  // namespace shoal::test
