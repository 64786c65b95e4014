// Experiment files: TOML in, TOML out.
#include "experiments/harness/plan/experiment.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
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
};

/// The keys of a table in the order written (toml++ sorts them by name), those of its table `parameters`
/// among them.
std::vector<Entry> as_written(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) {
    const toml::table* parameters = key.str() == "parameters" ? node.as_table() : nullptr;
    if (!parameters) entries.push_back({&key, &node, false});
    if (parameters)
      for (const auto& [inner, value] : *parameters) entries.push_back({&inner, &value, true});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
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

Setting setting(const std::string& key, const toml::node& node, bool is_parameter, const std::string& where) {
  Setting result{key, is_parameter, {}, where};
  if (const toml::array* list = node.as_array()) {
    if (list->empty()) throw Error(where + ": the list is empty, which leaves no run");
    for (const toml::node& entry : *list) result.alternatives.push_back(scalar(entry, where));
  } else {
    result.alternatives.push_back(scalar(node, where));
  }
  return result;
}

std::string text_of(const toml::node& node, const std::string& where) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  throw Error(where + ": one text in quotes is allowed");
}

class Reader {
 public:
  explicit Reader(std::string source) : source_(std::move(source)) {}

  Experiment read(const toml::table& table) {
    Experiment experiment;
    experiment.name = std::filesystem::path(source_).stem().string();
    for (const Entry& entry : as_written(table)) {
      const toml::node* node = entry.node;
      const std::string name(entry.is_parameter ? "" : entry.key->str());
      const std::string where = place(*entry.key);
      if (name == "name") {
        experiment.name = checked_name(text_of(*node, where), where);
      } else if (name == "title") {
        experiment.title = text_of(*node, where);
      } else if (name == "output") {
        experiment.output = text_of(*node, where);
      } else if (name == "quiet") {
        if (!node->is_boolean()) throw Error(where + ": true or false is allowed");
        experiment.quiet = node->as_boolean()->get();
      } else if (name == "case") {
        read_cases(*node, where, experiment);
      } else {
        experiment.settings.push_back(read_setting(entry, {"name", "title", "output", "quiet", "case"}));
      }
    }
    return experiment;
  }

 private:
  std::string place(const toml::key& key) const {
    return fmt::format("{}: {}", position(source_, key.source()), key.str());
  }

  /// The name becomes a folder and a file.
  static std::string checked_name(const std::string& name, const std::string& where) {
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
      throw Error(
          fmt::format("{}: '{}' cannot name a file: letters, digits, - and _ are allowed", where, name));
    return name;
  }

  void read_cases(const toml::node& node, const std::string& where, Experiment& experiment) const {
    const toml::array* list = node.as_array();
    if (!list || list->empty() || !list->is_homogeneous(toml::node_type::table))
      throw Error(where + ": tables headed [[case]] are allowed");
    for (const toml::node& entry : *list) {
      std::vector<Setting> settings;
      for (const Entry& inner : as_written(*entry.as_table())) settings.push_back(read_setting(inner, {}));
      experiment.cases.push_back(std::move(settings));
    }
  }

  Setting read_setting(const Entry& entry, std::vector<std::string> other_keys) const {
    const std::string name(entry.key->str());
    const std::string where = place(*entry.key);
    const auto& known = run_keys();
    if (!entry.is_parameter && name == "parameters") throw Error(where + ": a table [parameters] is allowed");
    if (!entry.is_parameter && std::find(known.begin(), known.end(), name) == known.end()) {
      other_keys.insert(other_keys.end(), known.begin(), known.end());
      other_keys.push_back("parameters");
      throw Error(fmt::format("{}: no such key{}", where, did_you_mean(name, other_keys)));
    }
    return setting(name, *entry.node, entry.is_parameter, where);
  }

  std::string source_;
};

/// toml++'s words for a mistake without what it was doing meanwhile, "Error while parsing …: ".
std::string plain(const std::string& description) {
  static const std::string opening = "Error while parsing ";
  const auto colon = description.find(": ");
  return description.starts_with(opening) && colon != std::string::npos ? description.substr(colon + 2)
                                                                        : description;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string literal(const Value& value) {
  return std::holds_alternative<double>(value) ? to_string(value) : quoted(std::get<std::string>(value));
}

std::string line(const Setting& setting, const std::string& prefix) {
  std::vector<std::string> values;
  for (const Value& value : setting.alternatives) values.push_back(literal(value));
  return fmt::format("{}{} = {}\n", prefix, setting.key,
                     values.size() == 1 ? values.front() : fmt::format("[{}]", join(values)));
}

/// Parameters as dotted keys in their place, which keeps the order of the product.
std::string lines(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& setting : settings) text += line(setting, setting.is_parameter ? "parameters." : "");
  return text;
}

}  // namespace

Experiment parse_experiment(const std::string& text, const std::string& source) {
  try {
    return Reader(source).read(toml::parse(text, source));
  } catch (const toml::parse_error& error) {
    throw Error(fmt::format("{}: this is not TOML: {}", position(source, error.source()),
                            plain(std::string(error.description()))));
  }
}

Experiment read_experiment(const std::filesystem::path& path) {
  const auto named = [&](const char* what) {
    return fmt::format("experiment '{}': {}", path.string(), what);
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw Error(named("there is no such file"));
  if (std::filesystem::is_directory(path, ignored)) throw Error(named("it is a directory, not a file"));
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
  text += lines(experiment.settings);
  for (const auto& settings : experiment.cases) text += "\n[[case]]\n" + lines(settings);
  return text;
}

}  // namespace shoal
