#!/usr/bin/env bash
# Some scenes of scripts/validate.sh anew: their tables must equal those in results/validation/ to the printed digits.
#
#   validation.sh SOURCE SHOAL PYTHON SCENE…
set -euo pipefail

cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Wrong arguments give one sentence, and no page is written.
ln -s "$PWD/experiments" "$folder/experiments"
for wrong in "page none" "page ." "check none" "check ." "check . nosuch" "check . --nosuch" "split /dev/null/none" \
  "split none --discretization hllc"; do
  read -ra words <<<"$wrong"
  code=0
  (cd "$folder" && "$3" "$OLDPWD/scripts/validation.py" "${words[@]}") >"$folder/said" 2>&1 || code=$?
  if [[ $code != 2 || $(wc -l <"$folder/said") != 1 || -e $folder/results || -e $folder/none ]]; then
    echo "validation.py $wrong: exit code $code, not 2 with one sentence" >&2
    cat "$folder/said" >&2
    exit 1
  fi
done

"$3" scripts/validation.py split "$folder" "${@:4}" >/dev/null
for scene in "${@:4}"; do
  "$2" sweep "$folder/$scene.toml" --output "$folder/$scene/$scene.h5" --quiet
done
"$3" scripts/validation.py check "$folder" "${@:4}"

# A scheme of one's own stands beside the others, which alone are compared with the tables that are kept.
sed -n '1p;s/,hllc,linear,/,own,,/p' "$folder/$4/runs.csv" >"$folder/$4/added.csv"
"$3" scripts/validation.py check "$folder" "$4" --discretization own | tee "$folder/said"
grep -q "$(($(wc -l <"$folder/$4/added.csv") - 1)) runs are not in .*: own$" "$folder/said"
"$3" scripts/validation.py page "$folder" "$4" --discretization own --plugin own.so | tee "$folder/said"
grep -q "no order known for own: reported, not judged" "$folder/said"
grep -q "discretization own .*--plugin own.so" "$folder/$4.csv"
grep -q "| ○ [0-9]*/[0-9]* |$" "$folder/README.md"

# A difference is found.
sed -i '2,$s/finished/unstable/' "$folder/$4/runs.csv"
if "$3" scripts/validation.py check "$folder" "$4" 2>"$folder/said"; then
  echo "a changed outcome was not noticed" >&2
  exit 1
fi
grep -q unstable "$folder/said"
