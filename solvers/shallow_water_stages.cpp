#include "solvers/shallow_water_stages.hpp"

#include <algorithm>
#include <limits>

namespace shoal {
StepReport ShallowWater::Stages::step(double dt, bool varies) {
  dt_ = dt;
  moves_ = water_.moves_in_stages();
  varies_ = varies;
  if (moves_) {
    water_.begin_to_move(dt, *water_.step_.clock);
    water_.surface_.choose_frame(water_.surface_velocity());
    water_.surface_.update_seen_velocity();
  }
  at_ = std::numeric_limits<double>::quiet_NaN();
  state_.q = water_.state_.q;  // a copy, because measurements of energy overwrite the state of the model
  RightSide& right_side = water_.assembly_->right_side;
  right_side.set_stages(this);
  const struct Leave {
    RightSide& right_side;
    ~Leave() { right_side.set_stages(nullptr); }
  } leave_at_end{right_side};
  const StepReport report = water_.assembly_->integrator->step(state_, dt, *water_.step_.clock);
  water_.state_.q = state_.q;
  return report;
}

void ShallowWater::Stages::enter(double offset, State& state, double weight) {
  arrive(offset, state);
  if (!water_.assembly_->setting.ledger) return;
  const auto stage = water_.step_.clock->measure(Stage::work);
  if (water_.work_) water_.work_->add(state, weight, water_.ledger_.forces);
  if (water_.takes_water()) water_.ledger_.work_source += weight * water_.source_power(state, dt_);
  if (moves_) book_move(state, weight);
}

void ShallowWater::Stages::leave(State& state) const {
  if (moves_)
    water_.assembly_->moving->to_circulation(water_.surface_.seen_velocity(), state, water_.scratch());
}

void ShallowWater::Stages::finish(double offset, State& state) {
  if (moves_) arrive(offset, state);
}

void ShallowWater::Stages::arrive(double offset, State& state) {
  const auto stage = water_.step_.clock->measure(Stage::animation);
  if (moves_ && offset != at_) {
    place(offset);
    if (water_.work_) water_.work_->refresh();
    water_.surface_.record_speed(water_.surface_velocity());
  }
  at_ = offset;
  to_velocity(state);
  if (!varies_) return;
  const double time = water_.time_ + offset;
  water_.instant_ = time;
  water_.evaluate_forcing(StepInstant::stage(time, water_.time_, dt_), state);
  water_.apply_forcing();
}

void ShallowWater::Stages::to_velocity(State& state) const {
  if (moves_) water_.assembly_->moving->to_velocity(water_.surface_.seen_velocity(), state, water_.scratch());
}

/// The work of the surface: the change of energy when it moves with volumes and circulations fixed.
void ShallowWater::Stages::book_move(const State& state, double weight) {
  circulation_.q = state.q;
  leave(circulation_);
  const double delta = power_delta * dt_;
  double total = 0, kinetic = 0;
  const auto add = [&](double factor, double offset) {
    place(offset);
    water_.state_.q = circulation_.q;
    to_velocity(water_.state_);
    const Energy energy = water_.energy();
    total += factor * energy.total();
    kinetic += factor * energy.kinetic;
  };
  if (const int side = water_.surface_.side_of(water_.time_ + at_, delta)) {
    add(-3 * side, at_);
    add(4 * side, at_ + side * delta);
    add(-side, at_ + 2 * side * delta);
  } else {
    add(1, at_ + delta);
    add(-1, at_ - delta);
  }
  water_.ledger_.work_geometry += weight * total / (2 * delta);
  water_.ledger_.work_geometry_kinetic += weight * kinetic / (2 * delta);
  place(at_);
}

void ShallowWater::Stages::place(double offset) {
  const double time = water_.time_ + offset;
  water_.instant_ = time;
  water_.span_ = dt_;
  water_.surface_.positions_at(time, points_);
  water_.refresh_at(points_);
  water_.surface_.set_velocity_of_motion(time, dt_);
  water_.surface_.update_seen_velocity();
}

}  // namespace shoal
