// Exceptions of foreign code: plugins and libraries may throw anything.
#pragma once

#include "discretizations/common/error.hpp"

#include <exception>

namespace shoal {

/// The message of the exception being handled, in one line. Call it within a handler.
inline std::string thrown() {
  try {
    throw;
  } catch (const std::exception& error) {
    return one_line(error.what());
  } catch (...) {
    return "an exception without a message was thrown";
  }
}

}  // namespace shoal
