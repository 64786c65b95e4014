#include "experiments/harness/program/version.hpp"

#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/storage/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {

std::string version_text(const std::string& program) {
  const BuildInfo& build = build_info();
  std::string libraries = build.library_versions;
  for (std::size_t at = 0; (at = libraries.find('\n', at)) != std::string::npos; at += 2)
    libraries.replace(at, 1, ", ");
  return fmt::format("{} {}\ncommit: {}{}\ncompiler: {}\nflags: {}\nlibraries: {}\nplugins: interface {}",
                     program, build.version, build.git_commit, build.git_dirty ? ", modified" : "",
                     build.compiler, build.flags, libraries, plugin_interface());
}

}  // namespace shoal
