// A command of the program: it declares its options, in its own struct, and defines what to execute with them.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/program/arguments.hpp"

namespace shoal {

/// The invocation of the program.
struct Program {
  CLI::App& app;
  Catalog catalog;  ///< includes the entries of plugins once a command is executed
  int argc;
  const char* const* argv;
  std::vector<std::string> plugins = {};
  std::shared_ptr<const Ranks> ranks = std::make_shared<Ranks>();  ///< that execute the command together
};

struct Command {
  CLI::App* app;
  std::function<int()> execute;  ///< called after parsing the arguments; returns the exit code
};

#define SHOAL_ENTRY(function) Command function(Program& program);
#include "experiments/harness/program/commands/list.def"
#undef SHOAL_ENTRY

/// Declares the program's own options and all commands.
std::vector<Command> declare_program(Program& program);

CLI::App& add_command(Program& program, const std::string& name, const std::string& help,
                      const std::string& footer);
/// With a footer that depends on the arguments.
CLI::App& add_command(Program& program, const std::string& name, const std::string& help,
                      const std::function<std::string()>& footer);

/// The last lines of a help text, with the program as it was called, so that the printed example works.
std::string example(const Program& program, const std::string& arguments);

/// The command line as typed, for the record.
std::string typed(const Program& program);

/// Reports the work of a command whose result is a file; a failure to print it is ignored.
void say_done(const std::string& text);

}  // namespace shoal
