#!/usr/bin/env bash
# Feeds damaged files to all our readers, of meshes and of experiments, with libFuzzer under the address and undefined-behaviour
# sanitizers, starting from the corpus in tests/fuzz/corpus. Stops at the first input that crashes, takes more than
# 10 s or 2 GiB, or is refused in more than one line, and saves it in build/fuzz/.
#
#   scripts/fuzz.sh [SECONDS [TARGET…]]   SECONDS per target, default 60; targets: obj off ply stl gltf glb msh vtk toml
#   scripts/fuzz.sh --keep [TARGET…]      add new inputs to tests/fuzz/corpus, as few as cover the same edges
#   scripts/fuzz.sh --mutations [N]       N damaged files, default 10000, for every mesh reader, in build/release: the 2000 of
#                                         the tests Mutations, and more
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

targets=(obj off ply stl gltf glb msh vtk toml)
keep=
seconds=60
case ${1:-} in
  --keep) keep=yes ;;
  --mutations)
    SHOAL_MUTATIONS=${2:-10000} exec build/release/unit_tests --gtest_filter='*Mutations*' --gtest_brief=1
    ;;
  '' | [1-9]*) seconds=${1:-60} ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac
[[ $# -lt 2 ]] || targets=("${@:2}")

fuzz=$root/build/fuzz
limits=(-timeout=10 -rss_limit_mb=2048 -max_len=4096)

if [[ $keep ]]; then
  # Inputs with their own names are kept. Those named by hashes are selected anew, as few as cover every edge of the control flow
  # that any input covers; distinguishing counts too would keep ten times as many.
  for target in "${targets[@]}"; do
    kept=tests/fuzz/corpus/$target
    [[ -d $fuzz/$target/found ]] || die 2 "no inputs found for $target yet; run scripts/fuzz.sh first"
    find "$kept" -regextype posix-extended -regex '.*/[0-9a-f]{40}' -exec mv -t "$fuzz/$target/found" {} +
    "$fuzz/fuzz_$target" -set_cover_merge=1 -use_counters=0 "${limits[@]}" "$kept" "$fuzz/$target/found" 2>&1 | tail -n 1
  done
  exit
fi

require_packages "${build_packages[@]}" "${fuzz_packages[@]}"
say "building the targets"
cmake --preset fuzz
cmake --build --preset fuzz --parallel "$(nproc)" --target "${targets[@]/#/fuzz_}"

for target in "${targets[@]}"; do
  say "$target, $seconds s"
  mkdir -p "$fuzz/$target/found"
  options=("${limits[@]}" -max_total_time="$seconds" -print_final_stats=1 -verbosity=0 -artifact_prefix="$fuzz/$target/")
  [[ ! -f tests/fuzz/$target.dict ]] || options+=(-dict="tests/fuzz/$target.dict")
  "$fuzz/fuzz_$target" "${options[@]}" "$fuzz/$target/found" "tests/fuzz/corpus/$target" ||
    die 1 "$target: an input is mishandled (see above; saved in build/fuzz/$target/)"
done
echo "fuzz: nothing found in $seconds s for each of: ${targets[*]}"
