// A run of a scene as the harness computes it, in memory.
#include "experiments/python/bindings.hpp"

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/run/water_observer.hpp"

#include <fmt/format.h>

namespace shoal::python {
namespace {

/// The only run of these keys and parameters.
RunConfiguration configuration_of(const Catalog& all, const std::map<std::string, std::string>& keys,
                                  const std::map<std::string, std::string>& parameters) {
  Experiment experiment;
  experiment.name = "python";
  const auto add = [&](const std::string& key, bool is_parameter, const std::string& text) {
    experiment.settings.push_back({key, is_parameter, alternatives_of(key, is_parameter, text, key), key});
  };
  for (const auto& [key, text] : keys) add(key, false, text);
  for (const auto& [name, text] : parameters) add(name, true, text);
  const std::vector<PlannedRun> runs = expand(all, experiment);
  if (runs.size() != 1) throw Error(fmt::format("the options describe {} runs, not one", runs.size()));
  if (!runs.front().refusal.empty()) throw Refusal(runs.front().refusal);
  return runs.front().configuration;
}

class SceneRun final : public WaterView {
 public:
  SceneRun(const std::shared_ptr<SharedSurface>& mesh, const std::map<std::string, std::string>& keys,
           const std::map<std::string, std::string>& parameters)
      : catalog_(catalog()), configuration_(configuration_of(catalog_, keys, parameters)) {
    if (mesh && read_options<OrderOptions>(parameters_of(catalog_, configuration_)).parts > 1)
      throw SettingError("parts", "parameter 'parts': a given mesh keeps its own order of triangles");
    surface_ = mesh ? mesh : std::make_shared<SharedSurface>(load_surface(catalog_, configuration_));
    const py::gil_scoped_release unlocked;
    run_ = std::make_unique<Simulation>(catalog_, configuration_, surface_->surface());
    if (run_->chooses_steps()) run_->meet({});
    observer_ = std::make_unique<WaterObserver>(*run_, configuration_);
    observer_->watch();
  }

  const ShallowWater& water() const override { return run_->water(); }
  const Simulation& run() const { return *run_; }
  std::shared_ptr<SharedSurface> surface() const { return surface_; }

  void step() {
    if (run_->finished())
      throw Error(fmt::format("the run has ended at t = {:.6g} s; give a later end", run_->time()));
    const Turns::Turn turn(turns());
    const py::gil_scoped_release unlocked;
    const StepReport report = run_->step(clock_);
    observer_->watch();
    if (!report.ok)
      throw StepFailure(fmt::format("the step from t = {:.6g} s failed: {}", run_->time(), report.reason));
    if (const std::string reason = observer_->instability(false); !reason.empty())
      throw StepFailure(fmt::format("unstable at t = {:.6g} s: {}", run_->time(), reason));
  }
  void advance(double until, const py::object& callback) {
    constexpr double rounding = 1e-9;
    if (!(until >= run_->time() * (1 - rounding)))
      throw Error(fmt::format("until: {} s is before the present time, {} s", until, run_->time()));
    while (!run_->finished() && run_->time() < until * (1 - rounding)) {
      step();
      check_signals();
      if (!callback.is_none() && is_true(callback())) return;
    }
  }

  py::list quantities() const {
    py::list all;
    for (const Quantity& one : observer_->quantities())
      all.append(py::make_tuple(one.name, one.unit, one.meaning, one.components));
    return all;
  }
  py::dict diagnostics() {
    const Turns::Turn turn(turns());
    const std::vector<double> row = observer_->row(clock_.work());
    py::dict values;
    std::size_t at = 0;
    for (const Quantity& one : observer_->quantities()) {
      if (one.components == 1)
        values[one.name.c_str()] = row[at];
      else
        values[one.name.c_str()] = Doubles(one.components, row.data() + at);
      at += static_cast<std::size_t>(one.components);
    }
    return values;
  }

 private:
  const Catalog catalog_;
  const RunConfiguration configuration_;
  std::shared_ptr<SharedSurface> surface_;
  std::unique_ptr<Simulation> run_;
  std::unique_ptr<WaterObserver> observer_;
  StageClock clock_;
};

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<SceneRun, WaterView>(module, "Simulation")
      .def(py::init<const std::shared_ptr<SharedSurface>&, const std::map<std::string, std::string>&,
                    const std::map<std::string, std::string>&>(),
           py::arg("mesh").none(true), py::arg("keys"), py::arg("parameters"))
      .def("_step", &SceneRun::step)
      .def("_run", &SceneRun::advance, py::arg("until"), py::arg("callback"))
      .def_property_readonly("_mesh", &SceneRun::surface)
      .def_property_readonly("steps_done", [](const SceneRun& self) { return self.run().steps_done(); })
      .def_property_readonly("dt", [](const SceneRun& self) { return self.run().dt(); })
      .def_property_readonly("end", [](const SceneRun& self) { return self.run().end(); })
      .def_property_readonly("finished", [](const SceneRun& self) { return self.run().finished(); })
      .def("_quantities", &SceneRun::quantities)
      .def("diagnostics", &SceneRun::diagnostics,
           "The row of a results file at the present time, by name: mass, energies, extremes, and errors "
           "where the scene has a solution. "
           "What is the largest so far, or relative to it, refers to the rows that were asked for. "
           "`quantities()` gives units and meanings.");
}

}  // namespace shoal::python
