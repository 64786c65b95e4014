// A model that can be stepped: the interface for the harness, for coupled models and for interactive
// programs.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/archive.hpp"
#include "solvers/integrators/integrator.hpp"
#include "solvers/stage_clock.hpp"

namespace shoal {

/// Mass and energy that a model has received from outside since its start, kg and J.
struct Ledger {
  double mass_source = 0;            ///< by sources and exchange
  double mass_lacking = 0;           ///< that sinks were to take besides and that was not there
  double work_geometry = 0;          ///< by the moving surface
  double work_geometry_kinetic = 0;  ///< the part of it that became kinetic energy
  double work_forces = 0;            ///< by all forces but gravity g, friction included
  double work_surface = 0;   ///< the part of it that is due to the velocity of the surface: ∇½|ẋ|²
  double work_friction = 0;  ///< the part of it that is friction's
  double work_source = 0;    ///< by sources and exchange: the energy of the water that came
  double work_change = 0;    ///< by changes of scheme or integrator: the jumps of the energy as measured
  double work() const { return work_geometry + work_forces + work_source + work_change; }
};

class Model {
 public:
  virtual ~Model() = default;

  virtual const Layout& layout() const = 0;
  virtual const State& state() const = 0;
  virtual double time() const = 0;  ///< s, since the start

  /// The largest stable step of an explicit integrator at the present state, s.
  virtual double stable_dt() const = 0;
  /// Advances to time() + dt; dt may change from step to step. A step that failed does not change time().
  virtual StepReport step(double dt, StageClock& clock) = 0;

  /// Named fields of the present state on the mesh's elements.
  virtual const std::vector<Output>& outputs() const = 0;
  virtual void sample(const std::string& output, Values& values) const = 0;

  virtual Ledger ledger() const = 0;

  /// Everything that later steps depend on. A model that was made in the same way and restored continues with
  /// the same bits.
  virtual void save(Archive& archive) const = 0;
  virtual void restore(const Archive& archive) = 0;
};

}  // namespace shoal
