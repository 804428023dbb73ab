#!/bin/sh
# Instructions of a fork of tasks that never travel, bounded; a plain join's beside it.
#   task_cost.sh program build-type sanitizers checked
# Exits 77 (skipped) where the figures would mean nothing.
. "$(dirname "$0")/../cost/callgrind.sh"

# Seen with g++ 12: 57.0 for both. A task asks twice a fork whether results are known already, which takes six instructions, and
# its leaves save no registers. fib(n) forks F(n+1) - 1 times: 4180 - 232 between n = 12 and n = 18.
plain=$(growth plain 12 18) && tasks=$(growth tasks 12 18) || exit 1
bound "instructions a fork, plain" $((plain * 10 / 3948)) 620
bound "instructions a fork, of tasks all the way down" $((tasks * 10 / 3948)) 620
exit $failed
