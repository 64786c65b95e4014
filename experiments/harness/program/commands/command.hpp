// A command of the program: it declares its options, which stand in a struct of its own, and says what is done with them.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/program/arguments.hpp"

namespace shoal {

/// The program as it was called.
struct Program {
  CLI::App& app;
  Catalog catalog;  ///< with the entries of plugins once a command is executed
  int argc;
  const char* const* argv;
  std::vector<std::string> plugins = {};
};

struct Command {
  CLI::App* app;
  std::function<int()> execute;  ///< after the arguments are read; returns the exit code
};

#define SHOAL_ENTRY(function) Command function(Program& program);
#include "experiments/harness/program/commands/list.def"
#undef SHOAL_ENTRY

CLI::App& add_command(Program& program, const std::string& name, const std::string& help,
                      const std::string& footer);
/// With a footer that depends on the arguments.
CLI::App& add_command(Program& program, const std::string& name, const std::string& help,
                      const std::function<std::string()>& footer);

/// The last lines of a help text; with the program as it was called, so that the line works as printed.
std::string example(const Program& program, const std::string& arguments);

/// The command line as typed, for the record.
std::string typed(const Program& program);

/// What a command has done, where the result is a file: that it cannot be printed is not worth a failure.
void say_done(const std::string& text);

}  // namespace shoal
