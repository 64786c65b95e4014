// Steps of integrators whose stages have their own forces and, if the motion is known, their own geometry.
#pragma once

#include "solvers/shallow_water.hpp"

namespace shoal {

class ShallowWater::Stages final : public StageCallbacks {
 public:
  explicit Stages(ShallowWater& water) : water_(water) {}

  /// `varies`: forces vary between the stages.
  StepReport step(double dt, bool varies);

  void enter(double offset, State& state, double weight) override;
  void leave(State& state) const override;
  void finish(double offset, State& state) override;

 private:
  void arrive(double offset, State& state);
  void place(double offset);
  void to_velocity(State& state) const;
  void book_move(const State& state, double weight);

  ShallowWater& water_;
  double dt_ = 0, at_ = 0;
  bool moves_ = false;   // the surface moves with the stages
  bool varies_ = false;  // forces vary between stages; otherwise those of the step act
  State state_, circulation_;
  Points points_;
};

}  // namespace shoal
