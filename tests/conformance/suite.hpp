// The conformance suite, which a program or a library runs.
#pragma once

/// Runs the tests selected by the arguments, see suite.cpp. Returns 0 if all passed.
int run_conformance(int argc, const char* const* argv);
