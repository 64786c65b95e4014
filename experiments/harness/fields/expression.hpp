// Formulas written by the user.
#pragma once

#include "discretizations/common/types.hpp"

#include <map>
#include <memory>
#include <string>

namespace shoal {

/// A formula of position and time, read by muParser: + − * / ^, comparisons, && || ?:, sin … atan2, sinh …, exp, log (natural),
/// log10, sqrt, abs, sign, min, max, in
///
///     x, y, z       the position, m
///     r             its distance from the origin, m
///     lambda (λ)    longitude atan2(y, x), rad
///     phi (φ)       latitude asin(z/r), rad
///     t             time, s
///     pi            π, and the constants given by name
///
/// Not thread-safe.
class Expression {
 public:
  /// Throws Error that names the mistake in the formula and its position.
  Expression(const std::string& formula, const std::map<std::string, double>& constants);

  double operator()(const Vector3& x, double time) const;
  bool varies() const;  ///< whether it contains t

 private:
  struct Parser;
  std::shared_ptr<Parser> parser_;
};

}  // namespace shoal
