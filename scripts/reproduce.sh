#!/usr/bin/env bash
# From a bare Debian to the first result: installs what is missing, builds, runs experiments/sphere-integrators.toml
# and leaves the HDF5 file, the table (text, Markdown, CSV, LaTeX) and the figures (PNG, PDF) in
# results/sphere-integrators/. Run again it rebuilds and recomputes nothing.
#
#   scripts/reproduce.sh             go on where the last one stopped
#   scripts/reproduce.sh --fresh     compute everything anew
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

name=sphere-integrators
out=results/$name
file=$out/$name.h5
sweep_options=()
case ${1:-} in
  '') ;;
  --fresh) sweep_options=(--fresh) ;;
  *) sed -n '2,7s/^# \{0,1\}//p' "$0"; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${build_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal

say "running experiments/$name.toml"
"$build/shoal" sweep "experiments/$name.toml" "${sweep_options[@]}"

say "writing tables and figures"
for format in text:txt md:md csv:csv tex:tex; do
  table=$out/table.${format#*:}
  "$build/shoal" table "$file" --as "${format%:*}" >"$table.part"
  mv "$table.part" "$table"
done

# A figure is drawn again when the results or the scripts are newer than it.
for figure in pictures energy errors; do
  stale=
  for source in "$file" scripts/plots/shoal_plot.py "scripts/plots/$figure.py"; do
    [[ $out/$figure.png -nt $source && $out/$figure.pdf -nt $source ]] || stale=1
  done
  if [[ -n $stale ]]; then
    "$python" "scripts/plots/$figure.py" "$file"
  else
    echo "$out/$figure.png is up to date"
  fi
done

say "experiments/$name.toml"
cat "$out/table.txt"
cat <<END

  results    $file (h5py, xarray, MATLAB), $out/$name.xdmf (ParaView)
  table      $out/table.txt .md .csv .tex
  figures    $out/pictures.png energy.png errors.png, and the same as .pdf
  look in    build/release/shoal inspect $file
END
