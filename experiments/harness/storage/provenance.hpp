// The code, compiler and machine that made a results file.
#pragma once

#include <string>

namespace shoal {

/// Fixed when the program was built.
struct BuildInfo {
  std::string version;
  std::string git_commit;  ///< "unknown" outside a repository
  bool git_dirty = false;  ///< whether tracked files differed from the commit
  std::string compiler;
  std::string flags;
  std::string library_versions;  ///< one line each
};
const BuildInfo& build_info();

std::string cpu_model();

/// "2026-11-20T10:45:55Z"
std::string utc_now();

}  // namespace shoal
