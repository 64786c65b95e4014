// What was thrown by code that is not ours: plugins and libraries may throw anything.
#pragma once

#include "discretizations/common/error.hpp"

#include <exception>

namespace shoal {

/// In a handler: the message of the exception that is handled, in one line.
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
