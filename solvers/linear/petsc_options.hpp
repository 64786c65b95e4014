// The PETSc options that a run may set. Of PETSc's thousands of options, some write arbitrary files, some execute code, and
// many crash when misused. Experiment files and results files may come from untrusted sources, so only listed options are
// accepted.
#pragma once

#include <string>
#include <vector>

namespace shoal {

/// "-ksp_rtol 1e-8" becomes {"ksp_rtol", "1e-8"}; without a value, `value` is "".
struct PetscOption {
  std::string name, value;
};

/// A row of the list: an option and its allowed values.
struct AllowedPetscOption {
  std::string name;
  std::vector<std::string> words;  ///< empty for a number
  double min = 0, max = 0;         ///< of a number
  bool whole = false;              ///< an integer
  bool flag = false;               ///< true or false; true if no value is given
};

/// Options that neither write nor read files nor execute code, with the values that work for a symmetric positive definite
/// matrix in one process. Alone and combined, they lead to a solution or to a message that explains why there is none.
const std::vector<AllowedPetscOption>& allowed_petsc_options();

/// Parses "-name value -name …". Unless options are trusted, throws SettingError "options" naming an option or value that is
/// not on the list.
std::vector<PetscOption> parse_petsc_options(const std::string& text);

/// If trusted, this process and those that it forks from now on accept any option; options can then write files and execute
/// code. Initially not trusted.
void trust_petsc_options(bool trusted);
bool petsc_options_are_trusted();

}  // namespace shoal
