// The forces on the fluid as one sum: a constant part plus terms that depend on time, water and surface.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/archive.hpp"

#include <limits>

namespace shoal {

/// An instant of a time step: that of a stage, or the middle of the step if forces are constant over it.
struct StepInstant {
  double time = 0;             ///< s
  double begin = 0, step = 0;  ///< s, of the step that it belongs to; step = 0: it belongs to none
  bool of_stage = false;       ///< the step evaluates forces at several instants

  static StepInstant alone(double time) { return {time, time, 0, false}; }
  static StepInstant middle(double begin, double step) { return {begin + 0.5 * step, begin, step, false}; }
  static StepInstant stage(double time, double begin, double step) { return {time, begin, step, true}; }
  bool operator==(const StepInstant&) const = default;
};

/// The time during which something acts.
struct Interval {
  double begin = 0, end = std::numeric_limits<double>::infinity();  ///< s
  /// The fraction of [time, time + dt] within it.
  double part(double time, double dt) const;
};

/// The water and its surface at the instant at which forces are evaluated.
struct WaterNow {
  const Discretization& discretization;
  const Geometry& geometry;
  const State& state;
  const Forces& forces;  ///< the ones derived last
};

/// The sum during its evaluation. Arrays without contributions stay empty; their storage is kept.
class ForceSum {
 public:
  const Forcing& forcing() const { return forcing_; }
  Vector& normal_acceleration() { return forcing_.normal_acceleration; }  ///< [nV] m/s²
  /// An inflow of the constant part; a term may set its discharge and velocity.
  DistributedInflow& distributed_inflow(std::size_t index) { return forcing_.distributed_inflows[index]; }
  Points& body_acceleration();  ///< [3, nV] m/s²
  Vector& inflow(Index cells);  ///< [cells] m³/s

 private:
  friend class ForceTerms;
  Forcing forcing_;
  Points spare_acceleration_;
  Vector spare_inflow_;
};

/// A term of the sum. Its contribution depends only on the instant, on the water and its surface, and on saved state.
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;
  /// How its contribution changes: not at all since its evaluation at `before`; from step to step; or within the step of
  /// `now`, so that every stage must evaluate it.
  enum class Change { none, between_steps, within_steps };
  virtual Change change(const StepInstant& before, const StepInstant& now, bool surface_moves) const = 0;
  virtual void add(const StepInstant& at, const WaterNow& water, ForceSum& sum) = 0;
};

/// A force as a function of time and of the positions of the surface. If its interval begins or ends within a step, it acts
/// over the whole step with reduced strength, so that its impulse is exact.
struct TimedForce {
  /// Adds `share` times the force at `time` to the sum.
  std::function<void(double time, const WaterNow& water, double share, ForceSum& sum)> add;
  Interval interval = {};
  bool varies = true;    ///< in time, within the interval
  bool in_space = true;  ///< depends on the positions of the surface
  bool works = true;     ///< false: it adds water only
  /// A few numbers that vary in time as the force does, for the choice of steps; none: it varies slowly. Variations below
  /// `negligible` do not matter.
  std::function<Vector(double time)> sample = {};
  double negligible = 0;
};

/// Any number of timed forces, added in order.
class TimedForces final : public ForceTerm {
 public:
  explicit TimedForces(std::vector<TimedForce> forces) : forces_(std::move(forces)) {}
  Change change(const StepInstant& before, const StepInstant& now, bool surface_moves) const override;
  void add(const StepInstant& at, const WaterNow& water, ForceSum& sum) override;

 private:
  std::vector<TimedForce> forces_;
};

/// The owner of the sum.
class ForceTerms {
 public:
  void set_base(const Forcing& base);
  const Forcing& base() const { return base_; }
  /// `term` must outlive this.
  void add(ForceTerm& term) { terms_.push_back(&term); }

  /// Whether the sum at `now` may differ from the last evaluated one.
  bool differ(const StepInstant& now, bool surface_moves) const;
  /// Whether it may vary within the step of `now`.
  bool vary_within(const StepInstant& now, bool surface_moves) const;
  const Forcing& evaluate(const StepInstant& at, const WaterNow& water);
  /// The last evaluated sum; the constant part before the first evaluation.
  const Forcing& sum() const { return sum_.forcing_; }
  const StepInstant& evaluated() const { return evaluated_; }

  /// Functions in space are not saved: those of the constant part stay, and those of the sum are evaluated again. `mesh`
  /// supplies the numbers of boundary sets.
  void save(const Mesh& mesh, Archive& archive) const;
  /// Restores the constant part. Throws Error if it belongs to another mesh or has other inflows in space.
  void restore_base(const Mesh& mesh, const Archive& archive);
  /// Restores the last sum: evaluates its terms at the saved instant, then replaces them by the saved values.
  void restore_sum(const WaterNow& water, const Archive& archive);
  /// Ends inflow into cells that no longer exist, when the cells change.
  void drop_inflow();

 private:
  void begin_sum();

  Forcing base_;
  std::vector<ForceTerm*> terms_;
  ForceSum sum_;
  StepInstant evaluated_ = never;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  static constexpr StepInstant never = {nan, nan, nan, false};
};

}  // namespace shoal
