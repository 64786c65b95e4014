#include "experiments/harness/catalog/plugin.hpp"

#include "discretizations/common/thrown.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#define SHOAL_TEXT(name) #name
#define SHOAL_TEXT_OF(name) SHOAL_TEXT(name)

namespace shoal {

void load_plugin(const std::filesystem::path& library, Catalog& catalog) {
  const std::string context = fmt::format("plugin '{}'", library.string());
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
  call([&] {  // with a folder in its name it is not looked for elsewhere
    handle = ::dlopen(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  });
  if (!handle) throw Error(fmt::format("{}: cannot be loaded: {}", context, ::dlerror()));
  void* function = ::dlsym(handle, SHOAL_TEXT_OF(SHOAL_PLUGIN_FUNCTION));
  if (!function)
    throw Error(context +
                (::dlsym(handle, "shoal_plugin")
                     ? ": was built against other headers of Shoal: build it again with those of this program"
                     : ": is no plugin of Shoal: it defines no SHOAL_PLUGIN"));
  Catalog extended = catalog;
  call([&] { reinterpret_cast<void (*)(Catalog&)>(function)(extended); });
  catalog = std::move(extended);
  catalog.plugins.push_back(library.string());
}

}  // namespace shoal
