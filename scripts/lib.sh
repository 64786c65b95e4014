# Shared by the scripts of this folder: lists of packages, installation, building. Source it, do not run it.
# shellcheck shell=bash disable=SC2034
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=$(realpath "$0")  # whichever folder it is called from
build=$root/build/release
cd "$root"

# All requirements of Shoal, by their Debian names (Debian 12; the same in Ubuntu).
build_packages=(g++ cmake ninja-build pkg-config git ca-certificates
  libeigen3-dev libsuitesparse-dev libopenblas-dev libpetsc-real-dev libscotch-dev libhdf5-dev
  libcli11-dev libtomlplusplus-dev nlohmann-json3-dev libtinygltf-dev libspdlog-dev libfmt-dev libmuparser-dev
  libbullet-dev libembree-dev)
test_packages=(libgtest-dev catch2 libbenchmark-dev openmpi-bin)
spectral_packages=(libsharp-dev)  # shoal-reference
reader_packages=(python3-xarray python3-h5netcdf python3-jsonschema assimp-utils)  # used by tests to open results and the schema
paraview_packages=(python3-paraview)  # likewise; 80 MB to fetch, 700 MB on the disk
plot_packages=(python3 python3-numpy python3-scipy python3-h5py python3-matplotlib)
python_packages=(pybind11-dev python3-dev python3-pip python3-venv python3-setuptools python3-wheel
  python3-xarray python3-h5netcdf python3-pandas)  # the package for Python
python_test_packages=(python3-nbformat python3-nbclient python3-ipykernel mypy)  # its notebooks and types
video_packages=(ffmpeg)
window_test_packages=(xvfb xauth xdotool python3-numpy)
app_packages=(libegl-dev libepoxy-dev libgl1-mesa-dri libpng-dev libfreetype-dev fonts-dejavu-core
  libimgui-dev libglfw3-dev)  # shoal-app
model_packages=(assimp-utils)
fuzz_packages=(clang libclang-rt-dev libomp-dev)  # libFuzzer

# Exit codes as in shoal: 1 failure, 2 invalid input, 3 missing resources of the machine.
export LC_ALL=C.UTF-8 MPLBACKEND=Agg
export CCACHE_BASEDIR=${CCACHE_BASEDIR-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR-1}  # checkouts share the cache
if [[ -z ${GIT_CONFIG_COUNT:-} ]]; then  # the build records the commit, also in a checkout that another user owns
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$root
fi

# The comment at the head of the script.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script"; }
say() { printf '\n== %s\n' "$*"; }
die() { # die CODE MESSAGE…
  printf '%s: %s\n' "$(basename "$0")" "${*:2}" >&2
  exit "$1"
}

installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

all_installed() {
  local package
  for package in "$@"; do installed "$package" || return 1; done
}

# Installs the missing packages among those named; without permission, prints the line to run and stops (3).
require_packages() {
  local package missing=() as_root=()
  if [[ -n ${SHOAL_SKIP_INSTALL:-} ]]; then
    say "SHOAL_SKIP_INSTALL is set: using the installed packages"
    return
  fi
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "no apt-get on this machine: using the installed packages; required (Debian names): $*"
    return
  fi
  for package in "$@"; do installed "$package" || missing+=("$package"); done
  export SHOAL_ALL_INSTALLED=1  # once this returns; tests then skip nothing
  [[ ${#missing[@]} -gt 0 ]] || return 0

  local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
  if [[ $(id -u) != 0 ]]; then
    line="sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing[*]}"
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      printf '%s: %d packages are missing and this user may not install them; run this line, then this script again:\n  %s\n' \
        "$(basename "$0")" "${#missing[@]}" "$line" >&2
      exit 3
    fi
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]}"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  "${apt[@]}" update || echo "apt-get update failed (see above); trying with the existing lists"
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
    die 3 "the installation failed (see above); the line was: $line"
}

# Configures build/release, without tests if their packages are missing, so that the program alone requires less.
configure() {
  local options=(-DSHOAL_TESTS=ON -DSHOAL_BENCHMARKS=ON)  # overrides an earlier configuration
  if [[ -z ${SHOAL_SKIP_INSTALL:-} ]] && command -v dpkg-query >/dev/null && ! all_installed "${test_packages[@]}"; then
    options=(-DSHOAL_TESTS=OFF -DSHOAL_BENCHMARKS=OFF)
  fi
  say "configuring build/release"
  cmake --preset release "${options[@]}"
}

build() { # build TARGET…
  say "building $* with $(nproc) jobs"
  cmake --build --preset release --parallel "$(nproc)" --target "$@"
}

# Sets `python` to an interpreter with the modules of the plots; the first `python3` on PATH may lack them.
find_python() {
  local candidate
  for candidate in "${SHOAL_PYTHON:-}" /usr/bin/python3 python3; do
    if [[ -n $candidate ]] && "$candidate" -c 'import h5py, matplotlib, numpy' 2>/dev/null; then
      python=$candidate
      return
    fi
  done
  die 3 "no Python with h5py, matplotlib and numpy; run: sudo apt-get install -y ${plot_packages[*]}"
}

# Draws the figures of an experiment, showing each command. A figure whose layout is wrong is an error, but all are drawn.
draw_figures() { # draw_figures EXPERIMENT.toml
  "$build/shoal" figures "$1" | SHOAL_STRICT_FIGURES=1 xargs -r -t -L 1 -P "$(nproc)" "$python"
}

# Draws a second of each run as the window does, without a graphics card; the times of a picture go to results/NAME/pictures.csv.
time_pictures() { # time_pictures NAME
  local id folder=results/$1
  require_packages "${app_packages[@]}"
  configure
  build shoal-app
  {
    echo id,ms_prepare,ms_draw
    for id in $("$build/shoal" table "$folder/$1.h5" --as csv --columns id,vertices | awk -F, '$2 < 10000 { print $1 }'); do
      LIBGL_ALWAYS_SOFTWARE=1 "$build/shoal-app" "experiments/$1.toml" --run "$id" --fast --headless --frames 60 --size 800x600 \
        --png "$folder/pictures" --fresh 2>"$folder/pictures.log" |
        sed -n "s/.* takes \(.*\) ms to prepare and \(.*\) ms to draw.*/$id,\1,\2/p" || die 1 "shoal-app failed; see $folder/pictures.log"
    done
  } >"$folder/pictures.csv"
}

title_of() { sed -n 's/^title = "\(.*\)"$/\1/p' "experiments/$1.toml"; }

# Copies the tables and figures of an experiment to results/committed/, with the command that made them.
keep_results() { # keep_results NAME COMMAND FIGURE…
  local name=$1 command=$2 table figure place commit dirty file=results/$1/$1.h5
  commit=$("$build/shoal" table "$file" --as csv --columns git_commit | sed -n 2p)
  dirty=$("$build/shoal" table "$file" --as csv --columns git_dirty | sed -n 2p)
  [[ $dirty == 0 ]] || die 1 "results/$name was computed with uncommitted changes; commit them, remove the folder, and run this again"
  {
    # shellcheck disable=SC2016  # Markdown's backquotes
    printf '# %s\n\nMade by `%s` with the program of commit %s on %s.\n' \
      "$(title_of "$name")" "$command" "${commit:0:10}" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    for table in "results/$name"/{table,distances,balanced,perturbed}.md; do
      [[ ! -f $table ]] || { echo; cat "$table"; }
    done
    for figure in "${@:3}"; do
      place=$name$( (($# == 3)) || echo "-$(basename "$figure" .png)").png
      cp "$figure" "results/committed/$place"
      printf '\n![%s](%s)\n' "$(title_of "$name")" "$place"
    done
  } >"results/committed/$name.md"
  echo "kept results/committed/$name.md"
}
