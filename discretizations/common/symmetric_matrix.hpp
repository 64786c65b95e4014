// The sparse symmetric matrices that schemes assemble and solvers factorize.
#pragma once

#include "discretizations/common/types.hpp"

#include <Eigen/SparseCore>

namespace shoal {

/// The lower triangle in compressed columns with ascending rows: each column begins with its diagonal entry.
using SymmetricMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

}  // namespace shoal
