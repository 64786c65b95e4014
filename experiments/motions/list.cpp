#include "experiments/motions/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) MotionEntry function();
#include "experiments/motions/list.def"
#undef SHOAL_ENTRY

List<MotionEntry> builtin_motions() {
  List<MotionEntry> list("motion");
#define SHOAL_ENTRY(function) list.add(function());
#include "experiments/motions/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
