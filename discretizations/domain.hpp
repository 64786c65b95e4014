// The elements on which the fields of a model are defined.
#pragma once

#include "discretizations/state.hpp"

namespace shoal {

/// The elements of a model. Particles have only vertices; a line has no faces.
struct Domain {
  using Elements = Eigen::Ref<const Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic>>;

  Eigen::Ref<const Points> vertices;  ///< [3, n] m, current positions
  Elements edges;                     ///< [2, n] tail and head
  Elements faces;  ///< [corners, n] polygons with the same number of corners, counter-clockwise

  /// The number of vertices, edges or faces.
  Index count(Location location) const {
    if (location == Location::vertex) return static_cast<Index>(vertices.cols());
    return static_cast<Index>(location == Location::edge ? edges.cols() : faces.cols());
  }
};

/// Values of an output: [components, elements].
using Values = Eigen::MatrixXd;

/// A field that a model computes from its state on the elements of its domain, or a value of the model as a
/// whole (Location::whole).
struct OutputInfo {
  std::string name;  ///< "velocity"
  std::string unit;
  std::string meaning;
  Location location = Location::vertex;
  Index components = 1;
};

}  // namespace shoal
