#!/usr/bin/env bash
# Runs experiments and writes the tables (entries [[table]]) and figures (entries [[figure]]) of their files. If a figure takes the time
# of a picture (--pictures), shoal-app draws a second of each run.
#
#   scripts/experiment.sh NAME…         run experiments/NAME.toml; if interrupted, run it again to resume
#   scripts/experiment.sh --keep NAME…  also copy tables and figures to results/committed/
#   scripts/experiment.sh --ranks N …   N processes share each run
#   scripts/experiment.sh --list        list all experiments with their titles
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep='' sweep_options=()
while [[ ${1:-} == --keep || ${1:-} == --ranks ]]; do
  if [[ $1 == --keep ]]; then
    keep=yes
  else
    [[ ${2:-} =~ ^[0-9]+$ ]] || die 2 "--ranks requires a number of processes, not '${2:-}'"
    sweep_options=(--ranks "$2")
    shift
  fi
  shift
done
case ${1:-} in
  "") usage >&2; exit 2 ;;
  -h | --help) usage; exit 0 ;;
  --list)
    for file in experiments/*.toml; do
      name=$(basename "$file" .toml)
      printf '%-32s %s\n' "$name" "$(title_of "$name")"
    done
    exit 0 ;;
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
  "$build/shoal" sweep "experiments/$name.toml" "${sweep_options[@]}"
  ! grep -qe '"--pictures"' "experiments/$name.toml" || time_pictures "$name"
  draw_figures "experiments/$name.toml"
  shopt -s nullglob  # an experiment may have no figure
  [[ -z $keep ]] || keep_results "$name" "scripts/experiment.sh --keep ${sweep_options[*]:+${sweep_options[*]} }$name" "results/$name"/*.png
done
