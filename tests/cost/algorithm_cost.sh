#!/bin/sh
# Instructions of algorithms on a thousand numbers that nobody shares, above the serial ones, bounded.
#   algorithm_cost.sh program build-type sanitizers checked
# Exits 77 (skipped) where the figures would mean nothing.
. "$(dirname "$0")/callgrind.sh"

# call what most: in instructions
call() {
  heist=$(growth "$1" 10 110) && serial=$(growth "serial_$1" 10 110) || exit 1
  over=$(((heist - serial) / 100))
  echo "instructions a call, $1: $over above $((serial / 100)), at most $2"
  [ "$over" -le "$2" ] || { echo "FAILED: $1"; failed=1; }
}

# Seen in November 2026 with g++ 12: 1072, 1100, 3239, 0 and 1535; 112 and 1172. A loop that is not vectorised any more has thousands more.
# transform_reduce had 2637 before its leaves looked whether to stop.
call for_each 1100
call count_if 1150
call transform_reduce 3300
call min_element 1100
call histogram 1600
call progress 160  # above the same loop without one
call affinity 700  # above the same loop without one
call chain 1400    # two ranges by a lazy zip, transform and reduce
exit $failed
