// Command lines of programs: arguments, options, options of a run, messages about invalid ones, and the exit code of each error.
#pragma once

#include "experiments/harness/plan/experiment.hpp"

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace shoal {

void add_argument(CLI::App& app, const std::string& name, std::string& value, const std::string& help);
/// An optional argument; several if `value` is a list.
void add_optional_argument(CLI::App& app, const std::string& name, std::string& value,
                           const std::string& help);
void add_optional_argument(CLI::App& app, const std::string& name, std::vector<std::string>& value,
                           const std::string& help);
/// Its value is not empty.
void add_option(CLI::App& app, const std::string& name, std::string& value, const std::string& placeholder,
                const std::string& help);
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& help);
/// Adds --plugin, repeatable.
void add_plugin_option(CLI::App& app, std::vector<std::string>& plugins);
/// Adds --trust-options, which acts as soon as it is read.
void add_trust_option(CLI::App& app);
/// Adds --param, repeatable.
void add_parameter_option(CLI::App& app, std::vector<std::string>& parameters);
/// Adds --thesis.
void add_thesis_option(CLI::App& app, bool& thesis);
/// Adds --weld, for commands that read a mesh.
void add_weld_option(CLI::App& app, std::string& weld);
/// Whether an option of this name exists and was given.
bool given(const CLI::App& app, const std::string& option);

/// "linear_solver" → "--linear-solver"
std::string option_name(std::string key);

enum class RunOptions { all, of_what_is_computed };
/// Adds the options of a run, which store their values in `values` by key.
void add_run_options(CLI::App& app, RunOptions which, std::map<std::string, std::string>& values);

/// The first given one of these options, --param or --thesis; "" for none.
std::string given_run_option(const CLI::App& app);

/// The experiment with only the scene and the options given to `app`.
Experiment run_experiment(const CLI::App& app, const std::string& scene,
                          const std::map<std::string, std::string>& values,
                          const std::vector<std::string>& parameters);
/// Adds the settings of --param. Throws Error if one is not KEY=VALUE or is given twice.
void read_parameters(const std::vector<std::string>& parameters, Experiment& experiment);

/// Throws Error, beginning with `context`, if no option or argument accepts a word; if it is a parameter, the message shows
/// the right form.
void refuse_remaining(const CLI::App& app, const Catalog& catalog, const std::string& context);
/// Parses the arguments. Returns false after printing a requested help text or version. Throws Error in Shoal's wording if CLI11
/// rejects them, or what `refuse_others`, called after each parsing, throws.
bool parse_arguments(CLI::App& app, int argc, const char* const* argv,
                     const std::function<void()>& refuse_others);
/// Throws Error with the name of the option if the text is not a whole number from min to max.
int whole_number(const std::string& text, const std::string& option, int min, int max = 1 << 30);
/// A length in m; 0 for an empty text. Throws Error with the name of the option if the text is not a length.
double length(const std::string& text, const std::string& option);

/// Returns the result of `body`. If it throws, prints one sentence after the name of the program on standard error and returns
/// 2 for a mistake of the user, 3 for a failure of the machine.
int exit_code_of(const std::string& program, const std::function<int()>& body);

}  // namespace shoal
