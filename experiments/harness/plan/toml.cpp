// Experiment files: TOML in, TOML out.
#include "experiments/harness/plan/experiment.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "experiments/harness/plan/number_rule.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

namespace shoal {
namespace {

std::string position(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", source, region.begin.line, region.begin.column);
}

struct Entry {
  const toml::key* key;
  const toml::node* node;
  bool is_parameter;
  std::string part = {};  ///< of a parameter written parameters.PART.NAME: "PART."
  std::string name() const { return part + std::string(key->str()); }
};

/// The keys of a table in the order written (toml++ sorts them by name), including the keys of its table `parameters` and of the
/// tables within `parameters`.
std::vector<Entry> as_written(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) {
    const toml::table* parameters = key.str() == "parameters" ? node.as_table() : nullptr;
    if (!parameters) entries.push_back({&key, &node, false});
    if (parameters)
      for (const auto& [inner, value] : *parameters) {
        const toml::table* part = value.as_table();
        if (!part) entries.push_back({&inner, &value, true});
        if (part)
          for (const auto& [own, own_value] : *part)
            entries.push_back({&own, &own_value, true, std::string(inner.str()) + "."});
      }
  }
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    const auto &p = a.key->source().begin, &q = b.key->source().begin;
    return std::pair(p.line, p.column) < std::pair(q.line, q.column);
  });
  return entries;
}

Value scalar(const toml::node& node, const std::string& where) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto integer = node.value_exact<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto number = node.value_exact<double>()) return *number;
  throw Error(where + ": only numbers, texts and lists of these are allowed");
}

/// Whether numbers, and thus rules for several numbers, are allowed; the type of a parameter is known only later.
bool takes_numbers(const std::string& key, bool is_parameter) {
  const KeyEntry* entry = find_key(key);
  return is_parameter || (entry && entry->kind != KeyKind::text);
}

Setting setting(const std::string& key, const toml::node& node, bool is_parameter, const std::string& where) {
  Setting result{key, is_parameter, {}, where};
  const auto add = [&](const toml::node& entry) {
    const Value value = scalar(entry, where);
    const std::vector<Value> values = alternatives_of(key, is_parameter, value, where);
    result.alternatives.insert(result.alternatives.end(), values.begin(), values.end());
    if (values != std::vector{value})
      result.where = where + ": " + to_string(value);  // part of the location in messages about its values
  };
  if (const toml::array* list = node.as_array()) {
    if (list->empty()) throw Error(where + ": the list is empty");
    for (const toml::node& entry : *list) add(entry);
  } else {
    add(node);
  }
  return result;
}

std::string text_of(const toml::node& node, const std::string& where) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  throw Error(where + ": one text in quotes is allowed");
}

/// The value of `together`: one group or a list of groups.
std::vector<Together> together_of(const toml::node& node, const std::string& where) {
  const auto refusal = [&] {
    return Error(
        where +
        R"(: names of at least two keys or parameters are allowed, ["mesh", "dt"], or lists of such)");
  };
  const toml::array* list = node.as_array();
  if (!list) throw refusal();
  const auto group_of = [&](const toml::array& names) {
    Together group{{}, where};
    for (const toml::node& name : names) {
      if (!name.is_string()) throw refusal();
      group.names.push_back(name.as_string()->get());
    }
    if (group.names.size() < 2) throw refusal();
    return group;
  };
  std::vector<Together> groups;
  if (list->empty()) return groups;
  if (!list->front().is_array()) return {group_of(*list)};
  for (const toml::node& names : *list) {
    if (!names.is_array()) throw refusal();
    groups.push_back(group_of(*names.as_array()));
  }
  return groups;
}

class Reader {
 public:
  explicit Reader(std::string source) : source_(std::move(source)) {}

  Experiment read(const toml::table& table) {
    Experiment experiment;
    experiment.name = std::filesystem::path(source_).stem().string();
    const auto each = [&](const char* kind, const auto& read) -> Handler {
      return [kind, read](const toml::node& node, const std::string& where) {
        const toml::array* list = node.as_array();
        if (!list || list->empty() || !list->is_homogeneous(toml::node_type::table))
          throw Error(fmt::format("{}: tables headed [[{}]] are allowed", where, kind));
        for (const toml::node& one : *list) read(*one.as_table());
      };
    };
    const Handlers handlers = {
        {"name",
         [&](const toml::node& node, const std::string& where) {
           experiment.name = checked_name(text_of(node, where), where);
         }},
        {"title", into(experiment.title)},
        {"output", into(experiment.output)},
        {"quiet",
         [&](const toml::node& node, const std::string& where) {
           if (!node.is_boolean()) throw Error(where + ": true or false is allowed");
           experiment.quiet = node.as_boolean()->get();
         }},
        {"jobs", whole_number_into(experiment.jobs, max_jobs)},
        {"compute",
         [&](const toml::node& node, const std::string& where) {
           experiment.frontier = choice({"runs", "frontier"}, text_of(node, where), where) == 1;
         }},
        {"together", [&](const toml::node& node,
                         const std::string& where) { experiment.together = together_of(node, where); }},
        {"case", each("case", [&](const toml::table& one) { experiment.cases.push_back(read_case(one)); })},
        {"table",
         each("table", [&](const toml::table& one) { experiment.tables.push_back(read_table(one)); })},
        {"figure",
         each("figure", [&](const toml::table& one) { experiment.figures.push_back(read_figure(one)); })}};
    for (const Entry& entry : as_written(table)) {
      const auto handler = handlers.find(entry.is_parameter ? "" : entry.name());
      if (handler == handlers.end())
        experiment.settings.push_back(read_setting(entry, names_of(handlers)));
      else
        handler->second(*entry.node, place(*entry.key));
    }
    return experiment;
  }

 private:
  using Handler = std::function<void(const toml::node&, const std::string& where)>;
  using Handlers = std::map<std::string, Handler>;

  static std::vector<std::string> names_of(const Handlers& handlers) {
    std::vector<std::string> names;
    for (const auto& [name, handler] : handlers) names.push_back(name);
    return names;
  }

  static Handler into(std::string& target) {
    return [&](const toml::node& node, const std::string& where) { target = text_of(node, where); };
  }
  static Handler into(std::optional<LocatedText>& target) {
    return [&](const toml::node& node, const std::string& where) { target = {text_of(node, where), where}; };
  }
  Handler into(std::vector<LocatedText>& target) const {
    return [&](const toml::node& node, const std::string& where) { target = texts_of(node, where); };
  }
  static Handler whole_number_into(int& target, int max) {
    return [&target, max](const toml::node& node, const std::string& where) {
      const auto value = node.value_exact<std::int64_t>();
      if (!value || *value < 1 || *value > max)
        throw Error(fmt::format("{}: a whole number from 1 to {} is allowed", where, max));
      target = static_cast<int>(*value);
    };
  }

  std::string place(const toml::key& key) const {
    return fmt::format("{}: {}", position(source_, key.source()), key.str());
  }

  /// The name becomes a folder and a file.
  static std::string checked_name(const std::string& name, const std::string& where) {
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos || name != one_line(name))
      throw Error(
          fmt::format("{}: '{}' cannot name a file: letters, digits, - and _ are allowed", where, name));
    return name;
  }

  Case read_case(const toml::table& table) const {
    Case result;
    for (const Entry& entry : as_written(table)) {
      if (!entry.is_parameter && entry.key->str() == "together")
        result.together = together_of(*entry.node, place(*entry.key));
      else
        result.settings.push_back(read_setting(entry, {"together"}));
    }
    return result;
  }

  /// Calls the handler of each key. Throws Error if a key has no handler or a required key is missing.
  void read_entry(const toml::table& table, const std::string& kind, const std::vector<std::string>& required,
                  const Handlers& handlers) const {
    for (const auto& [key, node] : table) {
      const auto handler = handlers.find(std::string(key.str()));
      if (handler == handlers.end()) {
        const std::vector<std::string> names = names_of(handlers);
        throw Error(fmt::format("{}: no such key in [[{}]], which has {}{}", place(key), kind, join(names),
                                did_you_mean(key.str(), names)));
      }
      handler->second(node, place(key));
    }
    for (const std::string& name : required)
      if (!table.contains(name))
        throw Error(fmt::format("{}: [[{}]] has no key '{}'", position(source_, table.source()), kind, name));
  }

  /// One text or a list of them.
  std::vector<LocatedText> texts_of(const toml::node& node, const std::string& where) const {
    if (node.is_string()) return {{node.as_string()->get(), where}};
    const toml::array* list = node.as_array();
    if (!list || list->empty()) throw Error(where + ": a text in quotes or a list of these is allowed");
    std::vector<LocatedText> texts;
    for (const toml::node& entry : *list) {
      const std::string here = position(source_, entry.source()) + where.substr(where.rfind(": "));
      texts.push_back({text_of(entry, here), here});
    }
    return texts;
  }

  /// The name of a file to be made in the folder of the results; each name only once.
  LocatedText made_file(LocatedText file) {
    checked_name(file.text, file.where);
    constexpr std::size_t longest = 250;  // file systems allow 255, which FILE.work must fit too
    if (file.text.size() > longest)
      throw Error(fmt::format("{}: a name of {} characters, at most {} are allowed", file.where,
                              file.text.size(), longest));
    for (const char* suffix : {".h5", ".xdmf", ".work"})
      if (file.text.ends_with(suffix))
        throw Error(fmt::format("{}: '{}' could be the name of the results", file.where, file.text));
    const auto [first, is_new] = made_.emplace(file.text, file.where);
    if (!is_new)
      throw Error(fmt::format("{}: '{}' is already written by {}", file.where, file.text, first->second));
    return file;
  }

  TableEntry read_table(const toml::table& table) {
    TableEntry entry;
    const Handler files = [&](const toml::node& node, const std::string& where) {
      for (LocatedText& file : texts_of(node, where)) entry.files.push_back(made_file(std::move(file)));
    };
    read_entry(table, "table", {"file"},
               {{"file", files},
                {"columns", into(entry.columns)},
                {"where", into(entry.where)},
                {"order", into(entry.order)},
                {"digits", whole_number_into(entry.digits, max_table_digits)},
                {"orders", into(entry.orders)},
                {"errors", into(entry.errors)},
                {"format", into(entry.format)}});
    if (entry.orders && !entry.order.empty())
      throw Error(entry.order.front().where + ": requires columns, not orders");
    if (entry.orders && !entry.columns.empty())
      throw Error(entry.columns.front().where +
                  ": a table of orders has no columns; use errors = [\"l2_error\"] to select the errors");
    if (!entry.orders && !entry.errors.empty())
      throw Error(entry.errors.front().where + ": requires a table of orders, e.g. orders = \"space\"");
    return entry;
  }

  FigureEntry read_figure(const toml::table& table) {
    FigureEntry entry;
    std::optional<LocatedText> file, script;
    read_entry(table, "figure", {"file", "script"},
               {{"file", into(file)},
                {"script", into(script)},
                {"from", into(entry.from)},
                {"arguments", into(entry.arguments)}});
    for (const LocatedText& word : entry.arguments)
      if (word.text != one_line(word.text))
        throw Error(word.where + ": a word without line breaks or other control characters is allowed");
    entry.script = *script;
    entry.file = made_file(*file);
    return entry;
  }

  Setting read_setting(const Entry& entry, std::vector<std::string> other_keys) const {
    const std::string name = entry.name();
    const std::string where = place(*entry.key);
    if (!entry.is_parameter && name == "parameters") throw Error(where + ": a table [parameters] is allowed");
    if (!entry.is_parameter && !find_key(name)) {
      for (const KeyEntry& key : run_keys()) other_keys.push_back(key.name);
      other_keys.push_back("parameters");
      const std::string near = did_you_mean(name, other_keys);
      throw Error(fmt::format(
          "{}: no such key{}", where,
          near.empty() ? fmt::format("; a parameter of a scene or a scheme is written parameters.{}", name)
                       : near));
    }
    return setting(name, *entry.node, entry.is_parameter, where);
  }

  std::string source_;
  std::map<std::string, std::string> made_;  // files of tables and figures, and the locations of their names
};

/// toml++'s message for a mistake without its prefix "Error while parsing …: ".
std::string plain(const std::string& description) {
  static const std::string opening = "Error while parsing ";
  const auto colon = description.find(": ");
  return description.starts_with(opening) && colon != std::string::npos ? description.substr(colon + 2)
                                                                        : description;
}

/// Quotes a text. `in_lines`: writes a text of several lines on several lines; blanks at the beginning of a line must not matter.
std::string quoted(const std::string& text, bool in_lines = false) {
  const bool lines = in_lines && text.find('\n') != std::string::npos;
  const std::string quotes = lines ? "\"\"\"" : "\"";
  std::string result = quotes + (lines ? "\n" : "");
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += lines ? "\n" : "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + quotes;
}

std::string literal(const Value& value, bool in_lines) {
  return std::holds_alternative<double>(value) ? to_string(value)
                                               : quoted(std::get<std::string>(value), in_lines);
}

std::string line(const Setting& setting, const std::string& prefix) {
  std::vector<std::string> values;
  for (const Value& value : setting.alternatives)
    values.push_back(literal(value, !setting.is_parameter && setting.key == "inputs"));
  return fmt::format("{}{} = {}\n", prefix, setting.key,
                     values.size() == 1 ? values.front() : fmt::format("[{}]", join(values)));
}

std::string together_line(const std::vector<Together>& together) {
  std::vector<std::string> groups;
  for (const Together& group : together) {
    std::vector<std::string> names;
    for (const std::string& name : group.names) names.push_back(quoted(name));
    groups.push_back(fmt::format("[{}]", join(names)));
  }
  return fmt::format("together = [{}]\n", join(groups));
}

/// Writes parameters as dotted keys at their position, which preserves the order of the product.
std::string lines(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings) text += line(setting, setting.is_parameter ? "parameters." : "");
  return text;
}

/// A hint if a text lacks quotes; otherwise "".
std::string advice_on_text(const std::string& line, std::size_t at) {
  constexpr const char* separators = " \t=,[]{}#\"'";
  at = std::min(at, line.size());
  const std::size_t before = at == 0 ? std::string::npos : line.find_last_of(separators, at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  const std::string word = line.substr(begin, line.find_first_of(separators, begin) - begin);
  const bool is_value = line.substr(0, begin).find('=') != std::string::npos,
             is_quoted = begin > 0 && (line[begin - 1] == '"' || line[begin - 1] == '\'');
  if (!is_value || is_quoted || word.empty() || std::isalpha(static_cast<unsigned char>(word[0])) == 0)
    return "";
  return fmt::format("a text requires quotes: \"{}\"", word);
}

/// A hint if a fraction lacks quotes; otherwise "".
std::string advice(const std::string& line, std::size_t slash) {
  if (slash == 0 || slash >= line.size() || line[slash] != '/') return "";
  const std::string of_numbers = "0123456789.eE+- ";
  const std::size_t before = line.find_last_not_of(of_numbers, slash - 1) + 1,
                    after = std::min(line.find_first_not_of(of_numbers, slash + 1), line.size());
  std::string fraction = line.substr(before, after - before);
  std::erase(fraction, ' ');
  return fmt::format("; a fraction requires quotes: \"{}\"", fraction);
}

/// Throws Error if a key may have too many levels: toml++ nests a table for each level, and tens of thousands of nested tables
/// overflow its stack.
void require_flat_keys(std::string_view text, const std::string& source) {
  constexpr int max_levels = 1000;
  int levels = 0, line = 1;
  for (const char c : text) {
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) levels = 0;
    line += c == '\n' ? 1 : 0;
    if (c == '.' && ++levels > max_levels)
      throw Error(fmt::format(
          "{}:{}: a key with more than {} levels; only parameters.NAME and parameters.PART.NAME have levels",
          source, line, max_levels));
  }
}

}  // namespace

std::vector<Value> alternatives_of(const std::string& key, bool is_parameter, const Value& value,
                                   const std::string& where) {
  const auto* text = std::get_if<std::string>(&value);
  std::vector<Value> values;
  if (text && takes_numbers(key, is_parameter))
    if (const auto numbers = numbers_of_rule(*text, where)) values.assign(numbers->begin(), numbers->end());
  if (text && key == "mesh" && !is_parameter)
    for (const std::string& name : meshes_of_list(*text)) values.emplace_back(name);
  return values.empty() ? std::vector{value} : values;
}

Experiment parse_experiment(const std::string& text, const std::string& source) {
  require_flat_keys(text, source);
  try {
    return Reader(source).read(toml::parse(text, source));
  } catch (const toml::parse_error& error) {
    std::istringstream lines(text);
    std::string line;
    for (toml::source_index i = 0; i < error.source().begin.line; ++i) std::getline(lines, line);
    const std::size_t at = error.source().begin.column - 1;
    const std::string unquoted = advice_on_text(line, at);
    throw Error(fmt::format(
        "{}: this is not TOML: {}", position(source, error.source()),
        unquoted.empty() ? plain(std::string(error.description())) + advice(line, at) : unquoted));
  }
}

Experiment read_experiment(const std::filesystem::path& path) {
  const auto named = [&](const char* what) {
    return fmt::format("experiment '{}': {}", path.string(), what);
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw Error(named("there is no such file"));
  if (std::filesystem::is_directory(path, ignored)) throw Error(named("it is a directory, not a file"));
  if (!std::filesystem::is_regular_file(path, ignored)) throw Error(named("it is not a file with an end"));
  std::ifstream file(path);
  if (!file) throw MachineError(named("the file cannot be read"));
  std::ostringstream text;
  if (file.peek() == std::ifstream::traits_type::eof()) throw Error(named("the file is empty"));
  if (!(text << file.rdbuf())) throw MachineError(named("the file cannot be read"));
  return parse_experiment(text.str(), path.string());
}

std::string to_toml(const Experiment& experiment) {
  std::string text = fmt::format("name = {}\n", quoted(experiment.name));
  if (!experiment.title.empty()) text += fmt::format("title = {}\n", quoted(experiment.title));
  if (experiment.frontier) text += "compute = \"frontier\"\n";
  if (!experiment.together.empty()) text += together_line(experiment.together);
  text += lines(experiment.settings);
  for (const Case& one : experiment.cases)
    text += "\n[[case]]\n" + (one.together ? together_line(*one.together) : "") + lines(one.settings);
  return text;
}

}  // namespace shoal
