// Commands of the program, in this process and with its entries.
#include "experiments/python/bindings.hpp"

#include "experiments/harness/program/command_line.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

namespace shoal::python {
namespace {

thread_local bool in_command = false;
thread_local PyGILState_STATE lock_at_fork;

/// The runs of a sweep are forked processes, in which classes of Python are called.
void prepare_forks() {
  static const int registered = ::pthread_atfork(
      [] {
        if (!in_command) return;
        lock_at_fork = PyGILState_Ensure();
        PyOS_BeforeFork();
      },
      [] {
        if (!in_command) return;
        PyOS_AfterFork_Parent();
        PyGILState_Release(lock_at_fork);
      },
      [] {
        if (!in_command) return;
        PyOS_AfterFork_Child();
        PyGILState_Release(lock_at_fork);
      });
  if (registered != 0) throw MachineError("there is no memory for the handlers of fork");
}

/// Output during its lifetime goes to the streams of Python, which a notebook shows; requested text is kept instead if wanted.
class OutputToPython {
 public:
  explicit OutputToPython(std::string* kept)
      : before_(send_output_to({[kept](std::string_view text) {
                                  if (kept)
                                    kept->append(text);
                                  else
                                    write("stdout", text);
                                },
                                [](std::string_view text) { write("stderr", text); }})) {}
  ~OutputToPython() { send_output_to(std::move(before_)); }
  OutputToPython(const OutputToPython&) = delete;
  OutputToPython& operator=(const OutputToPython&) = delete;

 private:
  static void write(const char* stream, std::string_view text) {
    const py::gil_scoped_acquire lock;
    const py::object file = py::module_::import("sys").attr(stream);
    if (file.is_none()) return;
    file.attr("write")(py::str(text.data(), text.size()));
    file.attr("flush")();
  }
  OutputReceivers before_;
};

/// The exit code of the command and, if kept, what it printed.
std::pair<int, std::string> command(const std::vector<std::string>& words, bool keep_text) {
  std::vector<const char*> arguments{"shoal"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  prepare_forks();
  std::string text;
  const OutputToPython output(keep_text ? &text : nullptr);
  Catalog entries = catalog();
  struct Within {
    Within() { in_command = true; }
    ~Within() { in_command = false; }
  } within;
  const py::gil_scoped_release unlocked;
  const int code =
      execute_command_line(std::move(entries), static_cast<int>(arguments.size()), arguments.data());
  return {code, text};
}

/// The conformance suite as a library beside this module, which uses the symbols of this module as a plugin does.
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
  const py::gil_scoped_release unlocked;
  return run(entries, static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

void bind_program(py::module_& module) {
  module.def("command", &command, py::arg("words"), py::arg("keep_text"));
  module.def("conformance", &conformance, py::arg("words"));
}

}  // namespace shoal::python
