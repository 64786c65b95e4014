// Formulas that a user writes.
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
/// Not for several threads at once.
class Expression {
 public:
  /// Throws Error: what is wrong with the formula, and where.
  Expression(const std::string& formula, const std::map<std::string, double>& constants);

  double operator()(const Vector3& x, double time) const;
  bool varies() const;  ///< whether it names t

 private:
  struct Parser;
  std::shared_ptr<Parser> parser_;
};

}  // namespace shoal
