// Tasks in separate processes: results, exceptions and causes of death are reported.
#include "experiments/harness/system/processes.hpp"

#include "discretizations/common/error.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <thread>

namespace shoal {
namespace {

std::map<std::size_t, TaskResult> endings(std::size_t count, int jobs,
                                          const std::function<std::string(std::size_t)>& work) {
  std::map<std::size_t, TaskResult> result;
  Tasks tasks;
  tasks.count = count;
  tasks.jobs = jobs;
  tasks.work = [&](std::size_t task, std::size_t) { return work(task); };
  tasks.ended = [&](std::size_t task, std::size_t, const TaskResult& ending) { result[task] = ending; };
  run_in_processes(tasks);
  return result;
}

TEST(Processes, what_a_task_returns_arrives_however_long_it_is) {
  const auto result = endings(5, 2, [](std::size_t task) { return std::string(100000 * task, 'x'); });
  ASSERT_EQ(result.size(), 5u);
  for (const auto& [task, ending] : result) {
    EXPECT_EQ(ending.kind, TaskResult::Kind::returned);
    EXPECT_EQ(ending.text.size(), 100000 * task);
  }
}

TEST(Processes, what_a_task_throws_arrives_with_its_kind) {
  const auto result = endings(4, 4, [](std::size_t task) -> std::string {
    if (task == 0) throw Error("a mistake");
    if (task == 1) throw Refusal("refused");
    if (task == 2) throw MachineError("disk full");
    throw std::bad_alloc();
  });
  EXPECT_EQ(result.at(0).kind, TaskResult::Kind::error);
  EXPECT_EQ(result.at(1).kind, TaskResult::Kind::refusal);
  EXPECT_EQ(result.at(2).kind, TaskResult::Kind::machine_error);
  EXPECT_EQ(result.at(2).text, "disk full");
  EXPECT_EQ(result.at(3).kind, TaskResult::Kind::machine_error);
}

TEST(Processes, a_crash_is_the_ending_of_one_task_and_not_of_the_others) {
  const auto result = endings(4, 2, [](std::size_t task) -> std::string {
    if (task == 1) {
      std::signal(SIGSEGV, SIG_DFL);
      raise(SIGSEGV);
    }
    if (task == 2) _exit(7);
    return "done";
  });
  EXPECT_EQ(result.at(0).text, "done");
  EXPECT_EQ(result.at(1).kind, TaskResult::Kind::died);
  EXPECT_EQ(describe_death(result.at(1)), "the process of this run ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(describe_death(result.at(2)), "the process of this run ended without a message");
  EXPECT_EQ(result.at(3).text, "done");
}

TEST(Processes, what_crashes_in_a_process_is_the_machines_failure_and_what_throws_is_thrown) {
  EXPECT_EQ(in_a_process([] { return "read"; }, "damaged"), "read");
  EXPECT_THROW(in_a_process([]() -> std::string { throw Error("no such column"); }, "damaged"), Error);
  EXPECT_THROW(in_a_process([]() -> std::string { _exit(0); }, "damaged"), MachineError);
}

TEST(Processes, no_more_run_at_once_than_there_are_jobs_and_each_has_a_slot_of_its_own) {
  const Shared<int> in_slot(3);
  std::size_t running = 0, max_running = 0;
  Tasks tasks;
  tasks.count = 9;
  tasks.jobs = 3;
  tasks.work = [&](std::size_t, std::size_t slot) {
    const int before = in_slot[slot]++;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const int after = --in_slot[slot];
    return before == 0 && after == 0 ? "alone" : "shared";
  };
  tasks.begun = [&](std::size_t, std::size_t) { max_running = std::max(max_running, ++running); };
  tasks.ended = [&](std::size_t, std::size_t, const TaskResult& ending) {
    --running;
    EXPECT_EQ(ending.text, "alone");
  };
  run_in_processes(tasks);
  EXPECT_EQ(max_running, 3u);
}

TEST(Processes, killing_ends_what_runs_and_begins_nothing_more) {
  int begun = 0, died = 0;
  Tasks tasks;
  tasks.count = 5;
  tasks.jobs = 2;
  tasks.work = [](std::size_t, std::size_t) {
    std::this_thread::sleep_for(std::chrono::minutes(5));
    return "";
  };
  tasks.begun = [&](std::size_t, std::size_t) { ++begun; };
  tasks.ended = [&](std::size_t, std::size_t, const TaskResult& ending) { died += ending.signal == SIGKILL; };
  tasks.watch = [&] { return begun < 2 ? PoolCommand::proceed : PoolCommand::kill; };
  run_in_processes(tasks);
  EXPECT_EQ(begun, 2);
  EXPECT_EQ(died, 2);
}

TEST(Processes, what_is_thrown_here_leaves_no_process_behind) {
  const Shared<pid_t> child(1);
  Tasks tasks;
  tasks.count = 2;
  tasks.jobs = 2;
  tasks.work = [&](std::size_t task, std::size_t) {
    if (task == 0) return "";
    child[0] = getpid();
    std::this_thread::sleep_for(std::chrono::minutes(5));
    return "";
  };
  tasks.ended = [&](std::size_t, std::size_t, const TaskResult&) {
    while (child[0] == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Error("no more");
  };
  EXPECT_THROW(run_in_processes(tasks), Error);
  EXPECT_NE(kill(child[0], 0), 0);
}

TEST(Processes, what_never_comes_to_an_end_is_ended_by_its_limit) {
  const auto message = [](const std::function<std::string()>& work) -> std::string {
    try {
      return in_a_process(work, "a.h5", {.seconds = 1, .memory = 0});
    } catch (const MachineError& error) {
      return error.what();
    }
  };
  volatile bool forever = true;
  EXPECT_EQ(message([&]() -> std::string {
              while (forever) {
              }
              return "never";
            }),
            "a.h5: the file is damaged (reading does not terminate)");
  EXPECT_EQ(message([]() -> std::string { _exit(1); }), "a.h5: the file is damaged (reading crashes)");
  EXPECT_EQ(message([]() -> std::string { return raise(SIGKILL), ""; }),
            "a.h5: the process reading it ended by signal 9 (Killed)");
  EXPECT_EQ(message([] { return "read"; }), "read");
}

#ifndef __SANITIZE_ADDRESS__
TEST(Processes, what_asks_for_more_memory_than_its_limit_gets_none) {
  const auto ask = [](std::size_t bytes) {
    return in_a_process([&] { return std::to_string(std::vector<char>(bytes, 'x').size()); }, "damaged",
                        {.seconds = 0, .memory = 1 << 28});
  };
  EXPECT_EQ(ask(1 << 26), std::to_string(1 << 26));
  EXPECT_THROW(ask(1 << 30), MachineError);
}
#endif

TEST(Processes, texts_are_packed_and_unpacked) {
  const std::vector<std::string> texts = {"", "a b", std::string("\0\n12 ", 5), packed({"x", "3 y"})};
  EXPECT_EQ(unpacked(packed(texts)), texts);
  EXPECT_TRUE(unpacked("").empty());
  for (const char* wrong : {"3 ab", "x", "99999999999999999999 a", "-1 a", "2"})
    EXPECT_THROW(unpacked(wrong), MachineError) << wrong;
}

}  // namespace
}  // namespace shoal
