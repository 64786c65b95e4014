// A plugin built against headers other than those of the program, with a different digest.
#include "experiments/harness/catalog/interface.hpp"
#undef SHOAL_PLUGIN_FUNCTION
#define SHOAL_PLUGIN_FUNCTION shoal_plugin_0123456789abcdef
#include "experiments/harness/catalog/plugin.hpp"

SHOAL_PLUGIN() {}
