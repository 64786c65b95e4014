// Processes that jointly simulate one surface, each on its part.
#pragma once

#include "discretizations/common/types.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace shoal {

/// An entry `here` of an array of this process that copies entry `there` of the owner's array.
struct Ghost {
  int owner = 0;
  Index there = 0, here = 0;
};

/// Copies the owners' entries to the ghosts of an array. Collective.
class Renewal {
 public:
  virtual ~Renewal() = default;
  virtual void operator()(double* values) const = 0;
};

/// A single process; derived classes: several. All functions are collective: all processes must call them in
/// the same order, and each obtains the same result.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const { return 0; }
  virtual int count() const { return 1; }
  /// Replaces `values` by their sums over all processes.
  virtual void add(std::span<std::int64_t> /*values*/) const {}
  /// NaN if one of the values is NaN.
  virtual double max(double value) const { return value; }
  virtual std::unique_ptr<Renewal> renewal(std::span<const Ghost> /*ghosts*/) const { return nullptr; }
  /// On rank 0 the values of all processes, in the order of their ranks; nothing elsewhere.
  virtual std::vector<double> gather(std::span<const double> values) const {
    return {values.begin(), values.end()};
  }
  /// The text that rank `from` gives.
  virtual std::string share(std::string text, int /*from*/ = 0) const { return text; }
  /// Ends all processes at once, with this exit code; not collective.
  virtual void abort(int /*code*/) const {}
};

/// The text of the lowest rank that gives one; "" if none does. Collective.
std::string first_said(const Ranks& ranks, const std::string& text);

}  // namespace shoal
