// One configured run in memory: surface, scene, scheme, integrator and state, advanced step by step.
// Recording and drawing are left to the caller.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/plan/change.hpp"
#include "experiments/motions/drag_path.hpp"
#include "solvers/coupling/world.hpp"

namespace shoal {

class Simulation {
 public:
  /// Sets everything up at t = 0. `catalog` and `surface` must outlive this. Throws Refusal where surface and
  /// scheme are incompatible, Error where a parameter does not fit the surface.
  Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// One step of dt(), after the inputs of the configuration whose time has come; one that cannot be is a failure. A
  /// step that failed does not count: the time stays.
  StepReport step(StageClock& clock);
  /// Between steps, of a configuration with inputs (no_inputs where none is known before): this happens now, at time(),
  /// whatever the input says. A run of so_far() comes to the same bits. Throws Error or Refusal, and leaves all as it was,
  /// where it cannot be.
  void act(Input input);
  const std::vector<Input>& inputs_done() const { return inputs_done_; }
  /// After restoring what another simulation of the same configuration saved this one goes on with the same bits as that.
  /// To be called at t = 0. Throws Error where it cannot be; then this simulation is of no more use.
  void save(Archive& archive) const;
  void restore(const Archive& archive);
  /// What happened so far as a configuration, which a run repeats; a step that failed included.
  RunConfiguration so_far() const;
  /// That of the present, after changes, with the steps that were chosen.
  const RunConfiguration& present_configuration() const { return present_; }

  const Catalog& catalog() const { return catalog_; }
  const Surface& surface() const { return surface_; }
  const SceneInstance& scene() const { return scene_; }
  const ShallowWater& water() const { return *water_; }
  const World& world() const { return *world_; }
  const Discretization& discretization() const { return water_->discretization(); }
  const State& state() const { return water_->state(); }
  /// Whether the surface moves, or will: some input drags it.
  bool moves() const;
  int changes() const { return changes_; }  ///< of the scheme, so far
  /// [3, 2n] m, where the bones that move the surface are; no columns where there are none.
  Points skeleton() const;
  const ClipMixer* clips() const { return clips_.mixer.get(); }  ///< null where the surface has none
  /// The mode that the scene asks to be followed, if any.
  const std::optional<Mode>& mode() const { return mode_; }
  /// The theoretical amplification factor of one step, where the integrator has one.
  std::optional<Amplification> mode_amplification() const;

  /// ρgH²·area at t = 0, J: the scale of energies where the initial energy is nearly zero.
  double energy_scale() const { return energy_scale_; }

  bool solves_linear_systems() const { return !present_.linear_solver.empty(); }

  /// Of the configuration with dt = auto, at t = 0: from now on every step is as long as the water allows, safety · substeps
  /// · stable_dt (implicit integrators: as long as it was at the start), at most `dt_growth` times the one before, and `times`,
  /// the end and the instants at which something begins or ends to act are met exactly, by parts of equal length. Otherwise,
  /// and without a call, all steps have one length.
  void follow_water(std::vector<double> times);
  bool follows_water() const { return follows_water_; }
  /// Whether the last step came to one of the times that were given, or to the end.
  bool met_time() const { return met_given_; }
  /// Why the last step failed, where one of the inputs could not be at its time; else "".
  const std::string& refused_input() const { return refused_input_; }

  double dt() const {
    return dt_;
  }  ///< of the last step; before the first, and where all are alike, of the next
  double longest_dt() const { return longest_dt_; }  ///< of the steps so far
  double shortest_dt() const { return shortest_dt_; }
  int substeps() const { return substeps_; }
  double end() const { return end_; }
  /// Of the whole run: ceil(end/dt − 1e-9); where steps follow the water as many as there would be from now on.
  std::int64_t steps() const;
  std::int64_t steps_done() const { return steps_done_; }
  bool finished() const { return follows_water_ ? time_ >= end_ : steps_done_ >= steps_; }
  double time() const { return follows_water_ ? time_ : static_cast<double>(steps_done_) * dt_; }

 private:
  static constexpr double times_apart = 1e-9;  // of the end: times that are nearer are not told apart

  Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
             const Geometry& geometry);
  void choose_step(const RunConfiguration& configuration);
  void choose_step_anew();
  double stable_substep();
  std::string choose_next_step();
  std::size_t next_time() const;
  void drop_expensive_references(const RunConfiguration& configuration);
  std::vector<double> times_of_acting() const;
  std::vector<double> boundary_corners() const;
  bool at_corner() const;
  ShallowWaterSetting water_setting(const RunConfiguration& configuration,
                                    const Parameters& parameters) const;
  std::unique_ptr<ShallowWater> make_water(
      const Points& start, const std::function<State(const Discretization&, const Forces&)>& initial) const;
  void rehearse_inputs(const Points& start) const;
  std::string reason_for_no_sources(const RunConfiguration& configuration) const;
  RunConfiguration change_of(const RunConfiguration& configuration, const ChangeInput& input) const;
  bool is_due(const Input& input) const;
  double instant_of(const Input& input) const;
  void do_due_inputs();
  void do_now(const Input& input, double now);
  void do_planned(std::size_t number, double now);
  void throw_body(const ThrowInput& input, double begin);
  // `now`: by the world's time, which steps have added up.
  void take(const ThrowInput& input, double now) { throw_body(input, now); }
  void take(const SourceInput& input, double now);
  void take(const PushInput& input, double now);
  void take(const RemoveInput& input, double now);
  void take(const DragInput& input, double now);
  void take(const ClipInput& input, double now);
  void take(const ActionInput& input, double now);
  void take(const ClipSpeedInput& input, double now);
  void take(const ChangeInput& input, double now);
  ClipMixer& mixer() const;
  void require_movable() const;

  const Catalog& catalog_;
  const Surface& surface_;
  RunConfiguration configuration_, present_;
  std::vector<Input> inputs_, inputs_done_;  // those of the configuration; all that have happened
  // Of those of the configuration: how many have happened from the first on, and which after them.
  std::size_t next_input_ = 0;
  std::vector<bool> input_done_;
  // Of those that have happened, in their order: which it is, after which step, time() then, and `now`.
  std::vector<double> input_numbers_, input_steps_, input_starts_, input_times_;
  ClipMotion clips_;
  std::shared_ptr<DragPath> drag_ = std::make_shared<DragPath>();
  Parameters parameters_;
  SceneInstance scene_;
  std::optional<Mode> mode_;
  std::optional<TimedForces> forces_;  // of the scene
  std::unique_ptr<ShallowWater> water_;
  std::optional<World> world_;
  Points positions_;  // of a moving surface where a step is chosen
  double dt_ = 0, end_ = 0, energy_scale_ = 0;
  int substeps_ = 1, changes_ = 0;
  bool failed_ = false;     // the last step
  bool restoring_ = false;  // inputs are done once more, on a surface that is still that of t = 0
  std::int64_t steps_ = 0, steps_done_ = 0;

  bool chooses_dt_ = false, follows_water_ = false;
  bool met_ = false, met_given_ = false;  // by the last step: one of the times, one that the caller gave
  bool gains_water_ = false;     // there will be more than at the start, for which the first step was chosen
  std::vector<double> times_;    // to be met, ascending; the last is the end
  std::vector<bool> given_;      // of times_: by the caller
  std::vector<double> corners_;  // s, at which boundary values turn
  double time_ = 0;
  double first_dt_ = 0, free_dt_ = 0, next_free_dt_ = 0;  // as chosen, before a step is cut to meet a time
  double stable_dt_ = 0, next_stable_dt_ = 0;             // the scheme's, of the last and of the next step
  double longest_dt_ = 0, shortest_dt_ = 0;
  std::string refused_input_;
};

/// Whether a parameter may take another value while the run goes on: not those of the scene and the motion, of which they were
/// made, but for those of the coupling and of inertia.
bool can_change(const Catalog& catalog, const RunConfiguration& configuration, const std::string& parameter);

/// The surface of a run: its mesh, scaled by its parameter `radius`.
Surface load_surface(const Catalog& catalog, const RunConfiguration& configuration);

/// ceil(end/dt − 1e-9), at least 1.
std::int64_t step_count(double end, double dt);

/// The steps nearest to `times` (the later of two equally near), and the first and the last; ascending, each
/// once.
std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps);

}  // namespace shoal
