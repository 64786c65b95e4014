// Reading and checking boundary conditions, and their values in time.
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

double number(const std::string& text, const std::string& part) {
  double value = std::nan("");
  try {
    value = parse_number(text, "");
  } catch (const Error&) {
    // stays NaN and is reported below with what is allowed
  }
  if (!std::isfinite(value))
    throw mistake(
        fmt::format("'{}': '{}' is not a number, nor pairs T:VALUE,T:VALUE of times and values", part, text));
  return value;
}

/// "0.3" or "0:0,10:0.5".
TimeSeries series(const std::string& text, const std::string& part) {
  if (text.find(':') == std::string::npos) return number(text, part);
  std::vector<double> times, values;
  for (const std::string& pair : parts_of(text, ',')) {
    const std::vector<std::string> both = parts_of(pair, ':');
    if (both.size() != 2)
      throw mistake(fmt::format("'{}': '{}' is not a pair T:VALUE of a time and a value", part, pair));
    times.push_back(number(both[0], part));
    values.push_back(number(both[1], part));
    if (times.size() > 1 && !(times.back() > times[times.size() - 2]))
      throw mistake(fmt::format("'{}': the times do not ascend", part));
  }
  return {times, values};
}

BoundaryCondition condition(const std::string& part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos)
    throw mistake(
        fmt::format("'{}' is not SET = KIND VALUE, as in 'left = discharge 0.3; right = outflow'", part));
  BoundaryCondition result;
  result.set = trimmed(part.substr(0, equals));
  const std::string rest = trimmed(part.substr(equals + 1));
  const std::string name = rest.substr(0, rest.find_first_of(" \t"));
  const std::string value = trimmed(rest.substr(name.size()));
  std::vector<std::string> names;
  for (const BoundaryKindEntry& entry : boundary_kinds()) names.push_back(entry.name);
  const auto at = std::find(names.begin(), names.end(), name);
  if (result.set.empty())
    throw mistake(fmt::format("'{}': the name of a set of edges is missing before =", part));
  if (name.empty())
    throw mistake(fmt::format("'{}': the kind is missing behind =: choose from {}", part, join(names)));
  if (at == names.end())
    throw mistake(fmt::format("'{}': '{}' is not a kind of boundary: choose from {}{}", part, name,
                              join(names), did_you_mean(name, names)));
  const BoundaryKindEntry& kind = boundary_kinds().begin()[at - names.begin()];
  result.kind = kind.kind;
  if (kind.has_value == value.empty())
    throw mistake(kind.has_value ? fmt::format("'{}': {} needs a value ({}), a number or pairs T:VALUE", part,
                                               name, kind.unit)
                                 : fmt::format("'{}': {} takes no value", part, name));
  if (kind.has_value) result.value = series(value, part);
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
      {"wall", BoundaryKind::wall, false, "",
       "no flux: waves are reflected; what every boundary is by default"},
      {"discharge", BoundaryKind::discharge, true, "m^3/s",
       "so much water flows in through the whole set, the same per length; negative: out"},
      {"level", BoundaryKind::level, true, "m",
       "the surface stands at this elevation above the rest level; water comes and goes as it must"},
      {"outflow", BoundaryKind::outflow, false, "",
       "waves leave; outside there is still water at the rest level (Flather 1976)"},
  };
  return kinds;
}

BoundaryConditions parse_boundaries(const std::string& text) {
  BoundaryConditions conditions;
  for (const std::string& part : parts_of(text, ';'))
    if (!part.empty()) conditions.push_back(condition(part));
  for (const BoundaryCondition& one : conditions)
    if (std::count_if(conditions.begin(), conditions.end(),
                      [&](const BoundaryCondition& other) { return other.set == one.set; }) > 1)
      throw mistake(fmt::format("'{}' stands in it twice", one.set));
  return conditions;
}

Index find_boundary_set(const Mesh& mesh, const std::string& name) {
  for (std::size_t i = 0; i < mesh.boundary_sets.size(); ++i)
    if (mesh.boundary_sets[i].name == name) return static_cast<Index>(i);
  if (mesh.boundary_sets.empty())
    throw mistake(fmt::format("there is no '{}', the surface has no boundary", name));
  std::vector<std::string> names;
  for (const BoundarySet& set : mesh.boundary_sets) names.push_back(set.name);
  throw mistake(fmt::format("the surface has no boundary '{}', choose from {}{}", name, join(names),
                            did_you_mean(name, names)));
}

}  // namespace shoal
