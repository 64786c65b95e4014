#!/usr/bin/env bash
# Draws the pictures and videos of results/application/ and results/scenes/ into results/try/, with the commands in the pages there, and
# runs the experiments that these pages name. Only the picture of the window is made by hand.
#
#   scripts/application.sh [PAGE…]          run the commands of these pages, by default of all
#   scripts/application.sh --keep [PAGE…]   also copy the pictures and videos beside the pages, and the figures to results/committed/
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=
case ${1:-} in
  -h | --help) usage; exit 0 ;;
  --keep) keep=yes; shift ;;
  -*) usage >&2; exit 2 ;;
esac
pages=("$@")
[[ $# -gt 0 ]] || pages=(results/application/{README,figures}.md results/scenes/README.md)
for page in "${pages[@]}"; do [[ -f $page ]] || die 2 "there is no page '$page'"; done

require_packages "${build_packages[@]}" "${app_packages[@]}" "${video_packages[@]}"
scripts/models.sh
configure
build shoal-app

# Lines "NAME<tab>COMMAND": a picture is the last frame of the command below it; the command of a video contains its name; an
# experiment keeps its own figures.
commands() { # commands PAGE
  awk -v keep="$keep" '/^!\[.*\]\(.*\.png\)$/ { name = $0; sub(/.*\(/, "", name); sub(/\)$/, "", name) }
    /^    scripts\/experiment.sh / { print $2 "\t" $1 (keep ? " --keep " : " ") $2 }
    /^    build\/release\/shoal-app .*--png / { print name "\t" substr($0, 5) }
    /^    build\/release\/shoal-app .*--video / { name = $0; sub(/.*\//, "", name); sub(/ .*/, "", name); print name "\t" substr($0, 5) }' "$1"
}

export LIBGL_ALWAYS_SOFTWARE=1
for page in "${pages[@]}"; do
  folder=$(dirname "$page")
  while IFS=$'\t' read -r name command; do
    say "$folder/$name"
    rm -rf results/try
    mkdir -p results/try
    bash -c "$command" </dev/null
    [[ $command != scripts/experiment.sh* ]] || continue
    made=results/try/$name
    [[ $name == *.mp4 ]] || made=$(find results/try -name '*.png' | sort | tail -n 1)
    [[ -n $made && -f $made ]] || die 1 "$command: did not write $name"
    [[ -z $keep ]] || cp "$made" "$folder/$name"
  done < <(commands "$page")
done
