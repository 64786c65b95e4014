// The program `shoal-reference`: the spectral solution of a scene on a sphere, in a file for the parameter `solution_file` of runs.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/harness/program/arguments.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "experiments/spectral/spectral_model.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>

namespace shoal {
namespace {

struct Request {
  std::string scene, output, truncation = "85", step, damping = "0";
  std::vector<std::string> parameters;
};

double positive_number(const std::string& text, const std::string& option, bool zero) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !std::isfinite(value) || value < 0 || (!zero && value == 0))
    throw Error(fmt::format("{}: '{}' is not a {} number of seconds", option, text,
                            zero ? "nonnegative" : "positive"));
  return value;
}

RunConfiguration configuration_of(const Catalog& catalog, const Request& request) {
  Experiment experiment;
  experiment.settings = {{"scene", false, {request.scene}, "SCENE"},
                         {"mesh", false, {"icosphere:1"}, "mesh"}};
  read_parameters(request.parameters, experiment);
  return expand(catalog, experiment).front().configuration;
}

int compute(const Catalog& catalog, const Request& request) {
  const SpectralSetting setting{.truncation = whole_number(request.truncation, "--truncation", 4, 1000),
                                .step = positive_number(request.step, "--dt", false),
                                .damping_time = positive_number(request.damping, "--damping", true)};
  const RunConfiguration configuration = configuration_of(catalog, request);
  const Surface surface = load_surface(catalog, configuration);
  const SceneEntry& entry = catalog.scenes.find(configuration.scene);
  const SceneInstance scene = make_scene(entry, surface, make_geometry(surface.mesh, surface.x),
                                         parameters_of(catalog, configuration));
  SpectralModel model(scene, surface.x.col(0).norm(), setting);
  HarmonicSolution solution{.scene = entry.name,
                            .parameters = own_parameters(entry, parameters_of(catalog, configuration)),
                            .truncation = setting.truncation,
                            .step = setting.step,
                            .damping_time = setting.damping_time,
                            .times = scene.sample_times};
  for (const double time : scene.sample_times) {
    const double steps = std::round(time / setting.step);
    if (std::abs(steps * setting.step - time) > 1e-9 * time)
      throw Error(fmt::format("--dt: {} s does not divide the time {} s of a sample", setting.step, time));
    while (std::round(model.time() / setting.step) < steps) model.step();
    solution.depth.push_back(model.state().depth);
    solution.velocity.push_back(model.state().velocity);
    say(fmt::format("t = {:g} s: mass drift {:.2g}, energy drift {:.2g}\n", time, model.mass_drift(),
                    model.energy_drift()));
  }
  solution.write(request.output);
  return 0;
}

int execute(int argc, const char* const* argv) {
  const Catalog catalog = builtin();
  Request request;
  CLI::App app(
      "computes the spectral solution of a scene on a rotating sphere, in spherical harmonics\n\n"
      "Example:\n  shoal-reference williamson-5 --truncation 42 --dt 240 --output results/williamson-5.h5");
  add_argument(app, "SCENE", request.scene, "a scene on a sphere: williamson-5, galewsky, …");
  add_option(app, "--truncation", request.truncation, "L", "largest degree of the harmonics; default 85");
  add_option(app, "--dt", request.step, "S", "time step, which divides the scene's sample times");
  add_option(app, "--damping", request.damping, "S",
             "e-folding time of degree L; the rate is proportional to (l(l+1))²; 0: no damping; default 0");
  add_parameter_option(app, request.parameters);
  add_option(app, "--output", request.output, "FILE.h5", "the file to write");
  if (!parse_arguments(app, argc, argv, [&] { refuse_remaining(app, catalog, ""); })) return 0;
  if (request.output.empty()) throw Error("--output: name the file to write");
  return compute(catalog, request);
}

}  // namespace
}  // namespace shoal

int main(int argc, char** argv) {
  return shoal::exit_code_of("shoal-reference", [&] { return shoal::execute(argc, argv); });
}
