// The program `shoal-app`.
#include "experiments/harness/program/surroundings.hpp"
#include "reference/program/application.hpp"

int main(int argc, char** argv) {
  shoal::run_in_surroundings(argv, [&] { return shoal::run_application(shoal::builtin(), argc, argv); });
}
