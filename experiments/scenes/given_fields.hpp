// Fields given by the user, as expressions or files, in place of those of a scene.
#pragma once

#include "discretizations/common/options.hpp"

namespace shoal {

/// Texts in the syntax of harness/fields/given_fields.hpp; "" keeps the scene's own field.
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

/// The parameters above that occur in `given`: a scene that does not declare them accepts them when they are given.
ParameterInfos given_field_parameters(const std::map<std::string, Value>& given);

}  // namespace shoal
