// `shoal help`: the help text of a command.
#include "experiments/harness/program/commands/command.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace shoal {

Command help_command(Program& program) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App& app = add_command(program, "help", "print the help text of a command, as COMMAND -h does",
                              example(program, "help run custom"));
  add_optional_argument(app, "COMMAND", *words,
                        "a command with its arguments; default: the list of commands");
  return {&app, [] { return 0; }};  // not called: see resolved_help in command_line.cpp
}

}  // namespace shoal
