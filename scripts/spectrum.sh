#!/usr/bin/env bash
# Compares all linear waves of each scheme on one mesh with the continuous ones: tables and a figure in results/spectrum/.
#
#   scripts/spectrum.sh           about two minutes
#   scripts/spectrum.sh --keep    also copy them to results/committed/
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mesh=icosphere:3
out=results/spectrum
keep=
case ${1:-} in
  '') ;;
  --keep) keep=yes ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${build_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal
mkdir -p "$out"
for scheme in fefv dec kinetic; do
  say "$scheme on $mesh"
  "$build/shoal" spectrum --discretization "$scheme" --mesh "$mesh" --rows 0 --as md --output "$out/$scheme.h5" \
    --fresh >"$out/$scheme.md"
  cat "$out/$scheme.md"
done
"$python" scripts/plots/spectrum.py "$out"/{fefv,dec,kinetic}.h5
[[ -n $keep ]] || exit 0
{
  # shellcheck disable=SC2016  # Markdown's backquotes
  printf '# Discrete and continuous waves\n\nMade by `scripts/spectrum.sh --keep`.\n'
  for scheme in fefv dec kinetic; do
    printf '\n## %s\n\n' "$scheme"
    cat "$out/$scheme.md"
  done
  printf '\n![Frequencies, decay rates and shares of all waves over wavenumber](spectrum.png)\n'
} >results/committed/spectrum.md
cp "$out/spectrum.png" results/committed/spectrum.png
echo "kept results/committed/spectrum.md"
