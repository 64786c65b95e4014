// Triangle surfaces to files that other programs open, and that our own reader takes back bit for bit.
#pragma once

#include "discretizations/common/types.hpp"

#include <string>

namespace shoal {

/// A value for each vertex, with the name of its property: "depth".
struct VertexScalar {
  std::string name;  ///< empty: there is none
  Vector values;     ///< [n]
};

/// Wavefront OBJ of positions x [3, n], faces [3, m] and normals [3, n] (no columns: none), with as many digits as give the
/// same numbers again.
std::string obj_text(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                     const Eigen::Ref<const Points>& normals = Points());

/// The same as Stanford PLY 1.0, binary and little-endian, in double precision, with a scalar if one is given. Throws Error
/// where its name is not a word or one that is taken.
std::string ply_bytes(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                      const Eigen::Ref<const Points>& normals = Points(), const VertexScalar& scalar = {});

/// Writes them to a file, which is the old or the new one, never a part. Throws MachineError if it cannot be written.
void write_obj(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals = Points());
void write_ply(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals = Points(),
               const VertexScalar& scalar = {});

/// What all writers of meshes end with.
void write_mesh_file(const std::string& path, const std::string& content);

}  // namespace shoal
