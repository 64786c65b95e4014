// The only place that knows Assimp.
#include "discretizations/mesh/reader.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/ply_format.hpp"
#include "discretizations/mesh/text_formats.hpp"

#include <assimp/scene.h>
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace shoal {
namespace {

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

std::string read_text(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw Error("there is no such file");
  if (std::filesystem::is_directory(path, ignored)) throw Error("it is a directory, not a file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (file.bad() || !file.is_open() || text.fail()) throw MachineError("the file cannot be read");
  if (text.view().empty()) throw Error("the file is empty");
  std::string content = std::move(text).str();
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);  // UTF-8 byte order mark
  return content;
}

/// One mesh of a node, appended under the transformation that leads to it.
void append_mesh(const aiMesh& mesh, const Eigen::Matrix4d& transform, std::vector<Vector3>& positions,
                 Polygons& polygons) {
  const std::size_t first = positions.size();
  const bool moved = !transform.isIdentity(0);
  if (first + mesh.mNumVertices > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw Error("it has more vertices than can be numbered");
  for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
    const aiVector3D& p = mesh.mVertices[v];
    // Not multiplied by the identity: that would turn one infinite coordinate into three NaN.
    const Vector3 own(p.x, p.y, p.z);
    positions.push_back(moved ? Vector3((transform * own.homogeneous()).head<3>()) : own);
  }
  const bool mirrored = transform.topLeftCorner<3, 3>().determinant() < 0;
  for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
    const aiFace& face = mesh.mFaces[f];
    for (unsigned c = 0; c < face.mNumIndices; ++c) {
      const unsigned vertex = face.mIndices[mirrored ? face.mNumIndices - 1 - c : c];
      if (vertex >= mesh.mNumVertices)
        throw Error(fmt::format("face {} names vertex {}, outside [0, {}], counting from 0", polygons.count(),
                                static_cast<std::int32_t>(vertex), mesh.mNumVertices - 1));
      polygons.corner.push_back(static_cast<Index>(first + vertex));
    }
    polygons.close_face();
  }
}

void append_node(const aiScene& scene, const aiNode& node, const Eigen::Matrix4d& parent,
                 std::vector<Vector3>& positions, Polygons& polygons) {
  Eigen::Matrix4d own;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = 0; j < 4; ++j) own(i, j) = node.mTransformation[i][j];
  const Eigen::Matrix4d transform = parent * own;
  for (unsigned k = 0; k < node.mNumMeshes; ++k)
    append_mesh(*scene.mMeshes[node.mMeshes[k]], transform, positions, polygons);
  for (unsigned k = 0; k < node.mNumChildren; ++k)
    append_node(scene, *node.mChildren[k], transform, positions, polygons);
}

/// Assimp's message on one line.
std::string one_line(std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  while (!message.empty() && (message.back() == ' ' || message.back() == '.')) message.pop_back();
  return message;
}

/// Collects what Assimp warns of while it lives. Assimp's logger is one for the whole program.
class Warnings : public Assimp::LogStream {
 public:
  Warnings() {
    Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
    Assimp::DefaultLogger::get()->attachStream(this, Assimp::Logger::Warn | Assimp::Logger::Err);
  }
  ~Warnings() override {
    Assimp::DefaultLogger::get()->detachStream(this, Assimp::Logger::Warn | Assimp::Logger::Err);
    Assimp::DefaultLogger::kill();
  }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;

  void write(const char* message) override { lines_.push_back(one_line(message)); }

  /// Assimp leaves faces out that name vertices out of range, and says so here only.
  void refuse_dropped_faces() const {
    for (const std::string& line : lines_)
      if (line.find("faces were dropped") != std::string::npos)
        throw Error("faces name vertices out of range (Assimp does not say which)");
  }

 private:
  std::vector<std::string> lines_;
};

/// No post-processing at all: every step that Assimp offers drops, joins or reorders something in silence.
Polygons import_with_assimp(const std::string& path) {
  try {
    Warnings warnings;
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(path, 0);
    if (!scene || !scene->mRootNode)
      throw Error(fmt::format("the file is damaged or not what its extension says: {}",
                              one_line(importer.GetErrorString())));
    warnings.refuse_dropped_faces();
    std::vector<Vector3> positions;
    Polygons polygons;
    append_node(*scene, *scene->mRootNode, Eigen::Matrix4d::Identity(), positions, polygons);
    polygons.x.resize(3, static_cast<Eigen::Index>(positions.size()));
    for (std::size_t v = 0; v < positions.size(); ++v)
      polygons.x.col(static_cast<Eigen::Index>(v)) = positions[v];
    return polygons;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(fmt::format("the file is damaged: {}", one_line(error.what())));
  }
}

/// Assimp reads what there is of an STL file that was cut short; a surface with a hole would come of it.
void check_complete_stl(const std::string& text) {
  constexpr std::size_t head = 84, facet = 50;
  std::uint32_t facets = 0;
  if (text.size() >= head) std::memcpy(&facets, text.data() + 80, sizeof facets);
  if (text.size() >= head && text.size() == head + facet * std::size_t{facets}) return;
  const std::string_view tail =
      std::string_view(text).substr(text.size() - std::min<std::size_t>(text.size(), 1000));
  if (text.find("facet") == std::string::npos)
    throw Error(
        fmt::format("it is neither STL in text nor binary STL of {} facets, which has {} bytes: it has {}",
                    facets, head + facet * std::size_t{facets}, text.size()));
  if (tail.find("endsolid") == std::string_view::npos)
    throw Error("the file is cut short: 'endsolid' is missing");
}

Polygons read_polygons(const std::string& path) {
  const std::string extension = lower_extension(path);
  check_extension(extension);
  const std::string text = read_text(path);
  if (extension == ".obj") return parse_obj(text);
  if (extension == ".off") return parse_off(text);
  if (extension == ".ply") return parse_ply(text);
  if (extension == ".stl") check_complete_stl(text);
  return import_with_assimp(path);
}

}  // namespace

const std::vector<std::string>& mesh_extensions() {
  static const std::vector<std::string> extensions = {".obj", ".off", ".ply", ".stl", ".gltf", ".glb"};
  return extensions;
}

Surface read_surface(const std::string& path) {
  const std::string mesh = fmt::format("mesh '{}'", path);
  Polygons polygons = with_context(mesh, [&] { return read_polygons(path); });
  const std::string counted = mesh + " (elements counted from 0)";
  const Faces faces = with_context(counted, [&] {
    check_positions(polygons.x);
    return triangulate(polygons);
  });
  const std::string cut =
      polygons.remarks.empty() ? counted : fmt::format("{} ({})", counted, join(polygons.remarks));
  Surface surface = with_context(cut, [&] { return make_surface(path, path, faces, polygons.x, true); });
  surface.repairs.insert(surface.repairs.begin(), polygons.remarks.begin(), polygons.remarks.end());
  return surface;
}

}  // namespace shoal
