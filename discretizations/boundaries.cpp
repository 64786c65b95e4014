// Parsing and checking of boundary conditions, and their values in time.
#include "discretizations/boundaries.hpp"

#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

SettingError mistake(const std::string& message) {
  return SettingError("boundaries", "boundaries: " + message);
}

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r\n";
  const auto begin = text.find_first_not_of(blanks);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

/// Splits at blanks, except for blanks beside a comma or a colon.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool begins = true;
  for (const char c : text) {
    if (std::string(" \t\r\n").find(c) != std::string::npos) {
      begins = words.empty() || std::string(",:").find(words.back().back()) == std::string::npos;
      continue;
    }
    if (c == ',' || c == ':') begins = words.empty();
    if (begins) words.emplace_back();
    begins = false;
    words.back() += c;
  }
  return words;
}

double number(const std::string& text, const std::string& part) {
  double value = std::nan("");
  try {
    value = parse_number(text, "");
  } catch (const Error&) {
    // stays NaN; reported below with the allowed values
  }
  if (!std::isfinite(value))
    throw mistake(fmt::format("'{}': '{}' is neither a number nor a list T:VALUE,T:VALUE of times and values",
                              part, text));
  constexpr double max_value = 1e100;  // whose square is finite
  if (std::abs(value) > max_value)
    throw mistake(fmt::format("'{}': {} is not between -1e100 and 1e100", part, text));
  return value;
}

/// "0.3" or "0:0,10:0.5".
TimeSeries series(const std::string& text, const std::string& part) {
  if (text.find(':') == std::string::npos) return number(text, part);
  std::vector<double> times, values;
  for (const std::string& pair : parts_of(text, ',')) {
    const std::vector<std::string> both = parts_of(pair, ':');
    if (both.size() != 2)
      throw mistake(fmt::format("'{}': '{}' is not a pair T:VALUE of time and value", part, pair));
    times.push_back(number(both[0], part));
    values.push_back(number(both[1], part));
    if (times.size() > 1 && !(times.back() > times[times.size() - 2]))
      throw mistake(fmt::format("'{}': the times must increase", part));
  }
  return {times, values};
}

BoundaryCondition condition(const std::string& part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos)
    throw mistake(
        fmt::format("'{}' is not SET = KIND VALUE, e.g. 'left = discharge 0.3; right = outflow'", part));
  BoundaryCondition result;
  result.set = trimmed(part.substr(0, equals));
  const std::string rest = trimmed(part.substr(equals + 1));
  const std::string name = rest.substr(0, rest.find_first_of(" \t"));
  const std::vector<std::string> values = words_of(rest.substr(name.size()));
  std::vector<std::string> names;
  for (const BoundaryKindEntry& entry : boundary_kinds()) names.push_back(entry.name);
  const auto at = std::find(names.begin(), names.end(), name);
  if (result.set.empty())
    throw mistake(fmt::format("'{}': the name of a boundary is missing before =", part));
  if (name.empty())
    throw mistake(fmt::format("'{}': the kind is missing after =; kinds: {}", part, join(names)));
  if (at == names.end())
    throw mistake(fmt::format("'{}': '{}' is not a kind of boundary; kinds: {}{}", part, name, join(names),
                              did_you_mean(name, names)));
  const BoundaryKindEntry& kind = boundary_kinds().begin()[at - names.begin()];
  result.kind = kind.kind;
  const std::size_t most = kind.values.size(), least = most - kind.optional;
  if (most == 0 && !values.empty()) throw mistake(fmt::format("'{}': {} takes no value", part, name));
  if (most == 1 && values.empty())
    throw mistake(fmt::format("'{}': {} requires a value ({}), a number or a list T:VALUE,T:VALUE", part,
                              name, kind.values[0].unit));
  if (values.size() < least || values.size() > most) {
    std::vector<std::string> required, optional;
    for (const BoundaryKindEntry::Value& value : kind.values)
      (required.size() < least ? required : optional)
          .push_back(fmt::format("{} ({})", value.name, value.unit));
    throw mistake(fmt::format("'{}': {} requires {}{}, each a number or a list T:VALUE,T:VALUE, as in '{}'",
                              part, name, join(required),
                              optional.empty() ? "" : " and optionally " + join(optional), kind.written()));
  }
  TimeSeries* const series_of[] = {&result.value, &result.speed, &result.tangential};
  for (std::size_t i = 0; i < values.size(); ++i) *series_of[i] = series(values[i], part);
  const auto positive = [](const TimeSeries& one) { return one.constant() && one.values().front() > 0; };
  if (name == "sponge" && !(positive(result.value) && positive(result.speed)))
    throw mistake(fmt::format("'{}': width and rate of a sponge must be positive and constant", part));
  return result;
}

}  // namespace

double TimeSeries::at(double time) const {
  if (time <= times_.front()) return values_.front();
  for (std::size_t i = 1; i < times_.size(); ++i)
    if (time < times_[i])
      return values_[i - 1] +
             (values_[i] - values_[i - 1]) * (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
  return values_.back();
}

double TimeSeries::integral(double time) const {
  if (time <= times_.front()) return values_.front() * (time - times_.front());
  double sum = 0;
  for (std::size_t i = 1; i < times_.size(); ++i) {
    const double end = std::min(time, times_[i]);
    sum += 0.5 * (values_[i - 1] + at(end)) * (end - times_[i - 1]);
    if (time <= times_[i]) return sum;
  }
  return sum + values_.back() * (time - times_.back());
}

double TimeSeries::mean(double time, double dt) const {
  return constant() ? values_.front() : (integral(time + dt) - integral(time)) / dt;
}

const std::vector<BoundaryKindEntry>& boundary_kinds() {
  static const std::vector<BoundaryKindEntry> kinds = {
      {"wall", BoundaryKind::wall, {}, 0, "no flux, waves are reflected; the default"},
      {"discharge",
       BoundaryKind::discharge,
       {{"VALUE", "m^3/s"}},
       0,
       "total discharge into the domain, distributed evenly along the edges; negative: outflow. For "
       "subcritical flow: water enters with at most the critical velocity, and leaves at most at the rate "
       "that the flow can supply; the shortfall is recorded as mass_lacking"},
      {"level",
       BoundaryKind::level,
       {{"VALUE", "m"}},
       0,
       "prescribed elevation above the rest level; the discharge follows from the outgoing characteristic"},
      {"outflow",
       BoundaryKind::outflow,
       {},
       0,
       "waves leave; still water at the rest level outside (Flather 1976)"},
      {"inflow",
       BoundaryKind::inflow,
       {{"DEPTH", "m"}, {"SPEED", "m/s"}, {"TANGENTIAL", "m/s"}},
       1,
       "water enters with this depth, this speed along the inward normal, and a tangential velocity to its "
       "left (default 0); for supercritical flow"},
      // A wall; the values belong to the layer before it (solvers/sponge.hpp).
      {"sponge",
       BoundaryKind::wall,
       {{"WIDTH", "m"}, {"RATE", "1/s"}, {"LEVEL", "m"}},
       1,
       "a wall behind a layer of this width, in which elevation and velocity relax to still water at this "
       "level (default 0), at the rate RATE × (1 − distance from the boundary/WIDTH)²"},
  };
  return kinds;
}

std::string BoundaryKindEntry::written() const {
  std::string text = "SET = " + name;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += i + optional < values.size() ? " " + values[i].name : " [" + values[i].name + "]";
  return text;
}

BoundaryConditions parse_boundaries(const std::string& text) {
  BoundaryConditions conditions;
  for (const std::string& part : parts_of(text, ';'))
    if (!part.empty()) conditions.push_back(condition(part));
  for (const BoundaryCondition& one : conditions)
    if (std::count_if(conditions.begin(), conditions.end(),
                      [&](const BoundaryCondition& other) { return other.set == one.set; }) > 1)
      throw mistake(fmt::format("'{}' occurs twice", one.set));
  return conditions;
}

Index find_boundary_set(const Mesh& mesh, const std::string& name) {
  for (std::size_t i = 0; i < mesh.boundary_sets.size(); ++i)
    if (mesh.boundary_sets[i].name == name) return static_cast<Index>(i);
  if (mesh.boundary_sets.empty()) throw mistake(fmt::format("there is no '{}': the surface is closed", name));
  std::vector<std::string> names;
  for (const BoundarySet& set : mesh.boundary_sets) names.push_back(set.name);
  throw mistake(fmt::format("the surface has no boundary '{}'; boundaries: {}{}", name, join(names),
                            did_you_mean(name, names)));
}

}  // namespace shoal
