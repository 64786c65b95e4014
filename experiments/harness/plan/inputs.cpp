// The text of inputs.
#include "experiments/harness/plan/inputs.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <sstream>

namespace shoal {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity(), min_positive = 1e-12;
constexpr const char* change_name = "change";

using Words = std::vector<std::pair<std::string, std::string>>;

struct Kind {
  InputKind described;
  std::function<decltype(Input::action)(const Parameters&)> read;
  /// The values that differ from the defaults; nothing if the action has another kind.
  std::function<std::optional<Words>(const Input&)> written;
};

template <class Action>
Kind kind(std::string name, std::string summary) {
  return {{std::move(name), std::move(summary), describe_options<Action>()},
          [](const Parameters& parameters) { return read_options<Action>(parameters); },
          [](const Input& input) -> std::optional<Words> {
            const auto* action = std::get_if<Action>(&input.action);
            if (!action) return {};
            Words words;
            for (const auto& row : described<Action>().rows())
              if (const Value value = row.get(*action); value != row.info.fallback)
                words.emplace_back(row.info.name, to_string(value));
            return words;
          }};
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      kind<ThrowInput>("throw", "a body enters"),
      kind<SourceInput>("source", "a source of water around a point, or a sink"),
      kind<PushInput>("push", "an acceleration of the water around a point"),
      kind<RemoveInput>("remove", "ends a source or a push early, or removes a body"),
      kind<DragInput>("drag", "the whole surface is dragged to another place, where it comes to rest"),
      kind<ClipInput>("clip", "repeats a clip of the skin with this weight; 0 ends it"),
      kind<ActionInput>("action", "plays a clip of the skin once, instead of the repeated ones"),
      kind<ClipSpeedInput>("clip_speed",
                           "speed of all clips; 0 freezes the surface, while the water keeps moving"),
  };
  return all;
}

/// "NAME=VALUE", the value with or without quotes of either kind.
Words parse_words(const std::string& line, std::size_t at) {
  Words words;
  const auto skip = [&] {
    while (at < line.size() && std::isspace(static_cast<unsigned char>(line[at]))) ++at;
  };
  for (skip(); at < line.size(); skip()) {
    const std::size_t equals = line.find_first_of("= \t", at);
    if (equals == std::string::npos || line[equals] != '=' || equals == at)
      throw Error(fmt::format("'{}' is not NAME=VALUE", line.substr(at, line.find_first_of(" \t", at) - at)));
    const std::string name = line.substr(at, equals - at);
    at = equals + 1;
    std::string value;
    if (at < line.size() && (line[at] == '\'' || line[at] == '"')) {
      const std::size_t close = line.find(line[at], at + 1);
      if (close == std::string::npos) throw Error(fmt::format("the quote of {} is not closed", name));
      value = line.substr(at + 1, close - at - 1);
      at = close + 1;
    } else {
      const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
      value = line.substr(at, end - at);
      at = end;
    }
    for (const auto& [other, unused] : words)
      if (other == name) throw Error(fmt::format("'{}' is given twice", name));
    words.emplace_back(name, std::move(value));
  }
  return words;
}

std::string quoted(const std::string& value) {
  if (!value.empty() && value.find_first_of(" \t'\"#") == std::string::npos) return value;
  return value.find('\'') == std::string::npos ? "'" + value + "'" : "\"" + value + "\"";
}

/// The part of the line before a comment, which cannot begin within quotes.
std::string without_comment(const std::string& line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == '\'' || line[i] == '"') {
      quote = line[i];
    } else if (line[i] == '#') {
      return line.substr(0, i);
    }
  }
  return line;
}

/// The duration of an action may be infinite, unlike parameters of runs; to be set after the others.
bool is_endless(const std::string& word, const std::string& value) {
  return word == "lasting" && parse_number(value, word) == unlimited;
}

void make_endless(decltype(Input::action)& action) {
  std::visit(
      [](auto& one) {
        if constexpr (requires { one.lasting; }) one.lasting = unlimited;
      },
      action);
}

decltype(Input::action) parse_action(const std::string& name, const Words& words) {
  if (name == change_name) {
    if (words.empty()) throw Error("no change given: NAME=VALUE is missing");
    return ChangeInput{words};
  }
  std::vector<std::string> names = {change_name};
  for (const Kind& kind : kinds()) {
    names.push_back(kind.described.name);
    if (kind.described.name != name) continue;
    const ParameterInfos& infos = kind.described.parameters;
    std::map<std::string, Value> given;
    bool endless = false;
    std::vector<std::string> known;
    for (const ParameterInfo& info : infos) known.push_back(info.name);
    for (const auto& [word, value] : words) {
      const auto info =
          std::ranges::find_if(infos, [&](const ParameterInfo& one) { return one.name == word; });
      if (info == infos.end())
        throw Error(
            fmt::format("{} has no '{}': it has {}{}", name, word, join(known), did_you_mean(word, known)));
      if (is_endless(word, value))
        endless = true;
      else if (std::holds_alternative<double>(info->fallback))
        given[word] = parse_number(value, word);
      else
        given[word] = value;
    }
    decltype(Input::action) action = kind.read(Parameters(infos, given));
    if (endless) make_endless(action);
    return action;
  }
  throw Error(fmt::format("'{}' is none of {}{}", name, join(names), did_you_mean(name, names)));
}

}  // namespace

Options<ThrowInput> ThrowInput::describe() {
  using O = ThrowInput;
  return Options<O>()
      .choice("body", &O::shape,
              {{"ball", BodyShape::ball}, {"box", BodyShape::box}, {"mesh", BodyShape::mesh}},
              "shape of the body")
      .number("size", "m", &O::size, min_positive, unlimited,
              "diameter of a ball, side of a cube, scale factor of a mesh")
      .text("file", "", &O::file, "file of a closed mesh, for body=mesh")
      .number("density", "kg/m^3", &O::density, min_positive, unlimited, "of the body")
      .vector("at", "m", &O::at, "initial position of its centre of mass, x,y,z")
      .vector("velocity", "m/s", &O::velocity, "initial velocity")
      .vector("spin", "rad/s", &O::spin, "its angular velocity");
}

Options<SourceInput> SourceInput::describe() {
  using O = SourceInput;
  return Options<O>()
      .vector("at", "m", &O::at, "x,y,z")
      .number("radius", "m", &O::radius, min_positive, unlimited,
              "distance at which the source has fallen to 1/e")
      .number("discharge", "m^3/s", &O::discharge, -unlimited, unlimited, "discharge; negative: a sink")
      .number(
          "divergence", "m/s", &O::divergence, -unlimited, unlimited,
          "instead of radius and discharge: the divergence q of the flux in the nearest cell of the scheme, "
          "whose "
          "volume changes by −q times its area per second (Angst 2007, table C.2); positive: a sink; 0: none")
      .number("lasting", "s", &O::lasting, 0, unlimited, "duration; inf: without end");
}

Options<PushInput> PushInput::describe() {
  using O = PushInput;
  return Options<O>()
      .vector("at", "m", &O::at, "x,y,z")
      .vector("acceleration", "m/s^2", &O::acceleration, "acceleration at that point, x,y,z")
      .number("width", "m", &O::width, min_positive, unlimited, "σ of the Gaussian")
      .number("lasting", "s", &O::lasting, 0, unlimited, "duration; inf: without end");
}

Options<RemoveInput> RemoveInput::describe() {
  using O = RemoveInput;
  constexpr int max_number = std::numeric_limits<int>::max();
  return Options<O>()
      .whole_number("source", "1", &O::source, 0, max_number,
                    "number of the source, from 1 in the order of addition, those of the scene first")
      .whole_number("push", "1", &O::push, 0, max_number, "number of the push, likewise")
      .text(
          "body", "", &O::body,
          "name of the body, as in its diagnostics; inputs throw thrown-1, thrown-2 and so on, counted after "
          "the bodies of the scene");
}

Options<DragInput> DragInput::describe() {
  return Options<DragInput>().vector("to", "m", &DragInput::to,
                                     "displacement from the initial position, x,y,z");
}

Options<ClipInput> ClipInput::describe() {
  using O = ClipInput;
  return Options<O>()
      .text("name", "", &O::name, "of the clip")
      .number("weight", "1", &O::weight, 0, unlimited, "its share")
      .number("delay", "s", &O::delay, 0, unlimited, "time of at least 0.001 in which the weight is reached");
}

Options<ActionInput> ActionInput::describe() {
  using O = ActionInput;
  return Options<O>()
      .text("name", "", &O::name, "of the clip")
      .number("weight", "1", &O::weight, 0, unlimited, "its share")
      .number("delay", "s", &O::delay, 0, unlimited, "time of at least 0.001 in which it fades in and out")
      .choice("hold", &O::hold, {{"off", false}, {"on", true}},
              "on: its last pose stays until another action of this clip, such as one of weight 0, ends it "
              "(Autolock of Angst 2007, table C.2)");
}

Options<ClipSpeedInput> ClipSpeedInput::describe() {
  using O = ClipSpeedInput;
  return Options<O>()
      .number("speed", "1", &O::speed, 0, unlimited, "speed of all clips")
      .number("delay", "s", &O::delay, 0, unlimited, "time in which the speed is reached");
}

bool ChangeInput::names(const std::string& key) const {
  return std::ranges::any_of(values, [&](const auto& one) { return one.first == key; });
}

std::vector<Input> parse_inputs(const std::string& text) {
  std::vector<Input> inputs;
  std::istringstream lines(text);
  std::string raw;
  for (int number = 1; std::getline(lines, raw); ++number) {
    try {
      std::string line = without_comment(raw);
      line.erase(line.find_last_not_of(" \t\r") + 1);
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string::npos) continue;
      const std::size_t after = std::min(line.find_first_of(" \t", begin), line.size()),
                        name = line.find_first_not_of(" \t", after);
      const std::string time = line.substr(begin, after - begin);
      Input input;
      input.time = parse_number(time, "its time");
      if (!(input.time >= 0 && std::isfinite(input.time)))
        throw Error(fmt::format("the time {} is not a number of seconds ≥ 0", time));
      if (!inputs.empty() && input.time < inputs.back().time)
        throw Error(fmt::format("the time {} s is before that of the previous input, {} s", input.time,
                                inputs.back().time));
      if (name == std::string::npos) throw Error("only a time is given, instead of TIME KIND NAME=VALUE …");
      const std::size_t end = std::min(line.find_first_of(" \t", name), line.size());
      input.action = parse_action(line.substr(name, end - name), parse_words(line, end));
      inputs.push_back(std::move(input));
    } catch (const Error& error) {
      throw SettingError("inputs", fmt::format("inputs: line {}: {}", number, error.what()));
    }
  }
  return inputs;
}

std::string to_text(const Input& input) {
  std::string name = change_name;
  Words words;
  if (const auto* change = std::get_if<ChangeInput>(&input.action)) {
    words = change->values;
  } else {
    for (const Kind& kind : kinds())
      if (std::optional<Words> written = kind.written(input)) {
        name = kind.described.name;
        words = std::move(*written);
      }
  }
  std::string line = fmt::format("{} {}", input.time, name);
  for (const auto& [word, value] : words) line += fmt::format(" {}={}", word, quoted(value));
  return line;
}

std::string invalid_input(const Input& input, const Error& error) {
  return fmt::format("invalid input '{}': {}", to_text(input), error.what());
}

std::vector<InputKind> input_kinds() {
  std::vector<InputKind> all;
  for (const Kind& kind : kinds()) all.push_back(kind.described);
  all.push_back({change_name,
                 "changes discretization, integrator, linear_solver, advection, splitting, substeps or "
                 "parameters of the run, each NAME=VALUE",
                 {}});
  return all;
}

}  // namespace shoal
