// The built program, for tests that use it like a user.
#pragma once

#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <regex>
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

  /// The manual page in this file is one that man and whatis read, and names no path of this machine.
  void expect_manual_page(const std::filesystem::path& path) const {
    const std::string name = path.stem(), page = text_of(path);
    // lexgrog(1): one line "NAME \- summary" below NAME
    std::string line = std::regex_replace(name, std::regex("-"), "\\-");
    EXPECT_NE(page.find("\n.SH NAME\n" + line + " \\- "), std::string::npos) << page.substr(0, 200);
    EXPECT_EQ(page.find(SHOAL_PROGRAM), std::string::npos) << name;
    for (std::istringstream lines(page); std::getline(lines, line);)
      EXPECT_TRUE(std::regex_match(line, std::regex("|'\\\\\" .*|\\.(TH|SH|TP|B|nf|fi)( .*)?|[^.'].*")))
          << line;
    if (shell("command -v groff") != 0) return;
    EXPECT_EQ(shell("groff -man -Tutf8 -K utf8 -ww -z '" + path.string() + "'"), 0);
    EXPECT_EQ(error_output(), "") << name;
  }

  TemporaryFolder folder_;
};

}  // namespace shoal::test
