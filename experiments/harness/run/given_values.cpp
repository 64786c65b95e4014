#include "experiments/harness/run/given_values.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// The i-th of many instants within 0 … 1: multiples of the golden section do not resonate with any period.
double instant(int i) {
  const double part = i * (std::numbers::phi - 1);
  return part - std::floor(part);
}

}  // namespace

void GivenValues::add(Sample sample, double end) {
  constexpr int instants = 64;
  double largest = 0;
  for (int i = 0; i <= instants; ++i)
    largest = std::fmax(largest, sample(end * instant(i)).lpNorm<Eigen::Infinity>());
  all_.push_back({std::move(sample), largest});
}

double GivenValues::resolved(double time, double dt, double tolerance) const {
  constexpr int instants = 8, halvings = 10;
  const auto is_resolved = [&](const Series& series, double step) {
    const Vector begin = series.sample(time), end = series.sample(time + step);
    double largest = std::fmax(series.largest, begin.lpNorm<Eigen::Infinity>()), departure = 0;
    for (int i = 1; i <= instants; ++i) {
      const double part = instant(i);
      const Vector between = series.sample(time + part * step);
      largest = std::fmax(largest, between.lpNorm<Eigen::Infinity>());
      departure = std::fmax(departure, (between - (1 - part) * begin - part * end).lpNorm<Eigen::Infinity>());
    }
    return departure <= tolerance * largest;
  };
  for (const Series& series : all_)
    for (int i = 0; i < halvings && !is_resolved(series, dt); ++i) dt *= 0.5;
  return dt;
}

}  // namespace shoal
