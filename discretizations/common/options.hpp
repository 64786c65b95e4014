// Options as types. A part describes its struct of options once; command line, TOML, JSON, results files and
// live changes all work from that description.
//
//     struct KineticOptions {
//       double dry_depth = 1e-12;
//       static Options<KineticOptions> describe() {
//         return Options<KineticOptions>().number("dry_depth", "m", &KineticOptions::dry_depth, 0, 1e300,
//         "…");
//       }
//     };
//
// Defaults are those of the struct itself.
#pragma once

#include "discretizations/common/parameters.hpp"

#include <utility>

namespace shoal {

template <class T>
class Options {
 public:
  Options& number(std::string name, std::string unit, double T::*member, double min, double max,
                  std::string meaning) {
    return add(shoal::number(name, std::move(unit), T{}.*member, min, max, std::move(meaning)),
               [name, member](T& options, const Parameters& given) { options.*member = given.number(name); });
  }

  /// A word of a fixed set, each with what it stands for: of an enumeration, or true and false.
  template <class Value>
  Options& choice(std::string name, Value T::*member,
                  std::initializer_list<std::pair<const char*, std::type_identity_t<Value>>> choices,
                  std::string meaning) {
    std::vector<std::string> words;
    std::vector<Value> values;
    std::string fallback;
    for (const auto& [word, value] : choices) {
      words.emplace_back(word);
      values.push_back(value);
      if (value == T{}.*member) fallback = word;
    }
    ParameterInfo info = shoal::choice(name, words, std::move(meaning));
    info.fallback = fallback;
    return add(std::move(info), [name, member, words, values](T& options, const Parameters& given) {
      for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == given.text(name)) options.*member = values[i];
    });
  }

  /// A text that `parse` turns into the value; it throws SettingError where it cannot.
  template <class Value, class Parse>
  Options& parsed(std::string name, std::string unit, Value T::*member, std::string fallback, Parse parse,
                  std::string meaning) {
    return add(shoal::text(name, std::move(unit), std::move(fallback), std::move(meaning)),
               [name, member, parse](T& options, const Parameters& given) {
                 options.*member = parse(given.text(name));
               });
  }

  /// All options of a part, which is a member.
  template <class Part>
  Options& part(Part T::*member, const Options<Part>& described) {
    for (const auto& row : described.rows())
      add(row.info,
          [set = row.set, member](T& options, const Parameters& given) { set(options.*member, given); });
    return *this;
  }

  struct Row {
    ParameterInfo info;
    std::function<void(T&, const Parameters&)> set;
  };
  const std::vector<Row>& rows() const { return rows_; }

 private:
  Options& add(ParameterInfo info, std::function<void(T&, const Parameters&)> set) {
    rows_.push_back({std::move(info), std::move(set)});
    return *this;
  }

  std::vector<Row> rows_;
};

/// The description of T, made once.
template <class T>
const Options<T>& described() {
  static const Options<T> options = T::describe();
  return options;
}

/// The declarations of a type of options: name, unit, default, range, meaning.
template <class T>
ParameterInfos describe_options() {
  ParameterInfos infos;
  for (const auto& row : described<T>().rows()) infos.push_back(row.info);
  return infos;
}

/// The options that the parameters of a run spell; those that it does not declare keep their defaults.
/// Throws SettingError where a text spells no value.
template <class T>
T read_options(const Parameters& parameters) {
  T options;
  for (const auto& row : described<T>().rows())
    if (parameters.has(row.info.name)) row.set(options, parameters);
  return options;
}

}  // namespace shoal
