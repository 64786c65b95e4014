// `shoal frontier`: the largest stable time step of every combination of an experiment.
#include "experiments/harness/program/commands/computing.hpp"

#include <fmt/format.h>

#include <memory>

namespace shoal {
namespace {

struct FrontierRequest {
  std::string file, steps = "2000", bracket = "0.01", max_factor = "128", format = "text";
  Computing computing;
};

int frontier(const Program& program, const FrontierRequest& request) {
  const TableFormat format = table_format(request.format, "--as");
  const Experiment experiment = read_experiment(request.file);
  FrontierRule rule;
  rule.steps = whole_number(request.steps, "--steps", 1);
  rule.bracket = parse_number(request.bracket, "--bracket");
  rule.max_factor = parse_number(request.max_factor, "--most");
  if (!(rule.bracket >= 1e-6 && rule.bracket <= 1))
    throw Error(fmt::format("--bracket: {} is outside [1e-6, 1]", request.bracket));
  if (!(rule.max_factor >= 1 && rule.max_factor <= 1e6))
    throw Error(fmt::format("--most: {} is outside [1, 1e6]", request.max_factor));
  return carry_out_frontier(program, experiment, request.computing, rule, format);
}

}  // namespace

Command frontier_command(Program& program) {
  const auto request = std::make_shared<FrontierRequest>();
  CLI::App& app = add_command(program, "frontier",
                              "find the largest stable time step of every combination of an experiment, by "
                              "bisection; an interrupted search resumes",
                              example(program, "frontier experiments/stability.toml"));
  add_argument(app, "EXPERIMENT.toml", request->file,
               "experiment file, with keys of 'run' except dt, end, snapshots and diagnostics");
  add_option(app, "--steps", request->steps, "N",
             "number of steps that a stable run must complete; default 2000");
  add_option(app, "--bracket", request->bracket, "X", "final relative width of the bracket; default 0.01");
  add_option(app, "--most", request->max_factor, "X",
             "largest step to try, as a multiple of substeps times the scheme's stable step; default 128");
  add_output_options(app, request->computing, "default results/NAME/NAME.h5");
  add_jobs(app, request->computing);
  add_option(app, "--as", request->format, "FORMAT",
             "format of the table: text, md, csv or tex; default text");
  return {&app, [&program, request] { return frontier(program, *request); }};
}

}  // namespace shoal
