#include "experiments/harness/results/order_fit.hpp"

#include <cassert>
#include <cmath>
#include <limits>
#include <vector>

namespace shoal {

OrderFit fit_order(std::span<const double> h, std::span<const double> error) {
  assert(h.size() == error.size());
  std::vector<double> x, y;
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (!(h[i] > 0 && error[i] > rounding_error && std::isfinite(h[i]) && std::isfinite(error[i]))) continue;
    x.push_back(std::log(h[i]));
    y.push_back(std::log(error[i]));
  }
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto count = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, residuals = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += x[i] / count;
    mean_y += y[i] / count;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (!(xx > 0)) return {unknown, unknown};
  const double order = xy / xx;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double residual = y[i] - mean_y - order * (x[i] - mean_x);
    residuals += residual * residual;
  }
  return {order, x.size() > 2 ? std::sqrt(residuals / (count - 2) / xx) : unknown};
}

}  // namespace shoal
