// Prepares the process (file descriptors, signals, limits of memory and stack) before the program begins.
#pragma once

#include <functional>

namespace shoal {

/// Runs `program` and ends the process with its return value. Before that:
///   - closed descriptors among 0 to 2 are opened on the null device, so that no results file gets one of them;
///   - writing to a closed pipe or beyond the file size limit becomes a write error instead of a signal;
///   - if memory is limited, the process restarts with `arguments` such that OpenBLAS has no threads;
///   - if the stack is smaller than 1 MB, `program` and the OpenMP threads get their own stacks.
/// The process ends without running destructors of libraries, whose threads may not exist (ulimit -v). If a library ends it
/// earlier, the exit code is 3.
[[noreturn]] void run_in_process_limits(char** arguments, const std::function<int()>& program);

}  // namespace shoal
