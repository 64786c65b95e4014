// Surfaces that exist in memory alone, such as those made from arrays in Python.
#pragma once

#include "discretizations/mesh/surface.hpp"

#include <map>

namespace shoal {

/// During its lifetime load_surface() finds these surfaces by their names, before generators and files, in processes forked meanwhile
/// too. There is at most one; the surfaces must outlive it.
class SurfacesInMemory {
 public:
  explicit SurfacesInMemory(const std::map<std::string, const Surface*>& surfaces);
  ~SurfacesInMemory();
  SurfacesInMemory(const SurfacesInMemory&) = delete;
  SurfacesInMemory& operator=(const SurfacesInMemory&) = delete;
};
/// Whether the name is that of a surface in memory.
bool is_in_memory(const std::string& name);

}  // namespace shoal
