// Tests that need what a machine may lack.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

/// Ends the test, which is skipped, because the machine lacks what the message names, and fails after scripts/test.sh has
/// installed everything: nothing may be lacking then.
#define SHOAL_SKIP_WITHOUT(what)                                \
  do {                                                          \
    if (std::getenv("SHOAL_ALL_INSTALLED") != nullptr)          \
      FAIL() << "this machine should have it: " << (what);      \
    else                                                        \
      GTEST_SKIP() << "this machine is without it: " << (what); \
  } while (false)
