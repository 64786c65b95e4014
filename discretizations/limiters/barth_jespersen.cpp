// barth-jespersen: no value at an edge beyond those of the cell and its neighbours (Barth & Jespersen 1989,
// doi:10.2514/6.1989-366). Not smooth: the least factor changes from edge to edge.
#include "discretizations/limiters/limiter.hpp"

namespace shoal {
namespace {

struct BarthJespersen : WithinRoom {
  static constexpr LimitedAt at = LimitedAt::edges;
};

}  // namespace

LimiterEntry barth_jespersen() {
  return describe_limiter<BarthJespersen>("barth-jespersen",
                                          "no value at an edge beyond those of the neighbours");
}

}  // namespace shoal
