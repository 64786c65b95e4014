// Catch2, whose messages show numbers with all digits: its own form, a fixed number of decimals, shows small ones as 0.0.
#pragma once

#include <catch2/catch.hpp>

namespace Catch::Detail {

template <>
std::string stringify<double>(const double& value);

}  // namespace Catch::Detail
