#include "tests/support/catch.hpp"

#include <fmt/format.h>

namespace Catch::Detail {

template <>
std::string stringify<double>(const double& value) {
  return fmt::format("{}", value);  // 1.5, 3e-14, nan
}

}  // namespace Catch::Detail
