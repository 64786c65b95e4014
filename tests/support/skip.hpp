// Tests with requirements that a machine may lack.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

/// Skips a test if this machine lacks the requirement that the message names, such as an OpenGL driver or another program; Shoal
/// works without it. If scripts/test.sh has installed everything (continuous integration, the README's command), the test fails
/// instead.
#define SHOAL_SKIP_WITHOUT(what)                                     \
  do {                                                               \
    if (std::getenv("SHOAL_ALL_INSTALLED") != nullptr)               \
      FAIL() << "this machine should have it: " << (what);           \
    else                                                             \
      /* Shoal works without it, and scripts/test.sh installs it: */ \
      GTEST_SKIP() << "this machine is without it: " << (what);      \
  } while (false)
