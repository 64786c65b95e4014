#include "experiments/harness/catalog/plugin.hpp"

#include "discretizations/common/thrown.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#define SHOAL_TEXT(name) #name
#define SHOAL_TEXT_OF(name) SHOAL_TEXT(name)

namespace shoal {

namespace {

/// An exception of an object constructed while a library is loaded cannot pass through dlopen and ends the program, here with
/// a message and the exit code for mistakes of the user.
class EndsThePlugin {
 public:
  explicit EndsThePlugin(const std::string& context) : before_(std::set_terminate(&end)) {
    message() = context;
  }
  ~EndsThePlugin() { std::set_terminate(before_); }

 private:
  static std::string& message() {
    static std::string text;
    return text;
  }
  [[noreturn]] static void end() {
    std::string what = "an exception was thrown";
    try {
      if (std::current_exception()) what = thrown();
    } catch (...) {
    }
    fmt::print(stderr, "shoal: {}: {} while it was loaded\n", message(), what);
    std::_Exit(2);
  }
  std::terminate_handler before_;
};

}  // namespace

void load_plugin(const std::filesystem::path& library, Catalog& catalog) {
  const std::string context = fmt::format("plugin '{}'", library.string());
  if (library.extension() == ".py") throw Error(context + ": is a file of Python, for 'python3 -m shoal'");
  std::error_code missing;
  if (!std::filesystem::is_regular_file(library, missing)) throw Error(context + ": there is no such file");
  const auto call = [&](const auto& body) {
    try {
      with_context(context, body);
    } catch (const Error&) {
      throw;
    } catch (const MachineError&) {
      throw;
    } catch (...) {
      throw Error(context + ": " + thrown());
    }
  };
  void* handle = nullptr;
  {
    const EndsThePlugin what_its_objects_throw(context);
    // With a folder in its name, dlopen does not search for it elsewhere.
    handle = ::dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) throw Error(fmt::format("{}: cannot be loaded: {}", context, ::dlerror()));
  void* function = ::dlsym(handle, SHOAL_TEXT_OF(SHOAL_PLUGIN_FUNCTION));
  if (!function)
    throw Error(context +
                (::dlsym(handle, "shoal_plugin")
                     ? ": was built against other headers of Shoal; rebuild it with those of this program"
                     : ": is not a plugin of Shoal, because it defines no SHOAL_PLUGIN"));
  Catalog extended = catalog;
  call([&] { reinterpret_cast<void (*)(Catalog&)>(function)(extended); });
  catalog = std::move(extended);
  catalog.plugins.push_back(library.string());
}

std::string plugin_interface() {
  const std::string function = SHOAL_TEXT_OF(SHOAL_PLUGIN_FUNCTION);
  return function.substr(function.rfind('_') + 1);
}

}  // namespace shoal
