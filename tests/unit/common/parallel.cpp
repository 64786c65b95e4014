// Loops on several threads: every element exactly once, with the same bits as on one thread.
#include "discretizations/common/parallel.hpp"

#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

using test::random_vector;

/// Sets the number of threads for one scope.
class Threads {
 public:
  explicit Threads(int count) { set_thread_count(count); }
  ~Threads() { set_thread_count(1); }
};

TEST(Parallel, each_element_is_visited_once_by_any_number_of_threads) {
  for (const int count : {1, 2, 3, 7})
    for (const Index size : {0, 1, 63, 2047, 2048, 2049, 10000, 65537}) {
      const Threads threads(count);
      std::vector<int> visits(static_cast<std::size_t>(size), 0);
      parallel_for(size, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), size) << count << " threads, " << size;
    }
}

TEST(Parallel, throws_what_the_first_chunk_threw) {
  for (const int count : {1, 2, 3, 7}) {
    const Threads threads(count);
    Index from = -1;
    try {
      parallel_for(10000, [](Index begin, Index end) {
        if (end > 5000) throw begin;
      });
    } catch (Index begin) {
      from = begin;
    }
    EXPECT_GE(from, 0) << count;
    EXPECT_LE(from, 5000) << count;
  }
}

TEST(Parallel, schemes_give_the_same_bits_on_one_two_and_three_threads) {
  for (const DiscretizationEntry& entry : test::surface_schemes())
    for (const std::string mesh : {"icosphere:4", "rectangle:61x53:jittered"}) {
      std::vector<State> rates;
      for (const int count : {1, 2, 3}) {
        const Threads threads(count);
        test::Configuration setup{.mesh = mesh, .discretization = entry.name};
        setup.parameters = {{"dual", "intrinsic"}};
        setup.initial.depth = [](const Vector3& x) { return 1 + 0.3 * std::sin(5 * x.x() + 3 * x.y()); };
        test::Trial simulation(setup);
        simulation.velocity() += 0.1 * random_vector(simulation.velocity().size(), 11);
        State rate = simulation.state;
        simulation.discretization->add_rates(simulation.state, simulation.forces, Terms::all(), 0.37, rate);
        rates.push_back(rate);
      }
      for (const State& rate : rates)
        EXPECT_TRUE((rate.q.array() == rates.front().q.array()).all()) << entry.name << " " << mesh;
    }
}

}  // namespace
}  // namespace shoal
