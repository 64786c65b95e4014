// The program `shoal`.
#include "experiments/harness/program/command_line.hpp"

int main(int argc, char** argv) {
  return shoal::run_command_line(shoal::builtin(), argc, argv);
}
