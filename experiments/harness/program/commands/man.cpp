// `shoal man`: manual pages.
#include "experiments/harness/program/commands/command.hpp"
#include "experiments/harness/program/manual.hpp"
#include "experiments/harness/storage/atomic_file.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace shoal {
namespace {

struct ManRequest {
  std::string command, folder;
};

int man(const Program& program, const CLI::App& app, const ManRequest& request) {
  // Declared again, so that the examples call the installed program whatever the name by which this one was called.
  const char* const argv[] = {"shoal"};
  CLI::App pages;
  Program installed{pages, program.catalog, 1, argv};
  declare_program(installed);
  std::vector<std::string> commands = {""};
  for (const CLI::App* command : pages.get_subcommands({})) commands.push_back(command->get_name());
  if (given(app, "--folder")) {
    if (!request.command.empty()) throw Error("man: --folder writes all pages; give no COMMAND with it");
    std::error_code failure;
    std::filesystem::create_directories(request.folder, failure);
    if (failure)
      throw MachineError(
          fmt::format("cannot create the folder '{}' ({})", request.folder, failure.message()));
    for (const std::string& command : commands)
      replace_file(std::filesystem::path(request.folder) / (manual_name(pages, command) + ".1"),
                   manual_page(pages, command));
    return 0;
  }
  choice(commands, request.command, "man");
  print(manual_page(pages, request.command));
  return 0;
}

}  // namespace

Command man_command(Program& program) {
  const auto request = std::make_shared<ManRequest>();
  CLI::App& app = add_command(
      program, "man", "print the manual page of the program or of a command",
      "To read a page that is not installed: man -l PAGE. An installed program brings them along.\n" +
          example(program, "man run > shoal-run.1"));
  add_optional_argument(app, "COMMAND", request->command, "a command; default: the program");
  add_option(app, "--folder", request->folder, "DIR", "write the pages of all commands there");
  return {&app, [&program, &app, request] { return man(program, app, *request); }};
}

}  // namespace shoal
