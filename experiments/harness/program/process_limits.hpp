// What the program needs of its surroundings before it begins, whoever starts it and how.
#pragma once

#include <functional>

namespace shoal {

/// Runs `program` and leaves the process with what it returns. Before that:
///   - descriptors 0 to 2 that are closed are opened on the null device: a results file must not get one of them;
///   - a pipe that is closed or a file that grows too large is an error of writing, not a signal;
///   - where memory is limited it begins again, with `arguments`, so that OpenBLAS has no threads;
///   - where the stack is smaller than 1 MB, `program` and the threads of OpenMP get stacks of their own.
/// The process leaves without destructors of libraries, whose threads may not exist (ulimit -v). If a library
/// ends it meanwhile, the exit code is 3.
[[noreturn]] void run_in_process_limits(char** arguments, const std::function<int()>& program);

}  // namespace shoal
