// Where the values of a model lie, whatever its elements are.
#pragma once

#include "discretizations/state.hpp"

namespace shoal {

/// The elements of a model in space. Particles are vertices alone, and what lies on a line has no faces.
struct Domain {
  using Elements = Eigen::Ref<const Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic>>;

  Eigen::Ref<const Points> vertices;  ///< [3, n] m, where they are now
  Elements edges;                     ///< [2, n] tail and head
  Elements faces;                     ///< [corners, n] polygons of equally many corners, counter-clockwise

  /// Of vertices, edges or faces.
  Index count(Location location) const {
    if (location == Location::vertex) return static_cast<Index>(vertices.cols());
    return static_cast<Index>(location == Location::edge ? edges.cols() : faces.cols());
  }
};

/// Values of an output: [components, elements].
using Values = Eigen::MatrixXd;

/// A field that a model computes from its state, on the elements of its domain; or numbers of all of it (Location::whole).
struct OutputInfo {
  std::string name;  ///< "velocity"
  std::string unit;
  std::string meaning;
  Location location = Location::vertex;
  Index components = 1;
};

}  // namespace shoal
