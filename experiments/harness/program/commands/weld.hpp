// The option --weld of commands that read a mesh.
#pragma once

#include "experiments/harness/program/arguments.hpp"

namespace shoal {

inline void add_weld(CLI::App& app, std::string& weld) {
  add_option(app, "--weld", weld, "L",
             "vertices of a file that are nearer than this, in m, become one; default: within 1e-12 of the "
             "diagonal of the box, of STL 1e-6");
}

}  // namespace shoal
