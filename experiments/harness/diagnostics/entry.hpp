// The list of diagnostics, which are recorded in every row, each with its name, unit, meaning and value in one place.
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
  bool may_be_blank = false;  ///< may be NaN, as its meaning explains
};

/// A quantity and its evaluation, which writes quantity.components numbers to `values`.
struct DiagnosticColumn {
  Quantity quantity;
  std::function<void(Instant& now, double* values)> evaluate;
  /// State that `evaluate` keeps from row to row, which a checkpoint includes; null if there is none.
  std::shared_ptr<Vector> memory = nullptr;
};

/// One row of the list: a group of columns for the runs to which they apply. Called once at t = 0, when it captures reference
/// values.
struct DiagnosticEntry {
  std::string name;
  std::function<std::vector<DiagnosticColumn>(const Simulation&)> columns;
};

}  // namespace shoal
