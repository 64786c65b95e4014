// OBJ in text, PLY in binary.
#include "discretizations/mesh/formats/writer.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace shoal {
namespace {

/// Shoal assumes a little-endian machine.
template <class Number>
void append_bytes(std::string& bytes, const Number* numbers, Eigen::Index count) {
  const auto size = static_cast<Eigen::Index>(sizeof(Number));
  bytes.append(reinterpret_cast<const char*>(numbers), count * size);
}

void check_name(const std::string& name) {
  const bool taken =
      name == "x" || name == "y" || name == "z" || name == "nx" || name == "ny" || name == "nz";
  const bool word = std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (taken || !word)
    throw Error(fmt::format(
        "'{}' cannot be the name of a PLY property, which is one word other than x, y, z, nx, ny, nz", name));
}

std::string ply_header(Eigen::Index vertices, Eigen::Index faces, bool normals, const std::string& scalar) {
  std::string text = fmt::format("ply\nformat binary_little_endian 1.0\nelement vertex {}\n", vertices);
  for (const char* name : {"x", "y", "z"}) text += fmt::format("property double {}\n", name);
  if (normals)
    for (const char* name : {"nx", "ny", "nz"}) text += fmt::format("property double {}\n", name);
  if (!scalar.empty()) text += fmt::format("property double {}\n", scalar);
  return text + fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", faces);
}

}  // namespace

std::string obj_text(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                     const Eigen::Ref<const Points>& normals) {
  assert(normals.cols() == 0 || normals.cols() == x.cols());
  std::string text;
  const auto out = std::back_inserter(text);
  for (Eigen::Index i = 0; i < x.cols(); ++i) fmt::format_to(out, "v {} {} {}\n", x(0, i), x(1, i), x(2, i));
  for (Eigen::Index i = 0; i < normals.cols(); ++i)
    fmt::format_to(out, "vn {} {} {}\n", normals(0, i), normals(1, i), normals(2, i));
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    const Index a = faces(0, k) + 1, b = faces(1, k) + 1, c = faces(2, k) + 1;
    if (normals.cols() > 0)
      fmt::format_to(out, "f {0}//{0} {1}//{1} {2}//{2}\n", a, b, c);
    else
      fmt::format_to(out, "f {} {} {}\n", a, b, c);
  }
  return text;
}

std::string ply_bytes(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                      const Eigen::Ref<const Points>& normals, const VertexScalar& scalar) {
  assert(normals.cols() == 0 || normals.cols() == x.cols());
  assert(scalar.name.empty() || scalar.values.size() == x.cols());
  check_name(scalar.name);
  std::string bytes = ply_header(x.cols(), faces.cols(), normals.cols() > 0, scalar.name);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    append_bytes(bytes, x.col(i).data(), 3);
    if (normals.cols() > 0) append_bytes(bytes, normals.col(i).data(), 3);
    if (!scalar.name.empty()) append_bytes(bytes, &scalar.values[i], 1);
  }
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    bytes += '\3';
    append_bytes(bytes, faces.col(k).data(), 3);
  }
  return bytes;
}

// Writes to a temporary name first, so that the file is never incomplete.
void write_mesh_file(const std::string& path, const std::string& content) {
  const std::string part = path + ".part";
  std::ofstream file(part, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  std::error_code failure;
  if (file) std::filesystem::rename(part, path, failure);
  if (file && !failure) return;
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  throw MachineError(fmt::format("cannot write '{}'", path));
}

void write_obj(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals) {
  write_mesh_file(path, obj_text(x, faces, normals));
}

void write_ply(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals,
               const VertexScalar& scalar) {
  write_mesh_file(path, ply_bytes(x, faces, normals, scalar));
}

}  // namespace shoal
