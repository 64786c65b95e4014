#!/usr/bin/env bash
# Computes the reference solutions on the sphere, results/references/*.h5, by the spectral model, in about half an hour.
#
#   scripts/references.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
  '') ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${build_packages[@]}" "${spectral_packages[@]}"
configure
build shoal-reference
export OMP_NUM_THREADS=${OMP_NUM_THREADS-1}  # more threads are slower at these sizes
mkdir -p results/references
while read -r scene truncation; do
  say "$scene"
  "$build/shoal-reference" "$scene" --truncation "$truncation" --dt 90 --damping 43200 --output "results/references/$scene.h5"
done <<END
williamson-5 170
williamson-6 170
galewsky 159
END
