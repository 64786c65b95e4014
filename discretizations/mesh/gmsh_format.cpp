// Gmsh and its dependencies take 0.05 s to load, so they are linked to a module of their own, which is loaded
// when the first such file is read.
#include "discretizations/mesh/gmsh_format.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/gmsh_module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace shoal {
namespace {

ReadWithGmsh* load_module() {
  void* module = ::dlopen(gmsh_module_file, RTLD_NOW | RTLD_LOCAL);  // beside the program, by its run path
  void* symbol = module ? ::dlsym(module, gmsh_module_symbol) : nullptr;
  if (!symbol)
    throw MachineError(fmt::format("Gmsh cannot be loaded from {}, which belongs beside the program: {}",
                                   gmsh_module_file, ::dlerror()));
  return reinterpret_cast<ReadWithGmsh*>(symbol);
}

/// Gmsh reads files only.
class TemporaryFile {
 public:
  TemporaryFile(std::string_view extension, std::string_view content)
      : path_((std::filesystem::temp_directory_path() / "shoal-XXXXXX").string() + std::string(extension)) {
    const int file = ::mkstemps(path_.data(), static_cast<int>(extension.size()));
    if (file < 0) throw MachineError(fmt::format("no temporary file can be made at '{}'", path_));
    ::close(file);
    std::ofstream stream(path_, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!stream.flush()) throw MachineError(fmt::format("the temporary file '{}' cannot be written", path_));
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Polygons parse_with_gmsh(std::string_view extension, std::string_view content) {
  if (content.starts_with("# vtk DataFile Version 5"))
    throw Error(
        "it is of VTK's version 5.1, which Gmsh does not read; older ones are allowed (meshio writes them as "
        "vtk42, ParaView and VTK by FileVersion = 42), and PLY");
  // Whatever else is called .msh Gmsh runs as a script, which may write files and start programs.
  if (extension == ".msh" && !content.starts_with("$MeshFormat") && !content.starts_with("$NOD"))
    throw Error("it is not a mesh of Gmsh, which begins with $MeshFormat (or, before version 2, with $NOD)");
  // Gmsh takes what there is of a file that is cut short.
  for (const char* section : {"Nodes", "Elements"})
    if (content.find(fmt::format("${}", section)) != std::string_view::npos &&
        content.find(fmt::format("$End{}", section)) == std::string_view::npos)
      throw Error(fmt::format("the file is cut short: there is no '$End{}'", section));
  static ReadWithGmsh* const read = load_module();
  const TemporaryFile file(extension, content);
  return read(file.path());
}

}  // namespace shoal
