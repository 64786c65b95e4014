// The program conformance_tests, installed as shoal-conformance.
#include "tests/conformance/suite.hpp"

int main(int argc, char** argv) {
  return run_conformance(argc, argv);
}
