// One list of diagnostics: what is recorded in every row, each with its name, unit, meaning and value in one
// place.
#pragma once

#include "discretizations/common/types.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shoal {

class Simulation;  // run/simulation.hpp
class Instant;     // diagnostics/diagnostic.hpp

/// One column of the diagnostics.
struct Quantity {
  std::string name;
  std::string unit;
  std::string meaning;
  int components = 1;
  bool may_be_blank = false;  ///< NaN where its meaning says so
};

/// A quantity and its value: quantity.components numbers are written to `values`.
struct DiagnosticColumn {
  Quantity quantity;
  std::function<void(Instant& now, double* values)> evaluate;
  /// What `evaluate` keeps from one row for the next, which runs save to go on later; null where it is nothing.
  std::shared_ptr<Vector> memory = nullptr;
};

/// One row of the list: columns that belong together, for the runs they apply to. Called once at t = 0; what
/// they compare with is captured at that time.
struct DiagnosticEntry {
  std::string name;
  std::function<std::vector<DiagnosticColumn>(const Simulation&)> columns;
};

}  // namespace shoal
