#!/usr/bin/env bash
# Runs an experiment and makes its table and figure: the commands in the head of its file, one after the other.
#
#   scripts/experiment.sh NAME…         experiments/NAME.toml; started again, it computes nothing twice
#   scripts/experiment.sh --keep NAME…  and copies table and figures to results/committed/
#   scripts/experiment.sh --list        all of them, with their titles
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

usage() { sed -n '2,6s/^# \{0,1\}//p' "$0"; }

# The indented lines of the head that are commands: what a reader would type is what runs here.
commands_of() { sed -n '/^[^#]/q; s/^#   \(build\/release\/shoal .*\|\/usr\/bin\/python3 .*\)$/\1/p' "$1"; }

title_of() { sed -n 's/^title = "\(.*\)"$/\1/p' "experiments/$1.toml"; }

# Table and figures, with the command that made them.
keep() {
  local figures figure place commit dirty
  figures=("results/$1"/*.png)
  commit=$("$build/shoal" table "results/$1/$1.h5" --as csv --columns git_commit | sed -n 2p)
  dirty=$("$build/shoal" table "results/$1/$1.h5" --as csv --columns git_dirty | sed -n 2p)
  [[ $dirty == 0 ]] || die 1 "results/$1 was computed with changes that no commit holds; commit them, remove it, start again"
  {
    # shellcheck disable=SC2016  # Markdown's backquotes
    printf '# %s\n\nMade by `scripts/experiment.sh --keep %s` with the program of commit %s on %s.\n' \
      "$(title_of "$1")" "$1" "${commit:0:10}" "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    [[ ! -f results/$1/table.md ]] || { echo; cat "results/$1/table.md"; }
    for figure in "${figures[@]}"; do
      place=$1$( ((${#figures[@]} == 1)) || echo "-$(basename "$figure" .png)").png
      cp "$figure" "results/committed/$place"
      printf '\n![%s](%s)\n' "$(title_of "$1")" "$place"
    done
  } >"results/committed/$1.md"
  echo "kept results/committed/$1.md"
}

keep=
case ${1:-} in
  "") usage >&2; exit 2 ;;
  -h | --help) usage; exit 0 ;;
  --list)
    for file in experiments/*.toml; do
      name=$(basename "$file" .toml)
      printf '%-32s %s\n' "$name" "$(title_of "$name")"
    done
    exit 0 ;;
  --keep) keep=yes; shift ;;
esac
for name in "$@"; do
  [[ -f experiments/$name.toml ]] || die 2 "there is no experiments/$name.toml; scripts/experiment.sh --list shows what there is"
done

require_packages "${build_packages[@]}" "${plot_packages[@]}"
find_python
configure
build shoal
for name in "$@"; do
  say "experiments/$name.toml"
  mkdir -p "results/$name"
  while read -r line; do
    printf '\n%s\n' "$line"
    eval "${line/#\/usr\/bin\/python3/$python}"
  done < <(commands_of "experiments/$name.toml")
  [[ -z $keep ]] || keep "$name"
done
