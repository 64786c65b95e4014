// Where a command writes its results, for a program that embeds Shoal.
#pragma once

#include <filesystem>
#include <functional>

namespace shoal {

/// Called with the path of the results file that a command has computed.
using ResultsReceiver = std::function<void(const std::filesystem::path&)>;
/// Replaces the receiver, which may be empty, and returns the previous one.
ResultsReceiver send_results_to(ResultsReceiver receiver);

}  // namespace shoal
