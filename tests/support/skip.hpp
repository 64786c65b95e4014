// Tests with requirements that a machine may lack.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

/// Ends a test that needs what the message names, an OpenGL driver or a second program, and which this machine lacks: Shoal works
/// without it, so that the test is skipped. After scripts/test.sh has installed everything (continuous integration, the
/// README's command) it fails instead: nothing may be lacking there.
#define SHOAL_SKIP_WITHOUT(what)                                     \
  do {                                                               \
    if (std::getenv("SHOAL_ALL_INSTALLED") != nullptr)               \
      FAIL() << "this machine should have it: " << (what);           \
    else                                                             \
      /* Shoal works without it, and scripts/test.sh installs it: */ \
      GTEST_SKIP() << "this machine is without it: " << (what);      \
  } while (false)
