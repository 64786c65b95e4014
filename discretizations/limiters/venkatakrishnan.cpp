// venkatakrishnan: a smooth form of Barth & Jespersen's factor (Venkatakrishnan 1995, doi:10.1006/jcph.1995.1084), with
// y = room/change:  θ = (y² + 2y)/(y² + y + 2), at most 1.
#include "discretizations/limiters/limiter.hpp"

namespace shoal {
namespace {

struct Venkatakrishnan {
  static constexpr LimitedAt at = LimitedAt::edges;
  double operator()(double room, double change) const {
    const double above = room * (room + 2 * change), below = room * (room + change) + 2 * change * change;
    return above < below ? above / below : 1;
  }
};

}  // namespace

LimiterEntry venkatakrishnan() {
  return describe_limiter<Venkatakrishnan>(
      "venkatakrishnan", "a smooth form of barth-jespersen, which also lowers slopes within it");
}

}  // namespace shoal
