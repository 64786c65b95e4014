// Fields from files: a value, or a vector, for each vertex or triangle of a mesh.
#pragma once

#include "discretizations/mesh/surface.hpp"

#include <memory>
#include <optional>

namespace shoal {

/// "wave.h5:runs/0001/snapshots/depth_at_vertices[-1]", "bay.ply:height", "bay.ply:u,v,w".
struct FieldFile {
  std::string path;
  std::string name;            ///< of a dataset, or of properties
  std::optional<Index> row{};  ///< of a dataset of many instants; negative: from the last one on
};

/// What a file holds: an array whose first dimension are the vertices or triangles.
struct RawField {
  std::vector<std::uint64_t> extent;
  std::vector<double> values;
};

/// Throws Error where there is no such file, dataset or property.
RawField read_field(const FieldFile& file);

/// Nothing where the text names no file.
std::optional<FieldFile> parse_field_file(const std::string& text);

/// Values between those that a file gives on a surface: linear on a triangle from those at its corners; or constant on
/// it from those of triangles, and at its corners the mean of the triangles there by area.
class SurfaceField {
 public:
  /// Of a file whose values stand in the order that the mesh has in its own file. Throws Error as read_field does, or
  /// where it holds another number of values, or of components than `components` allows.
  SurfaceField(const FieldFile& file, const Surface& surface, const Geometry& geometry,
               const std::vector<Index>& components);
  ~SurfaceField();
  SurfaceField(SurfaceField&&) noexcept;

  Index components() const;
  /// Of the point of the surface closest to this one.
  double operator()(Index component, const Vector3& x) const;

 private:
  struct Values;
  std::unique_ptr<Values> values_;
};

}  // namespace shoal
