// Files left beside a results file by killed programs.
#include "experiments/harness/results/output.hpp"

#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace shoal {
namespace {

namespace fs = std::filesystem;

class WorkOfResults : public testing::Test {
 protected:
  WorkOfResults() { fs::create_directory(work_folder(output_)); }

  void write(const fs::path& path) { std::ofstream(path) << "x"; }
  void write_with_twin(const fs::path& path) {
    write(path);
    write_twin(path);
  }
  void write_twin(const fs::path& path) {
    fs::create_directory(work_folder(path));
    write(work_folder(path) / "next");
  }
  std::set<std::string> names() const {
    std::set<std::string> result;
    for (const fs::directory_entry& entry : fs::directory_iterator(work_folder(output_)))
      result.insert(entry.path().filename().string());
    return result;
  }

  test::TemporaryFolder folder_;
  fs::path output_ = folder_ / "x.h5";
};

TEST_F(WorkOfResults, saves_that_are_kept_lose_what_was_left_of_writing_them_and_the_others_go) {
  write_with_twin(save_path(output_, "0001"));
  write_with_twin(save_path(output_, "0002"));
  write_twin(save_path(output_, "0003"));  // killed at the first save
  write_with_twin(previous_results_path(output_, "0001"));
  write_with_twin(part_path(output_, "0001"));
  write(work_folder(output_) / "mine");
  remove_saves(output_, {"0001", "0003"});
  EXPECT_EQ(names(),
            (std::set<std::string>{"save-0001", "earlier-0001", "part-0001", "part-0001.work", "mine"}));
}

TEST_F(WorkOfResults, leftovers_are_parts_and_their_twins_and_no_saves) {
  write_with_twin(part_path(output_, "0001"));
  write_twin(part_path(output_, "0002"));
  write_with_twin(save_path(output_, "0001"));
  write(work_folder(output_) / "part-mine");
  remove_leftovers(output_);
  EXPECT_EQ(names(), (std::set<std::string>{"save-0001", "save-0001.work", "part-mine"}));
}

}  // namespace
}  // namespace shoal
