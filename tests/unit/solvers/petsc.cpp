// petsc: what only PETSc can do wrong. That it solves is in the conformance tests of all linear solvers.
#include "discretizations/common/error.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace shoal::test {
namespace {

std::unique_ptr<LinearSolver> make(const std::string& options) {
  const LinearSolverEntry& entry = test::catalog().linear_solvers.find("petsc");
  return entry.make(Parameters(entry.parameters, {{"options", options}}));
}

std::string complaint(const std::string& options) {
  try {
    make(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Vector solution_after_ten_steps(const std::string& options, const std::string& start = "cold") {
  Configuration setup{.mesh = "icosphere:3", .integrator = "semi-implicit", .linear_solver = "petsc"};
  setup.parameters = {{"options", options}, {"start", start}};
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * x.z(); };
  Trial simulation(setup);
  simulation.prepare(1.0 / 60);
  simulation.run(10);
  return simulation.volume();
}

TEST(Petsc, options_pass_through) {
  for (const char* options :
       {"-pc_type gamg -mg_levels_ksp_type richardson -pc_gamg_threshold 0.02", "-ksp_type fcg -pc_type sor",
        "-pc_type hypre -pc_hypre_type boomeramg -pc_hypre_boomeramg_strong_threshold 0.5",
        "-ksp_type preonly -pc_type cholesky", "-ksp_type minres -pc_type jacobi",
        "-ksp_rtol 1e-8 -ksp_max_it 100"})
    EXPECT_EQ(complaint(options), "");
  EXPECT_NE(solution_after_ten_steps("-ksp_rtol 1e-3"), solution_after_ten_steps("")) << "without effect";
}

TEST(Petsc, methods_that_measure_another_norm_come_to_the_tolerance_too) {
  const Vector expected = solution_after_ten_steps("");
  for (const char* method : {"cg", "gmres", "minres", "cr", "pipecg", "bcgs", "fcg"})
    for (const char* preconditioner : {"jacobi", "icc", "gamg"}) {
      const std::string options = std::string("-ksp_type ") + method + " -pc_type " + preconditioner;
      EXPECT_EQ(complaint(options), "");
      EXPECT_LT((solution_after_ten_steps(options) - expected).norm(), 1e-7 * expected.norm()) << options;
    }
}

TEST(Petsc, a_wrong_option_is_the_users_mistake_in_one_sentence) {
  const std::map<std::string, std::string> sentences = {
      {"-ksp_typ cg", "PETSc has no use for '-ksp_typ' with this method and preconditioner"},
      {"-mg_levels_ksp_type cg",
       "PETSc has no use for '-mg_levels_ksp_type' with this method and preconditioner"},
      {"-options_file x", "PETSc has no use for '-options_file' with this method and preconditioner"},
      {"ksp_type cg", "'ksp_type' stands where the name of an option belongs, which begins with -"},
      {"-ksp_type cg cg", "'cg' stands where the name of an option belongs, which begins with -"},
      {"-ksp_type foo", "PETSc says: Unable to find requested KSP type foo"},
      {"-ksp_rtol many", "PETSc says: Input string many has no numeric value"},
  };
  for (const auto& [options, sentence] : sentences)
    EXPECT_EQ(complaint(options), "parameter 'options': " + sentence);
  EXPECT_NE(complaint("-pc_factor_shift_type foo").find("Unknown option foo for -pc_factor_shift_type"),
            std::string::npos);
  EXPECT_EQ(complaint("-ksp_type preonly -pc_type icc")
                .rfind("parameter 'options': a well-behaved system is not solved: PETSc applied the "
                       "preconditioner once, as preonly does, and no more (",
                       0),
            0u);
  EXPECT_EQ(complaint("-ksp_max_it 200"), "") << "a mistake must not spoil the next solver";
}

TEST(Petsc, a_warm_start_is_nothing_to_its_direct_solvers) {
  const std::string direct = "-ksp_type preonly -pc_type cholesky";
  EXPECT_EQ(solution_after_ten_steps(direct, "warm"), solution_after_ten_steps(direct, "cold"));
}

TEST(Petsc, options_of_one_solver_do_not_reach_another) {
  const auto first = make("-ksp_max_it 3 -ksp_rtol 0.5");
  EXPECT_EQ(solution_after_ten_steps(""), solution_after_ten_steps("-ksp_rtol 1e-10"));
}

TEST(Petsc, the_environment_changes_nothing) {
  ::setenv("PETSC_OPTIONS", "-ksp_rtol 0.1 -ksp_monitor", 1);
  testing::internal::CaptureStdout();
  const Vector first = solution_after_ten_steps("");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(first, solution_after_ten_steps("-ksp_rtol 1e-10"));
  EXPECT_STREQ(std::getenv("PETSC_OPTIONS"), "-ksp_rtol 0.1 -ksp_monitor");
}

TEST(Petsc, leaves_no_signal_handler_on) {
  const auto handlers = [] {
    std::array<void (*)(int), 32> list{};
    for (int signal = 1; signal < 32; ++signal) {
      struct sigaction action {};
      ::sigaction(signal, nullptr, &action);
      list[static_cast<std::size_t>(signal)] = action.sa_handler;
    }
    return list;
  };
  const auto before = handlers();
  make("");
  EXPECT_EQ(handlers(), before);
}

TEST(Petsc, works_in_processes_forked_before_and_after_its_first_use) {
  int result[2];
  ASSERT_EQ(::pipe(result), 0);
  const auto in_child = [&] {
    const pid_t child = ::fork();
    if (child == 0) {
      const double norm = solution_after_ten_steps("").norm();
      ::_exit(::write(result[1], &norm, sizeof norm) == sizeof norm ? 0 : 1);
    }
    double norm = 0;
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    if (status != 0) return norm;
    EXPECT_EQ(::read(result[0], &norm, sizeof norm), static_cast<ssize_t>(sizeof norm));
    return norm;
  };
  const double before = in_child(), here = solution_after_ten_steps("").norm(), after = in_child();
  EXPECT_EQ(before, here);
  EXPECT_EQ(after, here);
}

}  // namespace
}  // namespace shoal::test
