// Command lines of programs: arguments and options, those of a run, what is wrong with others, and the exit code of each error.
#pragma once

#include "experiments/harness/plan/experiment.hpp"

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace shoal {

void add_argument(CLI::App& app, const std::string& name, std::string& value, const std::string& help);
/// Which may be left out; several where `value` is a list.
void add_optional_argument(CLI::App& app, const std::string& name, std::string& value,
                           const std::string& help);
void add_optional_argument(CLI::App& app, const std::string& name, std::vector<std::string>& value,
                           const std::string& help);
void add_option(CLI::App& app, const std::string& name, std::string& value, const std::string& placeholder,
                const std::string& help);
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& help);
/// Adds --plugin, repeatable.
void add_plugin_option(CLI::App& app, std::vector<std::string>& plugins);
/// Adds --trust-options, which takes effect as it is read.
void add_trust_option(CLI::App& app);
/// Adds --param, repeatable.
void add_parameter_option(CLI::App& app, std::vector<std::string>& parameters);
/// Adds --weld, of commands that read a mesh.
void add_weld_option(CLI::App& app, std::string& weld);
/// Whether there is an option of this name and it was given.
bool given(const CLI::App& app, const std::string& option);

/// "linear_solver" → "--linear-solver"
std::string option_name(std::string key);

enum class RunOptions { all, of_what_is_computed };
/// Adds those of a run, whose values go into `values` by key.
void add_run_options(CLI::App& app, RunOptions which, std::map<std::string, std::string>& values);

/// The first of them, or --param, that was given; "" for none.
std::string given_run_option(const CLI::App& app);

/// The experiment of the scene alone, with the options that `app` was given.
Experiment run_experiment(const CLI::App& app, const std::string& scene,
                          const std::map<std::string, std::string>& values,
                          const std::vector<std::string>& parameters);
/// Adds those of --param. Throws Error where one is not KEY=VALUE or given twice.
void read_parameters(const std::vector<std::string>& parameters, Experiment& experiment);

/// Throws Error, `context` before its words, where no option or argument takes a word; with the right form where it is
/// a parameter.
void refuse_remaining(const CLI::App& app, const Catalog& catalog, const std::string& context);
/// Reads the arguments; false where they asked for help or the version, which is printed then. Throws Error in our wording
/// where CLI11 refuses them, or what `refuse_others` throws, which is called after every reading.
bool parse_arguments(CLI::App& app, int argc, const char* const* argv,
                     const std::function<void()>& refuse_others);
/// Throws Error with the option's name where the text is no whole number from least to most.
int whole_number(const std::string& text, const std::string& option, int least, int most = 1 << 30);
/// In m, 0 where the text is empty. Throws Error with the option's name where it is no length.
double length(const std::string& text, const std::string& option);

/// What `body` returns; where it throws, one sentence on standard error under the name of the program, and 2 for the user's
/// mistake, 3 for the machine's.
int exit_code_of(const std::string& program, const std::function<int()>& body);

}  // namespace shoal
