// The built-in advections. A new one requires one source file and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/advection/advection.hpp"

namespace shoal {

List<AdvectionEntry> builtin_advections();

}  // namespace shoal
