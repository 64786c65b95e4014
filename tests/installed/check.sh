#!/usr/bin/env bash
# Shoal installed, and the project of this folder built against it and used as an outsider would.
#
#   check.sh STAGE FOLDER BUILD [OPTION…]    STAGE: build (first), program, refusals, throwing, embedded, conformance
#
# FOLDER takes all that is written, BUILD is Shoal's build tree, OPTIONS go to the cmake that configures the project.
set -euo pipefail

stage=$1 folder=$2 build=$3
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$folder/prefix outside=$folder/outside plugin=$folder/outside/extra.so
shoal=$prefix/bin/shoal

fail() {
  printf 'check.sh: %s\n' "$*" >&2
  exit 1
}

# The command has to end with exit code 2 and one line on standard error that holds TEXT.
refuses() { # refuses TEXT COMMAND…
  local text=$1 code=0 said
  shift
  said=$("$@" 2>&1 >/dev/null) || code=$?
  [[ $code == 2 ]] || fail "exit code $code instead of 2: $*"
  [[ $said == *"$text"* && $said != *$'\n'* ]] || fail "instead of '… $text …': $said"
}

build() {
  rm -rf "$prefix" "$outside"
  cmake --install "$build" --prefix "$prefix" >"$folder/install.txt"
  cmake -S "$source" -B "$outside" -DCMAKE_PREFIX_PATH="$prefix" "$@"
  cmake --build "$outside" --parallel 2
  # Neither the place where Shoal was built nor its processor is passed on; -march=native is that of the machine at hand.
  ! grep -rn -e "$build" -e 'march=[^n]' "$prefix/lib/cmake" || fail "the package names what is of this machine alone"
}

program() {
  cd "$folder"
  rm -rf results
  local name
  for name in integrators:three-eighths discretizations:lax-friedrichs discretizations:smooth-rusanov scenes:two-bumps; do
    [[ $("$shoal" list "${name%:*}" --plugin "$plugin") == *"${name#*:}"* ]] || fail "not listed: $name"
  done

  "$shoal" run two-bumps --discretization smooth-rusanov --integrator three-eighths --plugin "$plugin" --quiet
  local file=results/two-bumps/two-bumps.h5 row
  row=$("$shoal" table $file --as csv --columns outcome,mass_drift,energy_left | tail -n 1)
  echo "outcome, mass drift, energy left: $row"
  awk -F, '{ exit !($1 == "finished" && $2 < 1e-13 && $3 > 0 && $3 < 1) }' <<<"$row" || fail "not as it must be: $row"

  "$shoal" sweep "$source/two-bumps.toml" --jobs 2 --plugin "$plugin" --quiet --output results/sweep.h5
  "$shoal" rerun results/sweep.h5 --plugin "$plugin" --quiet --output results/rerun.h5
  "$shoal" diff results/sweep.h5 results/rerun.h5 || fail "a rerun gives other bits"
  refuses "made with --plugin $plugin: run 0001: scene 'two-bumps' does not exist" \
    "$shoal" rerun results/sweep.h5 --output results/other.h5

  # Its manual pages, completion and schema came along; the last two are those of the program.
  [[ -s $prefix/share/man/man1/shoal-run.1 && $("$shoal" man run) == "$(<"$prefix/share/man/man1/shoal-run.1")" ]] || fail "no manual page"
  "$shoal" completion bash | cmp - "$prefix/share/bash-completion/completions/shoal"
  "$shoal" schema | cmp - "$prefix/share/shoal/experiment.schema.json"
  [[ $("$shoal" schema --plugin "$plugin") == *'"two-bumps"'* ]] || fail "the schema lacks the entries of a plugin"

  # The module for PETSc is found.
  "$shoal" run sphere-bump --integrator newmark --linear-solver petsc --mesh icosphere:2 --end 0.1 --quiet

  # The package for Python, where there is one, finds it too.
  local python package
  python=$(sed -n 's/^SHOAL_PYTHON:.*=//p' "$build/CMakeCache.txt")
  package=$(sed -n 's/^SHOAL_PYTHON_PACKAGE:.*=//p' "$build/CMakeCache.txt")
  [[ ! $python ]] || PYTHONPATH=$(dirname "$prefix/$package") "$python" -c "import shoal
water = shoal.ShallowWater('icosphere:2', 'fefv', 'newmark', linear_solver='petsc')
water.step(0.01, 2)
assert shoal.__file__.startswith('$prefix/$package') and water.time == 0.02"
}

refusals() {
  refuses "is not a plugin of Shoal" "$shoal" list scenes --plugin "$outside/libno_plugin.so"
  refuses "built against other headers" "$shoal" list scenes --plugin "$outside/other_headers.so"
  refuses "integrator 'three-eighths' exists already" "$shoal" list scenes --plugin "$plugin" --plugin "$plugin"
  refuses "there is no such file" "$shoal" list scenes --plugin "$outside/missing.so"
  refuses "cannot be loaded" "$shoal" list scenes --plugin "$source/plugin.cpp"
}

# What a plugin throws, wherever, is a sentence and an exit code; of a sweep it is the outcome of one run.
throwing() {
  local where code said plugin=$outside/throwing.so
  cd "$folder"
  for where in loading:2 registering:2 pairing:3 scene:3 initial:3 forcing:1; do
    code=0
    said=$(SHOAL_THROW=${where%:*} "$shoal" run throws --integrator throws --plugin "$plugin" --quiet --fresh \
      --output results/throws.h5 2>&1 >/dev/null) || code=$?
    [[ $code == "${where#*:}" ]] || fail "exit code $code of a plugin that throws in ${where%:*}: $said"
    [[ $said == *"an exception without a message was thrown"* && $said != *$'\n'* ]] || fail "in ${where%:*}: $said"
  done
  printf 'scene = ["throws", "rest"]\nmesh = "icosphere:1"\ndt = 0.1\nend = 0.3\n' >throws.toml
  for where in scene initial forcing; do
    SHOAL_THROW=$where "$shoal" sweep throws.toml --plugin "$plugin" --quiet --fresh --output results/throws.h5
    said=$("$shoal" table results/throws.h5 --columns outcome --as csv | tr '\n' ' ')
    [[ $said == "outcome solver-failed finished " ]] || fail "in $where: $said"
  done
}

embedded() {
  "$outside/embedded"
  "$outside/embedded" petsc  # of whose module the package tells the linker
}

conformance() {
  "$prefix/bin/shoal-conformance" --plugin "$plugin" --only three-eighths --only lax-friedrichs --only smooth-rusanov "[conformance]~[slow],[model]~[slow],[boundaries]~[slow]"
}

mkdir -p "$folder"
"$stage" "${@:4}"
