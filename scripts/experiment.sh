#!/usr/bin/env bash
# Runs experiments and writes the tables (entries [[table]]) and figures (entries [[figure]]) of their files. If a figure takes the time
# of a picture (--pictures), shoal-app draws a second of each run.
#
#   scripts/experiment.sh NAME…         run experiments/NAME.toml; if interrupted, run it again to resume
#   scripts/experiment.sh --keep NAME…  also copy tables and figures to results/committed/
#   scripts/experiment.sh --list        list all experiments with their titles
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=
case ${1:-} in
  "") usage >&2; exit 2 ;;
  -h | --help) usage; exit 0 ;;
  --list)
    for file in experiments/*.toml; do
      name=$(basename "$file" .toml)
      printf '%-32s %s\n' "$name" "$(title_of "$name")"
    done
    exit 0 ;;
  --keep) keep=yes; shift ;;
esac
for name in "$@"; do
  [[ -f experiments/$name.toml ]] || die 2 "there is no experiments/$name.toml; see scripts/experiment.sh --list"
done

require_packages "${build_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal
for name in "$@"; do
  say "experiments/$name.toml"
  "$build/shoal" sweep "experiments/$name.toml"
  ! grep -qe '"--pictures"' "experiments/$name.toml" || time_pictures "$name"
  draw_figures "experiments/$name.toml"
  shopt -s nullglob  # an experiment may have no figure
  [[ -z $keep ]] || keep_results "$name" "scripts/experiment.sh --keep $name" "results/$name"/*.png
done
