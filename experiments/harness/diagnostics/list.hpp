// The built-in diagnostics. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "experiments/harness/diagnostics/entry.hpp"

namespace shoal {

List<DiagnosticEntry> builtin_diagnostics();

}  // namespace shoal
