// none: the slopes as they fit best; depths at the edges stay nonnegative. For smooth flow.
#include "discretizations/limiters/limiter.hpp"

namespace shoal {
namespace {

struct NoLimiter {
  static constexpr LimitedAt at = LimitedAt::nowhere;
  double operator()(double /*room*/, double /*change*/) const { return 1; }
};

}  // namespace

LimiterEntry no_limiter() {
  return describe_limiter<NoLimiter>("none", "the slopes that fit best, for smooth flow");
}

}  // namespace shoal
