#include "experiments/harness/program/completion.hpp"

#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/program/commands/list.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

namespace shoal {
namespace {

/// What may follow.
struct Choices {
  std::vector<std::string> words;
  std::set<std::string> files = {};  ///< patterns of names; "/" for folders
  bool operator<(const Choices& other) const {
    return std::tie(words, files) < std::tie(other.words, other.files);
  }
};

std::vector<std::string> key_names(const Catalog& catalog, const std::string& key) {
  return find_key(key)->names(catalog);
}

/// The choices of one part of a placeholder such as "NAME[:args]|FILE" or "S|auto".
void add_part(const CLI::App& program, const Catalog& catalog, const std::string& part, Choices& choices) {
  const auto add = [&](const std::vector<std::string>& words) {
    choices.words.insert(choices.words.end(), words.begin(), words.end());
  };
  const auto point = part.rfind('.');
  if (part == "SCENE") add(key_names(catalog, "scene"));
  if (part == "KIND") add(list_kinds());
  if (part == "FORMAT") add({"text", "md", "csv", "tex"});
  if (part == "AXIS") add({"space", "time", "both"});
  if (part == "SHELL") add({"bash"});
  if (part == "COMMAND")
    for (const CLI::App* command : program.get_subcommands({})) add({command->get_name()});
  if (part == "NAME[:args]" || part == "MESH")
    for (const MeshFamily& family : mesh_families()) add({family.name + ":"});
  if (part == "FILE" || part == "MESH" || part == "OUTPUT") choices.files.insert("*");
  if (part == "DIR") choices.files.insert("/");
  if (part == "KEY=VALUE") {
    std::set<std::string> names;
    declarers(catalog, "", &names);
    for (const std::string& name : names) add({name + "="});
  }
  if (point != std::string::npos && part.find(' ') == std::string::npos &&
      part.find(',') == std::string::npos)
    choices.files.insert("*" + part.substr(point));
  if (!part.empty() && std::islower(static_cast<unsigned char>(part[0])) != 0)  // literally: auto, every:S
    add({part.substr(0, part.find(':') + (part.find(':') == std::string::npos ? 0 : 1))});
}

Choices choices_of(const CLI::App& program, const Catalog& catalog, const CLI::Option& option) {
  Choices choices;
  if (!option.get_positional()) {
    std::string key = option.get_lnames().front();
    std::ranges::replace(key, '-', '_');
    if (const KeyEntry* entry = find_key(key); entry && entry->names) return {entry->names(catalog)};
  } else if (option.get_name() == "NAME") {  // of an entry of any kind
    for (const KeyEntry& key : run_keys())
      if (key.names)
        for (const std::string& name : key.names(catalog)) choices.words.push_back(name);
    return choices;
  }
  const std::string text = option.get_positional() ? option.get_name() : option.get_type_name();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    add_part(program, catalog, text.substr(begin, end - begin), choices);
    begin = end + 1;
  }
  return choices;
}

std::string assignments(const Choices& choices) {
  std::string text;
  if (!choices.words.empty()) text += fmt::format(" words='{}'", fmt::join(choices.words, " "));
  if (!choices.files.empty()) text += fmt::format(" files='{}'", fmt::join(choices.files, " "));
  return text.empty() ? " :" : text;
}

/// The cases of one command: the values of its options by the word before, its options, and its arguments.
std::string cases(const CLI::App& program, const Catalog& catalog, const CLI::App& command) {
  std::map<Choices, std::vector<std::string>> values;
  std::vector<std::string> options;
  Choices arguments;
  for (const CLI::Option* option : command.get_options()) {
    const Choices choices = choices_of(program, catalog, *option);
    if (option->get_positional()) {
      arguments.words.insert(arguments.words.end(), choices.words.begin(), choices.words.end());
      arguments.files.insert(choices.files.begin(), choices.files.end());
      continue;
    }
    for (const std::string& name : option->get_lnames()) {
      options.push_back("--" + name);
      if (option->get_items_expected_max() > 0) values[choices].push_back("--" + name);
    }
  }
  std::string text = fmt::format("    {})\n      case $before in\n", command.get_name());
  for (const auto& [choices, names] : values)
    text += fmt::format("        {}){} ;;\n", fmt::join(names, " | "), assignments(choices));
  text += fmt::format("        *) if [[ $word == -* ]]; then words='{}'; else{}; fi ;;\n      esac ;;\n",
                      fmt::join(options, " "), assignments(arguments));
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& program, const Catalog& catalog) {
  const std::string name = program.get_name();
  std::string commands, all;
  for (const CLI::App* command : program.get_subcommands({})) {
    commands += command->get_name() + " ";
    all += cases(program, catalog, *command);
  }
  // bash splits words at = and leaves file names to compgen; a name that ends in = or : goes on.
  return fmt::format(R"(# Completion of {0} in bash, written by `{0} completion bash`.
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words='' files='' pattern
  COMPREPLY=()
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = ]] && ((COMP_CWORD > 2)); then
    before=${{COMP_WORDS[COMP_CWORD-2]}}
    [[ $before == -* ]] || return 0
  fi
  if ((COMP_CWORD == 1)); then
    words='{1}'
    [[ $word == -* ]] && words='--help --version'
  else
  case ${{COMP_WORDS[1]}} in
{2}  esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ ${{COMPREPLY[*]}} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
  if ((${{#COMPREPLY[@]}} == 0)) && [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(
      set -f
      {{
        compgen -d -- "$word"
        for pattern in $files; do
          [[ $pattern == / ]] || compgen -f -X "!$pattern" -- "$word"
        done
      }} | sort -u)
  fi
  return 0
}}
complete -F _{0} {0}
)",
                     name, commands.substr(0, commands.size() - 1), all);
}

}  // namespace shoal
