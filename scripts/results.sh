#!/usr/bin/env bash
# Remakes all committed results with one commit, one after the other: tables and figures of every experiment, the README's pictures,
# videos, spectrum, benchmarks, pictures of the application, and measurements of its window. Takes hours; run it on an otherwise idle
# machine.
#
#   scripts/results.sh                   remake all; if interrupted, run it again with the same commit to resume
#   scripts/results.sh NAME…             only these (names: --list)
#   scripts/results.sh --list            list the names
#   scripts/results.sh --check           check that all committed results were made by one commit, and list the exceptions
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# Products of other scripts, and experiments; those whose times are compared come first.
names() {
  printf '%s\n' table-7-1 table-2 frame-rate balls-on-characters claim-2-cost linear-solvers benchmarks sphere-integrators spectrum adaptive-packets videos application
  local file name
  for file in experiments/*.toml; do
    name=$(basename "$file" .toml)
    case $name in
      table-7-1 | table-2 | frame-rate | balls-on-characters | claim-2-cost | linear-solvers | sphere-integrators) ;;
      moving-surfaces | moving-momentum) ;;  # with the videos
      *) echo "$name" ;;
    esac
  done
  echo window
}

make_one() { # make_one NAME
  case $1 in
    benchmarks | spectrum | videos | window) "scripts/$1.sh" --keep ;;
    sphere-integrators) scripts/reproduce.sh --keep ;;
    big-sphere) scripts/experiment.sh --keep --ranks 2 big-sphere ;;  # the committed table is that of two processes
    application) scripts/application.sh --keep ;;
    adaptive-packets)
      find_python
      "$python" scripts/adaptive_packets.py --keep
      ;;
    *)
      ! grep -q build/models "experiments/$1.toml" || scripts/models.sh
      scripts/experiment.sh --keep "$1"
      ;;
  esac
}

# The folders in which it computes.
folders_of() { # folders_of NAME
  if [[ $1 == videos ]]; then echo moving-surfaces moving-momentum; else echo "$1"; fi
}

# The commits named in committed results, with the files that name them.
commits() { grep -oE 'commit [0-9a-f]{10}' results/committed/*.md | sed 's/:commit / /' | awk '{print $2, $1}' | sort; }

check() {
  local count
  count=$(commits | cut -d' ' -f1 | uniq | wc -l)
  if [[ $count == 1 ]]; then
    echo "results: all were made by commit $(commits | head -n 1 | cut -d' ' -f1)"
  else
    commits
    die 1 "results/committed was made by $count commits (above)"
  fi
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --list) names; exit 0 ;;
  --check) check; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
all=$(names)
mapfile -t chosen < <(if [[ $# -gt 0 ]]; then printf '%s\n' "$@"; else echo "$all"; fi)
for name in "${chosen[@]}"; do
  grep -qxF -- "$name" <<<"$all" || die 2 "there is no '$name'; see scripts/results.sh --list"
done
git diff --quiet HEAD -- . ':!results' || die 2 "there are uncommitted changes; commit them first"

commit=$(git rev-parse HEAD)
done_file=results/.made-by-$commit
mkdir -p results
touch "$done_file"
failed=()
for name in "${chosen[@]}"; do
  if [[ $# -eq 0 ]] && grep -qxF -- "$name" "$done_file"; then
    echo "results: $name is done"
    continue
  fi
  begin=$SECONDS
  # Removes results of earlier commits, resumes those of this one, and keeps tracked files.
  for folder in $(folders_of "$name"); do
    git check-ignore --quiet "results/$folder/" || continue
    [[ -f results/$folder/.made-by-$commit ]] || rm -rf "results/${folder:?}"
    mkdir -p "results/$folder"
    touch "results/$folder/.made-by-$commit"
  done
  if make_one "$name"; then
    echo "$name" >>"$done_file"
    say "$name took $((SECONDS - begin)) s"
  else
    failed+=("$name")
    say "$name failed; continuing with the others"
  fi
done
[[ ${#failed[@]} == 0 ]] || die 1 "failed: ${failed[*]}"
[[ $# -gt 0 ]] || check
