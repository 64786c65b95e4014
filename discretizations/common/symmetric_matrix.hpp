// The sparse symmetric matrices that schemes assemble and solvers factorize.
#pragma once

#include "discretizations/common/types.hpp"

#include <Eigen/SparseCore>

namespace shoal {

/// The lower triangle in compressed columns, rows ascending: the diagonal comes first.
using SymmetricMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

}  // namespace shoal
