// Processes that jointly simulate one surface, each on its part.
#pragma once

#include "discretizations/common/error.hpp"
#include "discretizations/common/types.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
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
  /// Replaces the bytes by those of rank `from`, which has as many.
  virtual void copy(std::span<std::byte> /*bytes*/, int /*from*/ = 0) const {}
  /// The text that rank `from` gives.
  std::string share(std::string text, int from = 0) const;
  /// Ends all processes at once, with this exit code; not collective.
  virtual void abort(int /*code*/) const {}
};

/// The text of the lowest rank that gives one; "" if none does. Collective.
std::string first_said(const Ranks& ranks, const std::string& text);

/// The items of all processes, in the order of their ranks. They are copied byte by byte, and consist of doubles. Collective.
template <class T>
std::vector<T> of_all(const Ranks& ranks, std::vector<T> here) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  if (ranks.count() == 1) return here;
  std::vector<double> sent(here.size() * sizeof(T) / sizeof(double));
  if (!here.empty()) std::memcpy(sent.data(), static_cast<const void*>(here.data()), here.size() * sizeof(T));
  sent = ranks.gather(sent);
  const std::string bytes =
      ranks.share({reinterpret_cast<const char*>(sent.data()), sent.size() * sizeof(double)});
  std::vector<T> all(bytes.size() / sizeof(T));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), bytes.data(), bytes.size());
  return all;
}

/// Runs `body`, which must not be collective, on all processes. If it throws an Error on some of them, all throw that of the lowest such
/// rank. Collective.
template <class Body>
void together(const Ranks& ranks, const Body& body) {
  if (ranks.count() == 1) return body();
  std::string problem;
  try {
    body();
  } catch (const SettingError& error) {
    problem = "s" + error.setting() + '\n' + error.what();
  } catch (const Refusal& refusal) {
    problem = std::string("r") + refusal.what();
  } catch (const Error& error) {
    problem = std::string("e") + error.what();
  }
  problem = first_said(ranks, problem);
  if (problem.empty()) return;
  const char kind = problem.front();
  problem.erase(0, 1);
  if (kind == 'r') throw Refusal(problem);
  const auto line = problem.find('\n');
  if (kind == 's') throw SettingError(problem.substr(0, line), problem.substr(line + 1));
  throw Error(problem);
}

}  // namespace shoal
