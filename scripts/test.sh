#!/usr/bin/env bash
# Installs what is missing, builds everything, runs the tests; ctest's summary is the last thing printed.
#
#   scripts/test.sh                  all of them
#   scripts/test.sh -R kinetic …     options go to ctest
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
  -h | --help) usage; exit 0 ;;
esac

installed python3-vtk9 || reader_packages+=("${paraview_packages[@]}")  # which would take its place
require_packages "${build_packages[@]}" "${test_packages[@]}" "${plot_packages[@]}" "${reader_packages[@]}" \
  "${app_packages[@]}" "${video_packages[@]}" "${window_test_packages[@]}"
configure
build all

say "testing"
exec ctest --test-dir build/release --no-tests=error --output-on-failure --parallel "$(nproc)" "$@"
