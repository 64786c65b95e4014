#!/usr/bin/env bash
# Measures operators, steps and linear solvers, each with its ratio to a limit, and writes the numbers (JSON) and a table to
# results/benchmarks/. Run it on an otherwise idle machine.
#
#   scripts/benchmarks.sh [REGEX]    about eight minutes; REGEX selects benchmarks
#   scripts/benchmarks.sh --keep     also copy the table to results/committed/
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=""
filter=.
case ${1:-} in
  --keep) keep=yes ;;
  -*) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
  *) filter=${1:-.} ;;
esac

require_packages "${build_packages[@]}" "${test_packages[@]}" "${plot_packages[@]}"
find_python
configure
build benchmarks
out=results/benchmarks
mkdir -p "$out"
"$build/benchmarks" --benchmark_filter="$filter" --benchmark_min_time=0.2 --benchmark_out="$out/benchmarks.json"
"$python" scripts/benchmark_table.py "$out/benchmarks.json" >"$out/table.md"
[[ -n $keep ]] || exit 0
{
  # shellcheck disable=SC2016  # Markdown's backquotes
  printf '# Benchmarks\n\nMade by `scripts/benchmarks.sh --keep` with the program of commit %s on %s.\n\n' \
    "$(git rev-parse --short=10 HEAD)$(git diff --quiet HEAD -- . ':!results' || echo ", changed")" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
  cat "$out/table.md"
} >results/committed/benchmarks.md
echo "kept results/committed/benchmarks.md"
