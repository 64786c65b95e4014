#include "experiments/harness/run/given_values.hpp"

#include <algorithm>
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

void GivenValues::add(Sample sample, double end, double negligible) {
  constexpr int instants = 64;
  double largest = 0;
  for (int i = 0; i <= instants; ++i)
    largest = std::fmax(largest, sample(end * instant(i)).lpNorm<Eigen::Infinity>());
  all_.push_back({std::move(sample), largest, negligible});
}

bool GivenValues::is_resolved(const Series& series, double time, double dt, double tolerance) {
  constexpr int instants = 8;
  const Vector begin = series.sample(time), end = series.sample(time + dt);
  double largest = std::fmax(series.largest, begin.lpNorm<Eigen::Infinity>()), departure = 0;
  for (int i = 1; i <= instants; ++i) {
    const double part = instant(i);
    const Vector between = series.sample(time + part * dt);
    largest = std::fmax(largest, between.lpNorm<Eigen::Infinity>());
    departure = std::fmax(departure, (between - (1 - part) * begin - part * end).lpNorm<Eigen::Infinity>());
  }
  return departure <= std::fmax(series.negligible, tolerance * largest);
}

bool GivenValues::are_resolved(double time, double dt, double tolerance) const {
  return std::ranges::all_of(all_,
                             [&](const Series& series) { return is_resolved(series, time, dt, tolerance); });
}

double GivenValues::resolved(double time, double dt, double tolerance, double shortest) const {
  for (const Series& series : all_)
    while (0.5 * dt > shortest && !is_resolved(series, time, dt, tolerance)) dt *= 0.5;
  return dt;
}

}  // namespace shoal
