#include "solvers/petsc/library.hpp"

#include "discretizations/common/error.hpp"
#include "solvers/petsc/module.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <optional>
#include <utility>

namespace shoal {
namespace {

/// The first line of PETSc's message at the origin of the error.
std::string& last_message() {
  static std::string message;
  return message;
}

PetscErrorCode keep_message(MPI_Comm, int, const char*, const char*, PetscErrorCode code, PetscErrorType type,
                            const char* text, void*) {
  if (type == PETSC_ERROR_INITIAL) {
    const std::string whole = text ? text : "";
    last_message() = whole.substr(0, whole.find('\n'));
  }
  return code;
}

/// Removes or sets an environment variable during its lifetime.
class Environment {
 public:
  Environment(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    if (value)
      ::setenv(name_.c_str(), value, 1);
    else
      ::unsetenv(name_.c_str());
  }
  ~Environment() {
    if (before_)
      ::setenv(name_.c_str(), before_->c_str(), 1);
    else
      ::unsetenv(name_.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

/// Restores all signal handlers in its destructor.
class SignalHandlers {
 public:
  SignalHandlers() {
    for (std::size_t s = 1; s < actions_.size(); ++s)
      known_[s] = ::sigaction(static_cast<int>(s), nullptr, &actions_[s]) == 0;
  }
  ~SignalHandlers() {
    for (std::size_t s = 1; s < actions_.size(); ++s)
      if (known_[s] && s != SIGKILL && s != SIGSTOP) ::sigaction(static_cast<int>(s), &actions_[s], nullptr);
  }
  SignalHandlers(const SignalHandlers&) = delete;
  SignalHandlers& operator=(const SignalHandlers&) = delete;

 private:
  std::array<struct sigaction, NSIG> actions_{};
  std::array<bool, NSIG> known_{};
};

pid_t initialised_by = 0;  // the process that must finalize; 0: none

void initialise() {
  const SignalHandlers handlers;
  std::deque<Environment> environment;
  if (!is_launched())
    // A single process: no daemon, no network, no temporary folder.
    for (const auto& [name, value] : {std::pair("OMPI_MCA_ess_singleton_isolated", "1"),
                                      {"OMPI_MCA_btl", "self"},
                                      {"OMPI_MCA_pml", "ob1"},
                                      {"OMPI_MCA_orte_create_session_dirs", "0"}})
      environment.emplace_back(name, value);
  // No user settings. UCX would read ucx.conf in the current folder, and hwloc would query displays for their GPUs.
  for (const auto& [name, value] : {std::pair("OMPI_MCA_mca_base_param_files", "none"),
                                    {"OMPI_MCA_osc", "^ucx"},
                                    {"HWLOC_COMPONENTS", "-gl"}})
    environment.emplace_back(name, value);
  environment.emplace_back("PETSC_OPTIONS", nullptr);
  environment.emplace_back("PETSC_OPTIONS_YAML", nullptr);
  // Only as an argument does it prevent PETSc from reading .petscrc in the current and home folders, which can run code.
  static char program[] = "shoal", skip_files[] = "-skip_petscrc", skip_handler[] = "-no_signal_handler";
  static char* words[] = {program, skip_files, skip_handler, nullptr};
  int count = 3;
  char** arguments = words;
  if (PetscInitialize(&count, &arguments, nullptr, nullptr) != 0)
    throw MachineError("cannot initialize PETSc");
  PetscOptionsClear(nullptr);
  PetscPushErrorHandler(keep_message, nullptr);
  initialised_by = ::getpid();
}

}  // namespace

void check(PetscErrorCode code) {
  if (code == 0) return;
  if (code == PETSC_ERR_MEM) throw MachineError("PETSc ran out of memory");
  std::string text = std::exchange(last_message(), "");
  if (text.empty()) {
    const char* general = nullptr;
    PetscErrorMessage(code, &general, nullptr);
    text = general ? general : fmt::format("error {}", static_cast<int>(code));
  }
  throw PetscFailure{text};
}

bool is_launched() {
  return launcher_of_this_process().count > 0;
}

void require_library() {
  static const bool done = (initialise(), true);
  static_cast<void>(done);
}

void finalize_library() {
  if (std::exchange(initialised_by, 0) == ::getpid()) PetscFinalize();
}

}  // namespace shoal
