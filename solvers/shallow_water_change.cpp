// A change of the scheme, the integrator or their options in mid-run.
#include "solvers/shallow_water.hpp"
#include "solvers/water_transfer.hpp"

#include <utility>

namespace shoal {

/// Everything that change() replaces, for put_back().
struct ShallowWater::Before {
  std::unique_ptr<Assembly> assembly;
  Points surface_velocity;
  InertialForcing inertial_forcing;
  ForceTerms force_terms;
  bool forcing_changed;
  State state;
  std::unique_ptr<ForceWork> work;
};

void ShallowWater::put_back(Before& before) {
  rest_sums_.reset();
  assembly_ = std::move(before.assembly);
  surface_.set_velocity(before.surface_velocity);
  inertial_forcing_ = std::move(before.inertial_forcing);
  force_terms_ = std::move(before.force_terms);
  forcing_changed_ = before.forcing_changed;
  state_ = std::move(before.state);
  work_ = std::move(before.work);
  make_flows();
}

void ShallowWater::change(const ShallowWaterSetting& setting, std::optional<double> uniform_bed) {
  if (!uniform_bed) return exchange_parts(setting, false);
  const ScalarField before = bed_depth_;
  bed_depth_ = [depth = *uniform_bed](const Vector3&) { return depth; };
  try {
    check_sizes(constant_forcing());
    exchange_parts(setting, true);
  } catch (...) {
    bed_depth_ = before;
    throw;
  }
}

void ShallowWater::exchange_parts(const ShallowWaterSetting& setting, bool other_bed) {
  if (passive_ || holds_velocity())
    throw Refusal("a " + std::string(passive_ ? "passive" : "held") +
                  " velocity cannot be transferred to another scheme or integrator");
  const double energy_before = energy().total(), density_before = density();
  State projected = assembly_->integrator->finish(state_);
  // A scheme with other options is constructed on the initial positions, where the bed is sampled and a
  // scheme chooses its cells.
  std::shared_ptr<Discretization> scheme = assembly_->discretization;
  bool kept = same_discretization(setting, assembly_->setting);
  const bool same = kept && !other_bed;
  if (!same) {
    scheme = surface_.at_rest(
        [&] { return make_discretization(setting, surface_.mesh(), surface_.geometry(), bed_depth_); });
    if (MovesWithSurface* moving = offered<MovesWithSurface>(*scheme)) moving->refresh(nullptr);
    kept = all(surface_.mesh(), kept || same_unknowns(discretization(), *scheme));
    if (!kept && surface_.mesh().part)
      throw Refusal("on several processes the water of " + assembly_->setting.discretization.name +
                    " cannot be transferred to other unknowns during a run; use one process");
    if (!kept) projected = transferred_state(projected, forces(), discretization(), *scheme);
  }
  // Keep a depth rate as well: conversion to a velocity and back would change it. (A change of the integrator
  // requires the conversion: a rate of implicit-euler need not conserve mass.)
  const bool keeps_state = kept && setting.integrator.name == assembly_->setting.integrator.name;
  // An unchanged scheme keeps its forces and work arrays, including start values of iterations.
  auto assembly = same ? std::make_unique<Assembly>(setting, scheme, assembly_->right_side)
                       : std::make_unique<Assembly>(setting, scheme, RightSide(*scheme));
  const bool same_cells = scheme->cells().count() == discretization().cells().count();

  Before before{std::move(assembly_), surface_velocity(), inertial_forcing_,
                force_terms_,         forcing_changed_,   state_,
                std::move(work_)};
  try {
    if (!same_cells) force_terms_.drop_inflow();
    install(std::move(assembly), std::move(projected));
    if (keeps_state) state_ = before.state;
  } catch (...) {
    put_back(before);
    throw;
  }
  if (density() != density_before) ledger_.change_density(density_before, density(), total_volume());
  ledger_.work_change += energy().total() - energy_before;
}

void ShallowWater::install(std::unique_ptr<Assembly> assembly, State projected) {
  rest_sums_.reset();
  assembly_ = std::move(assembly);
  inertial_forcing_.configure(assembly_->options.inertial_forcing(), geometry().x);
  if (!carries_circulation())
    surface_.rest_here();
  else if (surface_.has_motion() && surface_velocity().size() == 0)
    surface_.set_velocity_of_motion(time_, step_.dt);
  make_flows();
  // the terms at this instant, not those of the last step
  evaluate_forcing(StepInstant::alone(time_), projected);
  apply_forcing();
  update_boundary_values();
  forcing_changed_ = true;  // terms may have other values on the new cells
  initialize(std::move(projected));
}

}  // namespace shoal
