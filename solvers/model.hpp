// The interface of a model of any kind, which runs and worlds step, sample and save.
#pragma once

#include "discretizations/domain.hpp"
#include "solvers/archive.hpp"
#include "solvers/stage_clock.hpp"
#include "solvers/step_report.hpp"

namespace shoal {

class Model {
 public:
  virtual ~Model() = default;

  /// The elements on which outputs live; valid until the next step.
  virtual Domain domain() const = 0;
  virtual std::vector<OutputInfo> outputs() const = 0;
  /// Sets values [components, elements] to the output called `name` at the present state; the model must have it.
  virtual void sample(const std::string& name, Values& values) const = 0;

  /// The largest stable step of an explicit integrator at the present state, s.
  virtual double stable_dt() const = 0;
  /// Advances by dt, which may change from step to step. A step that fails does not count.
  virtual StepReport step(double dt, StageClock& clock) = 0;

  /// Saves everything that later steps depend on. A model that is made in the same way and restored continues with
  /// the same bits.
  virtual void save(Archive& archive) const = 0;
  virtual void restore(const Archive& archive) = 0;
};

}  // namespace shoal
