#include "solvers/stage_friction.hpp"

#include "solvers/right_side.hpp"

#include <cmath>

namespace shoal {
namespace {

/// The factor of one site follows from the speed there, which in some schemes depends on velocities nearby that have factors of their
/// own. With the speed after a first step, the second has the rate at its end to second order.
void step_implicitly(const RightSide& right_side, const FrictionLaw& law, double dt, State& state,
                     Vector& start) {
  const BedFriction& friction = *right_side.offered<BedFriction>();
  start = friction.slowed(state);
  friction.apply_implicitly(law, dt, right_side.forces(), state, right_side.scratch());
  const auto [depth, speed] = friction.site_flow(state, right_side.forces(), right_side.scratch());
  const double *eta = depth.data(), *v = speed.data(), *from = start.data();
  Block velocity = friction.slowed(state);
  double* to = velocity.data();
  const Index sites = speed.size(), entries = velocity.size();
  parallel_for(sites, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double part = law.remaining(eta[i], v[i], dt);
      for (Index k = i; k < entries; k += sites) to[k] = to[k] == 0 ? 0 : part * from[k];
    }
  });
}

}  // namespace

void StageFriction::resist(const RightSide& right_side, double dt, State& state) {
  const double before = work_ ? right_side.kinetic_energy(state) : 0;
  step_implicitly(right_side, law_, dt, state, change_);
  change_ = right_side.offered<BedFriction>()->slowed(state) - change_;
  if (work_) *work_ += right_side.kinetic_energy(state) - before;
}

void StageFriction::resist(const RightSide& right_side, double dt, State& state, const State& at,
                           double weight) {
  const BedFriction& friction = *right_side.offered<BedFriction>();
  step_implicitly(right_side, law_, dt, state, rates_);
  if (!work_) return;
  rates_ -= friction.slowed(state);
  changed_ = at;
  friction.slowed(changed_) += rates_;
  const double without = right_side.kinetic_energy(changed_);
  friction.slowed(changed_) -= 2 * rates_;
  *work_ += 0.5 * weight * (right_side.kinetic_energy(changed_) - without);
}

void StageFriction::find_rates(const RightSide& right_side, const State& state, Vector& rates) const {
  const auto [depth, speed] =
      right_side.offered<BedFriction>()->site_flow(state, right_side.forces(), right_side.scratch());
  const double *eta = depth.data(), *v = speed.data();
  rates.resize(speed.size());
  double* rate = rates.data();
  parallel_for(rates.size(), [&, rate](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) rate[i] = law_.rate(eta[i], v[i], dt_);
  });
}

void StageFriction::begin(const RightSide& right_side, double dt, State& state) {
  dt_ = dt;
  change_.resize(0);
  begin_ = right_side.offered<BedFriction>()->slowed(state);
  find_rates(right_side, state, begin_rates_);
}

void StageFriction::end(const RightSide& right_side, double lag, State& state) {
  find_rates(right_side, state, rates_);
  const double before = work_ ? right_side.kinetic_energy(state) : 0;
  Block velocity = right_side.offered<BedFriction>()->slowed(state);
  double* now = velocity.data();
  const double *then = begin_.data(), *rate = rates_.data(), *begin_rate = begin_rates_.data();
  const Index sites = rates_.size(), components = begin_.size() / sites;
  const double limit = lag * dt_;
  parallel_for(sites, [=](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const double scale = lag / (1 + limit * (rate[i] * rate[i] + begin_rate[i] * begin_rate[i]));
      for (Index k = i; k < components * sites; k += sites) {
        const double change = scale * (rate[i] * now[k] - begin_rate[i] * then[k]), size = std::abs(now[k]);
        if (change != 0) now[k] += change * (size / (size + std::abs(change)));
      }
    }
  });
  if (work_) *work_ += right_side.kinetic_energy(state) - before;
}

}  // namespace shoal
