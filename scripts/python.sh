#!/usr/bin/env bash
# Installs what is missing, builds the package shoal for Python and installs it in an environment of its own, which also
# sees the packages of Debian; then runs a small example.
#
#   scripts/python.sh                      in build/python; then: build/python/bin/python -c "import shoal"
#   scripts/python.sh --prefix ~/.local    below a prefix instead; /usr/local makes it available to every user
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

prefix=
case ${1:-} in
  '') ;;
  -h | --help) usage; exit 0 ;;
  --prefix)
    [[ ${2:-} ]] || die 2 "--prefix requires a folder"
    prefix=$(realpath -m "$2") ;;
  *) usage; exit 2 ;;
esac
if [[ $prefix ]] && ! { mkdir -p "$prefix/lib" && [[ -w $prefix/lib ]]; } 2>/dev/null; then
  die 3 "this user may not write to $prefix"
fi

require_packages "${build_packages[@]}" "${plot_packages[@]}" "${python_packages[@]}"
find_python
configure
cmake -DPython3_EXECUTABLE="$(command -v "$python")" "$build" >/dev/null  # else it may be built for another Python
package=$(sed -n 's/^SHOAL_PYTHON_PACKAGE:.*=//p' "$build/CMakeCache.txt")
[[ $package ]] || die 3 "pybind11 or the headers of Python are missing (Debian packages pybind11-dev and python3-dev)"
build shoal_python shoal_petsc

if [[ $prefix ]]; then
  say "installing in $prefix/$package"
  cmake --install "$build" --component python --prefix "$prefix"
  run=(env "PYTHONPATH=$(dirname "$prefix/$package")" "$python")
else
  say "installing in build/python"
  wheels=$build/python-wheel/wheels
  rm -rf build/python "$wheels"
  "$python" -m venv --system-site-packages build/python
  SHOAL_BUILD_DIR=$build "$python" -m pip --quiet wheel --no-build-isolation --no-index --no-deps --wheel-dir "$wheels" .
  build/python/bin/pip --quiet install --no-index "$wheels"/shoal-*.whl
  run=(build/python/bin/python)
fi

say "water on a sphere"
"${run[@]}" - <<'END'
import shoal

water = shoal.ShallowWater(shoal.mesh("icosphere:4"), "hllc", "ssprk3", elevation=lambda x: 0.1 * (x[:, 2] > 0.9))
water.run(until=0.5)
depth = water.output("depth_at_vertices")
print(f"a drop on top has spread after {water.time:.1f} s: depth from {depth.min():.3f} to {depth.max():.3f} m")
END
cat <<END

  use it     ${run[*]} -c "import shoal; help(shoal)"
END
