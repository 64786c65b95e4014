// The built program, for tests that use it like a user.
#pragma once

#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace shoal::test {

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The program at work in a folder of its own.
class Shoal : public testing::Test {
 protected:
  /// The exit code of a line of the shell.
  int shell(const std::string& line) const {
    const int status = std::system(
        fmt::format("cd '{}' && {{ {}; }} >output 2>complaint </dev/null", (folder_ / "").string(), line)
            .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  int shoal(const std::string& arguments, const std::string& program = SHOAL_PROGRAM) const {
    return shell(fmt::format("'{}' {}", program, arguments));
  }
  std::string output() const { return text_of(folder_ / "output"); }
  std::string error_output() const { return text_of(folder_ / "complaint"); }

  TemporaryFolder folder_;
};

}  // namespace shoal::test
