// Fields from files: a value or a vector for each vertex or triangle of a mesh.
#pragma once

#include "discretizations/mesh/surface.hpp"

#include <memory>
#include <optional>

namespace shoal {

/// "wave.h5:runs/0001/snapshots/depth_at_vertices[-1]", "bay.ply:height", "bay.ply:u,v,w".
struct FieldFile {
  std::string path;
  std::string name;            ///< of a dataset or of properties
  std::optional<Index> row{};  ///< of a dataset with several instants; negative rows count from the end
};

/// The contents of a file: an array whose first dimension is the vertices or triangles.
struct RawField {
  std::vector<std::uint64_t> extent;
  std::vector<double> values;
};

/// Throws Error if the file, dataset or property does not exist.
RawField read_field(const FieldFile& file);

/// Nothing if the text does not name a file.
std::optional<FieldFile> parse_field_file(const std::string& text);

/// Interpolates the values of a file on a surface. Values at vertices are linear on each triangle; values of triangles are
/// constant on each, and at a vertex the area-weighted mean of the triangles around it.
class SurfaceField {
 public:
  /// Reads a file with values in the order of the mesh's own file. Throws Error like read_field, and if the number of values
  /// or components is wrong (`components` lists those allowed).
  SurfaceField(const FieldFile& file, const Surface& surface, const Geometry& geometry,
               const std::vector<Index>& components);
  ~SurfaceField();
  SurfaceField(SurfaceField&&) noexcept;

  Index components() const;
  /// The value at the closest point of the surface.
  double operator()(Index component, const Vector3& x) const;

 private:
  struct Values;
  std::unique_ptr<Values> values_;
};

}  // namespace shoal
