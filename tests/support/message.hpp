// The message of a thrown exception.
#pragma once

#include "discretizations/common/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace shoal::test {

/// The message of the Error that `body` throws; fails the test if it throws none.
template <class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace shoal::test
