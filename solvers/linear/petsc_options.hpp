// The options of PETSc that a run may give. PETSc has thousands: some write any file, some run code, many crash where
// they do not fit. Experiment files and results files come from anywhere, so only those on a list are taken.
#pragma once

#include <string>
#include <vector>

namespace shoal {

/// "-ksp_rtol 1e-8" is {"ksp_rtol", "1e-8"}; the value is "" where none is given.
struct PetscOption {
  std::string name, value;
};

/// A row of the list: an option and the values that it may have.
struct AllowedPetscOption {
  std::string name;
  std::vector<std::string> words;  ///< empty for a number
  double min = 0, max = 0;         ///< of a number
  bool whole = false;              ///< a number without fraction
  bool flag = false;               ///< true or false, and true without a value
};

/// Options that write, read and execute nothing, with the values that work on a symmetric positive definite matrix
/// in one process: alone and together they end in a solution or in a sentence that says why there is none.
const std::vector<AllowedPetscOption>& allowed_petsc_options();

/// The options in "-name value -name …". Throws SettingError "options" naming the one that is not on the list, or whose
/// value is not; unless options are trusted.
std::vector<PetscOption> parse_petsc_options(const std::string& text);

/// Whether any option is taken as it is, in this process and in those forked from it from now on: then they can
/// write files and run code. Not trusted at first.
void trust_petsc_options(bool trusted);

}  // namespace shoal
