// Declares the commands, parses the arguments, loads plugins, and executes the command.
#include "experiments/harness/program/command_line.hpp"

#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/storage/provenance.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace shoal {
namespace {

std::vector<Command> commands_of(Program& program) {
  return {
#define SHOAL_ENTRY(function) function(program),
#include "experiments/harness/program/commands/list.def"
#undef SHOAL_ENTRY
  };
}

[[noreturn]] void throw_no_command(const std::string& word, const std::vector<std::string>& names) {
  throw Error(
      fmt::format("there is no command '{}'; commands: {}{}", word, join(names), did_you_mean(word, names)));
}

/// Refuses arguments that no command or option accepts, and an output without a name.
void check_extras(const Program& program, const std::vector<std::string>& names) {
  for (const CLI::App* command : program.app.get_subcommands()) {
    if (const CLI::Option* output = command->get_option_no_throw("--output");
        output != nullptr && output->count() > 0 && output->results().front().empty())
      throw Error("--output: '' is not the name of a file");
    refuse_remaining(*command, program.catalog, command->get_name() + ": ");
  }
  for (const std::string& word : program.app.remaining()) throw_no_command(word, names);
}

void declare(CLI::App& app, const Program& program) {
  app.name("shoal");
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", [] {
    const BuildInfo& build = build_info();
    return fmt::format("shoal {} (commit {}{})", build.version, build.git_commit,
                       build.git_dirty ? ", modified" : "");
  });
  app.footer(example(program, "run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5"));
  app.allow_extras();
}

int execute(Catalog catalog, int argc, const char* const* argv) {
  CLI::App app{"Shallow water on curved triangle meshes: run schemes, compare them, tabulate the results."};
  Program program{app, std::move(catalog), argc, argv};
  declare(app, program);
  const std::vector<Command> commands = commands_of(program);
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.app->get_name());
  if (argc <= 1) {
    print(app.help());
    return 0;
  }
  if (const std::string first = argv[1];  // before a -h after it takes effect
      first.rfind('-', 0) != 0 && std::ranges::find(names, first) == names.end())
    throw_no_command(first, names);
  if (!parse_arguments(app, argc, argv, [&] { check_extras(program, names); })) return 0;
  for (const std::string& plugin : program.plugins) load_plugin(plugin, program.catalog);
  for (const Command& command : commands)
    if (command.app->parsed()) return command.execute();
  throw Error("the command is missing; commands: " + join(names));
}

}  // namespace

int execute_command_line(Catalog catalog, int argc, const char* const* argv) {
  return execute(std::move(catalog), argc, argv);
}

int run_command_line(Catalog catalog, int argc, const char* const* argv) {
  return exit_code_of("shoal", [&] { return execute(std::move(catalog), argc, argv); });
}

}  // namespace shoal
