// Writes triangle surfaces to files that other programs support, and that our own reader restores bit for bit.
#pragma once

#include "discretizations/common/types.hpp"

#include <string>

namespace shoal {

/// A value for each vertex, with the name of its property: "depth".
struct VertexScalar {
  std::string name;  ///< empty: none
  Vector values;     ///< [n]
};

/// Wavefront OBJ of positions x [3, n], faces [3, m] and normals [3, n] (no columns: none), with enough digits to restore the same
/// numbers.
std::string obj_text(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                     const Eigen::Ref<const Points>& normals = Points());

/// The same as Stanford PLY 1.0, binary little-endian, in double precision, with a scalar if given. Throws Error if its name is not one
/// word or is already used.
std::string ply_bytes(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                      const Eigen::Ref<const Points>& normals = Points(), const VertexScalar& scalar = {});

/// Write them to a file atomically: the file is always the complete old or new one. Throw MachineError if it cannot be written.
void write_obj(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals = Points());
void write_ply(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals = Points(),
               const VertexScalar& scalar = {});

/// The common last step of all mesh writers.
void write_mesh_file(const std::string& path, const std::string& content);

}  // namespace shoal
