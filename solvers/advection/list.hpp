// The built-in advections. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/advection/advection.hpp"

namespace shoal {

List<AdvectionEntry> builtin_advections();

}  // namespace shoal
