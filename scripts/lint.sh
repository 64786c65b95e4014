#!/usr/bin/env bash
# Quick checks of the sources without a build: clang-format for the C++ files, shellcheck for the scripts.
# A tool that is missing, or has another version than the one used to format the sources, is reported and skipped.
#
#   scripts/lint.sh                  format, shell scripts, layers, and long commit subjects
#   scripts/lint.sh --tidy [COMMIT]  clang-tidy over the C++ sources changed since COMMIT (default HEAD~1); slow
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

format_version=14  # another version breaks lines differently

major_version() { "$1" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p' | head -n 1; }
sources() { git ls-files -z --cached --others --exclude-standard --deduplicate -- "$@"; }  # new ones, too

check_format() {
  local tool unformatted
  for tool in "clang-format-$format_version" clang-format; do
    if command -v "$tool" >/dev/null && [[ $(major_version "$tool") == "$format_version" ]]; then
      unformatted=$(sources '*.cpp' '*.hpp' | xargs -0r "$tool" --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning:.*//p' | sort -u)
      [[ -z $unformatted ]] || die 1 "run $tool -i on:"$'\n'"$unformatted"
      echo "lint: clang-format: all C++ sources are formatted"
      return
    fi
  done
  echo "lint: skipped: clang-format $format_version is not installed"
}

check_shell() {
  if ! command -v shellcheck >/dev/null; then
    echo "lint: skipped: shellcheck is not installed"
    return
  fi
  # lib.sh is checked with the scripts that source it
  sources 'scripts/*.sh' 'tests/*.sh' .ci/run ':!scripts/lib.sh' | xargs -0r shellcheck -x --check-sourced --source-path=SCRIPTDIR
  echo "lint: shellcheck: the scripts are clean"
}

# Rules of the layout: the harness refers to schemes only through the lists, loops over elements use Index, and the root holds what
# belongs there.
check_structure() {
  local found
  found=$(git grep --untracked -nE '"(fefv|kinetic|rusanov|hllc|roe|dec|newmark|semi-implicit|implicit-euler|ssprk[0-9]*|rk4|dormand-prince)"' -- experiments/harness || true)
  [[ -z $found ]] || die 1 "the harness must refer to schemes and integrators only through the lists: $found"
  found=$(git grep --untracked -n 'static_cast<std::size_t>' -- discretizations solvers ':!discretizations/common/array.hpp' || true)
  [[ -z $found ]] || die 1 "a cast to size_t; use common/array.hpp, which is indexed by Index: $found"
  found=$(git ls-files --cached --others --exclude-standard | sed 's|/.*||' | sort -u |
    grep -vxE 'solvers|discretizations|experiments|reference|results|scripts|tests|paper|\.(ci|clang-format|clang-tidy|gitignore)|(CHANGELOG|CONTRIBUTING|README)\.md|CITATION\.cff|CMakeLists\.txt|CMakePresets\.json|LICENSE|pyproject\.toml|Dockerfile' || true)
  [[ -z $found ]] || die 1 "these do not belong at the root: $found"
  check_floors
  echo "lint: structure: the rules of the layout are satisfied"
}

# Includes point down: from a layer to itself and to those below it.
check_floors() {
  local -r floors=(discretizations/mesh discretizations solvers experiments reference)
  local floor above upwards=()
  for ((floor = 0; floor < ${#floors[@]}; ++floor)); do
    for above in "${floors[@]:floor + 1}"; do
      mapfile -t -O "${#upwards[@]}" upwards < <(git grep --untracked -nE "^#include \"$above/" -- "${floors[floor]}" ":!${floors[floor]}/**.md" |
        grep -vE "#include \"(${floors[floor]}|discretizations/(common|mesh))/" || true)
    done
  done
  [[ ${#upwards[@]} == 0 ]] || die 1 "an include that points upwards: ${upwards[*]}"
}

# Reports violations of the rule for commit messages (CONTRIBUTING.md) without failing.
check_subjects() {
  local long
  long=$(git log --no-merges -20 --format='%h %s' | awk 'length($0) > 72 + length($1) + 1')
  [[ -z $long ]] || printf 'lint: note: a subject should have at most 72 characters:\n%s\n' "$long"
}

check_tidy() { # check_tidy COMMIT
  command -v clang-tidy >/dev/null || { echo "lint: skipped: clang-tidy is not installed"; return; }
  [[ -f $build/compile_commands.json ]] || die 2 "clang-tidy requires build/release: run cmake --preset release first"
  git rev-parse --verify --quiet "$1^{commit}" >/dev/null || die 2 "there is no commit '$1'"
  git diff --name-only --diff-filter=d -z "$1" -- '*.cpp' | xargs -0r -n 1 clang-tidy --quiet -p "$build"
  echo "lint: clang-tidy: the sources changed since $1 are clean"
}

git rev-parse --git-dir >/dev/null 2>&1 || { echo "lint: skipped: no git checkout"; exit 0; }
case ${1:-} in
  '') check_format; check_shell; check_structure; check_subjects ;;
  --tidy) check_tidy "${2:-HEAD~1}" ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac
