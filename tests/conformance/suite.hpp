// The conformance suite, which a program or a library runs.
#pragma once

/// Runs the tests selected by the arguments, see suite.cpp. Returns 0 if all passed, 1 if one failed, 2, after a sentence on
/// standard error, if an argument is wrong or no test is selected.
int run_conformance(int argc, const char* const* argv);
