#include "experiments/harness/fields/field_file.hpp"

#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/closest_point.hpp"
#include "discretizations/mesh/formats/ply_format.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "experiments/harness/storage/hdf5.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>

namespace shoal {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_ply(const std::string& path) {
  return lower(path).ends_with(".ply");
}

RawField read_ply(const FieldFile& file) {
  const std::vector<std::string> names = split_at_commas(file.name);
  const std::string bytes = read_mesh_bytes(file.path);
  std::vector<double> values = parse_ply_values(bytes, names);
  const std::uint64_t rows = values.size() / names.size();
  return {{rows, names.size()}, std::move(values)};
}

hdf5::Dataset find_dataset(const hdf5::Group& group, const std::string& path) {
  const std::size_t slash = path.find('/');
  const std::string first = path.substr(0, slash);
  const auto is_a_group = [](const std::string& name, const hdf5::Group& found) {
    return Error(fmt::format("'{}' is a group; a dataset of it is allowed: {}", name, join(found.names())));
  };
  if (path.empty()) throw is_a_group("/", group);
  if (first.empty()) return find_dataset(group, path.substr(1));
  if (!group.has(first))
    throw Error(fmt::format("there is no '{}'{}; there are: {}", first, did_you_mean(first, group.names()),
                            join(group.names())));
  if (!group.is_group(first) && !group.is_dataset(first))
    throw Error(
        fmt::format("'{}' is neither a dataset nor a group; links to other places are not followed", first));
  if (slash != std::string::npos) {
    if (!group.is_group(first)) throw Error(fmt::format("'{}' is not a group", first));
    if (path.find_first_not_of('/', slash) == std::string::npos)
      throw is_a_group(first, group.open_group(first));
    return find_dataset(group.open_group(first), path.substr(slash + 1));
  }
  if (!group.is_dataset(first)) throw is_a_group(first, group.open_group(first));
  return group.open_dataset(first);
}

/// Throws Error if packed data would require far more memory than the size of the file suggests.
void require_worth(const FieldFile& file, std::uint64_t values) {
  constexpr std::uint64_t always = 64 << 20, times = 100;  // bytes, and those of the file
  const std::uint64_t bytes = values * sizeof(double), size = std::filesystem::file_size(file.path);
  if (bytes > std::max(always, times * size))
    throw Error(fmt::format("'{}' unpacks to {:.3g} GB, more than {} times the size of its file", file.name,
                            1e-9 * static_cast<double>(bytes), times));
}

/// Read by a separate process, because HDF5 crashes on some damaged files.
RawField read_hdf5(const FieldFile& file) {
  if (!std::filesystem::exists(file.path)) throw Error("there is no such file");
  if (!std::filesystem::is_regular_file(file.path)) throw Error("it is not a file with an end");
  constexpr std::uint64_t memory = std::uint64_t{1} << 30,
                          memory_per_byte = 400;  // more than three times the unpacked data
  const std::string text = in_a_process(
      [&] {
        const hdf5::File source(file.path, hdf5::Access::read);
        const hdf5::Dataset dataset = find_dataset(source.root(), file.name);
        if (!dataset.holds_numbers())
          throw Error(fmt::format("'{}' does not contain integers or floating-point numbers of 32 or 64 bits",
                                  file.name));
        hdf5::Extent extent = dataset.extent();
        if (extent.empty() || extent.size() > 3)
          throw Error(
              fmt::format("'{}' has {} dimensions; allowed are [n], [n, 3], and [times, n] or [times, n, 3] "
                          "with the index of the time, as in '{}[-1]'",
                          file.name, extent.size(), file.name));
        const std::uint64_t all =
            std::accumulate(extent.begin(), extent.end(), std::uint64_t{1}, std::multiplies<>());
        require_worth(file, file.row && extent.front() > 0 ? all / extent.front() : all);
        std::vector<double> values;
        if (file.row) {
          const auto rows = static_cast<std::int64_t>(extent.front());
          const std::int64_t row = *file.row < 0 ? rows + *file.row : *file.row;
          if (extent.size() < 2 || row < 0 || row >= rows)
            throw Error(fmt::format("'{}' has no row {}; it has {}", file.name, *file.row,
                                    extent.size() < 2 ? 0 : rows));
          values = dataset.read_rows(static_cast<std::uint64_t>(row), 1);
          extent.erase(extent.begin());
        } else {
          values = dataset.read();
        }
        std::vector<double> numbers(extent.begin(), extent.end());
        return packed({packed_row(numbers), packed_row(values)});
      },
      fmt::format("file '{}'", file.path),
      {.seconds = 60, .memory = memory + memory_per_byte * std::filesystem::file_size(file.path)});
  const std::vector<std::string> parts = unpacked(text);
  const std::vector<double> numbers = unpacked_row<double>(parts.at(0));
  return {{numbers.begin(), numbers.end()}, unpacked_row<double>(parts.at(1))};
}

/// Each triangle has its own corners at their true positions, which on a periodic mesh may lie beyond the seam.
SurfaceTree make_tree(const Surface& surface, const Geometry& geometry) {
  const Index faces = surface.mesh.face_count();
  Faces own(3, faces);
  Points x(3, 3 * faces);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) {
      own(c, k) = 3 * k + c;
      x.col(3 * k + c) = geometry.corner(surface.mesh, k, c);
    }
  return {own, x};
}

/// The number of vertices in the mesh's own file, if known.
std::uint64_t source_vertices(const Surface& surface) {
  if (surface.source_vertex.empty()) return surface.input_vertex.size();
  return static_cast<std::uint64_t>(*std::ranges::max_element(surface.source_vertex)) + 1;
}

}  // namespace

RawField read_field(const FieldFile& file) {
  return with_context(fmt::format("file '{}'", file.path),
                      [&] { return is_ply(file.path) ? read_ply(file) : read_hdf5(file); });
}

std::optional<FieldFile> parse_field_file(const std::string& text) {
  const std::string small = lower(text);
  for (const std::string extension : {".h5:", ".hdf5:", ".ply:"}) {
    const std::size_t at = small.find(extension);
    if (at == std::string::npos) continue;
    const std::size_t colon = at + extension.size() - 1;
    FieldFile file{text.substr(0, colon), text.substr(colon + 1)};
    if (file.name.empty())
      throw Error(fmt::format("'{}' names nothing in the file; add {} after ':'", text,
                              is_ply(file.path) ? "a property" : "the path of a dataset"));
    const std::size_t bracket = file.name.rfind('[');
    if (bracket == std::string::npos || file.name.back() != ']') return file;
    const auto row =
        parse_whole_number(std::string_view(file.name).substr(bracket + 1, file.name.size() - bracket - 2),
                           std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max());
    if (!row) throw Error(fmt::format("'{}' is not a row, e.g. [0] or [-1]", file.name.substr(bracket)));
    file.row = static_cast<Index>(*row);
    file.name.erase(bracket);
    return file;
  }
  return {};
}

struct SurfaceField::Values {
  SurfaceTree tree;
  const Mesh& mesh;
  std::vector<double> at_vertices,
      at_faces;  ///< [n, components]; at_faces is empty if the values are given at vertices
  Index components;
};

SurfaceField::SurfaceField(const FieldFile& file, const Surface& surface, const Geometry& geometry,
                           const std::vector<Index>& components) {
  const auto context = fmt::format("file '{}'", file.path);
  const RawField raw = read_field(file);
  const std::uint64_t rows = raw.extent.front(), vertices = surface.input_vertex.size(),
                      faces = surface.input_face.size(), of_file = source_vertices(surface);
  const auto count = static_cast<Index>(raw.extent.size() > 1 ? raw.extent[1] : 1);
  const bool of_vertices = rows == vertices || (rows >= of_file && of_file > vertices && rows != faces);
  if (raw.extent.size() > 2 || (!of_vertices && rows != faces)) {
    std::string size;
    for (const std::uint64_t one : raw.extent) size += (size.empty() ? "" : " × ") + std::to_string(one);
    throw Error(fmt::format("{}: '{}' has {} values, but mesh '{}' has {} vertices and {} triangles{}",
                            context, file.name, size, surface.name, vertices, faces,
                            raw.extent.size() > 1 && !file.row
                                ? fmt::format("; '{}[-1]' selects the last of several times", file.name)
                                : ""));
  }
  if (std::ranges::find(components, count) == components.end())
    throw Error(fmt::format("{}: '{}' has {} components, {} {} allowed", context, file.name, count,
                            fmt::join(components, " or "),
                            components.size() > 1 || components[0] > 1 ? "are" : "is"));

  values_ = std::make_unique<Values>(Values{make_tree(surface, geometry), surface.mesh, {}, {}, count});
  const auto width = static_cast<std::size_t>(count);
  const auto take = [&](std::vector<double>& values, std::size_t to, std::size_t from) {
    std::copy_n(raw.values.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(to * width));
  };
  values_->at_vertices.resize(vertices * width);
  if (of_vertices) {
    const bool welded = rows != vertices;
    for (std::size_t i = 0; i < vertices; ++i) {
      const auto input = static_cast<std::size_t>(surface.input_vertex[i]);
      take(values_->at_vertices, i, welded ? static_cast<std::size_t>(surface.source_vertex[input]) : input);
    }
    return;
  }
  values_->at_faces.resize(faces * width);
  for (std::size_t k = 0; k < faces; ++k)
    take(values_->at_faces, k, static_cast<std::size_t>(surface.input_face[k]));
  std::vector<double> weight(vertices, 0.0);
  for (Index k = 0; k < surface.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const auto i = static_cast<std::size_t>(surface.mesh.faces(c, k));
      weight[i] += geometry.face_area[k];
      for (std::size_t j = 0; j < width; ++j)
        values_->at_vertices[i * width + j] +=
            geometry.face_area[k] * values_->at_faces[static_cast<std::size_t>(k) * width + j];
    }
  for (std::size_t i = 0; i < vertices; ++i)
    for (std::size_t j = 0; j < width; ++j) values_->at_vertices[i * width + j] /= weight[i];
}

SurfaceField::~SurfaceField() = default;
SurfaceField::SurfaceField(SurfaceField&&) noexcept = default;

Index SurfaceField::components() const {
  return values_->components;
}

double SurfaceField::operator()(Index component, const Vector3& x) const {
  const Values& v = *values_;
  const SurfacePoint point = v.tree.closest(x);
  const auto at = [&](const std::vector<double>& values, Index i) {
    return values[static_cast<std::size_t>(i * v.components + component)];
  };
  const auto corner = [&](int c) { return at(v.at_vertices, v.mesh.faces(c, point.face)); };
  constexpr double on_it = 1e-9;  // fraction of a triangle's height
  int largest = 0, smallest = 0;
  point.weights.maxCoeff(&largest);
  point.weights.minCoeff(&smallest);
  if (v.at_faces.empty()) {
    if (point.weights[largest] >= 1 - on_it) return corner(largest);  // to the last bit
    return point.weights[0] * corner(0) + point.weights[1] * corner(1) + point.weights[2] * corner(2);
  }
  if (point.weights[largest] >= 1 - on_it) return corner(largest);
  if (point.weights[smallest] > on_it) return at(v.at_faces, point.face);
  const Index edge = v.mesh.face_edges(smallest, point.face), left = v.mesh.edge_faces(0, edge),
              right = v.mesh.edge_faces(1, edge);
  return right == Mesh::none ? at(v.at_faces, left) : 0.5 * (at(v.at_faces, left) + at(v.at_faces, right));
}

}  // namespace shoal
