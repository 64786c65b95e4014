// `shoal sweep`: all runs of an experiment file, and its tables.
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/program/products.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

namespace shoal {
namespace {

struct SweepRequest {
  std::string part;  // id of the only run to compute, with the processes of a launcher
  Computing computing;
};

constexpr const char* experiment_help =
    R"(Every key may be a list. An experiment runs all combinations; the last list varies fastest:
  dt = ["1/60", 0.025]            numbers; fractions in quotes
  dt = "geometric:1/60:1/960:5"   5 numbers with equal ratios; arithmetic:A:B:N: equal differences;
                                  a further :D rounds to D significant digits
  together = ["mesh", "dt"]       these lists advance together, at the position of the first of them;
                                  parameters.NAME for a parameter with the name of a key
  parameters.bfecc.limiter = …    a parameter of one part, by the name of the part or of its kind
  [[case]]                        inherits, overrides and adds keys; cases run one after another
  compute = "frontier"            largest stable steps (see frontier -h) instead of runs
  jobs = 2                        default of --jobs
Tables and figures are made from the results, in their folder, and do not affect the runs:
  [[table]]                       file = "table.md" or a list (.txt, .md, .csv, .tex),
                                  columns = ["id", "outcome"] (see table -h), format = "md";
                                  where = "dt<=1/60" selects runs, order = ["dt"] sorts them, digits = 3;
                                  orders = "space", "time" or "both" instead of columns, with
                                  errors = ["l2_error"] (see converge -h)
  [[figure]]                      file = "columns.png", script = "columns.py" of scripts/plots,
                                  from = "table.csv" (default: the results), arguments = ["dt", ...];
                                  'figures' prints the commands that draw them
)";

int sweep(const Program& program, const SweepRequest& request) {
  const Experiment experiment = read_experiment(request.computing.file);
  if (experiment.frontier && request.computing.dry_run)
    throw Error(fmt::format("--dry-run: '{}' is a frontier, whose steps are not known in advance",
                            request.computing.file));
  if (experiment.frontier && !request.computing.ranks.empty())
    throw Error(fmt::format("--ranks: '{}' is a frontier, whose runs are for one process each",
                            request.computing.file));
  if (experiment.frontier)
    return carry_out_frontier(program, experiment, request.computing, {}, TableFormat::text);
  if (!request.part.empty()) {
    carry_out_part(program, experiment, request.computing, request.part);
    return 0;
  }
  check_products(experiment);
  if (request.computing.dry_run) {
    print_dry_run(program, experiment, request.computing, false);
    return 0;
  }
  const Execution execution = carry_out(program, experiment, request.computing, false);
  if (execution.signal != 0) return signal_base + execution.signal;
  make_tables(program.catalog, experiment, output_of(experiment, request.computing.output),
              request.computing.quiet);
  return 0;
}

}  // namespace

Command sweep_command(Program& program) {
  const auto request = std::make_shared<SweepRequest>();
  CLI::App& app =
      add_command(program, "sweep",
                  "compute all runs of an experiment file and write its tables; an interrupted sweep resumes",
                  experiment_help + ("\n" + example(program, "sweep experiments/sphere-integrators.toml")));
  add_argument(app, "EXPERIMENT.toml", request->computing.file,
               "experiment file, with keys of 'run', each with a value or a list, see below");
  add_jobs(app, request->computing);
  add_ranks(app, request->computing);
  app.add_option(part_option, request->part)->group("");  // not in the help
  add_saving(app, request->computing);
  add_dry_run(app, request->computing);
  add_output_options(app, request->computing, "default results/NAME/NAME.h5");
  return {&app, [&program, request] { return sweep(program, *request); }};
}

}  // namespace shoal
