// The Hodge projection on a surface that several processes share.
#pragma once

#include "discretizations/operators/hodge_projection.hpp"

namespace shoal {

/// Rank 0 projects for all, on the whole surface: its preconditioner, the factors of the Laplacians, depends on the order of all
/// triangles. One process alone projects as HodgeProjection does. All functions are collective; their arguments are those of
/// HodgeProjection, on the part of each process.
class SharedProjection {
 public:
  /// `mesh` and `geometry` must outlive this.
  SharedProjection(const Mesh& mesh, const Geometry& geometry);

  void refresh();
  bool project(const Vector& weight, const Vector& density, double tolerance, int max_iterations,
               double* rates);
  bool project_apart(const Vector& weight, const Vector& density, double tolerance, int max_iterations,
                     double* rates);
  void forget() {
    if (projection_) projection_->forget();
  }
  /// Empty on other ranks than 0.
  Vector& memory() { return projection_ ? projection_->memory() : no_memory_; }

 private:
  /// The triangles of the whole, on rank 0.
  struct Whole {
    Mesh mesh;
    Geometry geometry;
  };
  void gather_mesh();
  void gather_geometry();
  template <class Project>
  bool with_whole(const Vector& weight, const Vector& density, double* rates, const Project& project);

  const Mesh& mesh_;
  const Geometry& geometry_;
  Whole whole_;  // if the mesh is a part
  std::unique_ptr<HodgeProjection> projection_;
  Vector no_memory_;
};

}  // namespace shoal
