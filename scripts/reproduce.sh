#!/usr/bin/env bash
# From a fresh Debian to the first result: installs missing packages, builds shoal and shoal-app, runs
# experiments/sphere-integrators.toml and writes the HDF5 file, the table (text, Markdown, CSV, LaTeX) and the figures (PNG, PDF)
# to results/sphere-integrators/. A second call neither rebuilds nor recomputes anything.
#
#   scripts/reproduce.sh             run, or resume an interrupted run
#   scripts/reproduce.sh --fresh     recompute everything
#   scripts/reproduce.sh --window    then play the results in the window
#   scripts/reproduce.sh --keep      also copy the table and figures to results/committed/
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

name=sphere-integrators
out=results/$name
file=$out/$name.h5
sweep_options=(--jobs 2)
keep=""
window=""
case ${1:-} in
  '') ;;
  --fresh) sweep_options+=(--fresh) ;;
  --keep) keep=yes sweep_options=() ;;  # one run at a time: the table has their times
  --window) window=yes ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${build_packages[@]}" "${plot_packages[@]}" "${app_packages[@]}"
find_python
configure
programs=(shoal)
! cmake --build --preset release --target help | grep -q 'shoal-app:' || programs+=(shoal-app)
build "${programs[@]}"

say "running experiments/$name.toml"
"$build/shoal" sweep "experiments/$name.toml" "${sweep_options[@]}"

# Checksums of the figures, their scripts and commands, and the table (which contains the outcome and time of every run): while they
# match, nothing is redrawn. The HDF5 file itself may be trimmed when it is opened.
say "drawing figures"
drawn=$out/figures.sha256
"$build/shoal" figures "experiments/$name.toml" >"$out/figures.txt"
if sha256sum --check --status "$drawn" 2>/dev/null; then
  echo "the figures are up to date"
else
  draw_figures "experiments/$name.toml"
  sha256sum "$out"/{table.csv,figures.txt} scripts/plots/*.py scripts/plots/shoal_plots/*.py "$out"/*.{png,pdf} >"$drawn"
fi

say "experiments/$name.toml"
cat "$out/table.txt"
cat <<END

  results    $file (h5py, xarray, MATLAB), $out/$name-paraview/*.xdmf (ParaView, one per run)
  table      $out/table.txt .md .csv .tex
  figures    $out/pictures.png (fefv) pictures-dec.png mesh-and-velocity.png energy.png errors.png (amplitude 0.1 m, Δt = 1/60 s),
             energy-amplitude-1e-4.png errors-amplitude-1e-4.png, and the same as .pdf
  look in    build/release/shoal inspect $file
END
if [[ $keep ]]; then
  keep_results "$name" "scripts/reproduce.sh --keep" "$out"/{energy,errors,pictures,mesh-and-velocity}.png
fi
[[ -z $window ]] || exec "$build/shoal-app" "$file"
