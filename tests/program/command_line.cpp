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

/// The words that bash offers for the last word of a line, sorted and separated by blanks.
class Completion : public Shoal {
 protected:
  std::string offered(const std::string& words) const {
    std::ofstream(folder_ / "complete.bash")
        << "source shoal.bash\nCOMP_WORDS=(" << words
        << ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_shoal shoal\n"
           "for reply in \"${COMPREPLY[@]}\"; do echo \"$reply\"; done | sort | tr '\\n' ' '\n";
    EXPECT_EQ(shell("bash complete.bash"), 0) << error_output();
    EXPECT_EQ(error_output(), "") << words;
    return output();
  }
};

TEST_F(Completion, offers_commands_options_names_and_files) {
  ASSERT_EQ(shoal("completion bash"), 0);
  fs::rename(folder_ / "output", folder_ / "shoal.bash");
  std::ofstream(folder_ / "a.toml");
  std::ofstream(folder_ / "a.h5");
  fs::create_directory(folder_ / "album");
  EXPECT_EQ(offered("shoal s"), "schema spectrum sweep ");
  EXPECT_EQ(offered("shoal run sphere-b"), "sphere-bump ");
  EXPECT_EQ(offered("shoal run rest --integ"), "--integrator ");
  EXPECT_EQ(offered("shoal run rest --integrator newm"), "newmark newmark-analytic ");
  EXPECT_EQ(offered("shoal run rest --discretization = ki"), "kinetic ");  // bash splits at =
  EXPECT_EQ(offered("shoal run rest --mesh icos"), "icosphere: ");
  EXPECT_EQ(offered("shoal run rest --dt a"), "auto ");
  EXPECT_EQ(offered("shoal run rest --param coriol"), "coriolis= ");
  EXPECT_EQ(offered("shoal run rest --param coriolis = 1"), "");
  EXPECT_EQ(offered("shoal run rest --end a"), "");
  EXPECT_EQ(offered("shoal sweep a"), "a.toml album ");
  EXPECT_EQ(offered("shoal inspect a"), "a.h5 a.toml album ");
  EXPECT_EQ(offered("shoal table a.h5 --as m"), "md ");
  EXPECT_EQ(offered("shoal list spl"), "splittings ");
  EXPECT_EQ(offered("shoal help conv"), "converge ");
}

TEST_F(Shoal, manual_pages_have_names_for_whatis_and_no_errors) {
  ASSERT_EQ(shoal("man --folder pages"), 0) << error_output();
  int pages = 0;
  for (const auto& entry : fs::directory_iterator(folder_ / "pages")) {
    ++pages;
    expect_manual_page(entry.path());
  }
  EXPECT_EQ(shell("ls pages/shoal.1 pages/shoal-run.1"), 0);
  EXPECT_GE(pages, 19);
  ASSERT_EQ(shoal("man run"), 0);
  EXPECT_EQ(output(), test::text_of(folder_ / "pages/shoal-run.1"));
  for (const char* part : {"\\fB\\-\\-mesh\\fR", "\\fISCENE|FILE.toml\\fR", ".SH EXAMPLE\n"})
    EXPECT_NE(output().find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace shoal
