// `shoal converge`: orders of convergence, of a scene, an experiment or results.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/program/products.hpp"
#include "experiments/harness/results/orders.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace shoal {
namespace {

struct ConvergeRequest {
  std::string subject;  ///< a scene, an experiment or results
  std::map<std::string, std::string> values;
  std::vector<std::string> parameters;
  std::string orders = "both", errors, where, digits = "4", format = "text";
  Computing computing;
};

/// Refuses options of a scene for files, which define everything.
void refuse_run_options(const CLI::App& app, const std::string& file, bool is_results) {
  std::string option = given_run_option(app);
  if (is_results)
    for (const char* other : {"--jobs", "--output", "--fresh", "--dry-run"})
      if (option.empty() && given(app, other)) option = other;
  if (!option.empty())
    throw Error(fmt::format("{0} requires a scene{3}: '{1}' {2}", option, file,
                            is_results ? "contains finished runs" : "defines its own runs",
                            is_results && option[2] != 'p' ? " or an experiment file" : ""));
}

/// The product of the given lists.
Experiment convergence_experiment(const Catalog& catalog, const CLI::App& app,
                                  const ConvergeRequest& request) {
  catalog.scenes.find(request.subject);
  Experiment experiment = run_experiment(app, request.subject, request.values, {});
  experiment.name = "converge-" + request.subject;
  for (Setting& setting : experiment.settings) {
    const std::string text = to_string(std::exchange(setting.alternatives, {}).front());
    const bool is_one = find_key(setting.key)->has_commas;
    for (const std::string& part : is_one ? std::vector{text} : split_at_commas(text))
      for (const Value& value : alternatives_of(setting.key, false, part, setting.where))
        setting.alternatives.push_back(value);
  }
  // Errors are evaluated at the end, unless over the rows; a computed reference advances from row to row.
  if (request.errors.find('@') == std::string::npos)
    experiment.settings.push_back({"diagnostics", false, {std::string("every:100")}, "converge"});
  experiment.settings.push_back({"snapshots", false, {std::string("0")}, "converge"});
  read_parameters(request.parameters, experiment);
  return experiment;
}

/// Throws Error, before anything is computed, if the runs will have no order, or none of a requested error.
void require_order(const Catalog& catalog, const Experiment& experiment, const OrderRequest& request) {
  std::vector<PlannedRun> plan = expand(catalog, experiment);
  std::erase_if(plan, [](const PlannedRun& run) { return !run.refusal.empty(); });
  std::vector<RunConfiguration> configurations;
  for (const PlannedRun& run : plan) configurations.push_back(run.configuration);
  const std::string problem = no_order(configurations, request);
  if (!problem.empty()) throw Error(problem);
  const bool in_time =
      request.time && no_order(configurations, {.space = false, .time = true, .errors = {}}).empty();
  try {
    const Surface surface = load_surface(catalog, configurations.front());
    const Simulation first(catalog, configurations.front(), surface);
    if (!in_time && request.errors.empty() && first.scene().references.empty())
      throw Error(no_solution(configurations.front().scene));
    ColumnOffer offer = planned_columns(catalog, plan);
    const Diagnostics diagnostics(first);
    for (const Quantity& quantity : diagnostics.quantities()) offer.diagnostics.insert(quantity.name);
    for (const std::string& error : request.errors)
      if (!in_time && is_error_norm(error) && error.find("velocity") != std::string::npos &&
          offer.diagnostics.count(error) == 0)
        throw Error(
            fmt::format("--errors: there is no '{}' in space, because the solution of '{}' has no velocity; "
                        "orders in time compare runs with each other and require several --dt on one mesh",
                        error, configurations.front().scene));
    Experiment asked;
    asked.tables.emplace_back();
    // Orders in time can use norms that runs without a solution do not record.
    std::vector<LocatedText>& names = in_time ? asked.tables.front().errors : asked.tables.front().columns;
    for (const std::string& error : request.errors) names.push_back({error, "--errors"});
    for (const std::string& condition : request.where)
      asked.tables.front().where.push_back({condition, "--where"});
    check_columns(asked, offer);
  } catch (const Refusal&) {  // becomes the outcome of that run
  }
}

int converge(const Program& program, const CLI::App& app, const ConvergeRequest& request) {
  const TableFormat format = table_format(request.format, "--as");
  OrderRequest wanted =
      order_request(request.orders, "--orders",
                    request.errors.empty() ? std::vector<std::string>{} : split_at_commas(request.errors));
  if (!request.where.empty()) wanted.where = split_at_commas(request.where);
  const int digits = whole_number(request.digits, "--digits", 1, max_table_digits);
  std::filesystem::path file = request.subject;
  const bool is_experiment = file.extension() == ".toml";
  const bool is_results = has_hdf5_signature(file) || file.extension() == ".h5";
  if (is_experiment || is_results) refuse_run_options(app, request.subject, is_results);
  if (!is_results) {
    const Experiment experiment =
        is_experiment ? read_experiment(file) : convergence_experiment(program.catalog, app, request);
    if (experiment.frontier)
      throw Error(fmt::format("experiment '{}': a frontier has no order", request.subject));
    check_products(experiment);
    require_order(program.catalog, experiment, wanted);
    if (request.computing.dry_run) {
      print_dry_run(program, experiment, request.computing, false);
      return 0;
    }
    const Execution execution = carry_out(program, experiment, request.computing, false);
    if (execution.signal != 0) return signal_base + execution.signal;
    make_tables(program.catalog, experiment, output_of(experiment, request.computing.output),
                request.computing.quiet);
    file = execution.output;
  }
  print(read_in_a_process({file},
                          [&] { return format_orders(find_orders(Results(file), wanted), format, digits); }));
  return 0;
}

}  // namespace

Command converge_command(Program& program) {
  const auto request = std::make_shared<ConvergeRequest>();
  CLI::App& app = add_command(
      program, "converge", "compute orders of convergence in space and time, over families of meshes",
      "With a scene, every option except --param and --boundaries may be a list, e.g. a,b; all combinations "
      "are computed.\nWith an experiment file, its runs are computed as by 'sweep'; with results, only the "
      "table is printed. If interrupted,\nrun the same command again to resume. Lists of meshes: "
      "icosphere,random-sphere:2,3,4 are three of each (list meshes).\n" +
          orders_help() + "To draw a figure:\n  " + shell_quoted(program.argv[0]) +
          " converge FILE.h5 --as csv > orders.csv && /usr/bin/python3 "
          "scripts/plots/convergence.py orders.csv\n" +
          example(program,
                  "converge sphere-mode --discretization dec,fefv --integrator ssprk3 --mesh "
                  "icosphere,jittered-sphere:3,4,5 --dt auto --end 0.5 --param dual=intrinsic "
                  "--output results/try-orders.h5"));
  add_argument(app, "SCENE|EXPERIMENT.toml|FILE.h5", request->subject,
               "a scene with the options below, an experiment file, or results");
  add_run_options(app, RunOptions::of_what_is_computed, request->values);
  add_parameter_option(app, request->parameters);
  add_option(app, "--orders", request->orders, "AXIS",
             "space, time or both; default: both, where the runs allow it");
  add_option(app, "--errors", request->errors, "A,B,...", "names separated by commas, see below");
  add_option(app, "--where", request->where, "CONDITIONS",
             "only runs that satisfy all conditions (table -h)");
  add_option(app, "--digits", request->digits, "N", "significant digits of errors; default 4; csv: all");
  add_option(app, "--as", request->format, "FORMAT", "text, md, csv or tex; default text");
  add_jobs(app, request->computing);
  add_saving(app, request->computing);
  add_dry_run(app, request->computing);
  add_output_options(app, request->computing,
                     "default results/NAME/NAME.h5, or results/converge-SCENE/converge-SCENE.h5");
  return {&app, [&program, &app, request] { return converge(program, app, *request); }};
}

}  // namespace shoal
