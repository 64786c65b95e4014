// petsc: mistakes specific to PETSc. The conformance tests of linear solvers test its solutions.
#include "discretizations/common/error.hpp"
#include "solvers/linear/petsc_options.hpp"
#include "tests/support/temporary.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>

namespace shoal::test {
namespace {

std::unique_ptr<LinearSolver> make(const std::string& options) {
  const LinearSolverEntry& entry = test::catalog().linear_solvers.find("petsc");
  return entry.make(Parameters(entry.parameters, {{"options", options}}));
}

/// Options are trusted while this exists.
class Trust {
 public:
  Trust() { trust_petsc_options(true); }
  ~Trust() { trust_petsc_options(false); }
  Trust(const Trust&) = delete;
  Trust& operator=(const Trust&) = delete;
};

std::string error_message(const std::string& options) {
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
    EXPECT_EQ(error_message(options), "");
  EXPECT_NE(solution_after_ten_steps("-ksp_rtol 1e-3"), solution_after_ten_steps("")) << "without effect";
}

TEST(Petsc, methods_that_measure_another_norm_come_to_the_tolerance_too) {
  const Vector expected = solution_after_ten_steps("");
  for (const char* method : {"cg", "gmres", "minres", "cr", "pipecg", "bcgs", "fcg"})
    for (const char* preconditioner : {"jacobi", "icc", "gamg"}) {
      const std::string options = std::string("-ksp_type ") + method + " -pc_type " + preconditioner;
      EXPECT_EQ(error_message(options), "");
      EXPECT_LT((solution_after_ten_steps(options) - expected).norm(), 1e-7 * expected.norm()) << options;
    }
}

TEST(Petsc, a_wrong_option_is_the_users_mistake_in_one_sentence) {
  const Trust trust;
  const std::map<std::string, std::string> sentences = {
      {"-ksp_typ cg", "PETSc does not use '-ksp_typ' with this method and preconditioner"},
      {"-mg_levels_ksp_type cg",
       "PETSc does not use '-mg_levels_ksp_type' with this method and preconditioner"},
      {"-options_file x", "PETSc does not use '-options_file' with this method and preconditioner"},
      {"ksp_type cg", "'ksp_type' is not the name of an option, which begins with -"},
      {"-ksp_type cg cg", "'cg' is not the name of an option, which begins with -"},
      {"-ksp_type foo", "PETSc says: Unable to find requested KSP type foo"},
      {"-ksp_rtol many", "PETSc says: Input string many has no numeric value"},
  };
  for (const auto& [options, sentence] : sentences)
    EXPECT_EQ(error_message(options), "parameter 'options': " + sentence);
  EXPECT_NE(error_message("-pc_factor_shift_type foo").find("Unknown option foo for -pc_factor_shift_type"),
            std::string::npos);
  EXPECT_EQ(error_message("-ksp_type preonly -pc_type icc")
                .rfind("parameter 'options': a well-conditioned test system is not solved: PETSc applied the "
                       "preconditioner only once, as preonly does (",
                       0),
            0u);
  EXPECT_EQ(error_message("-ksp_max_it 200"), "") << "a mistake must not spoil the next solver";
}

TEST(Petsc, an_option_that_is_not_on_the_list_is_refused_by_name) {
  for (const char* option : {"-ksp_view",
                             "-ksp_monitor_python",
                             "-ksp_monitor ascii:x",
                             "-pc_python_type x.y",
                             "-options_file x",
                             "-options_file_yaml x",
                             "-prefix_push x_",
                             "-log_view :x",
                             "-mat_view",
                             "-vec_view ascii:x",
                             "-python x.py",
                             "-ksp_converged_reason ascii:x",
                             "-KSP_TYPE cg",
                             "-ksp_type=cg",
                             "--ksp_type cg",
                             "-no_pc_jacobi_abs",
                             "-@x",
                             "-mg_levels_ksp_view",
                             "-sub_ksp_monitor_python",
                             "-inf"}) {
    const std::string sentence = error_message(option);
    EXPECT_EQ(
        sentence.rfind(
            std::string("parameter 'options': '") + option + "' is not on the allowlist of PETSc options", 0),
        0u)
        << sentence;
    EXPECT_NE(sentence.find("--trust-options"), std::string::npos) << sentence;
  }
  EXPECT_NE(error_message("-ksp_typ cg").find("did you mean '-ksp_type'?"), std::string::npos);
}

TEST(Petsc, an_option_writes_no_file) {
  const TemporaryFolder folder;
  const std::string path = (folder / "matrix").string();
  EXPECT_NE(error_message("-ksp_view_mat ascii:" + path).find("'-ksp_view_mat ascii:" + path + "'"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Petsc, a_value_that_crashes_petsc_or_is_none_is_refused) {
  for (const char* options : {"-pc_type mg -pc_mg_levels 2",
                              "-pc_type python",
                              "-pc_type",
                              "-ksp_type pipelcg",
                              "-ksp_type Cg",
                              "-ksp_type chebyshev",
                              "-mg_levels_ksp_type preonly -pc_type gamg",
                              "-ksp_max_it 0",
                              "-ksp_max_it 2147483648",
                              "-ksp_max_it 1.5",
                              "-ksp_max_it",
                              "-ksp_rtol nan",
                              "-ksp_rtol inf",
                              "-ksp_rtol -1",
                              "-ksp_rtol 1/3",
                              "-ksp_rtol 0x1p-4",
                              "-ksp_type fcg -ksp_fcg_mmax 0",
                              "-ksp_type gmres -ksp_gmres_restart 100000",
                              "-pc_type gamg -pc_gamg_threshold 1e300",
                              "-ksp_cg_single_reduction maybe",
                              "-pc_type hypre -pc_hypre_type euclid"})
    EXPECT_NE(error_message(options).find("' is not "), std::string::npos)
        << options << ": " << error_message(options);
  EXPECT_EQ(error_message("-ksp_max_it 0"),
            "parameter 'options': -ksp_max_it: '0' is not a whole number from 1 to 10000; --trust-options "
            "allows any");
  EXPECT_EQ(error_message("-ksp_cg_single_reduction maybe"),
            "parameter 'options': -ksp_cg_single_reduction: 'maybe' is not one of true, false; "
            "--trust-options allows "
            "any");
}

TEST(Petsc, what_is_not_on_the_list_is_taken_where_options_are_trusted) {
  {
    const Trust trust;
    const TemporaryFolder folder;
    EXPECT_EQ(error_message("-ksp_type chebyshev -ksp_view_mat ascii:" + (folder / "matrix").string()), "");
    EXPECT_TRUE(std::filesystem::exists(folder / "matrix"));
  }
  EXPECT_NE(error_message("-ksp_type chebyshev"), "");
}

/// Together they use every option of the list.
const std::vector<std::string> sets_of_options = {
    "-ksp_type cg -ksp_norm_type natural -ksp_rtol 1e-8 -ksp_max_it 100 -ksp_pc_side left "
    "-ksp_cg_single_reduction",
    "-ksp_type gmres -ksp_gmres_restart 20 -ksp_gmres_modifiedgramschmidt false "
    "-ksp_gmres_cgs_refinement_type "
    "refine_ifneeded",
    "-ksp_type gcr -ksp_gcr_restart 10 -pc_type none",
    "-ksp_type fcg -ksp_fcg_mmax 20 -ksp_fcg_truncation_type notay",
    "-pc_type jacobi -pc_jacobi_type rowmax",
    "-pc_type sor -pc_sor_omega 1.2 -pc_sor_its 2 -pc_sor_lits 2",
    "-pc_type icc -pc_factor_levels 1 -pc_factor_fill 2 -pc_factor_shift_type positive_definite "
    "-pc_factor_shift_amount 1e-10 -pc_factor_mat_ordering_type rcm",
    "-ksp_type preonly -pc_type cholesky -pc_factor_mat_solver_type cholmod",
    "-pc_type bjacobi -pc_bjacobi_blocks 4 -sub_pc_type icc -sub_pc_factor_levels 1",
    "-ksp_type gmres -pc_type asm -pc_asm_blocks 4 -pc_asm_overlap 2 -pc_asm_type restrict",
    "-pc_type gamg -pc_gamg_type agg -pc_gamg_threshold 0.02 -pc_gamg_threshold_scale 0.5 "
    "-pc_gamg_agg_nsmooths 1 "
    "-pc_gamg_aggressive_coarsening 1 -pc_gamg_coarse_eq_limit 20 -pc_gamg_reuse_interpolation -pc_mg_type "
    "multiplicative -pc_mg_cycle_type w -mg_levels_ksp_type richardson -mg_levels_ksp_max_it 2 "
    "-mg_levels_ksp_richardson_scale 0.8 -mg_levels_pc_type sor",
    "-pc_type hypre -pc_hypre_type boomeramg -pc_hypre_boomeramg_strong_threshold 0.5 "
    "-pc_hypre_boomeramg_max_levels 10 -pc_hypre_boomeramg_max_iter 2 -pc_hypre_boomeramg_cycle_type W "
    "-pc_hypre_boomeramg_coarsen_type HMIS -pc_hypre_boomeramg_interp_type ext+i "
    "-pc_hypre_boomeramg_relax_type_all l1scaled-Jacobi -pc_hypre_boomeramg_relax_weight_all 0.9 "
    "-pc_hypre_boomeramg_grid_sweeps_all 2 -pc_hypre_boomeramg_agg_nl 1 -pc_hypre_boomeramg_P_max 4 "
    "-pc_hypre_boomeramg_truncfactor 0.1",
};

TEST(Petsc, every_option_of_the_list_is_one_that_petsc_uses) {
  std::set<std::string> unused;
  for (const AllowedPetscOption& allowed : allowed_petsc_options()) unused.insert(allowed.name);
  for (const std::string& options : sets_of_options) {
    EXPECT_EQ(error_message(options), "") << options;
    for (const PetscOption& option : parse_petsc_options(options)) unused.erase(option.name);
  }
  EXPECT_EQ(unused, std::set<std::string>());
}

TEST(Petsc, every_method_with_every_preconditioner_ends_in_a_solution_or_in_a_sentence) {
  const auto words = [](const std::string& name) {
    for (const AllowedPetscOption& allowed : allowed_petsc_options())
      if (allowed.name == name) return allowed.words;
    return std::vector<std::string>();
  };
  // Options that solve only once or require properties that their partner lacks.
  const std::set<std::string> without = {"cgne hypre", "bicg hypre"};
  int solved = 0;
  for (const std::string& method : words("ksp_type"))
    for (const std::string& preconditioner : words("pc_type")) {
      const std::string sentence = error_message("-ksp_type " + method + " -pc_type " + preconditioner);
      const bool direct = preconditioner == "lu" || preconditioner == "cholesky";
      const bool works = (method != "preonly" || direct) && !without.count(method + " " + preconditioner);
      EXPECT_EQ(sentence.empty(), works) << method << " " << preconditioner << ": " << sentence;
      solved += works;
    }
  EXPECT_GT(solved, 200);
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
