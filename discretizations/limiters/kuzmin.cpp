// kuzmin: no value at a vertex beyond those of the cells around it (Kuzmin 2010, doi:10.1016/j.cam.2009.05.028), and hence none
// at an edge: a maximum principle that, unlike barth-jespersen, keeps linear fields on every mesh.
#include "discretizations/limiters/limiter.hpp"

namespace shoal {
namespace {

struct Kuzmin : WithinRoom {
  static constexpr LimitedAt at = LimitedAt::vertices;
};

}  // namespace

LimiterEntry kuzmin() {
  return describe_limiter<Kuzmin>("kuzmin", "no value at a vertex beyond those of the cells around it");
}

}  // namespace shoal
