// Declares the commands, parses the arguments, loads plugins, and executes the command.
#include "experiments/harness/program/command_line.hpp"

#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/program/commands/computing.hpp"
#include "experiments/harness/program/version.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "solvers/launched_ranks.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace shoal {
namespace {

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

/// `help COMMAND …` means `COMMAND … -h`, and `help` `-h`.
std::vector<const char*> resolved_help(int argc, const char* const* argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help" && (argc == 2 || argv[2][0] != '-')) {
    words.erase(words.begin() + 1);
    words.push_back("-h");
  }
  return words;
}

void require_one_process(const Ranks& ranks, const CLI::App& command) {
  const std::string name = command.get_name();
  const CLI::Option* part = command.get_option_no_throw(part_option);
  if (ranks.count() == 1 || name == "run" || (part && part->count() > 0)) return;
  if (name == "sweep")
    throw Error("a sweep starts its own processes: use shoal sweep --ranks R without a launcher");
  throw Error(fmt::format("{} is for one process, but a launcher has started {}; only `run` shares its work",
                          name, ranks.count()));
}

int execute(Catalog catalog, const std::vector<const char*>& words, std::shared_ptr<const Ranks> ranks) {
  const int argc = static_cast<int>(words.size());
  const char* const* argv = words.data();
  CLI::App app;
  Program program{app, std::move(catalog), argc, argv};
  program.ranks = std::move(ranks);
  const std::vector<Command> commands = declare_program(program);
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
    if (command.app->parsed()) {
      require_one_process(*program.ranks, *command.app);
      return command.execute();
    }
  throw Error("the command is missing; commands: " + join(names));
}

}  // namespace

std::vector<Command> declare_program(Program& program) {
  CLI::App& app = program.app;
  app.description(
      "Shallow water on curved triangle meshes: run schemes, compare them, tabulate the results.");
  app.name("shoal");
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag(
      "--version", [] { return version_text("shoal"); },
      "print the version, the commit and how the program was built");
  app.footer(example(program, "run sphere-bump --mesh icosphere:3 --end 1 --output results/try.h5"));
  app.allow_extras();
  app.require_subcommand(0, 1);  // the name of a command after a command is an argument
  return {
#define SHOAL_ENTRY(function) function(program),
#include "experiments/harness/program/commands/list.def"
#undef SHOAL_ENTRY
  };
}

int execute_command_line(Catalog catalog, int argc, const char* const* argv,
                         std::shared_ptr<const Ranks> ranks) {
  return execute(std::move(catalog), resolved_help(argc, argv), std::move(ranks));
}

/// A mistake that all processes make is reported by rank 0, which ends the others while they wait.
int run_command_line(Catalog catalog, int argc, const char* const* argv) {
  std::shared_ptr<const Ranks> ranks;
  const int code = exit_code_of("shoal", [&] {
    ranks = launched_ranks();
    return 0;
  });
  if (code != 0) return code;
  bool failed = false;
  const int rank = ranks->rank();
  const int result = exit_code_of(rank == 0 ? "shoal" : fmt::format("shoal, process {}", rank), [&] {
    try {
      return execute_command_line(std::move(catalog), argc, argv, ranks);
    } catch (...) {
      failed = true;
      // One after the other, so that one of them speaks.
      constexpr std::chrono::milliseconds patience{10000}, apart{200};
      constexpr int most = 50;
      if (rank > 0) std::this_thread::sleep_for(patience + std::min(rank, most) * apart);
      throw;
    }
  });
  if (failed) ranks->abort(result);
  return result;
}

}  // namespace shoal
