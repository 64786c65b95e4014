#include "discretizations/mesh/loading/load_surface.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/in_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace shoal {
namespace {

std::map<std::string, const Surface*>& in_memory() {
  static std::map<std::string, const Surface*> surfaces;
  return surfaces;
}

}  // namespace

SurfacesInMemory::SurfacesInMemory(const std::map<std::string, const Surface*>& surfaces) {
  in_memory() = surfaces;
}
SurfacesInMemory::~SurfacesInMemory() {
  in_memory().clear();
}

bool is_in_memory(const std::string& name) {
  return in_memory().count(name) > 0;
}

Surface load_surface(const std::string& name, double radius, double weld) {
  if (const auto found = in_memory().find(name); found != in_memory().end()) return *found->second;
  const std::string family = name.substr(0, name.find(':'));
  if (is_generated(name))
    return with_context(fmt::format("mesh '{}'", name), [&] { return generate_surface(name, radius); });
  // A name with a dot, except in the arguments of a family, denotes a file; so does one with a slash, or of
  // an existing file.
  std::error_code ignored;
  if (family.find_first_of("./") != std::string::npos || std::filesystem::exists(name, ignored))
    return read_surface(name, weld);
  std::vector<std::string> known;
  for (const MeshFamily& entry : mesh_families()) known.push_back(entry.name);
  throw Error(fmt::format("mesh '{}': '{}' is not one of {}, nor a file in {}{}", name, family, join(known),
                          join(mesh_extensions()), did_you_mean(family, known)));
}

std::optional<Surface> load_triangles(const std::string& name, double radius) {
  const auto& families = mesh_families();
  const auto family = std::find_if(families.begin(), families.end(), [&](const MeshFamily& entry) {
    return entry.name == name.substr(0, name.find(':'));
  });
  if (is_in_memory(name) || family == families.end() || !family->is_regular) return {};
  return with_context(fmt::format("mesh '{}'", name), [&] { return generate_triangles(name, radius); });
}

}  // namespace shoal
