// Commands of the program, in this process and with its entries.
#include "experiments/python/python_entry.hpp"

#include "discretizations/mesh/loading/in_memory.hpp"
#include "experiments/harness/program/command_line.hpp"
#include "experiments/harness/program/results_receiver.hpp"
#include "experiments/harness/system/pending_signal.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <omp.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <csignal>
#include <utility>

namespace shoal::python {
namespace {

constexpr int signal_base = 128;  // of exit codes
thread_local bool within_command = false;
thread_local PyGILState_STATE lock_at_fork;

/// Ctrl-C while the program does not handle signals itself. Python must not raise it meanwhile, because code of Python that runs around
/// a fork loses exceptions.
volatile std::sig_atomic_t interrupted = 0;
int noted_interrupt() {
  return std::exchange(interrupted, 0) ? SIGINT : 0;
}

class WithinCommand {
 public:
  WithinCommand() : pending_(ask_for_signals(noted_interrupt)) {
    within_command = true;
    interrupted = 0;
    sigaction(SIGINT, nullptr, &before_);
    if (before_.sa_handler == SIG_DFL || before_.sa_handler == SIG_IGN) return;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
  }
  ~WithinCommand() {
    sigaction(SIGINT, &before_, nullptr);
    within_command = false;
    ask_for_signals(std::move(pending_));
  }
  WithinCommand(const WithinCommand&) = delete;
  WithinCommand& operator=(const WithinCommand&) = delete;

 private:
  PendingSignal pending_;
  struct sigaction before_ {};
};

/// Ends the threads of OpenMP until the next parallel loop: a forked process would wait for threads that it does not have.
void release_threads() {
  omp_pause_resource_all(omp_pause_hard);
}

/// The runs of a sweep are forked processes, in which classes of Python are called.
void prepare_forks() {
  static const int registered = ::pthread_atfork(
      [] {
        if (!within_command) return;
        release_threads();
        lock_at_fork = PyGILState_Ensure();
        PyOS_BeforeFork();
      },
      [] {
        if (!within_command) return;
        PyOS_AfterFork_Parent();
        PyGILState_Release(lock_at_fork);
      },
      [] {
        if (!within_command) return;
        PyOS_AfterFork_Child();
        PyGILState_Release(lock_at_fork);
      });
  if (registered != 0) throw MachineError("there is no memory for the handlers of fork");
}

/// Output during its lifetime goes to the streams of Python, which a notebook shows; requested text is kept instead if wanted.
class OutputToPython {
 public:
  /// `translated`, unless None, is called with each text, and what it returns is shown.
  OutputToPython(std::string* kept, const py::object& translated)
      : before_(send_output_to({[kept, translated = Held(translated)](std::string_view text) {
                                  if (kept)
                                    kept->append(text);
                                  else
                                    write("stdout", text, translated);
                                },
                                [translated = Held(translated)](std::string_view text) {
                                  write("stderr", text, translated);
                                }})) {}
  ~OutputToPython() { send_output_to(std::move(before_)); }
  OutputToPython(const OutputToPython&) = delete;
  OutputToPython& operator=(const OutputToPython&) = delete;

 private:
  static void write(const char* stream, std::string_view text, const Held& translated) {
    const py::gil_scoped_acquire lock;
    const py::object file = py::module_::import("sys").attr(stream);
    if (file.is_none()) return;
    const py::str said(text.data(), text.size());
    file.attr("write")((*translated).is_none() ? py::object(said) : (*translated)(said));
    file.attr("flush")();
  }
  OutputReceivers before_;
};

/// The path of the results that a command computes during its lifetime.
class ResultsToPython {
 public:
  explicit ResultsToPython(std::string& path)
      : before_(send_results_to([&path](const std::filesystem::path& of) { path = of.string(); })) {}
  ~ResultsToPython() { send_results_to(std::move(before_)); }
  ResultsToPython(const ResultsToPython&) = delete;
  ResultsToPython& operator=(const ResultsToPython&) = delete;

 private:
  ResultsReceiver before_;
};

/// The exit code of the command, what it printed if that is kept, and the path of the results that it computed, or "". Meshes of the
/// command may be those given here by name.
std::tuple<int, std::string, std::string> command(
    const std::vector<std::string>& words, bool keep_text,
    const std::map<std::string, std::shared_ptr<SharedSurface>>& meshes, const py::object& translated) {
  std::vector<const char*> arguments{"shoal"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  prepare_forks();
  std::map<std::string, const Surface*> surfaces;
  for (const auto& [name, mesh] : meshes) surfaces.emplace(name, &mesh->surface());
  const SurfacesInMemory known(surfaces);
  std::string text, results;
  const OutputToPython output(keep_text ? &text : nullptr, translated);
  Catalog entries = catalog();
  const ResultsToPython path(results);
  const WithinCommand within;
  const py::gil_scoped_release unlocked;
  const int code =
      execute_command_line(std::move(entries), static_cast<int>(arguments.size()), arguments.data());
  return {noted_interrupt() ? signal_base + SIGINT : code, text, results};
}

/// For a process of its own: the exit code of the suite. It is a library beside this module, and uses the
/// symbols of this module as a plugin does.
int conformance(const std::vector<std::string>& words) {
  const std::filesystem::path library = export_symbols().parent_path() / "libshoal_conformance.so";
  if (!std::filesystem::exists(library))
    throw Error(
        "conformance: this installation was built without tests, which require the packages catch2 and "
        "libgtest-dev");
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw MachineError(fmt::format("'{}' cannot be loaded: {}", library.string(), ::dlerror()));
  const auto run = reinterpret_cast<int (*)(const Catalog&, int, const char* const*)>(
      ::dlsym(handle, "shoal_conformance"));
  std::vector<const char*> arguments{"shoal-conformance"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const Catalog entries = catalog();
  prepare_forks();
  const WithinCommand within;
  const py::gil_scoped_release unlocked;
  return run(entries, static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

bool in_command() {
  return within_command;
}

void throw_sentence(const py::error_already_set& failure) {
  const auto [is_error, sentence] = py::module_::import("shoal.schemes")
                                        .attr("_sentence")(failure.value(), failure.trace())
                                        .cast<std::pair<bool, std::string>>();
  if (is_error) throw Error(sentence);
  throw std::runtime_error(sentence);
}

void bind_program(py::module_& module) {
  module.def("command", &command, py::arg("words"), py::arg("keep_text"), py::arg("meshes"),
             py::arg("translated"));
  module.def("release_threads", &release_threads,
             "Ends the threads of loops until the next loop, before a fork.");
  module.def(
      "die_with_parent", [] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); },
      "Ends this process when its parent does.");
  module.def("conformance", &conformance, py::arg("words"));
}

}  // namespace shoal::python
