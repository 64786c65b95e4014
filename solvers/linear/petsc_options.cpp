// The list of allowed PETSc options, compiled without PETSc, so that a text is checked before PETSc is loaded.
//
// Tested with PETSc 3.18.5 and hypre 2.26.0, alone and combined, on matrices that are positive definite, indefinite, singular or
// contain NaN. The list excludes options that write or read files (view, monitor, file, log, python, euclid's database);
// methods that crash (ksp_type chebyshev at a NaN, richardson with multigrid of one level; pc_type mg, ml, hmg, bddc, nn,
// eisenstat, kaczmarz), never end (pipelcg) or miss the tolerance (qcg, tsirm, symmlq, qmrcgs); and values with which other
// methods crash (mg_levels_ksp_type preonly; boomeramg's Gaussian-elimination and CG; the ordering wbm, an fcg_mmax of 0) or
// which require unbounded time or memory.
#include "solvers/linear/petsc_options.hpp"

#include "discretizations/common/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

namespace shoal {
namespace {

bool trusted_ = false;

AllowedPetscOption choice(const char* name, std::vector<std::string> words) {
  return {.name = name, .words = std::move(words)};
}
AllowedPetscOption flag(const char* name) {
  return {.name = name, .words = {"true", "false"}, .flag = true};
}
AllowedPetscOption number(const char* name, double min, double max) {
  return {.name = name, .words = {}, .min = min, .max = max};
}
AllowedPetscOption whole_number(const char* name, int min, int max) {
  return {.name = name,
          .words = {},
          .min = static_cast<double>(min),
          .max = static_cast<double>(max),
          .whole = true};
}

SettingError mistake(const std::string& complaint, const std::string& hint = "") {
  return parameter_error("options", complaint + "; --trust-options allows any" + hint);
}

const AllowedPetscOption& find(const PetscOption& given) {
  std::vector<std::string> names;
  for (const AllowedPetscOption& allowed : allowed_petsc_options()) {
    if (allowed.name == given.name) return allowed;
    names.push_back("-" + allowed.name);
  }
  throw mistake(
      fmt::format("'-{}{}{}' is not on the allowlist of PETSc options ('shoal list linear-solvers' shows it)",
                  given.name, given.value.empty() ? "" : " ", given.value),
      did_you_mean("-" + given.name, names));
}

void check(const PetscOption& given) {
  const AllowedPetscOption& allowed = find(given);
  if (allowed.flag && given.value.empty()) return;
  if (!allowed.words.empty()) {
    if (std::find(allowed.words.begin(), allowed.words.end(), given.value) == allowed.words.end())
      throw mistake(fmt::format("-{}: '{}' is not one of {}", given.name, given.value, join(allowed.words)),
                    did_you_mean(given.value, allowed.words));
    return;
  }
  double value = std::nan("");
  try {  // PETSc takes no fractions
    if (given.value.find('/') == std::string::npos) value = parse_number(given.value, "");
  } catch (const Error&) {
    // stays NaN; reported below with the allowed values
  }
  if (!(value >= allowed.min && value <= allowed.max) || (allowed.whole && value != std::floor(value)))
    throw mistake(fmt::format("-{}: '{}' is not a {}number from {} to {}", given.name, given.value,
                              allowed.whole ? "whole " : "", allowed.min, allowed.max));
}

}  // namespace

const std::vector<AllowedPetscOption>& allowed_petsc_options() {
  static const std::vector<AllowedPetscOption> list = {
      // the method
      choice("ksp_type",
             {"cg",  "groppcg", "pipecg", "pipecr", "cr",  "fcg",   "minres", "gmres", "fgmres", "lgmres",
              "gcr", "bcgs",    "fbcgs",  "ibcgs",  "cgs", "tfqmr", "tcqmr",  "bicg",  "cgne",   "preonly"}),
      choice("ksp_norm_type", {"preconditioned", "unpreconditioned", "natural"}),
      number("ksp_rtol", 1e-15, 0.9),
      whole_number("ksp_max_it", 1, 10'000),
      choice("ksp_pc_side", {"left", "right"}),
      flag("ksp_cg_single_reduction"),
      whole_number("ksp_gmres_restart", 1, 500),
      flag("ksp_gmres_modifiedgramschmidt"),
      choice("ksp_gmres_cgs_refinement_type", {"refine_never", "refine_ifneeded", "refine_always"}),
      whole_number("ksp_gcr_restart", 1, 500),
      whole_number("ksp_fcg_mmax", 1, 500),
      choice("ksp_fcg_truncation_type", {"standard", "notay"}),
      // the preconditioner
      choice("pc_type",
             {"none", "jacobi", "bjacobi", "sor", "icc", "ilu", "asm", "cholesky", "lu", "gamg", "hypre"}),
      choice("pc_jacobi_type", {"diagonal", "rowmax", "rowsum"}),
      number("pc_sor_omega", 0.01, 1.99),
      whole_number("pc_sor_its", 1, 10),
      whole_number("pc_sor_lits", 1, 10),
      whole_number("pc_factor_levels", 0, 100),
      number("pc_factor_fill", 1, 100),
      choice("pc_factor_shift_type", {"none", "nonzero", "positive_definite", "inblocks"}),
      number("pc_factor_shift_amount", 1e-12, 1),
      choice("pc_factor_mat_ordering_type", {"natural", "nd", "1wd", "rcm", "qmd", "rowlength", "amd"}),
      choice("pc_factor_mat_solver_type", {"petsc", "cholmod"}),
      whole_number("pc_bjacobi_blocks", 1, 100),
      whole_number("pc_asm_blocks", 1, 100),
      whole_number("pc_asm_overlap", 0, 10),
      choice("pc_asm_type", {"basic", "restrict"}),
      choice("sub_pc_type", {"none", "jacobi", "sor", "icc", "ilu", "cholesky", "lu"}),
      whole_number("sub_pc_factor_levels", 0, 100),
      // PETSc's own multigrid
      choice("pc_gamg_type", {"agg", "classical"}),
      number("pc_gamg_threshold", -1, 1),
      number("pc_gamg_threshold_scale", 0, 1),
      whole_number("pc_gamg_agg_nsmooths", 0, 10),
      whole_number("pc_gamg_aggressive_coarsening", 0, 100),
      whole_number("pc_gamg_coarse_eq_limit", 1, 10'000),
      flag("pc_gamg_reuse_interpolation"),
      choice("pc_mg_type", {"multiplicative", "additive", "full", "kaskade"}),
      choice("pc_mg_cycle_type", {"v", "w"}),
      choice("mg_levels_ksp_type", {"chebyshev", "richardson"}),
      whole_number("mg_levels_ksp_max_it", 1, 10),
      number("mg_levels_ksp_richardson_scale", 1e-3, 2),
      choice("mg_levels_pc_type", {"jacobi", "sor", "icc", "ilu"}),
      // hypre's multigrid
      choice("pc_hypre_type", {"boomeramg"}),
      number("pc_hypre_boomeramg_strong_threshold", 0, 1),
      whole_number("pc_hypre_boomeramg_max_levels", 2, 100),
      whole_number("pc_hypre_boomeramg_max_iter", 1, 10),
      choice("pc_hypre_boomeramg_cycle_type", {"V", "W"}),
      choice("pc_hypre_boomeramg_coarsen_type",
             {"CLJP", "Ruge-Stueben", "modifiedRuge-Stueben", "Falgout", "PMIS", "HMIS"}),
      choice("pc_hypre_boomeramg_interp_type",
             {"classical", "direct", "multipass", "standard", "ext", "ext+i", "FF", "FF1"}),
      choice("pc_hypre_boomeramg_relax_type_all",
             {"Jacobi", "sequential-Gauss-Seidel", "SOR/Jacobi", "backward-SOR/Jacobi",
              "symmetric-SOR/Jacobi", "l1scaled-SOR/Jacobi", "l1-Gauss-Seidel", "backward-l1-Gauss-Seidel",
              "l1scaled-Jacobi", "Chebyshev"}),
      number("pc_hypre_boomeramg_relax_weight_all", 0.01, 1.5),
      whole_number("pc_hypre_boomeramg_grid_sweeps_all", 1, 10),
      whole_number("pc_hypre_boomeramg_agg_nl", 0, 10),
      whole_number("pc_hypre_boomeramg_P_max", 0, 100),
      number("pc_hypre_boomeramg_truncfactor", 0, 0.9),
  };
  return list;
}

std::vector<PetscOption> parse_petsc_options(const std::string& text) {
  std::vector<PetscOption> options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1])) &&
        word[1] != '.')
      options.push_back({word.substr(1), ""});
    else if (options.empty() || !options.back().value.empty())
      throw parameter_error("options",
                            fmt::format("'{}' is not the name of an option, which begins with -", word));
    else
      options.back().value = word;
  }
  if (!trusted_)
    for (const PetscOption& option : options) check(option);
  return options;
}

bool petsc_options_are_trusted() {
  return trusted_;
}

void trust_petsc_options(bool trusted) {
  trusted_ = trusted;
}

}  // namespace shoal
