// The conformance suite. With plugins it tests their entries like Shoal's own:
//
//     conformance_tests --plugin libmine.so "[conformance]"
#define CATCH_CONFIG_RUNNER
#include "experiments/harness/catalog/plugin.hpp"
#include "tests/support/catalog.hpp"

#include <catch2/catch.hpp>

int main(int argc, char** argv) {
  Catch::Session session;
  std::vector<std::string> plugins;
  session.cli(session.cli() | Catch::clara::Opt(plugins, "LIB.so")["--plugin"](
                                  "a shared library that brings more schemes, integrators, …"));
  if (const int code = session.applyCommandLine(argc, argv)) return code;
  try {
    for (const std::string& plugin : plugins) shoal::load_plugin(plugin, shoal::test::mutable_catalog());
  } catch (const shoal::Error& error) {
    std::cerr << "conformance: " << error.what() << "\n";
    return 2;
  }
  return session.run();
}
