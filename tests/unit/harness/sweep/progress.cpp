// The completed share counts what runs cost.
#include "experiments/harness/sweep/progress.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

TEST(Progress, counts_runs_by_what_they_cost) {
  Progress progress(true, 3);
  progress.weigh("0001", "a", 1, false);
  progress.weigh("0002", "a", 15, false);  // the third is kept
  progress.kept(1);
  RunStatus first, second;
  EXPECT_EQ(progress.share_done(), 0);
  progress.begin("0001", {}, first);
  progress.begin("0002", {}, second);
  first.steps = 100, first.steps_done = 50;
  EXPECT_DOUBLE_EQ(progress.share_done(), 0.5 / 16);
  progress.end("0001", {}, {"unstable", "", 0, 50});
  EXPECT_DOUBLE_EQ(progress.share_done(), 1.0 / 16);
  second.steps = 10, second.steps_done = 2;
  EXPECT_DOUBLE_EQ(progress.share_done(), 4.0 / 16);
  progress.end("0002", {}, {"finished", "", 0, 10});
  EXPECT_DOUBLE_EQ(progress.share_done(), 1);
}

TEST(Progress, counts_runs_alike_where_their_costs_are_not_known) {
  Progress progress(true, 2);
  RunStatus status;
  progress.begin("a", {}, status);
  status.steps = 4, status.steps_done = 1;
  EXPECT_DOUBLE_EQ(progress.share_done(), 0.125);
  progress.end("a", {}, {"finished", "", 0, 4});
  EXPECT_DOUBLE_EQ(progress.share_done(), 0.5);
}

}  // namespace
}  // namespace shoal
