#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

const Vector& Instant::depth() {
  if (depth_.size() == 0) depth_ = water().volume().cwiseQuotient(discretization().cells().area);
  return depth_;
}

const Values& Instant::output(const std::string& name) {
  const auto [found, added] = outputs_.try_emplace(name);
  if (added) water().sample(name, found->second);
  return found->second;
}

const std::vector<ClampCount>& Instant::clamp_counts() {
  if (clamp_counts_.empty()) clamp_counts_ = water().clamp_counts();
  return clamp_counts_;
}

}  // namespace shoal
