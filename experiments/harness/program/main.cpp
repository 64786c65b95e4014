// The program `shoal`.
#include "experiments/harness/program/command_line.hpp"
#include "experiments/harness/program/process_limits.hpp"

int main(int argc, char** argv) {
  shoal::run_in_process_limits(argv, [&] { return shoal::run_command_line(shoal::builtin(), argc, argv); });
}
