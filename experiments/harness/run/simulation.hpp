// One configured run in memory: surface, scene, scheme, integrator and state, advanced step by step.
// Recording and drawing are left to the caller.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "solvers/coupling/world.hpp"

namespace shoal {

class Simulation {
 public:
  /// Sets everything up at t = 0. `catalog` and `surface` must outlive this. Throws Refusal where surface and
  /// scheme are incompatible, Error where a parameter does not fit the surface.
  Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// One step of dt(). A step that failed does not count: the time stays.
  StepReport step(StageClock& clock);

  const Catalog& catalog() const { return catalog_; }
  const Surface& surface() const { return surface_; }
  const SceneInstance& scene() const { return scene_; }
  const ShallowWater& water() const { return *water_; }
  const World& world() const { return *world_; }
  const Discretization& discretization() const { return water_->discretization(); }
  const State& state() const { return water_->state(); }
  /// The mode that the scene asks to be followed, if any.
  const std::optional<Mode>& mode() const { return mode_; }
  /// The theoretical amplification factor of one step, where the integrator has one.
  std::optional<Amplification> mode_amplification() const;

  /// ρgH²·area at t = 0, J: the scale of energies where the initial energy is nearly zero.
  double energy_scale() const { return energy_scale_; }

  bool solves_linear_systems() const { return solves_linear_systems_; }

  double dt() const { return dt_; }
  int substeps() const { return substeps_; }
  double end() const { return end_; }
  std::int64_t steps() const { return steps_; }  ///< of the whole run: ceil(end/dt − 1e-9)
  std::int64_t steps_done() const { return steps_done_; }
  double time() const { return static_cast<double>(steps_done_) * dt_; }

 private:
  Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
             const Geometry& geometry);
  void choose_step(const RunConfiguration& configuration);
  double stable_substep();
  void leave_out_long_references(const RunConfiguration& configuration);
  void change_forcing();

  const Catalog& catalog_;
  const Surface& surface_;
  Parameters parameters_;
  SceneInstance scene_;
  const IntegratorEntry& integrator_entry_;
  bool solves_linear_systems_ = false;
  std::optional<Mode> mode_;
  std::unique_ptr<ShallowWater> water_;
  std::optional<World> world_;
  Points positions_;  // of a moving surface where a step is chosen
  double dt_ = 0, end_ = 0, energy_scale_ = 0;
  int substeps_ = 1;
  std::int64_t steps_ = 0, steps_done_ = 0;
};

/// The surface of a run: its mesh, scaled by its parameter `radius`.
Surface load_surface(const Catalog& catalog, const RunConfiguration& configuration);

/// ceil(end/dt − 1e-9), at least 1.
std::int64_t step_count(double end, double dt);

/// The steps nearest to `times` (the later of two equally near), and the first and the last; ascending, each
/// once.
std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps);

}  // namespace shoal
