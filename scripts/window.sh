#!/usr/bin/env bash
# Measures the window of shoal-app without a screen (Xvfb, software rendering), and tests it with random input under the sanitizers.
#
#   scripts/window.sh               frames per second and time of a step, on a sphere of 2562 vertices with one ball
#   scripts/window.sh --monkey      ten minutes of random input, seeds 1 and 2, built with the sanitizers
#   scripts/window.sh --keep        both; the output is saved in results/committed/window.md
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

what=${1:---speed}
case $what in
  --speed | --monkey | --keep) ;;
  *) usage; [[ $what == -h || $what == --help ]] && exit 0 || exit 2 ;;
esac
minutes=${SHOAL_MONKEY_MINUTES:-10}

require_packages "${build_packages[@]}" "${app_packages[@]}" "${window_test_packages[@]}" "${video_packages[@]}"
monkey=$root/tests/window/monkey.py
export LIBGL_ALWAYS_SOFTWARE=1

sphere=(sphere-bump --mesh icosphere:4 --size 800x600 --measure 20 --inputs '0.1 throw at=0,0,1.6 velocity=0,0,-4')
speed() { # without and with panels
  cmake --preset release > /dev/null
  cmake --build --preset release --parallel "$(nproc)" --target shoal-app > /dev/null
  xvfb-run --auto-servernum --server-args='-screen 0 800x600x24' build/release/shoal-app "${sphere[@]}" --no-panels
  xvfb-run --auto-servernum --server-args='-screen 0 800x600x24' build/release/shoal-app "${sphere[@]}"
}

test_at_random() {
  cmake --preset sanitize > /dev/null
  cmake --build --preset sanitize --parallel "$(nproc)" --target shoal-app shoal > /dev/null
  mkdir -p build/monkey
  # Slow stack unwinding at each allocation would deadlock with the compiler of llvmpipe.
  export ASAN_OPTIONS=halt_on_error=1:strict_string_checks=1:detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  export LSAN_OPTIONS=suppressions=$root/scripts/sanitize.supp:print_suppressions=0
  (cd build/monkey && python3 "$monkey" "$root/build/sanitize/shoal-app" $((minutes * 60)) 1)
  (cd build/monkey && python3 "$monkey" "$root/build/sanitize/shoal-app" $((minutes * 60)) 2 character --mesh figure:600)
}

case $what in
  --speed) speed ;;
  --monkey) test_at_random ;;
  --keep)
    mkdir -p results/committed
    {
      printf '%s at commit %s, %s, %s cores.\n\n' "\`scripts/window.sh --keep\`" "$(git rev-parse --short HEAD)" \
        "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1)" "$(nproc)"
      printf 'A sphere of 2562 vertices and one ball, software rendering; first without panels, then with:\n\n'
      speed | sed 's/^/    /'
      printf '\nRandom input (%s minutes each, tests/window/monkey.py, seeds 1 and 2) under the sanitizers for addresses, leaks and undefined behaviour; first the sphere, then a walking figure:\n\n' "$minutes"
      test_at_random | sed 's/^/    /'
    } | tee results/committed/window.md
    ;;
esac
