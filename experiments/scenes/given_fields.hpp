// Fields that a user gives to a scene in place of its own, as expressions or files.
#pragma once

#include "discretizations/common/options.hpp"

namespace shoal {

/// Texts as harness/fields/given_fields.hpp reads them; "" leaves what the scene says.
struct GivenFieldOptions {
  std::string initial_elevation;    ///< h, m
  std::string initial_velocity;     ///< v, m/s
  std::string bed_depth;            ///< H, m
  std::string normal_acceleration;  ///< aₙ, m/s²
  std::string body_acceleration;    ///< m/s²
  std::string rain;                 ///< m/s
  std::string rain_velocity;        ///< m/s
  static Options<GivenFieldOptions> describe();
};

/// Those of these parameters that are among `given`: a scene which does not declare them has them where they are given.
ParameterInfos given_field_parameters(const std::map<std::string, Value>& given);

}  // namespace shoal
