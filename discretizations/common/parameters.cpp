// Reading and checking parameter values.
#include "discretizations/common/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace shoal {
namespace {

bool read_decimal(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  return status == std::errc() && end == text.data() + text.size();
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Value checked(const ParameterInfo& info, const Value& given) {
  const std::string subject = fmt::format("parameter '{}'", info.name);
  if (std::holds_alternative<std::string>(info.fallback)) {
    const std::string word = to_string(given);
    if (!info.choices.empty() &&
        std::find(info.choices.begin(), info.choices.end(), word) == info.choices.end())
      throw Error(fmt::format("{}: '{}' is not one of {}{}", subject, word, join(info.choices),
                              did_you_mean(word, info.choices)));
    return word;
  }
  const double value = std::holds_alternative<double>(given)
                           ? std::get<double>(given)
                           : parse_number(std::get<std::string>(given), subject);
  if (!std::isfinite(value)) throw Error(fmt::format("{}: {} is not finite", subject, value));
  if (value < info.min || value > info.max)
    throw Error(fmt::format("{}: {} is outside [{}, {}]", subject, value, info.min, info.max));
  if (info.whole && value != std::floor(value))
    throw Error(fmt::format("{}: {} is not a whole number", subject, value));
  return value;
}

}  // namespace

ParameterInfo number(std::string name, std::string unit, double fallback, double min, double max,
                     std::string meaning) {
  return {std::move(name), std::move(unit), fallback, min, max, {}, std::move(meaning)};
}

ParameterInfo whole_number(std::string name, std::string unit, double fallback, double min, double max,
                           std::string meaning) {
  ParameterInfo info = number(std::move(name), std::move(unit), fallback, min, max, std::move(meaning));
  info.whole = true;
  return info;
}

ParameterInfo choice(std::string name, std::vector<std::string> choices, std::string meaning) {
  ParameterInfo info;
  info.name = std::move(name);
  info.fallback = choices.front();
  info.choices = std::move(choices);
  info.meaning = std::move(meaning);
  return info;
}

ParameterInfo text(std::string name, std::string unit, std::string fallback, std::string meaning) {
  ParameterInfo info;
  info.name = std::move(name);
  info.unit = std::move(unit);
  info.fallback = std::move(fallback);
  info.meaning = std::move(meaning);
  return info;
}

Parameters::Parameters(const ParameterInfos& declared, const std::map<std::string, Value>& given) {
  for (const ParameterInfo& info : declared) {
    const auto found = given.find(info.name);
    values_[info.name] = found == given.end() ? info.fallback : checked(info, found->second);
  }
}

void Parameters::merge(const Parameters& other) {
  for (const auto& [name, value] : other.values_) values_.emplace(name, value);
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    parts.emplace_back(trimmed(std::string_view(text).substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return parts;
}

double parse_number(const std::string& text, const std::string& what) {
  const std::string_view whole = trimmed(text);
  const auto slash = whole.find('/');
  double numerator = 0, denominator = 1;
  const bool readable = slash == std::string_view::npos
                            ? read_decimal(whole, numerator)
                            : read_decimal(trimmed(whole.substr(0, slash)), numerator) &&
                                  read_decimal(trimmed(whole.substr(slash + 1)), denominator);
  if (!readable || denominator == 0) throw Error(fmt::format("{}: '{}' is not a number", what, text));
  return numerator / denominator;
}

SettingError parameter_error(const std::string& name, const std::string& complaint) {
  return {name, fmt::format("parameter '{}': {}", name, complaint)};
}

double parse_parameter(const std::string& text, const std::string& name, const std::string& allowed) {
  try {
    return parse_number(text, "");
  } catch (const Error&) {
    throw parameter_error(name, fmt::format("'{}' is not {}", text, allowed));
  }
}

Vector3 parse_vector(const std::string& text, const std::string& name) {
  const std::vector<std::string> parts = split_at_commas(text);
  if (parts.size() != 3)
    throw parameter_error(name, fmt::format("'{}' is not three numbers x,y,z in one text, e.g. \"0,0,1\" (a "
                                            "list in brackets gives alternatives)",
                                            text));
  Vector3 result;
  std::transform(parts.begin(), parts.end(), result.begin(),
                 [&](const std::string& part) { return parse_parameter(part, name); });
  if (!result.allFinite()) throw parameter_error(name, fmt::format("'{}' is not finite", text));
  return result;
}

Vector3 parse_direction(const std::string& text, const std::string& name) {
  const Vector3 result = parse_vector(text, name);
  if (!(result.norm() > 0)) throw parameter_error(name, fmt::format("'{}' is not a direction", text));
  return result.normalized();
}

std::string to_text(const Vector3& vector) {
  return fmt::format("{},{},{}", vector.x(), vector.y(), vector.z());
}

std::string to_string(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return std::get<std::string>(value);
}

}  // namespace shoal
