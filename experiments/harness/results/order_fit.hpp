// Orders of convergence of errors e(h).
#pragma once

#include <span>

namespace shoal {

/// Errors at or below this part of what they are relative to are rounding: no order is taken of them.
inline constexpr double rounding_error = 1e-13;

struct OrderFit {
  double order = 0;           ///< p of e = C hᵖ; NaN from fewer than two points
  double standard_error = 0;  ///< of p; NaN from fewer than three points
};

/// Least squares of log e over log h: p = Σ(x−x̄)(y−ȳ)/Σ(x−x̄)², its standard error √(Σr²/(n−2)/Σ(x−x̄)²), r the
/// residuals. Points with e ≤ rounding_error, and with h or e that is not a positive number, are left out.
OrderFit fit_order(std::span<const double> h, std::span<const double> error);

}  // namespace shoal
