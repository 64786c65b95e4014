// What a model of any kind is to the harness, to worlds and to pictures: it is stepped, sampled on its domain, and saved.
#pragma once

#include "discretizations/domain.hpp"
#include "solvers/archive.hpp"
#include "solvers/stage_clock.hpp"
#include "solvers/step_report.hpp"

namespace shoal {

class Model {
 public:
  virtual ~Model() = default;

  /// What outputs refer to; valid until the next step.
  virtual Domain domain() const = 0;
  virtual std::vector<OutputInfo> outputs() const = 0;
  /// values [components, elements] of the output called `name`, which the model must give, at the present state.
  virtual void sample(const std::string& name, Values& values) const = 0;

  /// The largest stable step of an explicit integrator at the present state, s.
  virtual double stable_dt() const = 0;
  /// Advances by dt, which may change from step to step. A step that failed does not count.
  virtual StepReport step(double dt, StageClock& clock) = 0;

  /// Everything that later steps depend on. A model that was made in the same way and restored continues with
  /// the same bits.
  virtual void save(Archive& archive) const = 0;
  virtual void restore(const Archive& archive) = 0;
};

}  // namespace shoal
