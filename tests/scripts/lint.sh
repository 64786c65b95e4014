#!/usr/bin/env bash
# scripts/lint.sh in a repository of its own: a source that is not yet added to git is checked like the others.
#
#   lint.sh SOURCE    the checkout whose scripts are tested
set -euo pipefail

command -v clang-format-14 >/dev/null || { echo "skipped: clang-format 14 is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/scripts" "$folder/experiments/harness"
cp "$1/scripts/lint.sh" "$1/scripts/lib.sh" "$folder/scripts"
cp "$1/.clang-format" "$folder"
cd "$folder"
git init -q
git add .
git -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false commit -q -m "Add scripts"

fails_with() { # fails_with TEXT
  local code=0 said
  said=$(scripts/lint.sh 2>&1) || code=$?
  [[ $code == 1 && $said == *"$1"* ]] || { printf 'exit code %s: %s\n' "$code" "$said" >&2; exit 1; }
}
scripts/lint.sh
printf 'int  main( ) {}\n' >new.cpp
fails_with new.cpp
printf 'const char* name = "hllc";\n' >experiments/harness/new.hpp
printf 'int main() {}\n' >new.cpp
fails_with experiments/harness/new.hpp
