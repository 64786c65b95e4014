// A model that is stepped to its end, whatever the model is: the harness records, saves and resumes it (compute.hpp).
#pragma once

#include "experiments/harness/run/steps.hpp"
#include "solvers/coupling/world.hpp"

#include <optional>

namespace shoal {

class Run {
 public:
  /// Of a model alone in its world, which must outlive this, in steps of dt; where that is absent meet() lets each be as long as
  /// the model allows.
  Run(Model& model, std::optional<double> dt, double end);
  virtual ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// One step; one that cannot be is a failure. A step that failed does not count: the time stays.
  virtual StepReport step(StageClock& clock);
  /// At the start: where the length of steps is to be chosen, that is done for each from now on, and these times are met exactly.
  /// Without a call all steps have one length.
  virtual void meet(const std::vector<double>& times);
  /// Whether its domain has begun to move: what was there before a step that fails may then lie elsewhere.
  virtual bool domain_moves() const { return false; }
  /// s, of snapshots where none are asked for.
  virtual std::vector<double> default_times() const { return {}; }
  bool chooses_steps() const { return chooses_dt_; }
  /// Why the last step failed, where something that was to be done at its time could not be; else "".
  const std::string& refused_input() const { return refused_input_; }

  /// After restoring what another run that was made in the same way saved this one goes on with the same bits as that.
  /// To be called at the start. Throws Error where it cannot be; then this run is of no more use.
  virtual void save(Archive& archive) const;
  virtual void restore(const Archive& archive);

  const Model& model() const { return *model_; }
  const World& world() const { return *world_; }
  bool adaptive() const { return steps_.follows(); }
  bool met_time() const { return steps_.met_time(); }
  double dt() const { return steps_.dt(); }  ///< see Steps
  double longest_dt() const { return steps_.longest(); }
  double shortest_dt() const { return steps_.shortest(); }
  double end() const { return steps_.end(); }
  double time() const { return steps_.time(); }
  std::int64_t steps() const { return steps_.all(); }
  std::int64_t steps_done() const { return steps_.done(); }
  bool finished() const { return steps_.finished(); }

 protected:
  /// To be followed by begin() and an assignment to steps_.
  Run() = default;
  /// `model` is in the world, or will be.
  World& begin(Model& model, const BodiesSetting& bodies);
  /// The length of the next step into steps_; "" or why there is none.
  virtual std::string choose_step();

  Model* model_ = nullptr;
  std::optional<World> world_;
  Steps steps_;
  bool chooses_dt_ = false;
  bool failed_ = false;  // the last step, in the world
  std::string refused_input_;
};

}  // namespace shoal
