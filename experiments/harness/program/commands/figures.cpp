// `shoal figures`: the commands that draw the figures of an experiment file.
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/program/products.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

struct FiguresRequest {
  std::string file, output;
};

int figures(const FiguresRequest& request) {
  const Experiment experiment = read_experiment(request.file);
  check_products(experiment);
  print(figure_commands(experiment, output_of(experiment, request.output)));
  return 0;
}

}  // namespace

Command figures_command(Program& program) {
  const auto request = std::make_shared<FiguresRequest>();
  CLI::App& app = add_command(
      program, "figures", "print the commands that draw the figures of an experiment file, one per line",
      fmt::format("To draw them, run from the root of the repository, after 'sweep':\n  {} figures FILE.toml "
                  "| xargs -r -L 1 /usr/bin/python3\n",
                  shell_quoted(program.argv[0])) +
          example(program, "figures experiments/sphere-integrators.toml"));
  add_argument(app, "EXPERIMENT.toml", request->file,
               "experiment file with entries [[figure]] (see sweep -h)");
  add_option(app, "--output", request->output, "FILE.h5",
             "results of the experiment; default results/NAME/NAME.h5");
  return {&app, [request] { return figures(*request); }};
}

}  // namespace shoal
