// The schema is written from the entries of run_keys() and the declarations of parameters. Only the keys that describe no run
// (toml.cpp) are written out here.
#include "experiments/harness/plan/schema.hpp"

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* number_pattern =
    R"( *[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)? *(/ *[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)? *)?)";
constexpr const char* rule_pattern = "(geometric|arithmetic):.+";

Json described(Json schema, std::string description) {
  std::ranges::replace(description, '\n', ' ');
  schema["description"] = description;
  return schema;
}

Json reference(const std::string& definition) {
  return {{"$ref", "#/definitions/" + definition}};
}

/// One value or a list of alternatives.
Json alternatives(const Json& value) {
  return {{"anyOf", {value, {{"type", "array"}, {"items", value}, {"minItems", 1}}}}};
}

Json texts() {
  return alternatives({{"type", "string"}});
}

/// A number, or a text with a fraction, a rule for several numbers, or one of `words`, which are patterns.
Json number_schema(bool whole, const std::vector<std::string>& words = {}) {
  std::string pattern = fmt::format("^({}|{}", number_pattern, rule_pattern);
  for (const std::string& word : words) pattern += "|" + word;
  Json schema = {{"type", {"number", "string"}}, {"pattern", pattern + ")$"}};
  if (whole) schema["multipleOf"] = 1;
  return schema;
}

/// The words of a placeholder that are written literally: "S|auto" has "auto", "every:N" has "every:" before a number.
std::vector<std::string> words_of(const std::string& placeholder) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= placeholder.size();) {
    const std::size_t end = std::min(placeholder.find('|', begin), placeholder.size());
    const std::string part = placeholder.substr(begin, end - begin);
    const std::size_t colon = part.find(':');
    if (!part.empty() && std::islower(static_cast<unsigned char>(part[0])) != 0)
      words.push_back(colon == std::string::npos ? part : part.substr(0, colon + 1) + number_pattern);
    begin = end + 1;
  }
  return words;
}

Json key_schema(const Catalog& catalog, const KeyEntry& key) {
  Json value;
  if (key.names)
    value["enum"] = key.names(catalog);
  else if (key.kind != KeyKind::text)
    value = number_schema(key.kind == KeyKind::whole, words_of(key.placeholder));
  else
    value["type"] = key.concerns_recording ? Json{"string", "number"} : Json("string");  // snapshots = 0.5
  return described(alternatives(value), key.help ? key.help : "the problem (shoal list scenes)");
}

Json parameter_schema(const ParameterInfo& info) {
  Json value;
  if (!info.choices.empty()) {
    value["enum"] = info.choices;
    for (const std::string& choice : info.choices)  // 2 for "2"
      if (const auto number = parse_whole_number(choice, 0, 1 << 30)) value["enum"].push_back(*number);
  } else if (std::holds_alternative<std::string>(info.fallback)) {
    value["type"] = {"string", "number"};
  } else {
    value = number_schema(info.whole);
    if (std::isfinite(info.min)) value["minimum"] = info.min;
    if (std::isfinite(info.max)) value["maximum"] = info.max;
  }
  const std::string unit = info.unit.empty() || info.unit == "1" ? "" : info.unit + ": ";
  const std::string fallback = to_string(info.fallback);
  return described(alternatives(value), fmt::format("{}{}{}", unit, info.meaning,
                                                    fallback.empty() ? "" : "; default: " + fallback));
}

Json object(const Json& properties) {
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

/// The table [parameters]. A parameter is written NAME or PART.NAME, where PART is an entry of a list or its kind.
Json parameters_schema(const Catalog& catalog, Json& definitions) {
  // The definitions that one name may have.
  using Meanings = std::map<std::string, std::vector<std::string>>;
  Meanings plain;
  std::map<std::string, Meanings> of_part;
  for (const Declaration& one : declarations(catalog))
    for (const ParameterInfo& info : one.parameters) {
      const Json schema = parameter_schema(info);
      std::string name = info.name;  // with a number if several parts give it different meanings
      for (int other = 2; definitions.contains(name) && definitions[name] != schema; ++other)
        name = fmt::format("{}-{}", info.name, other);
      definitions[name] = schema;
      const auto add = [&](Meanings& meanings) {
        std::vector<std::string>& known = meanings[info.name];
        if (std::ranges::find(known, name) == known.end()) known.push_back(name);
      };
      add(plain);
      if (one.kind.empty()) continue;
      add(of_part[one.kind]);
      add(of_part[one.owner]);
    }
  const auto properties = [](const Meanings& meanings) {
    Json all = Json::object();
    for (const auto& [name, known] : meanings) {
      if (known.size() == 1) {
        all[name] = reference(known.front());
        continue;
      }
      all[name] = {{"anyOf", Json::array()}};
      for (const std::string& definition : known) all[name]["anyOf"].push_back(reference(definition));
    }
    return all;
  };
  Json all = properties(plain);
  for (const auto& [part, meanings] : of_part) {
    const Json own = object(properties(meanings));
    all[part] = all.contains(part) ? Json{{"anyOf", {all[part], own}}} : own;
  }
  return described(object(all),
                   "parameters of the scene, the schemes and the other parts (shoal list KIND NAME)");
}

Json list_of(const Json& items) {
  return {{"type", "array"}, {"items", items}};
}

Json table_schema() {
  Json table = object({{"file", described(texts(), "in the folder of the results; .txt, .md, .csv, .tex")},
                       {"columns", described(texts(), "see shoal table -h")},
                       {"where", described(texts(), "conditions on the runs, e.g. dt<=1/60")},
                       {"order", described(texts(), "columns by which the rows are sorted")},
                       {"digits", {{"type", "integer"}, {"minimum", 1}, {"maximum", max_table_digits}}},
                       {"orders", described({{"enum", {"space", "time", "both"}}},
                                            "orders of convergence instead of columns")},
                       {"errors", described(texts(), "the errors of which orders are given")},
                       {"format", {{"enum", {"text", "md", "csv", "tex"}}}}});
  table["required"] = {"file"};
  return table;
}

Json figure_schema() {
  Json figure =
      object({{"file", described({{"type", "string"}}, "in the folder of the results")},
              {"script", described({{"type", "string"}}, "a name in scripts/plots")},
              {"from", described({{"type", "string"}}, "a table of this file; default: the results")},
              {"arguments", described(texts(), "of the script")}});
  figure["required"] = {"file", "script"};
  return figure;
}

Json together_schema() {
  const Json group = {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 2}};
  return described({{"anyOf", {group, list_of(group)}}},
                   "lists that advance together instead of multiplying");
}

}  // namespace

std::string experiment_schema(const Catalog& catalog) {
  Json definitions = Json::object(), settings = Json::object();
  settings["parameters"] = reference("parameters");
  const Json parameters = parameters_schema(catalog, definitions);
  definitions["parameters"] = parameters;
  for (const KeyEntry& key : run_keys()) {
    definitions["key " + key.name] = key_schema(catalog, key);
    settings[key.name] = reference("key " + key.name);
  }
  settings["together"] = together_schema();

  Json properties = settings;
  const Json text = {{"type", "string"}};
  properties["name"] = described(text, "of the results and their folder; default: the name of this file");
  properties["title"] = described(text, "shown by shoal list experiments");
  properties["output"] = described(text, "the results; default: results/NAME/NAME.h5");
  properties["quiet"] = described({{"type", "boolean"}}, "print no progress");
  properties["jobs"] = described({{"type", "integer"}, {"minimum", 1}, {"maximum", max_jobs}},
                                 "runs computed in parallel; default 1");
  properties["compute"] =
      described({{"enum", {"runs", "frontier"}}}, "frontier: the largest stable time steps");
  properties["case"] =
      described(list_of(object(settings)),
                "a part with its own product of lists; it inherits, overrides and adds keys");
  properties["table"] = described(list_of(table_schema()), "a table made from the results");
  properties["figure"] = described(list_of(figure_schema()), "a figure drawn by a script");

  Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", "Experiment of Shoal"},
      {"description",
       "shoal sweep -h explains the keys. Every key of a run may be a list; all combinations are run."}};
  schema.update(object(properties));
  schema["definitions"] = definitions;
  return schema.dump(1) + "\n";
}

}  // namespace shoal
