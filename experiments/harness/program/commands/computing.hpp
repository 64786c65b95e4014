// What commands share that compute an experiment: where the results go, how many runs are computed at once, and the tables.
#pragma once

#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/spectrum/frontier.hpp"
#include "experiments/harness/sweep/execute.hpp"

namespace shoal {

constexpr int signal_base = 128;  // of exit codes

/// As typed.
struct Computing {
  std::string output, jobs, save_every;
  bool fresh = false, quiet = false;
};

void add_jobs(CLI::App& app, Computing& computing);
void add_saving(CLI::App& app, Computing& computing);
/// --output, whose default `fallback` tells, --fresh, --quiet and --trust-options.
void add_output_options(CLI::App& app, Computing& computing, const std::string& fallback);

/// The path `given` by --output, else that of the experiment.
std::string output_of(const Experiment& experiment, const std::string& given);

/// Computes all runs. Where the name of the results was not chosen and belongs to others, the next free one is taken. Tables
/// and figures of an experiment are of the results that have its name.
Execution carry_out(const Program& program, const Experiment& experiment, const Computing& computing,
                    bool single);

/// Computes a frontier and prints it; returns the exit code.
int carry_out_frontier(const Program& program, const Experiment& experiment, const Computing& computing,
                       const FrontierRule& rule, TableFormat format);

/// Writes the tables of an experiment anew, of its results `output`.
void make_tables(const Catalog& catalog, const Experiment& experiment, const std::filesystem::path& output,
                 bool quiet);

}  // namespace shoal
