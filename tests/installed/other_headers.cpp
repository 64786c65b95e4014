// A plugin that was built against other headers than the program's: they have another digest.
#include "experiments/harness/catalog/interface.hpp"
#undef SHOAL_PLUGIN_FUNCTION
#define SHOAL_PLUGIN_FUNCTION shoal_plugin_0123456789abcdef
#include "experiments/harness/catalog/plugin.hpp"

SHOAL_PLUGIN() {}
