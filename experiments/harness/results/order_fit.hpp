// Orders of convergence of errors e(h).
#pragma once

#include <span>

namespace shoal {

/// Relative errors at or below this value are round-off and give no order.
inline constexpr double rounding_error = 1e-13;

struct OrderFit {
  double order = 0;           ///< p of e = C hᵖ; NaN from fewer than two points
  double standard_error = 0;  ///< of p; NaN from fewer than three points
};

/// Least-squares fit of log e over log h: p = Σ(x−x̄)(y−ȳ)/Σ(x−x̄)², with standard error √(Σr²/(n−2)/Σ(x−x̄)²), r the
/// residuals. Points with e ≤ rounding_error, or with h or e not a positive number, are ignored.
OrderFit fit_order(std::span<const double> h, std::span<const double> error);

}  // namespace shoal
