#!/usr/bin/env bash
# Measures how runs scale with the number of processes of mpirun, fits a model of the cost, and prints both as tables in Markdown.
# Run it on an otherwise idle machine.
#
#   scripts/scaling.sh               about fifteen minutes
#   scripts/scaling.sh --quick       one, on small meshes
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
  '' | --quick) ;;
  -h | --help) usage; exit 0 ;;
  *) usage; exit 2 ;;
esac
require_packages "${build_packages[@]}" "${test_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal shoal_petsc
"$python" scripts/scaling.py "$build/shoal" "$@"
