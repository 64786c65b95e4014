// A run of a model of any kind, stepped to its end. compute.hpp records, saves and resumes it.
#pragma once

#include "experiments/harness/run/steps.hpp"
#include "solvers/coupling/world.hpp"

#include <optional>

namespace shoal {

class Run {
 public:
  /// A run of one model, alone in its world. `model` must outlive the run. Without `dt`, steps are as long as the model allows.
  Run(Model& model, std::optional<double> dt, double end);
  virtual ~Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Takes one step. A step that fails leaves the time and the number of steps unchanged.
  virtual StepReport step(StageClock& clock);
  /// Must be called at the start. If the run chooses its steps, it chooses each of them from now on and meets these times exactly;
  /// without a call all steps have the same length.
  virtual void meet(const std::vector<double>& times);
  /// Whether the domain has begun to move, so that the state before a failed step is no longer at its original position.
  virtual bool domain_moves() const { return false; }
  /// Times of the snapshots if the configuration gives none, s.
  virtual std::vector<double> default_times() const { return {}; }
  bool chooses_steps() const { return chooses_dt_; }
  /// The reason why the last step failed if an input could not take effect; otherwise "".
  const std::string& refused_input() const { return refused_input_; }

  /// A run that is made in the same way and restored at its start continues with the same bits. restore() throws Error if that is
  /// impossible, and the run must then be discarded.
  virtual void save(Archive& archive) const;
  virtual void restore(const Archive& archive);

  /// The processes that compute the run together.
  virtual const Ranks& ranks() const;
  /// An archive of this process as that of the whole, which rank 0 gets, and the reverse, as in whole_archive.hpp.
  virtual Archive of_whole(const Archive& archive) const { return archive; }
  virtual Archive of_part(const Archive& archive, const Archive& /*like*/) const { return archive; }

  const Model& model() const { return *model_; }
  const World& world() const { return *world_; }
  bool adaptive() const { return steps_.follows(); }
  bool met_time() const { return steps_.met_time(); }
  double dt() const { return steps_.dt(); }  ///< as in Steps
  double longest_dt() const { return steps_.longest(); }
  double shortest_dt() const { return steps_.shortest(); }
  double end() const { return steps_.end(); }
  double time() const { return steps_.time(); }
  std::int64_t steps() const { return steps_.all(); }
  std::int64_t steps_done() const { return steps_.done(); }
  bool finished() const { return steps_.finished(); }

 protected:
  /// Derived classes then call begin() and assign steps_.
  Run() = default;
  /// Makes the world, to which `model` is added later.
  World& begin(Model& model, const BodiesSetting& bodies);
  /// Sets the length of the next step; returns "", or why no step is possible.
  virtual std::string choose_step();

  Model* model_ = nullptr;
  std::optional<World> world_;
  Steps steps_;
  bool chooses_dt_ = false;
  bool failed_ = false;  // the last step of the world
  std::string refused_input_;
};

}  // namespace shoal
