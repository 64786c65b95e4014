// The program `shoal-app`.
#include "experiments/harness/program/process_limits.hpp"
#include "reference/program/application.hpp"

int main(int argc, char** argv) {
  shoal::run_in_process_limits(argv, [&] { return shoal::run_application(shoal::builtin(), argc, argv); });
}
