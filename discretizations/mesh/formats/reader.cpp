// Reads files as surfaces: selects the format by the extension, triangulates and repairs.
#include "discretizations/mesh/formats/reader.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/formats/gltf_format.hpp"
#include "discretizations/mesh/formats/msh_format.hpp"
#include "discretizations/mesh/formats/ply_format.hpp"
#include "discretizations/mesh/formats/stl_format.hpp"
#include "discretizations/mesh/formats/text_formats.hpp"
#include "discretizations/mesh/formats/vtk_format.hpp"
#include "discretizations/mesh/formats/words.hpp"
#include "discretizations/mesh/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

namespace shoal {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // UTF-8 byte order mark

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

void check_extension(const std::string& extension) {
  const std::vector<std::string>& known = mesh_extensions();
  if (std::find(known.begin(), known.end(), extension) == known.end())
    throw Error(fmt::format("the extension '{}' is not one of {}{}", extension, join(known),
                            did_you_mean(extension, known)));
}

std::string read_bytes(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw Error("there is no such file");
  if (std::filesystem::is_directory(path, ignored)) throw Error("it is a directory, not a file");
  // Reading a device or a pipe may never end.
  if (!std::filesystem::is_regular_file(path, ignored)) throw Error("it is not a file with an end");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
  if (file.bad() || !file.is_open() || content.fail()) throw MachineError("the file cannot be read");
  return std::move(content).str();
}

/// Reads a file to which a model refers. It must lie in the model's folder or below, after following links,
/// so that a model cannot expose other files.
std::string read_below(const std::filesystem::path& model, const std::string& name) {
  const std::filesystem::path folder = model.has_parent_path() ? model.parent_path() : ".";
  std::error_code missing;
  const auto whole_folder = std::filesystem::canonical(folder, missing);
  const auto file = std::filesystem::canonical(folder / name, missing);
  const auto outside = [&](const std::filesystem::path& path) {
    const std::filesystem::path relative = path.lexically_relative(whole_folder);
    return relative.empty() || *relative.begin() == "..";
  };
  // The message must not reveal whether a file outside exists.
  if (missing ? outside((whole_folder / name).lexically_normal()) : outside(file))
    throw Error(fmt::format("'{}' is outside the folder of the model", shown(name, 80)));
  return read_bytes((folder / name).string());
}

GltfDocument parse_document(const std::string& path, std::string_view content) {
  const auto beside = [&](const std::string& name) { return read_below(path, name); };
  return lower_extension(path) == ".glb" ? load_glb(content, beside) : load_gltf(content, beside);
}

Polygons parse_by_extension(const std::string& path, std::string_view content) {
  const std::string extension = lower_extension(path);
  if (extension == ".obj") return parse_obj(content);
  if (extension == ".off") return parse_off(content);
  if (extension == ".ply") return parse_ply(content);
  if (extension == ".stl") return parse_stl(content);
  if (extension == ".msh") return parse_msh(content);
  if (extension == ".vtk") return parse_vtk(content);
  return polygons_of(parse_document(path, content));
}

/// `mesh` is the beginning of messages.
Polygons parse_polygons(const std::string& mesh, const std::string& path, std::string_view content) {
  return with_context(mesh, [&] {
    check_extension(lower_extension(path));
    if (content.empty()) throw Error("the file is empty");
    if (content.starts_with(byte_order_mark)) content.remove_prefix(byte_order_mark.size());
    return parse_by_extension(path, content);
  });
}

/// Whether two boundary edges coincide, i.e. faces that belong together are separate in the file.
bool has_cracks(const Surface& surface) {
  std::set<std::array<double, 6>> places;
  const Mesh& mesh = surface.mesh;
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (!mesh.is_wall(e)) continue;
    std::array<double, 3> a, b;
    Vector3::Map(a.data()) = surface.x.col(mesh.edges(0, e));
    Vector3::Map(b.data()) = surface.x.col(mesh.edges(1, e));
    if (b < a) std::swap(a, b);
    if (!places.insert({a[0], a[1], a[2], b[0], b[1], b[2]}).second) return true;
  }
  return false;
}

/// The surface without welding of coincident vertices, as written by `shoal remesh --repair` for bodies that
/// touch; empty if that is not a surface either.
std::optional<Surface> surface_of_vertices_apart(const std::string& path, const Faces& faces,
                                                 const Points& x) {
  try {
    Surface surface = make_surface(path, path, faces, x);
    if (has_cracks(surface)) return std::nullopt;
    surface.repairs.emplace_back(
        "kept coincident vertices separate, because merging them does not give a manifold");
    return surface;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string read_mesh_file(const std::string& mesh, const std::string& path) {
  return with_context(mesh, [&] {
    check_extension(lower_extension(path));
    return read_bytes(path);
  });
}

}  // namespace

const std::vector<std::string>& mesh_extensions() {
  static const std::vector<std::string> extensions = {".obj", ".off", ".ply",  ".stl",
                                                      ".msh", ".vtk", ".gltf", ".glb"};
  return extensions;
}

WeldTolerance weld_tolerance_of(const std::string& path, double weld) {
  if (weld > 0) return {weld, false};
  return {lower_extension(path) == ".stl" ? stl_weld_tolerance : weld_tolerance};
}

Surface parse_surface(const std::string& path, std::string_view content, double weld) {
  const std::string mesh = fmt::format("mesh '{}'", path);
  Polygons polygons = parse_polygons(mesh, path, content);
  const WeldTolerance tolerance = weld_tolerance_of(path, weld);
  std::string counted = mesh + " (elements counted from 0)";
  if (!tolerance.is_default())
    counted = fmt::format("{} (elements counted from 0; vertices within {} merged, see 'weld')", mesh,
                          describe(tolerance));
  const Faces faces = with_context(counted, [&] {
    if (polygons.x.cols() > std::numeric_limits<Index>::max())
      throw Error("it has too many vertices for the index type");
    check_positions(polygons.x);
    return triangulate(polygons);
  });
  const std::string cut =
      polygons.remarks.empty() ? counted : fmt::format("{} ({})", counted, join(polygons.remarks));
  Surface surface = with_context(cut, [&] {
    try {
      return make_surface(path, path, faces, polygons.x, tolerance);
    } catch (const Error& error) {
      const std::string_view what = error.what();
      const bool is_no_manifold = what.find("manifold") != what.npos;
      if (!is_no_manifold && what.find("degenerate") == what.npos) throw;
      if (is_no_manifold && tolerance.is_default())
        if (std::optional<Surface> apart = surface_of_vertices_apart(path, faces, polygons.x))
          return *std::move(apart);
      throw Error(fmt::format("{}; use shoal remesh --repair", what));
    }
  });
  surface.repairs.insert(surface.repairs.begin(), polygons.remarks.begin(), polygons.remarks.end());
  return surface;
}

Surface read_surface(const std::string& path, double weld) {
  return parse_surface(path, read_mesh_file(fmt::format("mesh '{}'", path), path), weld);
}

Polygons read_polygons(const std::string& path) {
  const std::string mesh = fmt::format("mesh '{}'", path);
  Polygons polygons = parse_polygons(mesh, path, read_mesh_file(mesh, path));
  with_context(mesh + " (elements counted from 0)", [&] { check_positions(polygons.x); });
  return polygons;
}

bool is_gltf(const std::string& path) {
  const std::string extension = lower_extension(path);
  return extension == ".glb" || extension == ".gltf";
}

bool stands_along_y(const std::string& mesh) {
  const std::string family = mesh.substr(0, mesh.find(':'));
  return family == "figure" || family == "letters" || is_gltf(mesh);
}

std::string read_mesh_bytes(const std::string& path) {
  return read_mesh_file(fmt::format("mesh '{}'", path), path);
}

GltfDocument read_gltf_document(const std::string& path) {
  const std::string mesh = fmt::format("mesh '{}'", path), content = read_mesh_bytes(path);
  return with_context(mesh, [&] {
    std::string_view bytes = content;
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    return parse_document(path, bytes);
  });
}

}  // namespace shoal
