#include "experiments/harness/diagnostics/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) DiagnosticEntry function();
#include "experiments/harness/diagnostics/list.def"
#undef SHOAL_ENTRY

List<DiagnosticEntry> builtin_diagnostics() {
  List<DiagnosticEntry> list("diagnostic");
#define SHOAL_ENTRY(function) list.add(function());
#include "experiments/harness/diagnostics/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
