// Ranks that run as threads of this process.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/ranks.hpp"

#include <atomic>
#include <barrier>
#include <cmath>
#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace shoal::test {

/// The data shared by the threads.
class ThreadGroup {
 public:
  explicit ThreadGroup(int count) : barrier(count), place(static_cast<std::size_t>(count)) {}
  void meet() {
    barrier.arrive_and_wait();
    if (failed) throw std::runtime_error("another rank has failed");
  }
  std::barrier<> barrier;
  std::vector<const void*> place;  // the address of the data that each thread provides
  std::atomic<bool> failed = false;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(std::shared_ptr<ThreadGroup> group, int rank) : group_(std::move(group)), rank_(rank) {}
  int rank() const override { return rank_; }
  int count() const override { return static_cast<int>(group_->place.size()); }
  void add(std::span<std::int64_t> values) const override {
    std::vector<std::int64_t> sum(values.size(), 0);
    exchange<std::int64_t>(values.data(), [&](const std::int64_t* of_rank) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += of_rank[i];
    });
    std::copy(sum.begin(), sum.end(), values.begin());
  }
  double max(double value) const override {
    double largest = value;
    exchange<double>(&value, [&](const double* of_rank) {
      if (*of_rank > largest || std::isnan(*of_rank)) largest = *of_rank;
    });
    return largest;
  }
  std::unique_ptr<Renewal> renewal(std::span<const Ghost> ghosts) const override {
    return std::make_unique<ThreadRenewal>(*this, ghosts);
  }
  std::vector<double> gather(std::span<const double> values) const override {
    std::vector<double> all;
    exchange<std::span<const double>>(&values, [&](const std::span<const double>* of_rank) {
      if (rank_ == 0) all.insert(all.end(), of_rank->begin(), of_rank->end());
    });
    return all;
  }
  void copy(std::span<std::byte> bytes, int from) const override {
    int rank = 0;
    exchange<std::byte>(bytes.data(), [&](const std::byte* of_rank) {
      if (rank++ == from && from != rank_) std::copy_n(of_rank, bytes.size(), bytes.begin());
    });
  }

 private:
  class ThreadRenewal final : public Renewal {
   public:
    ThreadRenewal(const ThreadRanks& ranks, std::span<const Ghost> ghosts)
        : ranks_(ranks), ghosts_(ghosts.begin(), ghosts.end()) {}
    void operator()(double* values) const override {
      ThreadGroup& group = *ranks_.group_;
      group.place[ranks_.rank_] = values;
      group.meet();
      for (const Ghost& ghost : ghosts_)
        values[ghost.here] = static_cast<const double*>(group.place[ghost.owner])[ghost.there];
      group.meet();
    }

   private:
    const ThreadRanks& ranks_;
    std::vector<Ghost> ghosts_;
  };

  template <class T, class Visit>
  void exchange(const T* values, const Visit& visit) const {
    group_->place[rank_] = values;
    group_->meet();
    for (const void* of_rank : group_->place) visit(static_cast<const T*>(of_rank));
    group_->meet();
  }

  std::shared_ptr<ThreadGroup> group_;
  int rank_;
};

/// Calls work(ranks) on `count` threads and rethrows the exception of the first thread that failed by itself, not because it waited
/// for another one.
inline void on_ranks(int count, const std::function<void(std::shared_ptr<const Ranks>)>& work) {
  const auto group = std::make_shared<ThreadGroup>(count);
  std::exception_ptr thrown;
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < count; ++rank)
      threads.emplace_back([&, rank] {
        try {
          work(std::make_shared<ThreadRanks>(group, rank));
        } catch (...) {
          if (!group->failed.exchange(true)) thrown = std::current_exception();
          group->barrier.arrive_and_drop();
        }
      });
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace shoal::test
