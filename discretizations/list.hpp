// The list of discretizations. A new scheme is one header, one source and one line in list.cpp.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

const std::vector<DiscretizationEntry>& discretizations();
/// Throws Error with the nearest name.
const DiscretizationEntry& find_discretization(const std::string& name);

}  // namespace shoal
