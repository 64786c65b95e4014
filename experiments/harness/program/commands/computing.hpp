// Shared parts of commands that compute an experiment: path of the results, number of simultaneous runs, and tables.
#pragma once

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/spectrum/frontier.hpp"
#include "experiments/harness/sweep/execute.hpp"

namespace shoal {

constexpr int signal_base = 128;                        // of exit codes
constexpr const char* part_option = "--part-of-sweep";  // for processes that a sweep starts

/// As typed.
struct Computing {
  std::string output, jobs, save_every, ranks;
  std::string file;  ///< the experiment, of a sweep
  bool fresh = false, quiet = false, dry_run = false;
};

void add_jobs(CLI::App& app, Computing& computing);
void add_ranks(CLI::App& app, Computing& computing);
void add_saving(CLI::App& app, Computing& computing);
void add_dry_run(CLI::App& app, Computing& computing);
/// Declares --output, whose default `fallback` describes, --fresh, --quiet and --trust-options.
void add_output_options(CLI::App& app, Computing& computing, const std::string& fallback);

/// The path `given` by --output, otherwise that of the experiment.
std::string output_of(const Experiment& experiment, const std::string& given);

/// Computes all runs. If the default name of the results is taken by other results, uses the next free one. Tables and figures
/// of an experiment use the results with its name.
Execution carry_out(const Program& program, const Experiment& experiment, const Computing& computing,
                    bool single);

/// Computes one run of a sweep with all processes of the launcher, for a sweep with --ranks.
void carry_out_part(const Program& program, const Experiment& experiment, const Computing& computing,
                    const std::string& id);

/// Prints what carry_out() would compute, and estimates of steps, time, memory and disk space.
void print_dry_run(const Program& program, const Experiment& experiment, const Computing& computing,
                   bool single);

/// Computes a frontier and prints it; returns the exit code.
int carry_out_frontier(const Program& program, const Experiment& experiment, const Computing& computing,
                       const FrontierRule& rule, TableFormat format);

/// Rewrites the tables of an experiment from its results `output`.
void make_tables(const Catalog& catalog, const Experiment& experiment, const std::filesystem::path& output,
                 bool quiet);

}  // namespace shoal
