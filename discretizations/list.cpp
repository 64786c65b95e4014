#include "discretizations/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) DiscretizationEntry function();
#include "discretizations/list.def"
#undef SHOAL_ENTRY

List<DiscretizationEntry> builtin_discretizations() {
  List<DiscretizationEntry> list("discretization");
#define SHOAL_ENTRY(function) list.add(function());
#include "discretizations/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
