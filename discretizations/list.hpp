// The built-in schemes. A new scheme requires one source file and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "discretizations/entry.hpp"

namespace shoal {

List<DiscretizationEntry> builtin_discretizations();

}  // namespace shoal
