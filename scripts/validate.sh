#!/usr/bin/env bash
# Runs every scheme on every scene (experiments/validation.toml, validation-moving.toml) and judges the results by the criteria in experiments/validation/.
# Writes results/validation/README.md, index.html and a table of runs per scene. A scene takes from half a minute to several minutes; if
# interrupted, run it again to resume.
#
#   scripts/validate.sh                all scenes, then the pages
#   scripts/validate.sh SCENE…         run these scenes and compare them with the tables in results/validation/, to the printed digits
#   scripts/validate.sh --list         list the scenes
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

runs=results/validation-runs
scenes=("$@")
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --list) find_python; exec "$python" scripts/validation.py list ;;
  -*) usage >&2; exit 2 ;;
esac

require_packages "${build_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal
names=$("$python" scripts/validation.py split "$runs" "${scenes[@]}")
for name in $names; do
  say "$name"
  "$build/shoal" sweep "$runs/$name.toml" --output "$runs/$name/$name.h5" --jobs "$(nproc)"
done
if [[ ${#scenes[@]} -gt 0 ]]; then
  exec "$python" scripts/validation.py check "$runs" "${scenes[@]}"
fi
exec "$python" scripts/validation.py page "$runs"
