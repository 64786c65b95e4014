// Files that are replaced in one step.
#include "experiments/harness/storage/atomic_file.hpp"

#include "discretizations/common/error.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace shoal {
namespace {

namespace fs = std::filesystem;

class ReplacedFiles : public testing::Test {
 protected:
  static std::string text(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  test::TemporaryFolder folder_;
};

TEST_F(ReplacedFiles, a_file_is_replaced_with_its_permissions_and_nothing_is_left) {
  const fs::path path = folder_ / "table.md";
  write(path, "old");
  fs::permissions(path, fs::perms(0600));
  replace_file(path, "new");
  EXPECT_EQ(text(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0600));
  EXPECT_FALSE(fs::exists(folder_ / "table.md.work"));
}

TEST_F(ReplacedFiles, a_link_is_followed_and_stays) {
  write(folder_ / "target", "old");
  fs::create_symlink("target", folder_ / "link");
  replace_file(folder_ / "link", "new");
  EXPECT_EQ(text(folder_ / "target"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(followed(folder_ / "link"), folder_ / "target");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(followed(folder_ / "circle"), Error);
}

TEST_F(ReplacedFiles, links_laid_in_the_work_folder_are_not_written_through) {
  const fs::path victim = folder_ / "victim";
  write(victim, "mine");
  fs::create_directory(folder_ / "table.md.work");
  fs::create_symlink(victim, folder_ / "table.md.work" / "next");
  replace_file(folder_ / "table.md", "new");
  EXPECT_EQ(text(victim), "mine");
  EXPECT_EQ(text(folder_ / "table.md"), "new");
}

TEST_F(ReplacedFiles, what_bears_the_name_of_the_work_folder_and_is_none_is_refused_and_stays) {
  write(folder_ / "table.md.work", "mine");
  EXPECT_THROW(replace_file(folder_ / "table.md", "new"), Error);
  EXPECT_EQ(text(folder_ / "table.md.work"), "mine");
  fs::remove(folder_ / "table.md.work");
  fs::create_directory(folder_ / "elsewhere");
  fs::create_symlink("elsewhere", folder_ / "table.md.work");
  EXPECT_THROW(replace_file(folder_ / "table.md", "new"), Error);
  EXPECT_TRUE(fs::is_empty(folder_ / "elsewhere"));
}

TEST_F(ReplacedFiles, other_files_in_the_work_folder_stay) {
  fs::create_directory(folder_ / "table.md.work");
  write(folder_ / "table.md.work" / "mine", "mine");
  replace_file(folder_ / "table.md", "new");
  EXPECT_EQ(text(folder_ / "table.md.work" / "mine"), "mine");
}

}  // namespace
}  // namespace shoal
