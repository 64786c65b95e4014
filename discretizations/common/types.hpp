// Array types shared by every part of Shoal. Columns are vertices, faces or edges.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <functional>

// The same alignment for all processors, set by the CMake targets, so that their code can exchange allocated memory.
static_assert(EIGEN_MAX_ALIGN_BYTES == 64 && EIGEN_MAX_STATIC_ALIGN_BYTES == 64,
              "Shoal is compiled with EIGEN_MAX_ALIGN_BYTES=64 EIGEN_MAX_STATIC_ALIGN_BYTES=64");

namespace shoal {

using Index = std::int32_t;
using Vector = Eigen::VectorXd;
using Vector3 = Eigen::Vector3d;
using VectorIn = Eigen::Ref<const Vector>;  ///< an argument that may be a vector or a block of one
using VectorOut = Eigen::Ref<Vector>;
using Points = Eigen::Matrix3Xd;  ///< [3, n] positions or 3-vectors
using Faces =
    Eigen::Matrix<Index, 3, Eigen::Dynamic>;  ///< [3, nF] vertex indices, counter-clockwise from outside
using Edges = Eigen::Matrix<Index, 2, Eigen::Dynamic>;  ///< [2, nE]

/// A scalar or tangential vector field in space; each scheme evaluates it at its own points.
using ScalarField = std::function<double(const Vector3&)>;
using VectorField = std::function<Vector3(const Vector3&)>;

}  // namespace shoal
