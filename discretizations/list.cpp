// The list of discretizations.
#include "discretizations/list.hpp"

#include "discretizations/common/entries.hpp"
#include "discretizations/dec.hpp"
#include "discretizations/fefv.hpp"
#include "discretizations/kinetic.hpp"

namespace shoal {

const std::vector<DiscretizationEntry>& discretizations() {
  static const std::vector<DiscretizationEntry> list = {
      fefv(),
      kinetic(),
      dec(),
  };
  return list;
}

const DiscretizationEntry& find_discretization(const std::string& name) {
  return find_entry(discretizations(), name, "discretization");
}

}  // namespace shoal
