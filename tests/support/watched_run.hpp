// A run in memory and its diagnostics.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "tests/support/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shoal::test {

/// A run in memory of a single configuration, with the values of its diagnostics.
class WatchedRun {
 public:
  explicit WatchedRun(const std::string& text)
      : configuration_(expand(catalog(), parse_experiment(text, "test.toml")).front().configuration),
        surface_(load_surface(catalog(), configuration_)),
        simulation_(catalog(), configuration_, surface_),
        diagnostics_(simulation_) {
    note();
  }

  bool step() {
    const StepReport report = simulation_.step(clock_);
    EXPECT_TRUE(report.ok) << report.reason;
    return report.ok;
  }
  bool step_and_note() {
    const bool ok = step();
    if (ok) note();
    return ok;
  }
  WatchedRun& to_the_end() {
    while (simulation_.steps_done() < simulation_.steps() && step_and_note()) continue;
    return *this;
  }
  double time() const { return simulation_.time(); }

  double start(const std::string& name, int component = 0) const { return at(name, 0, component); }
  double end(const std::string& name, int component = 0) const {
    return at(name, rows_.size() - 1, component);
  }
  double largest(const std::string& name) const {
    double max = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) max = std::max(max, std::abs(at(name, row, 0)));
    return max;
  }
  Vector3 angular_momentum(std::size_t row) const {
    return {at("angular_momentum", row, 0), at("angular_momentum", row, 1), at("angular_momentum", row, 2)};
  }
  std::size_t last() const { return rows_.size() - 1; }
  /// Largest |E − E(0) − W| over the largest E.
  double unaccounted() const {
    double max = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      max = std::max(
          max, std::abs(at("energy_total", row, 0) - at("energy_total", 0, 0) - at("work_geometry", row, 0) -
                        at("work_forces", row, 0) - at("work_source", row, 0)));
    return max / largest("energy_total");
  }
  const State& state() const { return simulation_.water().state(); }
  const Simulation& simulation() const { return simulation_; }

 private:
  void note() { rows_.push_back(diagnostics_.evaluate(diagnostics_.energy(), {})); }
  double at(const std::string& name, std::size_t row, int component) const {
    std::size_t place = 0;
    for (const Quantity& quantity : diagnostics_.quantities()) {
      if (quantity.name == name) return rows_[row][place + static_cast<std::size_t>(component)];
      place += static_cast<std::size_t>(quantity.components);
    }
    ADD_FAILURE() << "no diagnostic " << name;
    return 0;
  }

  RunConfiguration configuration_;
  Surface surface_;
  Simulation simulation_;
  Diagnostics diagnostics_;
  StageClock clock_;
  std::vector<std::vector<double>> rows_;
};

inline const std::string
    dec = "discretization = 'dec'\nadvection = 'vector-invariant'\nintegrator = 'ssprk3'\n",
    fefv = "discretization = 'fefv'\nadvection = 'vector-invariant'\nintegrator = 'ssprk3'\n",
    kinetic = "discretization = 'kinetic'\nintegrator = 'ssprk3'\n";

inline std::string on_level(int level) {
  return fmt::format("mesh = 'icosphere:{}'\n", level);
}

inline double order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

}  // namespace shoal::test
