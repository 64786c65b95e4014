#include "experiments/harness/program/commands/command.hpp"

#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace shoal {

CLI::App& add_command(Program& program, const std::string& name, const std::string& help,
                      const std::string& footer) {
  CLI::App& app = *program.app.add_subcommand(name, help);
  app.allow_extras();
  add_plugin_option(app, program.plugins);
  app.footer(footer);
  return app;
}

CLI::App& add_command(Program& program, const std::string& name, const std::string& help,
                      const std::function<std::string()>& footer) {
  CLI::App& app = add_command(program, name, help, "");  // without it, the footer of the program is printed
  app.footer(footer);
  return app;
}

std::string example(const Program& program, const std::string& arguments) {
  return fmt::format("Example:\n  {} {}", shell_quoted(program.argv[0]), arguments);
}

std::string typed(const Program& program) {
  std::vector<std::string> words;
  for (int i = 0; i < program.argc; ++i) words.push_back(shell_quoted(program.argv[i]));
  return join(words, " ");
}

void say_done(const std::string& text) {
  try {
    print(text);
  } catch (const MachineError&) {
  }
}

}  // namespace shoal
