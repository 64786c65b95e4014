// Setting up a run, choosing its step, and counting its steps.
#include "experiments/harness/simulation.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/list.hpp"
#include "solvers/integrators/list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {

Simulation::Simulation(const RunConfiguration& configuration, const Surface& surface)
    : surface_(surface),
      parameters_(declared_parameters(configuration), configuration.parameters),
      geometry_(make_geometry(surface.mesh, surface.x)),
      scene_(find_scene(configuration.scene).make(surface, geometry_, parameters_)),
      integrator_entry_(find_integrator(configuration.integrator)) {
  const DiscretizationEntry& scheme = find_discretization(configuration.discretization);
  discretization_ = scheme.make(surface_.mesh, geometry_, scene_.bed_depth, parameters_);
  discretization_->set_forcing(scene_.forcing);
  start();
  end_ = configuration.end.value_or(scene_.end);
  choose_step(configuration);
  const LinearSolverEntry* solver =
      configuration.linear_solver.empty() ? nullptr : &find_linear_solver(configuration.linear_solver);
  solves_linear_systems_ = solver != nullptr;
  forced_ = scene_.change_forcing || scene_.forcing.body_acceleration.size() ||
            (scene_.forcing.normal_acceleration.array() != -scene_.gravity).any();
  if (forced_ && integrator_entry_.carries_velocity)
    work_.emplace(scheme, surface_.mesh, geometry_, scene_.bed_depth, parameters_, scene_.gravity);
  if (configuration.advection != "built-in")
    advection_ = find_advection(configuration.advection).make(*discretization_, parameters_);
  if (scene_.carrier) {
    if (!advection_)
      throw Refusal("scene '" + configuration.scene +
                    "' needs an advection (list advections): nothing else happens in it");
    carrier_ = discretization_->project({scene_.initial.depth, scene_.carrier}).flow;
  }
  if (advection_ && parameters_.text("advection_interval") == "substep") parts_ = substeps_;
  integrator_ =
      make_integrator(integrator_entry_, scheme, {*discretization_, parameters_, substeps_ / parts_, solver});
  integrator_->start(state_, dt_ / parts_);
  set_thread_count(configuration.threads);
}

void Simulation::start() {
  if (!scene_.own_start) {
    state_ = discretization_->project(scene_.initial);
    return;
  }
  OwnStart own = scene_.own_start(*discretization_);
  state_ = std::move(own.state);
  mode_ = std::move(own.mode);
}

void Simulation::choose_step(const RunConfiguration& configuration) {
  const int default_substeps = std::max(1, integrator_entry_.default_substeps);
  substeps_ = configuration.substeps.value_or(default_substeps);
  if (!configuration.dt || !configuration.substeps) {
    const double substep = parameters_.number("safety") * discretization_->stable_dt(state_);
    if (!std::isfinite(substep) || substep <= 0)
      throw Error(fmt::format(
          "dt or substeps = auto: the scheme gives no time step at t = 0 ({} s); give numbers", substep));
    dt_ = configuration.dt.value_or(substep * substeps_);
    if (!configuration.substeps && configuration.dt) {
      const double needed = std::ceil(dt_ / substep);
      if (needed > 1e6)
        throw SettingError("substeps",
                           fmt::format("substeps = auto: dt = {} s needs {} substeps", dt_, needed));
      substeps_ = static_cast<int>(needed);
    }
  } else {
    dt_ = *configuration.dt;
  }
  if (end_ / dt_ > 1e12)
    throw SettingError(
        "dt", fmt::format("{} s is too short a step for an end at {} s: at most 1e12 steps are allowed", dt_,
                          end_));
  steps_ = step_count(end_, dt_);
}

std::optional<Amplification> Simulation::mode_amplification() const {
  if (!mode_ || !integrator_entry_.amplification) return {};
  return integrator_entry_.amplification({mode_->angular_frequency, dt_, substeps_, parameters_});
}

Energy Simulation::potential_energy() const {
  const Cells& cells = discretization_->cells();
  const Vector elevation = state_.volume.cwiseQuotient(cells.area) - cells.bed;
  Energy result;
  result.mean_elevation = cells.area.dot(elevation) / cells.area.sum();
  const auto deviation = elevation.array() - result.mean_elevation;
  result.potential = 0.5 * scene_.density * scene_.gravity * (cells.area.array() * deviation.square()).sum();
  return result;
}

Energy Simulation::energy() const {
  Energy result = potential_energy();
  result.kinetic = scene_.density * integrator_->kinetic_energy(state_);
  return result;
}

/// To the geometry at the end of the step (Angst 2007, §6.4: first the animation, then the fluid).
void Simulation::move(StageClock& clock) {
  if (!scene_.positions) return;
  const double before = energy().total();
  {
    const auto stage = clock.measure(Stage::animation);
    scene_.positions(time() + dt_, positions_);
    compute_geometry(surface_.mesh, positions_, geometry_);
    discretization_->refresh(state_);
    discretization_->set_forcing(scene_.forcing);
    integrator_->refresh();
  }
  if (advection_) advection_->refresh(clock);
  work_geometry_ += energy().total() - before;
}

void Simulation::change_forcing() {
  if (!scene_.change_forcing || !scene_.change_forcing(time() + 0.5 * dt_, scene_.forcing)) return;
  discretization_->set_forcing(scene_.forcing);
  integrator_->refresh();
}

double Simulation::work_forces() const {
  if (!forced_) return 0;
  return work_ ? scene_.density * work_->total() : std::nan("");
}

StepReport Simulation::step(StageClock& clock) {
  move(clock);
  change_forcing();
  if (work_) work_->begin_step(state_);
  for (int part = 0; part < parts_; ++part) {
    if (advection_) advection_->advect(scene_.carrier ? carrier_ : state_.flow, dt_ / parts_, state_, clock);
    if (scene_.carrier) continue;
    if (StepReport report = integrator_->step(state_, dt_ / parts_, clock); !report.ok) return report;
  }
  if (work_) work_->end_step(*discretization_, state_, dt_);
  ++steps_done_;
  return {};
}

Surface load_surface(const RunConfiguration& configuration) {
  const Parameters parameters(declared_parameters(configuration), configuration.parameters);
  return load_surface(configuration.mesh, parameters.has("radius") ? parameters.number("radius") : 1.0);
}

std::int64_t step_count(double end, double dt) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(end / dt - 1e-9)));
}

std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps) {
  std::vector<std::int64_t> result = {0, steps};
  for (const double time : times)
    result.push_back(
        static_cast<std::int64_t>(std::min(std::floor(time / dt + 0.5 + 1e-9), static_cast<double>(steps))));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace shoal
