// What the program says about its own command line: version, help, completion and manual pages.
#include "shoal.hpp"

#include <regex>

namespace shoal {
namespace {

namespace fs = std::filesystem;
using test::Shoal;

TEST_F(Shoal, version_says_how_the_program_was_built) {
  ASSERT_EQ(shoal("--version"), 0);
  EXPECT_TRUE(std::regex_match(
      output(),
      std::regex("shoal [0-9.]+\ncommit: ([0-9a-f]{40}|unknown)(, modified)?\ncompiler: \\S+ [0-9.]+\n"
                 "flags: [^\n]+\nlibraries: Eigen [^\n]*HDF5 [^\n]*\nplugins: interface [0-9a-f]{16}\n")))
      << output();
}

TEST_F(Shoal, help_prints_what_h_prints) {
  for (const char* command : {"", "table", "run custom"}) {
    ASSERT_EQ(shoal(fmt::format("{} -h", command)), 0);
    const std::string text = output();
    ASSERT_EQ(shoal(fmt::format("help {}", command)), 0) << error_output();
    EXPECT_EQ(output(), text);
  }
  EXPECT_EQ(shoal("help tabel"), 2);
  EXPECT_NE(error_output().find("there is no command 'tabel'"), std::string::npos) << error_output();
  EXPECT_NE(error_output().find("did you mean 'table'?"), std::string::npos) << error_output();
}

}  // namespace
}  // namespace shoal
