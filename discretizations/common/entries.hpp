// Looking a name up in one of the lists (schemes, integrators, scenes, …).
#pragma once

#include "discretizations/common/error.hpp"

namespace shoal {

/// The entry called `name`. Throws Error "KIND 'NAME' does not exist: A, B, C; did you mean 'B'?".
template <class Entry>
const Entry& find_entry(const std::vector<Entry>& entries, const std::string& name, const std::string& kind) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw Error(kind + " '" + name + "' does not exist: choose from " + join(names) +
              did_you_mean(name, names));
}

}  // namespace shoal
