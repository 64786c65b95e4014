// Named parameters of scenes, schemes and integrators: declared as data, given by the user as text or
// numbers, resolved once, recorded in the results. `--param KEY=VALUE` and the TOML table [parameters] end
// here. Parts read them as typed options (options.hpp).
#pragma once

#include "discretizations/common/error.hpp"
#include "discretizations/common/types.hpp"

#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace shoal {

/// A number, or a word or "x,y,z".
using Value = std::variant<double, std::string>;

/// What `shoal list … --json` prints of a parameter.
struct ParameterInfo {
  std::string name;
  std::string unit;  ///< "m", "m/s", "1" for a pure number, "" for a word
  Value fallback;    ///< default; its alternative is the parameter's type. "" for a text means: chosen by its
                     ///< owner
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices;  ///< allowed words, if it is a word with a fixed set
  std::string meaning;
  bool whole = false;  ///< a number without fraction
};

using ParameterInfos = std::vector<ParameterInfo>;

/// Convenience for declarations that read like a table.
ParameterInfo number(std::string name, std::string unit, double fallback, double min, double max,
                     std::string meaning);
ParameterInfo whole_number(std::string name, std::string unit, double fallback, double min, double max,
                           std::string meaning);
ParameterInfo choice(std::string name, std::vector<std::string> choices,
                     std::string meaning);  ///< default: the first
ParameterInfo text(std::string name, std::string unit, std::string fallback, std::string meaning);

/// The values of all parameters that one run uses.
class Parameters {
 public:
  Parameters() = default;
  /// Checks `given` against the declarations and fills in defaults; keys that are not declared are ignored
  /// here (the harness rejects keys that no part declares). Throws Error naming the parameter, the value and
  /// the rule.
  Parameters(const ParameterInfos& declared, const std::map<std::string, Value>& given);

  /// Null where there is no such parameter.
  const Value* value(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  /// Adds the values of another set (scene + discretization + integrator); equal names must agree in type.
  void merge(const Parameters& other);

  const std::map<std::string, Value>& values() const { return values_; }

 private:
  std::map<std::string, Value> values_;
};

/// The parts of "a, b,c" between the commas, without blanks around them; one empty part of an empty text.
std::vector<std::string> split_at_commas(const std::string& text);

/// Parses a number; accepts fractions ("1/60"). Throws Error "TEXT is not a number" with `what` in front.
double parse_number(const std::string& text, const std::string& what);

/// A mistake in the value of a parameter: "parameter 'NAME': COMPLAINT".
SettingError parameter_error(const std::string& name, const std::string& complaint);

/// The value of the text of parameter `name`. Throws SettingError, saying what is `allowed`, if it is not a
/// number.
double parse_parameter(const std::string& text, const std::string& name,
                       const std::string& allowed = "a number");

/// The vector given by the text "x,y,z" of parameter `name`. Throws SettingError if it is not three numbers.
Vector3 parse_vector(const std::string& text, const std::string& name);
/// The same as a unit vector; throws SettingError if it is zero.
Vector3 parse_direction(const std::string& text, const std::string& name);
/// The text "x,y,z" of a vector.
std::string to_text(const Vector3& vector);

/// A value as it is shown and stored: shortest text that reads back to the same number.
std::string to_string(const Value& value);

}  // namespace shoal
