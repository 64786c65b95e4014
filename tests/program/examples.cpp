// The example at the end of every help text works as printed, from the root of the repository.
#include "shoal.hpp"

namespace shoal {
namespace {

namespace fs = std::filesystem;

class Example : public test::Shoal, public testing::WithParamInterface<const char*> {
 protected:
  Example() { fs::create_directory_symlink(fs::path(SHOAL_SOURCE) / "experiments", folder_ / "experiments"); }

  /// The last line of a help text.
  std::string example(const std::string& command) const {
    EXPECT_EQ(shoal(command + " -h"), 0);
    std::string text = output();
    text.erase(text.find_last_not_of('\n') + 1);
    return text.substr(text.find_last_of('\n') + 1);
  }
};

TEST_P(Example, works_as_printed) {
  const std::string line = example(GetParam());
  ASSERT_NE(line.find(SHOAL_PROGRAM), std::string::npos) << line;
  EXPECT_EQ(shell(line), 0) << line << '\n' << complaint();
}

INSTANTIATE_TEST_SUITE_P(Program, Example,
                         testing::Values("", "list", "run", "converge", "table", "figures", "inspect",
                                         "spectrum", "rerun", "diff", "remesh"),
                         [](const auto& instance) { return *instance.param ? instance.param : "shoal"; });

/// Commands whose examples take minutes are only begun.
class LongExample : public Example {};

TEST_P(LongExample, begins_as_printed) {
  const std::string line = example(GetParam());
  ASSERT_NE(line.find(SHOAL_PROGRAM), std::string::npos) << line;
  constexpr int terminated = 143;
  EXPECT_EQ(shell(line + " & while kill -0 $! && ! ls results/*/*.h5; do sleep 0.1; done >messages 2>&1; "
                         "kill -TERM $!; wait $!"),
            terminated)
      << line << '\n'
      << complaint();
  EXPECT_FALSE(fs::is_empty(folder_ / "results")) << "nothing is kept of what was computed";
}

INSTANTIATE_TEST_SUITE_P(Program, LongExample, testing::Values("sweep", "frontier"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace shoal
