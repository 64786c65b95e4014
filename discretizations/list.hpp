// The built-in schemes. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "discretizations/entry.hpp"

namespace shoal {

List<DiscretizationEntry> builtin_discretizations();

}  // namespace shoal
