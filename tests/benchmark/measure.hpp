// A measured loop with plain numbers as counters, because Google Benchmark prints its own rates as "…/s".
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>

/// The duration of `work`, s.
template <class Work>
double seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// s per repetition of `work`, the benchmark's loop.
template <class Work>
double measure(benchmark::State& state, const Work& work) {
  const double total = seconds([&] {
    for (auto _ : state) work();
  });
  return total / static_cast<double>(state.iterations());
}
