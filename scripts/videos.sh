#!/usr/bin/env bash
# Makes videos of experiments/moving-surfaces.toml, a deforming sphere and a twisting torus, after running the experiment.
#
#   scripts/videos.sh           results/moving-surfaces/{squashed-sphere,twisted-torus}.mp4
#   scripts/videos.sh --keep    and copies the experiment's table and picture and the videos to results/committed/
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=()
case ${1:-} in
  '') ;;
  --keep) keep=(--keep) ;;
  *) sed -n '2,5s/^# \{0,1\}//p' "$0"; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${video_packages[@]}"
scripts/experiment.sh "${keep[@]}" moving-surfaces
find_python
video() { # video RUN NAME
  "$python" scripts/plots/video.py results/moving-surfaces/moving-surfaces.h5 --run "$1" --name "$2" --exaggeration 1.6 --limit 0.08
}
video 0001 squashed-sphere
video 0002 twisted-torus
[[ -z ${keep[*]} ]] || cp results/moving-surfaces/{squashed-sphere,twisted-torus}.mp4 results/committed/
