#!/usr/bin/env bash
# Installs missing packages, builds everything and runs the tests; the last output is ctest's summary.
#
#   scripts/test.sh                  all tests but the few with the label slow
#   scripts/test.sh --all            all
#   scripts/test.sh -R kinetic …     options are passed to ctest
#   scripts/test.sh -L mpi           the tests of several processes (mpirun)
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

selection=("$@")
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  '') selection=(--label-exclude slow) ;;
  --all) selection=() ;;
esac

installed python3-vtk9 || reader_packages+=("${paraview_packages[@]}")  # would replace it
require_packages "${build_packages[@]}" "${test_packages[@]}" "${plot_packages[@]}" "${reader_packages[@]}" \
  "${app_packages[@]}" "${video_packages[@]}" "${window_test_packages[@]}" "${spectral_packages[@]}" \
  "${python_packages[@]}" "${python_test_packages[@]}"
configure
build all

say "testing"
exec ctest --test-dir build/release --no-tests=error --output-on-failure --parallel "$(nproc)" "${selection[@]}"
