// `shoal spectrum`: frequencies of all linear waves of a scheme on a mesh.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/previous_results.hpp"
#include "experiments/harness/spectrum/spectrum_file.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

struct SpectrumOptions {
  std::string discretization, mesh = "icosphere:3";
  std::vector<std::string> parameters;
  std::string lowest, rows = "20", format = "text", output;
  bool shapes = false, fresh = false;
};

/// Scene `rest` with the given options.
Experiment experiment_of(const SpectrumOptions& options) {
  Experiment experiment;
  experiment.name = "spectrum";
  experiment.settings.push_back({"scene", false, {"rest"}, "spectrum"});
  experiment.settings.push_back({"discretization", false, {options.discretization}, "--discretization"});
  experiment.settings.push_back({"mesh", false, {options.mesh}, "--mesh"});
  read_parameters(options.parameters, experiment);
  return experiment;
}

int spectrum(const Program& program, const SpectrumOptions& options) {
  const Catalog& catalog = program.catalog;
  const TableFormat format = table_format(options.format, "--as");
  const int rows = whole_number(options.rows, "--rows", 0);
  const Experiment experiment = experiment_of(options);
  SpectrumRequest request;
  request.configuration = expand(catalog, experiment).front().configuration;
  if (!options.lowest.empty()) request.lowest = whole_number(options.lowest, "--lowest", 1);
  if (options.output.empty() && (options.shapes || options.fresh))
    throw Error(fmt::format("{} requires --output", options.shapes ? "--shapes" : "--fresh"));
  const std::filesystem::path output = followed(options.output);
  const auto look = [&] {  // a spectrum of the same request may be replaced
    return look_at(
        catalog, output, options.fresh, expand(catalog, experiment), Contents::spectrum,
        [&](const hdf5::Group& root) { require_same_request(output, root, request.lowest, options.shapes); });
  };
  if (!output.empty()) look();
  const Spectrum found = compute_spectrum(catalog, request);
  if (options.shapes && found.shapes.size() == 0)
    throw Error("--shapes requires a scheme with wave operators");
  if (!output.empty()) {
    const OutputLock lock(output);
    look();  // again, because another program may have written it meanwhile
    hdf5::File file = create_results(catalog, output, experiment, typed(program));
    record_mesh(file.root().open_group("meshes"), load_surface(catalog, request.configuration));
    record_spectrum(catalog, file, found, options.shapes);
    file.close();
    remove_leftovers(output);
  }
  print(describe_spectrum(found, format, rows));
  return 0;
}

}  // namespace

Command spectrum_command(Program& program) {
  const auto options = std::make_shared<SpectrumOptions>();
  options->discretization = program.catalog.discretizations.front().name;
  CLI::App& app = add_command(program, "spectrum",
                              "compute the frequencies of all linear waves of a scheme on a mesh, compare "
                              "them with the continuous equations, and count spurious ones",
                              example(program, "spectrum --mesh icosphere:2"));
  add_option(app, "--discretization", options->discretization, "NAME",
             "spatial scheme; default: the first of the list");
  add_option(app, "--mesh", options->mesh, "NAME[:args]|FILE", "surface; default icosphere:3");
  add_parameter_option(app, options->parameters);
  add_option(app, "--lowest", options->lowest, "K", "compute only the K lowest modes, for large meshes");
  add_option(app, "--rows", options->rows, "N", "maximum number of rows of the table, 0 for all; default 20");
  add_option(app, "--as", options->format, "FORMAT", "text, md, csv or tex; default text");
  add_option(app, "--output", options->output, "FILE.h5", "save the frequencies of all modes");
  add_flag(app, "--shapes", options->shapes, "save also the shapes");
  add_flag(app, "--fresh", options->fresh, "replace an existing results file");
  return {&app, [&program, options] { return spectrum(program, *options); }};
}

}  // namespace shoal
