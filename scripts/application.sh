#!/usr/bin/env bash
# Draws the pictures and videos of results/application/ and results/scenes/ into results/try/, with the commands in their README.md.
# Only the picture of the window is made by hand.
#
#   scripts/application.sh           run the commands
#   scripts/application.sh --keep    also copy the pictures and videos beside the pages
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keep=
case ${1:-} in
  '') ;;
  --keep) keep=yes ;;
  *) usage; [[ $1 == -h || $1 == --help ]] && exit 0 || exit 2 ;;
esac

require_packages "${build_packages[@]}" "${app_packages[@]}" "${video_packages[@]}"
scripts/models.sh
configure
build shoal-app

# Lines "NAME<tab>COMMAND": a picture is the last frame of the command below it; the command of a video contains its name.
commands() { # commands PAGE
  awk '/^!\[.*\]\(.*\.png\)$/ { name = $0; sub(/.*\(/, "", name); sub(/\)$/, "", name) }
    /^    build\/release\/shoal-app .*--png / { print name "\t" substr($0, 5) }
    /^    build\/release\/shoal-app .*--video / { name = $0; sub(/.*\//, "", name); sub(/ .*/, "", name); print name "\t" substr($0, 5) }' "$1"
}

export LIBGL_ALWAYS_SOFTWARE=1
for folder in results/application results/scenes; do
  while IFS=$'\t' read -r name command; do
    say "$folder/$name"
    rm -rf results/try
    mkdir -p results/try
    bash -c "$command" </dev/null
    made=results/try/$name
    [[ $name == *.mp4 ]] || made=$(find results/try -name '*.png' | sort | tail -n 1)
    [[ -n $made && -f $made ]] || die 1 "$command: did not write $name"
    [[ -z $keep ]] || cp "$made" "$folder/$name"
  done < <(commands "$folder/README.md")
done
