#include "experiments/harness/program/commands/computing.hpp"

#include "experiments/harness/program/products.hpp"
#include "experiments/harness/program/results_receiver.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/previous_results.hpp"
#include "experiments/harness/storage/atomic_file.hpp"
#include "experiments/harness/sweep/dry_run.hpp"
#include "experiments/harness/sweep/launched_run.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "solvers/linear/petsc_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace shoal {
namespace {

/// "3 finished (1 with warnings), 1 refused"
std::string summary(const std::vector<Outcome>& outcomes) {
  const auto remarkable = std::ranges::count_if(
      outcomes, [](const Outcome& o) { return o.outcome == "finished" && !o.reason.empty(); });
  std::vector<std::string> parts;
  for (const std::string_view kind : shoal::outcomes) {
    const auto count = std::ranges::count_if(outcomes, [&](const Outcome& o) { return o.outcome == kind; });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, kind));
    if (remarkable > 0 && parts.size() == 1 && kind == "finished")
      parts.back() += fmt::format(" ({} with warnings)", remarkable);
  }
  return parts.empty() ? "no runs" : join(parts);
}

int jobs_of(const Experiment& experiment, const Computing& computing) {
  return computing.jobs.empty() ? experiment.jobs : whole_number(computing.jobs, "--jobs", 1, max_jobs);
}

ExecutionOptions execution_options(const Program& program, const Experiment& experiment,
                                   const Computing& computing, bool single) {
  ExecutionOptions options;
  options.output = output_of(experiment, computing.output);
  options.fresh = computing.fresh;
  options.ranks = program.ranks;
  options.quiet = computing.quiet || experiment.quiet || options.ranks->rank() > 0;
  options.single = single;
  options.jobs = jobs_of(experiment, computing);
  if (!computing.save_every.empty())
    options.save_interval = parse_number(computing.save_every, "--save-every");
  if (!(options.save_interval >= 0 && options.save_interval <= 1e9))
    throw Error(fmt::format("--save-every: '{}' is not a time from 0 to 1e9 s", computing.save_every));
  options.command = typed(program);
  constexpr int max_ranks = 100000;
  if (!computing.ranks.empty()) options.ranks_of_run = whole_number(computing.ranks, "--ranks", 1, max_ranks);
  return options;
}

/// This program with the arguments of carry_out_part(), before the run's id.
std::vector<std::string> part_command(const Program& program, const Computing& computing,
                                      const ExecutionOptions& options) {
  std::vector<std::string> words = {std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "sweep",
                                    computing.file,
                                    "--output",
                                    options.output.string(),
                                    "--save-every",
                                    fmt::format("{}", options.save_interval),
                                    "--quiet"};
  if (petsc_options_are_trusted()) words.emplace_back("--trust-options");
  for (const std::string& plugin : program.plugins) words.insert(words.end(), {"--plugin", plugin});
  words.emplace_back(part_option);
  return words;
}

/// Calls `compute`. While the output is a default name taken by other results, sets it to the next one and calls again. Returns
/// the contents of the file with the first name, or "".
std::string with_free_name(const Experiment& experiment, const Computing& computing,
                           ExecutionOptions& options, const std::function<void()>& compute) {
  const bool is_free = computing.output.empty() && experiment.output.empty() && experiment.tables.empty() &&
                       experiment.figures.empty();
  const std::filesystem::path first = options.output;
  std::string others;
  for (int number = 2;; ++number) try {
      compute();
      return others;
    } catch (const OtherResults& found) {
      constexpr int max_number = 1000;
      if (!is_free || number > max_number) throw;
      if (others.empty()) others = found.contents();
      options.output = first;
      options.output.replace_filename(
          fmt::format("{}-{}{}", first.stem().string(), number, first.extension().string()));
    }
}

ResultsReceiver& results_receiver() {
  static ResultsReceiver receiver;
  return receiver;
}
void tell_results(const std::filesystem::path& path) {
  if (const ResultsReceiver& receive = results_receiver()) receive(path);
}

}  // namespace

ResultsReceiver send_results_to(ResultsReceiver receiver) {
  return std::exchange(results_receiver(), std::move(receiver));
}

void add_jobs(CLI::App& app, Computing& computing) {
  add_option(app, "--jobs", computing.jobs, "N",
             "number of runs computed in parallel, each in a separate process; default: key jobs of the "
             "experiment, or 1");
}

void add_ranks(CLI::App& app, Computing& computing) {
  add_option(app, "--ranks", computing.ranks, "R",
             "number of processes that share each run, started with mpirun; default 1");
}

void add_saving(CLI::App& app, Computing& computing) {
  add_option(app, "--save-every", computing.save_every, "S",
             "seconds of computing between checkpoints, from which an interrupted run resumes; default 30");
}

void add_output_options(CLI::App& app, Computing& computing, const std::string& fallback) {
  add_option(app, "--output", computing.output, "FILE.h5", "results; " + fallback);
  add_flag(app, "--fresh", computing.fresh, "replace an existing results file");
  add_flag(app, "--quiet", computing.quiet, "print no progress");
  add_trust_option(app);
}

std::string output_of(const Experiment& experiment, const std::string& given) {
  return followed(!given.empty()               ? given
                  : !experiment.output.empty() ? experiment.output
                                               : fmt::format("results/{0}/{0}.h5", experiment.name));
}

void add_dry_run(CLI::App& app, Computing& computing) {
  add_flag(
      app, "--dry-run", computing.dry_run,
      "compute nothing; print the runs with their steps, time, memory and disk space, estimated from a few "
      "steps");
}

Execution carry_out(const Program& program, const Experiment& experiment, const Computing& computing,
                    bool single) {
  ExecutionOptions options = execution_options(program, experiment, computing, single);
  if (options.ranks_of_run > 1) require_launcher();
  const std::filesystem::path first = options.output;
  Execution execution;
  const std::string others = with_free_name(experiment, computing, options, [&] {
    options.part_command = part_command(program, computing, options);
    execution = execute(program.catalog, experiment, options);
  });
  tell_results(options.output);
  if (!options.quiet && options.output != first)
    say_done(fmt::format("'{}' contains {} and is kept\n", first.string(), others));
  if (!options.quiet)
    say_done(fmt::format("{}: {}{}{}\n", one_line(options.output.string()), summary(execution.outcomes),
                         execution.not_begun > 0 ? fmt::format(", {} not started", execution.not_begun) : "",
                         execution.signal == 0 ? ""
                         : computing.fresh     ? "; run the same command without --fresh to resume"
                                               : "; run the same command to resume"));
  return execution;
}

void carry_out_part(const Program& program, const Experiment& experiment, const Computing& computing,
                    const std::string& id) {
  execute_part(program.catalog, experiment, execution_options(program, experiment, computing, false), id);
}

void print_dry_run(const Program& program, const Experiment& experiment, const Computing& computing,
                   bool single) {
  ExecutionOptions options = execution_options(program, experiment, computing, single);
  with_free_name(experiment, computing, options,
                 [&] { print(to_text(dry_run(program.catalog, experiment, options))); });
}

int carry_out_frontier(const Program& program, const Experiment& experiment, const Computing& computing,
                       const FrontierRule& rule, TableFormat format) {
  check_products(experiment);
  FrontierOptions options;
  options.rule = rule;
  options.output = output_of(experiment, computing.output);
  options.fresh = computing.fresh;
  options.quiet = computing.quiet || experiment.quiet;
  options.jobs = jobs_of(experiment, computing);
  options.command = typed(program);
  tell_results(options.output);
  if (const int signal = map_frontier(program.catalog, experiment, options)) return signal_base + signal;
  if (!options.quiet)
    print(read_in_a_process({options.output}, [&] {
      return format_table(frontier_grid(Results(options.output).root(), format), format);
    }));
  make_tables(program.catalog, experiment, options.output, options.quiet);
  return 0;
}

void make_tables(const Catalog& catalog, const Experiment& experiment, const std::filesystem::path& output,
                 bool quiet) {
  if (experiment.tables.empty()) return;
  std::error_code unknown;
  std::optional<OutputLock> lock;
  if (std::filesystem::exists(output, unknown)) lock.emplace(output);
  const std::vector<std::string> made = unpacked(read_in_a_process({output}, [&] {
    std::vector<std::string> texts;
    for (const Product& table : tables_of(catalog, experiment, output))
      texts.insert(texts.end(), {table.path.string(), table.text});
    return packed(texts);
  }));
  std::string written;
  for (std::size_t i = 0; i + 1 < made.size(); i += 2) {
    replace_file(made[i], made[i + 1]);
    written += made[i] + "\n";
  }
  if (!quiet && !experiment.quiet) say_done(written);
}

}  // namespace shoal
