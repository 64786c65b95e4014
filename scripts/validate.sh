#!/usr/bin/env bash
# Runs every scheme on every scene (experiments/validation.toml, validation-moving.toml) and judges the results by the criteria in experiments/validation/.
# If interrupted, run it again to resume. All scenes take about an hour and a half on two cores, sphere-dam half an hour of it, most scenes a minute.
#
#   scripts/validate.sh                all scenes, then results/validation/: README.md, index.html and a table of runs per scene
#   scripts/validate.sh SCENE…         run these scenes, compare them with the tables in results/validation/, to the printed digits, and
#                                      write the page of these scenes in results/validation-runs/
#   scripts/validate.sh --list         list the scenes
#
#   --discretization NAME              run this scheme beside the others, "NAME linear" with linear reconstruction; repeatable. The page is
#                                      then in results/validation-runs/
#   --plugin LIB.so                    shared library that adds schemes; repeatable
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

runs=results/validation-runs
scenes=() plugins=() added=()
while [[ $# -gt 0 ]]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --list) find_python; exec "$python" scripts/validation.py list ;;
    --plugin) [[ -f ${2:-} ]] || die 2 "--plugin: there is no file '${2:-}'"; plugins+=(--plugin "$(realpath "$2")"); shift ;;
    --discretization) [[ -n ${2:-} ]] || die 2 "--discretization: needs a name"; added+=(--discretization "$2"); shift ;;
    -*) usage >&2; exit 2 ;;
    *) scenes+=("$1") ;;
  esac
  shift
done

require_packages "${build_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal
names=$("$python" scripts/validation.py split "$runs" "${scenes[@]}" "${added[@]}")
options=("${added[@]}" "${plugins[@]}")
for name in $names; do
  say "$name"
  "$build/shoal" sweep "$runs/$name.toml" --output "$runs/$name/$name.h5" --jobs "$(nproc)" "${plugins[@]}"
  if [[ ${#added[@]} -gt 0 ]]; then  # always anew, because plugins change
    "$build/shoal" sweep "$runs/$name-added.toml" --output "$runs/$name/added.h5" --fresh --jobs "$(nproc)" "${plugins[@]}"
  fi
done
if [[ ${#scenes[@]} -eq 0 ]]; then
  exec "$python" scripts/validation.py page "$runs" "${options[@]}"
fi
same=0
"$python" scripts/validation.py check "$runs" "${scenes[@]}" "${options[@]}" || same=$?
"$python" scripts/validation.py page "$runs" "${scenes[@]}" "${options[@]}" || true  # a failure without a noted reason is a warning here
exit "$same"
