// Typed options. A part describes its struct of options once; command line, TOML, JSON, results files and live changes
// all use that description.
//
//     struct FiniteVolumeOptions {
//       double dry_depth = 1e-12;
//       static Options<FiniteVolumeOptions> describe() {
//         using O = FiniteVolumeOptions;
//         return Options<O>().number("dry_depth", "m", &O::dry_depth, 0, 1e300, "…");
//       }
//     };
//
// Defaults are those of the struct itself, or of the struct that contains it as a part.
#pragma once

#include "discretizations/common/parameters.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace shoal {

template <class T>
class Options {
 public:
  Options& number(std::string name, std::string unit, double T::*member, double min, double max,
                  std::string meaning) {
    return add(
        shoal::number(std::move(name), std::move(unit), T{}.*member, min, max, std::move(meaning)),
        [member](T& options, const Value& value) { options.*member = std::get<double>(value); },
        [member](const T& options) { return Value(options.*member); });
  }

  Options& whole_number(std::string name, std::string unit, int T::*member, int min, int max,
                        std::string meaning) {
    return add(
        shoal::whole_number(std::move(name), std::move(unit), T{}.*member, min, max, std::move(meaning)),
        [member](T& options, const Value& value) {
          options.*member = static_cast<int>(std::get<double>(value));
        },
        [member](const T& options) { return Value(static_cast<double>(options.*member)); });
  }

  /// One of a fixed set of words, each with a value: an enumerator, true or false.
  template <class Choice>
  Options& choice(std::string name, Choice T::*member,
                  std::initializer_list<std::pair<const char*, std::type_identity_t<Choice>>> choices,
                  std::string meaning) {
    const std::vector<std::pair<std::string, Choice>> pairs(choices.begin(), choices.end());
    const auto word_of = [member, pairs](const T& options) {
      for (const auto& [word, value] : pairs)
        if (value == options.*member) return Value(word);
      return Value(std::string());
    };
    std::vector<std::string> words;
    for (const auto& [word, value] : pairs) words.push_back(word);
    ParameterInfo info = shoal::choice(std::move(name), std::move(words), std::move(meaning));
    info.fallback = word_of(T{});
    return add(
        std::move(info),
        [member, pairs](T& options, const Value& given) {
          for (const auto& [word, value] : pairs)
            if (word == std::get<std::string>(given)) options.*member = value;
        },
        word_of);
  }

  /// One of `words`, kept as a word; the default first.
  Options& word(std::string name, std::string T::*member, std::vector<std::string> words,
                std::string meaning) {
    return add(
        shoal::choice(std::move(name), std::move(words), std::move(meaning)),
        [member](T& options, const Value& value) { options.*member = std::get<std::string>(value); },
        [member](const T& options) { return Value(options.*member); });
  }

  Options& text(std::string name, std::string unit, std::string T::*member, std::string meaning) {
    return add(
        shoal::text(std::move(name), std::move(unit), T{}.*member, std::move(meaning)),
        [member](T& options, const Value& value) { options.*member = std::get<std::string>(value); },
        [member](const T& options) { return Value(options.*member); });
  }

  /// "x,y,z".
  Options& vector(std::string name, std::string unit, Vector3 T::*member, std::string meaning) {
    return add_vector(std::move(name), std::move(unit), member, parse_vector, std::move(meaning));
  }
  /// "x,y,z", normalised to a unit vector; the default may have any length.
  Options& direction(std::string name, std::string unit, Vector3 T::*member, std::string meaning) {
    return add_vector(std::move(name), std::move(unit), member, parse_direction, std::move(meaning));
  }

  /// A text that parse(text) converts to the value; parse throws SettingError on invalid text. `fallback` is the text of
  /// the struct's default, also within a part.
  template <class Parsed, class Parse>
  Options& parsed(std::string name, std::string unit, Parsed T::*member, std::string fallback, Parse parse,
                  std::string meaning) {
    return add(
        shoal::text(std::move(name), std::move(unit), fallback, std::move(meaning)),
        [member, parse](T& options, const Value& value) {
          options.*member = parse(std::get<std::string>(value));
        },
        [fallback](const T&) { return Value(fallback); });
  }

  /// All options of a member that is a struct of options, with the member's defaults. The default of a choice is listed
  /// first.
  template <class Part>
  Options& part(Part T::*member, const Options<Part>& described) {
    for (const auto& row : described.rows()) {
      ParameterInfo info = row.info;
      info.fallback = row.get(T{}.*member);
      if (info.fallback != row.info.fallback)
        std::stable_partition(info.choices.begin(), info.choices.end(),
                              [&](const std::string& word) { return Value(word) == info.fallback; });
      add(
          std::move(info),
          [set = row.set, member](T& options, const Value& value) { set(options.*member, value); },
          [get = row.get, member](const T& options) { return get(options.*member); });
    }
    return *this;
  }

  struct Row {
    ParameterInfo info;
    std::function<void(T&, const Value&)> set;
    std::function<Value(const T&)> get;
  };
  const std::vector<Row>& rows() const { return rows_; }

 private:
  Options& add(ParameterInfo info, std::function<void(T&, const Value&)> set,
               std::function<Value(const T&)> get) {
    rows_.push_back({std::move(info), std::move(set), std::move(get)});
    return *this;
  }

  Options& add_vector(std::string name, std::string unit, Vector3 T::*member,
                      Vector3 (*parse)(const std::string& text, const std::string& name),
                      std::string meaning) {
    return add(
        shoal::text(name, std::move(unit), to_text(T{}.*member), std::move(meaning)),
        [name, member, parse](T& options, const Value& value) {
          options.*member = parse(std::get<std::string>(value), name);
        },
        [member](const T& options) { return Value(to_text(options.*member)); });
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

/// The options given by the parameters of a run; options without a parameter keep their defaults. Throws SettingError if a
/// text is not a valid value.
template <class T>
T read_options(const Parameters& parameters) {
  T options;
  for (const auto& row : described<T>().rows())
    if (const Value* value = parameters.value(row.info.name)) row.set(options, *value);
  return options;
}

}  // namespace shoal
