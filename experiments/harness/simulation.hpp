// One configured run in memory: surface, scene, scheme, integrator and state, advanced step by step. What
// happens to the numbers (recording, drawing) is the caller's.
#pragma once

#include "experiments/harness/experiment.hpp"
#include "experiments/harness/force_work.hpp"
#include "experiments/scenes/scene.hpp"
#include "solvers/advection/advection.hpp"

namespace shoal {

struct Energy {
  double kinetic = 0, potential = 0;  ///< J
  double mean_elevation = 0;          ///< h̄, m
  double total() const { return kinetic + potential; }
};

class Simulation {
 public:
  /// Sets everything up at t = 0. `surface` must outlive this.
  /// Throws Refusal where surface and scheme cannot go together, Error where a parameter and the surface do
  /// not fit.
  Simulation(const RunConfiguration& configuration, const Surface& surface);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// One step of dt(). A step that failed does not count: the time stays.
  StepReport step(StageClock& clock);

  const Surface& surface() const { return surface_; }
  const Parameters& parameters() const { return parameters_; }
  const SceneInstance& scene() const { return scene_; }
  const Discretization& discretization() const { return *discretization_; }
  const Integrator& integrator() const { return *integrator_; }
  const State& state() const { return state_; }
  /// The mode that the scene asks to be followed, if any.
  const std::optional<Mode>& mode() const { return mode_; }
  /// What theory says that one step multiplies it by, where the integrator has a theory.
  std::optional<Amplification> mode_amplification() const;

  /// Whether anything but aₙ = −g acts, or ever will.
  bool forced() const { return forced_; }
  Energy energy() const;
  Energy potential_energy() const;  ///< the same without the kinetic part
  /// Energy that the moving surface has given since t = 0, J: what the energy is on the new
  /// geometry, volumes and velocities carried along, less what it was on the old one.
  double work_geometry() const { return work_geometry_; }
  /// Work of all forces but gravity g since t = 0, J. NaN where the integrator carries no velocity.
  double work_forces() const;

  bool solves_linear_systems() const { return solves_linear_systems_; }

  double dt() const { return dt_; }
  int substeps() const { return substeps_; }
  double end() const { return end_; }
  std::int64_t steps() const { return steps_; }  ///< of the whole run: ceil(end/dt − 1e-9)
  std::int64_t steps_done() const { return steps_done_; }
  double time() const { return static_cast<double>(steps_done_) * dt_; }

 private:
  void start();
  void change_forcing();
  void move(StageClock& clock);
  void choose_step(const RunConfiguration& configuration);

  const Surface& surface_;
  Parameters parameters_;
  Geometry geometry_;
  SceneInstance scene_;
  std::unique_ptr<Discretization> discretization_;
  const IntegratorEntry& integrator_entry_;
  std::unique_ptr<Integrator> integrator_;
  Points positions_;  // of a moving surface at the end of the step
  double work_geometry_ = 0;
  std::optional<ForceWork> work_;  // of the forces, where there are any and a velocity to push
  bool forced_ = false;
  std::unique_ptr<Advection> advection_;  // null where there is none, or the scheme has its own
  Vector carrier_;                        // the scene's, as the scheme has flows; empty where it has none
  int parts_ = 1;                         // of a step, each with its own advection
  State state_;
  std::optional<Mode> mode_;
  double dt_ = 0, end_ = 0;
  int substeps_ = 1;
  bool solves_linear_systems_ = false;
  std::int64_t steps_ = 0, steps_done_ = 0;
};

/// The surface of a run: its mesh, scaled by its parameter `radius`.
Surface load_surface(const RunConfiguration& configuration);

/// ceil(end/dt − 1e-9), at least 1.
std::int64_t step_count(double end, double dt);

/// The steps nearest to `times` (the later of two equally near), and the first and the last; ascending, each
/// once.
std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps);

}  // namespace shoal
