// The program, machine, libraries and time.
#include "experiments/harness/storage/provenance.hpp"

#include "experiments/harness/storage/build_info.hpp"
#include "experiments/harness/storage/hdf5.hpp"

#include <Eigen/Core>

#include <cholmod.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <fstream>

namespace shoal {

const BuildInfo& build_info() {
  static const BuildInfo info = {
      build::version,
      build::git_commit,
      build::git_dirty,
      build::compiler,
      build::flags,
      fmt::format(
          "Eigen {}.{}.{}\nCHOLMOD {}.{}.{}\nOpenBLAS {}\nPETSc {}\nHDF5 {}\nfmt {}.{}.{}\nglibc {}.{}",
          EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, CHOLMOD_MAIN_VERSION,
          CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION, build::openblas_version, build::petsc_version,
          hdf5::library_version(), FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, __GLIBC__,
          __GLIBC_MINOR__)};
  return info;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace shoal
