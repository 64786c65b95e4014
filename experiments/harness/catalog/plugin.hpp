// Entries from outside: a shared library that adds to the catalogue of a running program.
//
//     #include "experiments/harness/catalog/plugin.hpp"
//
//     SHOAL_PLUGIN(catalog) {
//       catalog.integrators.add(leapfrog());
//     }
//
// The library uses Shoal's symbols in the program that loads it. Hence the function's name contains a digest
// of Shoal's headers: a library that was built against others is refused instead of called.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/catalog/interface.hpp"

#include <filesystem>

/// Defines the one function that load_plugin() calls, and one by which it knows plugins of other headers.
#define SHOAL_PLUGIN(catalog)                                                                    \
  extern "C" __attribute__((visibility("default"))) void shoal_plugin() {}                       \
  extern "C" __attribute__((visibility("default"))) void SHOAL_PLUGIN_FUNCTION(shoal::Catalog&); \
  extern "C" void SHOAL_PLUGIN_FUNCTION(shoal::Catalog& catalog)

namespace shoal {

/// Lets the library add its entries. It stays loaded. Throws Error where it is no plugin of this Shoal, or
/// where a name is taken.
void load_plugin(const std::filesystem::path& library, Catalog& catalog);

}  // namespace shoal
