// Arbitrary bytes as an experiment file: either they define runs, and the TOML text recorded with the results defines
// the same runs, or they are refused in one line. Built by scripts/fuzz.sh.
#include "experiments/harness/plan/experiment.hpp"
#include "tests/fuzz/refusal.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace shoal;
  test::run_or_refuse([&] {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const Experiment experiment = parse_experiment(text, "fuzz.toml");
    const std::vector<PlannedRun> plan = expand(experiment);
    const std::vector<PlannedRun> again = expand(parse_experiment(to_toml(experiment), "again.toml"));
    const auto same = [](const PlannedRun& a, const PlannedRun& b) {
      return a.configuration == b.configuration && a.refusal == b.refusal;
    };
    test::require(std::equal(plan.begin(), plan.end(), again.begin(), again.end(), same),
                  "the recorded text comes to other runs");
  });
  return 0;
}
