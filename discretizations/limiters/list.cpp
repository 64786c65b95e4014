#include "discretizations/limiters/limiter.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) LimiterEntry function();
#include "discretizations/limiters/list.def"
#undef SHOAL_ENTRY

const List<LimiterEntry>& limiters() {
  static const List<LimiterEntry> list = [] {
    List<LimiterEntry> entries("limiter");
#define SHOAL_ENTRY(function) entries.add(function());
#include "discretizations/limiters/list.def"
#undef SHOAL_ENTRY
    return entries;
  }();
  return list;
}

}  // namespace shoal
