// `shoal run`: one run of a scene, or of a file that defines one.
#include "experiments/harness/plan/thesis.hpp"
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/program/commands/list.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>

namespace shoal {
namespace {

constexpr int not_finished = 1;

struct RunRequest {
  std::string scene;  ///< or a file
  std::map<std::string, std::string> values;
  std::vector<std::string> parameters;
  bool thesis = false;
  Computing computing;
};

/// For the example of a scene: options that make its run possible, with the equations of its solution.
std::string options_for(const std::string& scene) {
  static const std::map<std::string, std::string> options = {
      {"solid-rotation", " --advection semi-lagrangian"},
      {"dam-wet", " --discretization kinetic"},
      {"channel", " --discretization kinetic"},
      {"breathing-zonal-flow", " --integrator ssprk3 --advection vector-invariant"},
      {"pulsating-ellipsoid", " --integrator ssprk3 --advection vector-invariant"},
      {"spin-up", " --integrator ssprk3 --advection vector-invariant"},
      {"zonal-ridge", " --integrator ssprk3 --advection vector-invariant"},
      {"cosine-bell", " --discretization hllc --integrator ssprk3 --param reconstruction=linear"},
      {"williamson-2", " --integrator ssprk3 --advection vector-invariant"}};
  const auto found = options.find(scene);
  return found == options.end() ? "" : found->second;
}

std::string footer(const Program& program, const std::string& scene) {
  if (scene.empty())
    return example(program, "run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5");
  return make_list(program.catalog, {"scenes", scene}) + "\n" +
         example(program,
                 scene == "custom"
                     ? "run custom --mesh icosphere:3 --end 1 --param 'initial_elevation=0.1*exp(-(x^2 + y^2 "
                       "+ (z-1)^2)/0.3^2)' --output results/custom.h5"
                     : fmt::format("run {0}{1} --output results/{0}.h5", scene, options_for(scene)));
}

/// Computes the only run of a file, which defines everything.
Experiment run_of_file(const Catalog& catalog, const CLI::App& app, const std::string& file) {
  if (const std::string option = given_run_option(app); !option.empty())
    throw Error(fmt::format("{} requires a scene: '{}' defines its own run", option, file));
  Experiment experiment = read_experiment(file);
  if (const std::size_t count = experiment.frontier ? 0 : expand(catalog, experiment).size(); count != 1)
    throw Error(fmt::format("'{}' contains {}, not one run; use `shoal {} {}`", file,
                            count == 0 ? "a frontier" : fmt::format("{} runs", count),
                            count == 0 ? "frontier" : "sweep", file));
  return experiment;
}

int run(const Program& program, const CLI::App& app, const RunRequest& request) {
  Experiment experiment = std::filesystem::path(request.scene).extension() == ".toml"
                              ? run_of_file(program.catalog, app, request.scene)
                              : run_experiment(app, request.scene, request.values, request.parameters);
  if (request.thesis) add_thesis_settings(program.catalog, experiment);
  if (request.computing.dry_run) {
    if (program.ranks->count() > 1) throw Error("--dry-run is for one process; start it without a launcher");
    print_dry_run(program, experiment, request.computing, true);
    return 0;
  }
  const Execution execution = carry_out(program, experiment, request.computing, true);
  if (execution.signal != 0) return signal_base + execution.signal;
  if (execution.outcomes.empty()) return 0;  // rank 0 has found it complete
  const Outcome& outcome = execution.outcomes.front();
  if (outcome.outcome == "finished") return 0;
  if (outcome.outcome == "interrupted")
    throw MachineError(fmt::format("{}; the results contain run {} up to t = {:.6g} s", outcome.reason,
                                   run_id(std::size_t{0}), outcome.t_reached));
  if (request.computing.quiet && program.ranks->rank() == 0)
    say(fmt::format("shoal: {} at t = {:.6g} s: {}\n", outcome.outcome, outcome.t_reached, outcome.reason));
  return not_finished;
}

}  // namespace

Command run_command(Program& program) {
  const auto request = std::make_shared<RunRequest>();
  CLI::App& app = add_command(
      program, "run",
      "compute one run of a scene or an experiment file; run SCENE -h shows the parameters of a scene",
      [&program, request] { return footer(program, request->scene); });
  add_argument(app, "SCENE|FILE.toml", request->scene,
               "scene (list scenes), or an experiment file with one run, such as a recorded session");
  add_run_options(app, RunOptions::all, request->values);
  add_parameter_option(app, request->parameters);
  add_thesis_option(app, request->thesis);
  add_saving(app, request->computing);
  add_dry_run(app, request->computing);
  add_output_options(app, request->computing, "default results/SCENE/SCENE.h5");
  return {&app, [&program, &app, request] { return run(program, app, *request); }};
}

}  // namespace shoal
