#!/usr/bin/env bash
# Makes videos of experiments/moving-surfaces.toml, a deforming sphere and a twisting torus: runs the experiment, then the
# commands below.
#
#   scripts/videos.sh           results/moving-surfaces/{squashed-sphere,twisted-torus}.mp4
#   scripts/videos.sh --keep    and copies the experiment's table and picture and the videos to results/committed/
#
#   /usr/bin/python3 scripts/plots/video.py results/moving-surfaces/moving-surfaces.h5 --run 0001 --name squashed-sphere --exaggeration 1.6 --limit 0.08
#   /usr/bin/python3 scripts/plots/video.py results/moving-surfaces/moving-surfaces.h5 --run 0002 --name twisted-torus --exaggeration 1.6 --limit 0.08
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=()
case ${1:-} in
  '') ;;
  --keep) keep=(--keep) ;;
  *) sed -n '2,6s/^# \{0,1\}//p' "$0"; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${video_packages[@]}"
scripts/experiment.sh "${keep[@]}" moving-surfaces
find_python
run_commands scripts/videos.sh
[[ -z ${keep[*]} ]] || cp results/moving-surfaces/{squashed-sphere,twisted-torus}.mp4 results/committed/
