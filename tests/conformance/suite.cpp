// The conformance suite. With plugins it tests their entries like Shoal's own. With --only, which may be repeated, it
// tests only pairs that contain a scheme or an integrator of that name, and skips tests of Shoal's own parts ([own])
// unless they are selected. ~[slow] leaves out the slowest tests:
//
//     conformance_tests --plugin mine.so --only three-eighths ~[slow]
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NO_POSIX_SIGNALS  // a library leaves signals alone
#include "experiments/harness/catalog/plugin.hpp"
#include "tests/support/catalog.hpp"

#include "tests/conformance/suite.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <optional>

namespace {

std::optional<Catch::Totals>& ran() {
  static std::optional<Catch::Totals> totals;
  return totals;
}

bool& says_progress() {
  static bool says = false;
  return says;
}

struct Counter : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo&) override { timer_.start(); }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (says_progress() && stats.totals.assertions.total() > 0)
      std::cout << fmt::format("{:6.1f} s  {}\n", timer_.getElapsedSeconds(), stats.testInfo.name)
                << std::flush;
  }
  void testRunEnded(const Catch::TestRunStats& stats) override { ran() = stats.totals; }

 private:
  Catch::Timer timer_;
};
CATCH_REGISTER_LISTENER(Counter)

}  // namespace

int run_conformance(int argc, const char* const* argv) {
  static Catch::Session session;  // there can only be one
  session.useConfigData(Catch::ConfigData());
  std::vector<std::string> plugins;
  std::vector<std::string>& only = shoal::test::tested_entries();
  only.clear();
  says_progress() = false;
  session.cli(session.cli() |
              Catch::clara::Opt(says_progress())["--progress"]("print each test with its seconds") |
              Catch::clara::Opt(plugins, "LIB.so")["--plugin"](
                  "a shared library that brings more schemes, integrators, …") |
              Catch::clara::Opt(only, "NAME")["--only"]("pairs with this scheme or integrator alone"));
  if (const int code = session.applyCommandLine(argc, argv)) return code;
  try {
    for (const std::string& plugin : plugins) shoal::load_plugin(plugin, shoal::test::mutable_catalog());
    const shoal::Catalog& catalog = shoal::test::catalog();
    for (const std::string& name : only) {
      if (catalog.discretizations.has(name) || catalog.integrators.has(name)) continue;
      std::string all;
      for (const auto& entry : catalog.discretizations) all += (all.empty() ? "" : ", ") + entry.name;
      for (const auto& entry : catalog.integrators) all += ", " + entry.name;
      throw shoal::Error("--only: there is no discretization and no integrator '" + name + "': choose from " +
                         all);
    }
  } catch (const shoal::Error& error) {
    std::cerr << "conformance: " << error.what() << "\n";
    return 2;
  }
  std::vector<std::string>& tests = session.configData().testsOrTags;
  if (!only.empty()) {
    if (tests.empty()) tests.emplace_back();
    for (std::string& filter : tests)
      if (filter.empty() || filter.front() == '~') filter += "~[own]";  // a filter that selects nothing
  }
  ran().reset();
  const int code = session.run();
  if (!ran()) return code;  // a list of tests
  if (ran()->testCases.total() == 0 || (!only.empty() && ran()->assertions.total() == 0)) {
    std::cerr << "conformance: no test is selected\n";
    return 2;
  }
  return code == 0 ? 0 : 1;
}

/// For the package for Python, which loads the suite as a library and tests the entries of its own catalogue.
extern "C" __attribute__((visibility("default"))) int shoal_conformance(const shoal::Catalog& catalog,
                                                                        int argc, const char* const* argv) {
  shoal::test::mutable_catalog() = catalog;
  return run_conformance(argc, argv);
}
