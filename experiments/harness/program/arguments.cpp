#include "experiments/harness/program/arguments.hpp"

#include "discretizations/common/thrown.hpp"
#include "experiments/harness/plan/thesis.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "experiments/harness/system/words.hpp"
#include "solvers/linear/petsc_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

namespace shoal {
namespace {

constexpr int users_mistake = 2, machines_failure = 3;

/// A malicious file may cause a message of any length.
void print_error(const std::string& program, const std::string& message) {
  constexpr std::size_t longest = 1000;
  std::string text = visible(one_line(message));
  if (text.size() > longest) {
    std::size_t end = longest;
    while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not in the middle of a character
    text = text.substr(0, end) + " …";
  }
  say(program + ": " + text + "\n");
}

/// CLI11's errors in Shoal's wording.
std::string sentence(const CLI::ParseError& error) {
  const std::string text = error.what(), name = text.substr(0, text.find_first_of(": "));
  if (dynamic_cast<const CLI::RequiredError*>(&error))
    return fmt::format("{} is missing; -h shows an example", name);
  if (!dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return text;
  if (text.find("At Most") != std::string::npos) return fmt::format("{} is given more than once", name);
  if (text.find("flag override") != std::string::npos) return fmt::format("--{} takes no value", name);
  return fmt::format("{} requires a value", name);
}

}  // namespace

void add_argument(CLI::App& app, const std::string& name, std::string& value, const std::string& help) {
  app.add_option(name, value, help)->required();
}

void add_optional_argument(CLI::App& app, const std::string& name, std::string& value,
                           const std::string& help) {
  app.add_option(name, value, help);
}

void add_optional_argument(CLI::App& app, const std::string& name, std::vector<std::string>& value,
                           const std::string& help) {
  app.add_option(name, value, help);
}

void add_option(CLI::App& app, const std::string& name, std::string& value, const std::string& placeholder,
                const std::string& help) {
  // Otherwise an empty value would be taken for none.
  app.add_option(name, value, help)->type_name(placeholder)->check([](const std::string& given) {
    return std::string(given.empty() ? "'' is not a value" : "");
  });
}

void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& help) {
  app.add_flag(name, value, help)->disable_flag_override();
}

void add_plugin_option(CLI::App& app, std::vector<std::string>& plugins) {
  app.add_option("--plugin", plugins, "shared library that adds schemes, scenes, …; repeatable")
      ->type_name("LIB.so")
      ->allow_extra_args(false);
}

void add_trust_option(CLI::App& app) {
  app.add_flag_callback(
         "--trust-options", [] { trust_petsc_options(true); },
         "allow PETSc options outside of the allowlist, which can write files and run code")
      ->disable_flag_override();
}

void add_parameter_option(CLI::App& app, std::vector<std::string>& parameters) {
  app.add_option("--param", parameters,
                 "parameter of the scene or of a scheme (see list), NAME or PART.NAME, e.g. bfecc.limiter; "
                 "repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

void add_thesis_option(CLI::App& app, bool& thesis) {
  add_flag(app, "--thesis", thesis,
           fmt::format(
               "the defaults of the program of Angst 2007 (table C.2), where the run has the parameter: {}; "
               "--param overrides each",
               thesis_parameters_text()));
}

void add_weld_option(CLI::App& app, std::string& weld) {
  add_option(app, "--weld", weld, "L",
             "merge vertices of a file that are closer than L, in m; default: 1e-12 of the diagonal of the "
             "bounding box, 1e-6 for STL");
}

bool given(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = app.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

std::string option_name(std::string key) {
  std::ranges::replace(key, '_', '-');
  return "--" + key;
}

void add_run_options(CLI::App& app, RunOptions which, std::map<std::string, std::string>& values) {
  for (const KeyEntry& key : run_keys())
    if (key.placeholder && (which == RunOptions::all || !key.concerns_recording))
      app.add_option(option_name(key.name), values[key.name], key.help)->type_name(key.placeholder);
}

std::string given_run_option(const CLI::App& app) {
  for (const char* name : {"--param", "--thesis"})
    if (given(app, name)) return name;
  for (const KeyEntry& key : run_keys())
    if (const std::string name = option_name(key.name); given(app, name)) return name;
  return "";
}

Experiment run_experiment(const CLI::App& app, const std::string& scene,
                          const std::map<std::string, std::string>& values,
                          const std::vector<std::string>& parameters) {
  Experiment experiment;
  experiment.name = scene;
  experiment.settings.push_back({"scene", false, {scene}, "run"});
  for (const KeyEntry& key : run_keys()) {
    const std::string name = option_name(key.name);
    if (given(app, name)) experiment.settings.push_back({key.name, false, {values.at(key.name)}, name});
  }
  read_parameters(parameters, experiment);
  return experiment;
}

void read_parameters(const std::vector<std::string>& parameters, Experiment& experiment) {
  for (const std::string& parameter : parameters) {
    const auto equals = parameter.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw Error(fmt::format("--param: '{}' is not KEY=VALUE", parameter));
    const std::string key = parameter.substr(0, equals);
    for (const Setting& other : experiment.settings)
      if (other.is_parameter && other.key == key)
        throw Error(fmt::format("--param: '{}' is given twice", key));
    experiment.settings.push_back({key, true, {parameter.substr(equals + 1)}, "--param " + key});
  }
}

void refuse_remaining(const CLI::App& app, const Catalog& catalog, const std::string& context) {
  for (const std::string& word : app.remaining()) {
    if (word.rfind('-', 0) != 0) throw Error(fmt::format("{}unexpected argument '{}'", context, word));
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames())
        if (name != "help") names.push_back("--" + name);
    const std::string option = word.substr(0, word.find('='));
    std::string parameter = option.substr(std::min(option.find_first_not_of('-'), option.size()));
    std::ranges::replace(parameter, '-', '_');
    if (app.get_option_no_throw("--param") != nullptr && !declarers(catalog, parameter).empty())
      throw Error(fmt::format("{}there is no option '{}'; for the parameter, write --param {}=VALUE", context,
                              option, parameter));
    throw Error(fmt::format("{}there is no option '{}'{}", context, word, did_you_mean(option, names)));
  }
}

int whole_number(const std::string& text, const std::string& option, int min, int max) {
  const auto value = parse_whole_number(text, min, max);
  if (!value)
    throw Error(fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, min, max));
  return static_cast<int>(*value);
}

double length(const std::string& text, const std::string& option) {
  if (text.empty()) return 0;
  const double value = parse_number(text, option);
  if (!(value > 0)) throw Error(fmt::format("{}: '{}' is not a length > 0", option, text));
  return value;
}

bool parse_arguments(CLI::App& app, int argc, const char* const* argv,
                     const std::function<void()>& refuse_others) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    app.exit(help, text, text);
    print(text.str());
    return false;
  } catch (const CLI::ParseError& error) {
    refuse_others();
    throw Error(sentence(error));
  }
  refuse_others();
  return true;
}

int exit_code_of(const std::string& program, const std::function<int()>& body) {
  try {
    return body();
  } catch (const Error& error) {
    print_error(program, error.what());
    return users_mistake;
  } catch (const MachineError& error) {
    print_error(program, error.what());
  } catch (const std::bad_alloc&) {
    print_error(program, "not enough memory");
  } catch (...) {  // from a library or a plugin
    print_error(program, thrown());
  }
  return machines_failure;
}

}  // namespace shoal
