// Processes that work on one surface together, each on its part.
#pragma once

#include "discretizations/common/types.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace shoal {

/// An entry of an array of this process that is a copy of entry `there` of the same array of another.
struct Ghost {
  int owner = 0;
  Index there = 0, here = 0;
};

/// Copies the owners' entries to the ghosts of an array, on all processes at once.
class Renewal {
 public:
  virtual ~Renewal() = default;
  virtual void operator()(double* values) const = 0;
};

/// One process alone. All functions are to be called by all processes in the same order, and return the same to each.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  /// values = the sums of all processes' values.
  virtual void add(std::span<std::int64_t> /*values*/) const {}
  /// NaN where one is.
  virtual double max(double value) const { return value; }
  virtual std::unique_ptr<Renewal> renewal(std::span<const Ghost> /*ghosts*/) const { return nullptr; }
};

}  // namespace shoal
