// A configured run in memory: surface, scene, scheme, integrator and state, advanced step by step. The caller records and draws.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/whole.hpp"
#include "experiments/harness/plan/change.hpp"
#include "experiments/harness/run/given_values.hpp"
#include "experiments/harness/run/run.hpp"
#include "experiments/motions/drag_path.hpp"

namespace shoal {

class TriangleSolid;  // solid.hpp

/// The inputs applied so far.
struct InputsDone {
  std::vector<Input> all;
  // All inputs of the configuration before `next` have been applied; is_done also marks later ones that have been applied.
  std::size_t next = 0;
  std::vector<bool> is_done;
  // For each applied input of the configuration, in the order of application: its index, the number of steps before it, time() at
  // its application, and the world's time from which it acts.
  std::vector<double> numbers, steps, starts, times;
};

class Simulation final : public Run {
 public:
  /// Sets up the run at t = 0. `catalog` and `surface` must outlive this. Throws Refusal if surface and scheme are
  /// incompatible, and Error if a parameter does not suit the surface. Several processes share the surface, which each of them gives as
  /// a whole; all then call the same functions in the same order.
  Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
             std::shared_ptr<const Ranks> ranks = nullptr);

  /// Applies the inputs of the configuration that are due, then takes a step.
  StepReport step(StageClock& clock) override;
  /// Each step is as long as the water allows, safety · substeps · stable_dt, but at most `dt_growth` times the previous step; with
  /// implicit integrators, each step is as long as the first. The velocity that the surface gains within the step counts. Steps also
  /// meet the instants at which forces, sources or pushes begin or end.
  void meet(const std::vector<double>& times) override;
  /// Applies an input now, at time(), regardless of its own time. Call it between steps, and only if the configuration has inputs
  /// (no_inputs if none is known in advance). A run of so_far() gives the same bits. Throws Error or Refusal if the input is
  /// invalid, and then changes nothing.
  void act(Input input);
  const std::vector<Input>& inputs_done() const { return done_.all; }
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;
  /// The history so far as a configuration, which a run repeats, including a failed step.
  RunConfiguration so_far() const;
  /// The present configuration, after changes, with the chosen steps.
  const RunConfiguration& present_configuration() const { return present_; }

  const Catalog& catalog() const { return catalog_; }
  /// Of this process: the whole or a part of it.
  const Surface& surface() const { return part_ ? *part_ : whole_; }
  const Surface& whole_surface() const { return whole_; }
  const Ranks& ranks() const override { return ranks_of(surface().mesh); }
  Archive of_whole(const Archive& archive) const override;
  Archive of_part(const Archive& archive, const Archive& like) const override;
  /// The layers of a part around its own triangles; 0: the surface is whole.
  int layers() const;
  const SceneInstance& scene() const { return scene_; }
  const Vector& bed() const { return bed_; }  ///< [nV] H, m, present
  const ShallowWater& water() const { return *water_; }
  const Discretization& discretization() const { return water_->discretization(); }
  const State& state() const { return water_->state(); }
  /// Whether the surface moves or will move, because some input drags it.
  bool moves() const;
  std::vector<double> default_times() const override { return scene_.sample_times; }
  bool domain_moves() const override { return static_cast<bool>(scene_.motion); }
  int changes() const { return changes_; }  ///< of the scheme, so far
  /// [3, 2n] m, the ends of the bones that move the surface; no columns if there are none.
  Points skeleton() const;
  const ClipMixer* clips() const { return clips_.mixer.get(); }  ///< null if the surface has none
  /// The mode that the scene tracks, if any.
  const std::optional<Mode>& mode() const { return mode_; }
  /// The theoretical amplification factor of one step, if the integrator has one.
  std::optional<Amplification> mode_amplification() const;

  /// ρgH²·area at t = 0, J: the scale of energies if the initial energy is nearly zero.
  double energy_scale() const { return energy_scale_; }

  bool solves_linear_systems() const {
    return !catalog_.integrators.find(present_.integrator).implicit_terms.empty();
  }

  int substeps() const { return substeps_; }
  /// With dt = auto, the number of steps within which forces, rain or boundary values varied too fast: jumps, or all of a fast sine.
  int unresolved_steps() const { return unresolved_steps_; }

 private:
  Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
             const Geometry& geometry, std::shared_ptr<const Ranks> ranks);
  void take_part(std::shared_ptr<const Ranks> ranks, int margin);
  int layers_of_steps() const;
  void require_parts() const;
  void find_initial_state_of_whole(const Ranks& ranks);
  DiscreteInitialState initial_state_of_part(const Discretization& discretization);
  ShallowWaterSetting with_substeps(const RunConfiguration& c, const Parameters& parameters,
                                    int substeps) const;
  void require_same_unknowns(const std::string& before, const std::string& after) const;
  int layers_of_inputs(int substeps) const;
  int needed_layers(const ShallowWaterSetting& setting) const;
  /// The number of substeps for which the layers of a part suffice. Throws Refusal if not even for one.
  int substeps_per_renewal(ShallowWaterSetting setting) const;
  void set_substeps();
  double resolving_motions(double dt);
  double resolving_given_values(double dt, double stable);
  void choose_steps(const RunConfiguration& configuration, double end);
  void expect_paces(const RunConfiguration& configuration);
  void allow_for_moving_surface(const RunConfiguration& configuration);
  void choose_steps_anew();
  double stable_substep(double end);
  std::string choose_step() override;
  double shortened_for_surface(double dt, double substeps);
  void drop_expensive_references(const RunConfiguration& configuration);
  std::vector<double> times_of_acting() const;
  std::vector<double> boundary_corners() const;
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
  // `now`: the world's time, accumulated over steps.
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
  void command_clips(const ClipCommand& command);
  void require_movable() const;

  const Catalog& catalog_;
  const Surface& whole_;
  std::optional<Surface> part_;  // of this process, if there are several
  Archive initial_of_whole_;     // until the water exists
  RunConfiguration configuration_, present_;
  std::vector<Input> inputs_;  // of the configuration
  InputsDone done_;
  ClipMotion clips_;
  std::shared_ptr<DragPath> drag_ = std::make_shared<DragPath>();
  /// By file and scale factor: each file is read once.
  std::map<std::pair<std::string, double>, std::shared_ptr<const TriangleSolid>> thrown_meshes_;
  Parameters parameters_;
  SceneInstance scene_;
  bool is_forced_;
  Vector bed_;
  std::optional<Mode> mode_;
  std::optional<TimedForces> forces_;  // of the scene
  std::unique_ptr<ShallowWater> water_;
  Points positions_;  // of a moving surface, for the choice of a step
  double energy_scale_ = 0;
  int substeps_ = 1, changes_ = 0;
  static constexpr double just_before = 1 - 1e-9;  // because steps add up their times with round-off
  bool restoring_ = false;                         // inputs are applied again, on the surface of t = 0

  // Used if the run chooses its steps:
  bool gains_water_ = false;     // water is still missing, and the first step was chosen for its full amount
  std::vector<double> corners_;  // s, kinks of boundary values
  GivenValues given_values_;
  int unresolved_steps_ = 0;
  std::vector<Steps::Pace> paces_;             // allowed by the motion of the surface at instants of the run
  double stable_dt_ = 0, next_stable_dt_ = 0;  // of the scheme, for the last and the next step
};

/// Whether a parameter can be changed during a run: all can, except those of the scene (other than coupling, inertia, the density of
/// the water and, where the bed is uniform, its depth) and of the motion.
bool can_change(const Catalog& catalog, const RunConfiguration& configuration, const std::string& parameter);

/// The surface of a run: its mesh, scaled by its parameter `radius`.
Surface load_surface(const Catalog& catalog, const RunConfiguration& configuration);
/// The surface, or list of triangles, in the order that OrderOptions require.
Surface in_order(Surface surface, const Parameters& parameters);

/// Whether processes can make their parts of the run from the triangles and positions of its surface alone.
bool needs_triangles_alone(const Catalog& catalog, const RunConfiguration& configuration);

}  // namespace shoal
