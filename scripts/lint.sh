#!/usr/bin/env bash
# Quick checks of the sources, no build needed: clang-format over the tracked C++ files, shellcheck over the scripts.
# A tool that is missing, or of another version than the one the sources were formatted with, is named and left out.
#
#   scripts/lint.sh                  format, shell scripts, layers, and long commit subjects
#   scripts/lint.sh --tidy [COMMIT]  clang-tidy over the C++ sources changed since COMMIT (default HEAD~1); slow
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

format_version=14  # another version breaks lines differently

major_version() { "$1" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p' | head -n 1; }
tracked() { git ls-files -z -- "$@"; }

check_format() {
  local tool unformatted
  for tool in "clang-format-$format_version" clang-format; do
    if command -v "$tool" >/dev/null && [[ $(major_version "$tool") == "$format_version" ]]; then
      unformatted=$(tracked '*.cpp' '*.hpp' | xargs -0r "$tool" --dry-run 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning:.*//p' | sort -u)
      [[ -z $unformatted ]] || die 1 "run $tool -i on:"$'\n'"$unformatted"
      echo "lint: clang-format: all tracked C++ sources are formatted"
      return
    fi
  done
  echo "lint: clang-format $format_version is not here: left out"
}

check_shell() {
  if ! command -v shellcheck >/dev/null; then
    echo "lint: shellcheck is not here: left out"
    return
  fi
  # lib.sh is checked where it is sourced
  tracked 'scripts/*.sh' 'tests/*.sh' .ci/run ':!scripts/lib.sh' | xargs -0r shellcheck -x --check-sourced --source-path=SCRIPTDIR
  echo "lint: shellcheck: the scripts are clean"
}

# What the layout promises: the harness knows schemes by the lists alone, and loops over elements count with Index.
check_structure() {
  local found
  found=$(git grep -nE '"(fefv|kinetic|rusanov|hllc|roe|dec|newmark|semi-implicit|implicit-euler|ssprk[0-9]*|rk4|dormand-prince)"' -- experiments/harness || true)
  [[ -z $found ]] || die 1 "the harness names a scheme or an integrator, which it knows by the lists alone: $found"
  found=$(git grep -n 'static_cast<std::size_t>' -- discretizations solvers ':!discretizations/common/array.hpp' || true)
  [[ -z $found ]] || die 1 "a cast to size_t, where common/array.hpp is indexed by Index: $found"
  check_floors
  echo "lint: the structure is kept"
}

# Includes point down: from a floor to itself and to those below it.
check_floors() {
  local -r floors=(discretizations/mesh discretizations solvers experiments reference)
  local floor above upwards=()
  for ((floor = 0; floor < ${#floors[@]}; ++floor)); do
    for above in "${floors[@]:floor + 1}"; do
      mapfile -t -O "${#upwards[@]}" upwards < <(git grep -nE "^#include \"$above/" -- "${floors[floor]}" ":!${floors[floor]}/**.md" |
        grep -vE "#include \"(${floors[floor]}|discretizations/(common|mesh))/" || true)
    done
  done
  [[ ${#upwards[@]} == 0 ]] || die 1 "an include that points upwards: ${upwards[*]}"
}

# The rule for commit messages (CONTRIBUTING.md) is pointed out, not enforced.
check_subjects() {
  local long
  long=$(git log --no-merges -20 --format='%h %s' | awk 'length($0) > 72 + length($1) + 1')
  [[ -z $long ]] || printf 'lint: note: a subject has at most 72 characters:\n%s\n' "$long"
}

check_tidy() { # check_tidy COMMIT
  command -v clang-tidy >/dev/null || { echo "lint: clang-tidy is not here: left out"; return; }
  [[ -f $build/compile_commands.json ]] || die 2 "clang-tidy needs build/release: run cmake --preset release first"
  git rev-parse --verify --quiet "$1^{commit}" >/dev/null || die 2 "no commit '$1' to compare with"
  git diff --name-only --diff-filter=d -z "$1" -- '*.cpp' | xargs -0r -n 1 clang-tidy --quiet -p "$build"
  echo "lint: clang-tidy: the sources changed since $1 are clean"
}

git rev-parse --git-dir >/dev/null 2>&1 || { echo "lint: no git or no checkout here: left out"; exit 0; }
case ${1:-} in
  '') check_format; check_shell; check_structure; check_subjects ;;
  --tidy) check_tidy "${2:-HEAD~1}" ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac
