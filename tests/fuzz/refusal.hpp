// A fuzz target allows success or one of Shoal's exceptions with a message of one line. Everything else, including an
// exception of a library, ends the program, which libFuzzer reports with the input.
#pragma once

#include "discretizations/common/error.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace shoal::test {

inline void require(bool condition, const char* error_message) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", error_message);
  std::abort();
}

template <class Body>
void run_or_refuse(const Body& body) {
  std::string message = "none";
  try {
    body();
  } catch (const Error& error) {
    message = error.what();
  } catch (const MachineError& error) {
    message = error.what();
  }
  require(!message.empty() && message.find_first_of("\n\r") == std::string::npos,
          "the message is not one line");
}

}  // namespace shoal::test
