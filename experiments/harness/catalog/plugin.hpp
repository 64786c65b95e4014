// Plugins: shared libraries that add entries to the catalogue of a running program.
//
//     #include "experiments/harness/catalog/plugin.hpp"
//
//     SHOAL_PLUGIN(catalog) {
//       catalog.integrators.add(leapfrog());
//     }
//
// The library uses Shoal's symbols in the program that loads it. The function's name therefore contains a digest of Shoal's
// headers, so that a library built against other headers is refused instead of called.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/catalog/interface.hpp"

#include <filesystem>

/// Defines the function that load_plugin() calls, and one by which it recognises plugins built against other headers.
#define SHOAL_PLUGIN(catalog)                                                                    \
  extern "C" __attribute__((visibility("default"))) void shoal_plugin() {}                       \
  extern "C" __attribute__((visibility("default"))) void SHOAL_PLUGIN_FUNCTION(shoal::Catalog&); \
  extern "C" void SHOAL_PLUGIN_FUNCTION(shoal::Catalog& catalog)

namespace shoal {

/// Adds the entries of the library, which stays loaded. Throws Error if it is not a plugin of this Shoal or a name is taken.
void load_plugin(const std::filesystem::path& library, Catalog& catalog);

/// The digest of the headers of this program, 16 hexadecimal digits.
std::string plugin_interface();

}  // namespace shoal
