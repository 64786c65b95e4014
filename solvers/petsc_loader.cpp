// Loads the module of PETSc, and MPI with it.
#include "discretizations/common/error.hpp"
#include "solvers/launched_ranks.hpp"
#include "solvers/petsc/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace shoal {

void* petsc_symbol(const char* symbol, const char* user) {
  constexpr const char* file = "libshoal_petsc.so";
  static void* const module = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);  // beside the program, by its run path
  void* found = module ? ::dlsym(module, symbol) : nullptr;
  if (!found)
    throw MachineError(fmt::format("cannot load {} from {}, which should be beside the program: {}", user,
                                   file, ::dlerror()));
  return found;
}

std::string launcher_name() {
  return launcher_of_this_process().name;
}

std::shared_ptr<const Ranks> launched_ranks() {
  if (launcher_of_this_process().count == 0) return std::make_shared<Ranks>();
  return reinterpret_cast<MakePetscRanks*>(petsc_symbol(petsc_ranks_symbol, "MPI"))();
}

}  // namespace shoal
