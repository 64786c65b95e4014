#!/usr/bin/env bash
# Makes videos, after running their experiments: a deforming sphere and a twisting torus (moving-surfaces), and still water on a
# rotating sphere, with Newton's law and with the model of Angst 2007 side by side (moving-momentum).
#
#   scripts/videos.sh           results/moving-surfaces/{squashed-sphere,twisted-torus}.mp4, results/moving-momentum/turning.mp4
#   scripts/videos.sh --keep    also copy the videos and the experiments' tables and pictures to results/committed/
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=()
case ${1:-} in
  '') ;;
  --keep) keep=(--keep) ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${video_packages[@]}"
scripts/experiment.sh "${keep[@]}" moving-surfaces moving-momentum
find_python
video() { # video EXPERIMENT NAME OPTION…
  "$python" scripts/plots/video.py "results/$1/$1.h5" --name "$2" "${@:3}"
  [[ -z ${keep[*]} ]] || cp "results/$1/$2.mp4" "results/committed/$([[ $1 == moving-surfaces ]] || echo "$1-")$2.mp4"
}
video moving-surfaces squashed-sphere --run 0001 --exaggeration 1.6 --limit 0.08
video moving-surfaces twisted-torus --run 0002 --exaggeration 1.6 --limit 0.08
video moving-momentum turning --run 0012 0013 --exaggeration 1.6 --limit 0.2 --wires 0.3 --rate 12 \
  --titles "Newton: absolute circulation kept" "model of Angst 2007: barycentric"
