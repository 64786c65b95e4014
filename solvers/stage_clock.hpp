// Records the time per stage of a step and the work of its linear solver. It is passed as an argument and never global.
#pragma once

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>

namespace shoal {

/// The stages that schemes report; the columns of the timing group.
enum class Stage {
  animation,
  coupling,
  work,
  flattening,
  advection,
  depth,
  velocity,
  assembly,
  factorization,
  solve,
  exchange,  ///< of unknowns between processes, with the wait for them
  count
};
constexpr int stage_count = static_cast<int>(Stage::count);
constexpr std::array<const char*, stage_count> stage_names = {
    "animation", "coupling", "work",          "flattening", "advection", "depth",
    "velocity",  "assembly", "factorization", "solve",      "exchange"};

/// The work of a linear solver in one or several steps.
struct SolverWork {
  int iterations = 0;
  int factorizations = 0;                                      ///< including preconditioner setups
  double residual = std::numeric_limits<double>::quiet_NaN();  ///< the largest ‖b − Ax‖/‖b‖ measured, or NaN
  int analyses = 0;                                            ///< of a new pattern of the matrix

  SolverWork& operator+=(const SolverWork& other) {
    iterations += other.iterations;
    factorizations += other.factorizations;
    analyses += other.analyses;
    residual = std::fmax(residual, other.residual);  // ignores NaN
    return *this;
  }
};

class StageClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Adds the time until its destruction to a stage, excluding nested scopes.
  class Scope {
   public:
    Scope(StageClock& clock, Stage stage)
        : clock_(clock), outer_(clock.open_), stage_(stage), begin_(Clock::now()) {
      if (outer_) outer_->add_until(begin_);
      clock_.open_ = this;
    }
    ~Scope() {
      const Clock::time_point now = Clock::now();
      add_until(now);
      clock_.open_ = outer_;
      if (outer_) outer_->begin_ = now;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    void add_until(Clock::time_point now) {
      clock_.seconds_[static_cast<int>(stage_)] += std::chrono::duration<double>(now - begin_).count();
    }

    StageClock& clock_;
    Scope* outer_;
    Stage stage_;
    Clock::time_point begin_;
  };

  Scope measure(Stage stage) { return Scope(*this, stage); }
  void add(const SolverWork& work) { work_ += work; }
  void reset() {
    seconds_.fill(0);
    work_ = {};
  }
  double seconds(Stage stage) const { return seconds_[static_cast<int>(stage)]; }
  const SolverWork& work() const { return work_; }

 private:
  std::array<double, stage_count> seconds_{};
  Scope* open_ = nullptr;  // the innermost
  SolverWork work_;
};

}  // namespace shoal
