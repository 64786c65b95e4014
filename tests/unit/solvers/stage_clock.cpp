#include "solvers/stage_clock.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

TEST(StageClock, counts_the_time_of_a_stage_within_another_once) {
  StageClock clock;
  const auto begin = StageClock::Clock::now();
  {
    const auto outer = clock.measure(Stage::depth);
    for (int i = 0; i < 1000; ++i) {
      const auto inner = clock.measure(Stage::work);
      const auto innermost = clock.measure(Stage::solve);
    }
  }
  const std::chrono::duration<double> all = StageClock::Clock::now() - begin;
  const double sum = clock.seconds(Stage::depth) + clock.seconds(Stage::work) + clock.seconds(Stage::solve);
  EXPECT_LE(sum, all.count());
  for (const Stage stage : {Stage::depth, Stage::work, Stage::solve}) EXPECT_GT(clock.seconds(stage), 0);
}

}  // namespace
}  // namespace shoal
