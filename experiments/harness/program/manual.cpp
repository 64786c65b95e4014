#include "experiments/harness/program/manual.hpp"

#include "experiments/harness/storage/provenance.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>

namespace shoal {
namespace {

/// Escapes what roff would interpret.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool begins = result.empty() || result.back() == '\n';
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string bold(const std::string& text) {
  return "\\fB" + roff(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + roff(text) + "\\fR";
}

/// Lines that are printed as they are.
std::string verbatim(const std::string& text) {
  return fmt::format(".nf\n{}\n.fi\n", roff(text));
}

std::string arguments(const CLI::App& app, bool positional) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional) continue;
    std::string name =
        option->get_positional() ? italic(option->get_name()) : bold(option->get_name(false, true));
    if (!option->get_positional() && option->get_items_expected_max() > 0)
      name += " " + italic(option->get_type_name());
    std::string help = option->get_description();
    std::ranges::replace(help, '\n', ' ');
    text += fmt::format(".TP\n{}\n{}\n", name, roff(help));
  }
  return text;
}

std::string synopsis(const CLI::App& app, const std::string& call) {
  std::string text = ".B " + roff(call) + "\n";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) {
      const std::string name = italic(option->get_name());
      text += (option->get_required() ? name : "[" + name + "]") + "\n";
    }
  return text + "[options]\n";
}

}  // namespace

std::string manual_name(const CLI::App& program, const std::string& command) {
  return program.get_name() + (command.empty() ? "" : "-" + command);
}

std::string manual_page(const CLI::App& program, const std::string& command) {
  const CLI::App& app = command.empty() ? program : *program.get_subcommand(command);
  std::string title = manual_name(program, command), upper = title, summary = app.get_description();
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (summary.ends_with('.')) summary.pop_back();
  std::string text =
      fmt::format("'\\\" -*- coding: UTF-8 -*-\n.TH \"{}\" 1 \"\" \"{} {}\" \"User Commands\"\n", roff(upper),
                  program.get_name(), build_info().version);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", roff(title), roff(summary));
  const bool has_commands = !app.get_subcommands({}).empty();
  if (has_commands) {
    text += fmt::format(".B {}\n\\fICOMMAND\\fR [arguments]\n.SH COMMANDS\n", roff(program.get_name()));
    for (const CLI::App* one : program.get_subcommands({}))
      text += fmt::format(".TP\n{}(1)\n{}\n", bold(manual_name(program, one->get_name())),
                          roff(one->get_description()));
  } else {
    text += synopsis(app, program.get_name() + (command.empty() ? "" : " " + command));
    if (const std::string own = arguments(app, true); !own.empty()) text += ".SH ARGUMENTS\n" + own;
  }
  text += ".SH OPTIONS\n" + arguments(app, false);
  const std::string footer = app.get_footer(), mark = "Example:\n";
  const std::size_t example = footer.rfind(mark);
  if (const std::string notes = footer.substr(0, example); !notes.empty())
    text += ".SH NOTES\n" + verbatim(notes.substr(0, notes.find_last_not_of('\n') + 1));
  if (example != std::string::npos) text += ".SH EXAMPLE\n" + verbatim(footer.substr(example + mark.size()));
  text +=
      ".SH EXIT STATUS\n0: success. 1: a single run did not finish. 2: a mistake of the user. "
      "3: a failure of the machine. 128 + N: ended by signal N.\n.SH SEE ALSO\n";
  if (!has_commands) return text + bold("shoal") + "(1)\n";
  return text + "README.md and results/findings.md of the source\n";
}

}  // namespace shoal
