#!/usr/bin/env bash
# Builds with the address, leak and undefined-behaviour sanitizers into build/sanitize and runs tests under them; the first
# report ends a test. scripts/sanitize.supp suppresses leaks of libraries, with the reason for each.
#
#   scripts/sanitize.sh             unit tests, conformance tests, the program with bad input
#   scripts/sanitize.sh --quick     only reading, checking and repairing meshes, as in continuous integration
#   scripts/sanitize.sh -R Files    other options are passed to ctest
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

targets=(unit_tests conformance_tests program_tests)
quick=
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --quick) quick=yes; targets=(mesh_tests) ;;
esac

export ASAN_OPTIONS=halt_on_error=1:detect_stack_use_after_return=1:strict_string_checks=1:fast_unwind_on_malloc=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export LSAN_OPTIONS=suppressions=$root/scripts/sanitize.supp:print_suppressions=0

require_packages "${build_packages[@]}" "${test_packages[@]}"
say "building ${targets[*]} with the sanitizers"
cmake --preset sanitize
cmake --build --preset sanitize --parallel "$(nproc)" --target "${targets[@]}"

say "testing"
if [[ $quick ]]; then
  parts=$(nproc)
  for ((part = 0; part < parts; ++part)); do
    GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$part build/sanitize/mesh_tests --gtest_brief=1 &
  done
  for ((part = 0; part < parts; ++part)); do wait -n; done
else
  ctest --test-dir build/sanitize --output-on-failure --parallel "$(nproc)" --exclude-regex '^walkthrough|^installed|^python|_NOT_BUILT' "$@"
fi
