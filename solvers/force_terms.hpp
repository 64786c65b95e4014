// What acts on the fluid, as one sum: a constant part and terms, each of which adds its own at an instant.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/archive.hpp"

#include <limits>

namespace shoal {

/// An instant of a time step: that of a stage, or the middle, where what acts is held constant over the step.
struct StepInstant {
  double time = 0;             ///< s
  double begin = 0, step = 0;  ///< s, of the step that it belongs to; step = 0: it stands alone
  bool of_stage = false;       ///< the step takes what acts at several instants

  static StepInstant alone(double time) { return {time, time, 0, false}; }
  static StepInstant middle(double begin, double step) { return {begin + 0.5 * step, begin, step, false}; }
  static StepInstant stage(double time, double begin, double step) { return {time, begin, step, true}; }
  bool operator==(const StepInstant&) const = default;
};

/// When something acts.
struct Interval {
  double begin = 0, end = std::numeric_limits<double>::infinity();  ///< s
  /// The part of [time, time + dt] within it.
  double part(double time, double dt) const;
};

/// The water and its surface as they are at the instant at which forces are asked for.
struct WaterNow {
  const Discretization& discretization;
  const Geometry& geometry;
  const State& state;
  const Forces& forces;  ///< that were derived last
};

/// The sum under way. Arrays that nothing has been added to stay empty; their storage is kept.
class ForceSum {
 public:
  const Forcing& forcing() const { return forcing_; }
  Vector& normal_acceleration() { return forcing_.normal_acceleration; }  ///< [nV] m/s²
  /// An inflow of the constant part, of which a term sets discharge and velocity.
  DistributedInflow& distributed_inflow(std::size_t index) { return forcing_.distributed_inflows[index]; }
  Points& body_acceleration();  ///< [3, nV] m/s²
  Vector& inflow(Index cells);  ///< [cells] m³/s

 private:
  friend class ForceTerms;
  Forcing forcing_;
  Points spare_acceleration_;
  Vector spare_inflow_;
};

/// A contributor to the sum. What it adds is a function of the instant and of the water and its surface, and of nothing
/// else that is not saved.
class ForceTerm {
 public:
  virtual ~ForceTerm() = default;
  /// How what it adds changes: not at all since it was asked for at `before`; from step to step; or within the step
  /// `now`, so that an integrator with stages has to ask at each of them.
  enum class Change { none, between_steps, within_steps };
  virtual Change change(const StepInstant& before, const StepInstant& now, bool surface_moves) const = 0;
  virtual void add(const StepInstant& at, const WaterNow& water, ForceSum& sum) = 0;
};

/// A force as a function of the time and of the places of the surface. Of a step within which its interval begins or
/// ends it acts over the whole with a part of its strength, so that its impulse is exact.
struct TimedForce {
  /// Adds `share` times the force at `time` to the sum.
  std::function<void(double time, const WaterNow& water, double share, ForceSum& sum)> add;
  Interval interval = {};
  bool varies = true;    ///< with the time, within the interval
  bool in_space = true;  ///< depends on where the surface is
  bool works = true;     ///< otherwise it adds water alone
};

/// Any number of them, the later ones after the earlier ones.
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

  /// Whether the sum at `now` may differ from that of the last evaluation.
  bool differ(const StepInstant& now, bool surface_moves) const;
  /// Whether it may differ between instants of the step that `now` belongs to.
  bool vary_within(const StepInstant& now, bool surface_moves) const;
  const Forcing& evaluate(const StepInstant& at, const WaterNow& water);
  /// Of the last evaluation; the constant part where there was none.
  const Forcing& sum() const { return sum_.forcing_; }
  const StepInstant& evaluated() const { return evaluated_; }

  /// Functions in space are not saved: those of the constant part stay, and the sum's are evaluated again. `mesh` tells
  /// the numbers of boundary sets.
  void save(const Mesh& mesh, Archive& archive) const;
  /// The constant part; throws Error where it is that of another mesh or has other inflows in space.
  void restore_base(const Mesh& mesh, const Archive& archive);
  /// What acted last: its terms are evaluated at the instant that was saved, then replaced by what was saved of them.
  void restore_sum(const WaterNow& water, const Archive& archive);
  /// The cells are others: inflow into the former ones ends.
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
