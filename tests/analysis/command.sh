#!/usr/bin/env bash
# The heist command: exit codes, one-line complaints, JSON that parses.
set -uo pipefail
heist=$1 examples=$2
. "$(dirname "$0")/../cli/expect.sh"
bad=$(mktemp -d)
trap 'rm -rf "$bad"' EXIT
printf 'thread a : a1 a2\nthread b : b1\nspawn a1 -> b1\njoin b1 -> a1\n' >"$bad/cycle.dag"
printf '{"threads": [{"name": "a", "instructions": ["a1"' >"$bad/short.json"
printf 'thread a : a1 a2 a3\nthread b : b1\nspawn a1 -> b1\njoin b1 -> a2\n' >"$bad/odd.dag"
head -c 10000000 /dev/zero | tr '\0' '[' >"$bad/deep.json"

expect 0 "$heist" --version
expect 0 "$heist" sim --help
expect 0 "$heist" sim show "$examples/figure1.dag"
expect 1 "$heist" sim show "$bad/odd.dag"
expect 2 "$heist" sim show "$bad/cycle.dag"
expect 2 "$heist" sim show "$bad/short.json"
expect 2 "$heist" sim show "$bad/deep.json"
expect 2 "$heist" sim show "$bad"
expect 2 "$heist" sim show fib:x
expect 2 "$heist" sim run fib:5 -p 0
expect 2 "$heist" sim run fib:5 -s nothing
expect 2 "$heist" sim run fib:5 -s static --changes 5:1
expect 2 "$heist" sim nothing
expect 2 "$heist"
expect 0 "$heist" sim proof "$examples/not_strict.dag" -p 2
expect 2 "$heist" sim proof "$examples/not_strict.dag" --sequence
expect 0 "$heist" sim proof fib:7 -p 2,8 --runs 20 --sequence
expect 0 "$heist" sim run "$examples/figure1.dag" -s greedy,busy-leaves,stealing,help-first,sharing,static,depth-first,burton-simpson -p 1..8 \
  --check
expect 0 "$heist" sim run "$examples/not_strict.dag" -s depth-first,burton-simpson -p 2 --check
expect 2 "$heist" sim deques fib:5 -p 0
says "v2 spawns Γ2" "$heist" sim deques "$examples/figure1.dag"
expect 0 "$heist" sim deques fib:6 -p 3 --draw "$bad/deques"
says "The join degree n_d is 1 in all of them: constant" "$heist" sim communication -p 4,8 --length 50 --seeds 1 --plot "$bad/tight.svg"
expect 0 "$heist" sim game -p 16 --games 20 --tosses 64 --plot "$bad/game.svg"
says "(linear weights)" "$heist" sim proof fib:8 -p 4
expect 0 "$heist" sim bounds -n 4 --seeds 1 -p 4 --largest 300 --plots "$bad"
expect 0 "$heist" sim sweep fib:9 loop:50 -p 1..16 --seeds 2 --plots "$bad"
expect 0 "$heist" sim tails fib:9 -p 4 --runs 50 --plots "$bad"
expect 0 "$heist" sim game --games 20 --tosses 500
says "newest  exponential         64" "$heist" sim contention -n 16,64 --seeds 2 --plot "$bad/contention.svg"
expect 2 "$heist" sim contention -n 1
expect 2 "$heist" sim contention -n 8 --seeds 0
expect 0 "$heist" sim proof fib:9 -p 2,4
expect 0 "$heist" sim cluster -p 4,8 --nodes 1e7 --grain 1e4 --latency 0.1,1 --plot "$bad/latency.svg" --plot-bytes "$bad/bytes.svg"
expect 2 "$heist" sim cluster --nodes 0
expect 2 "$heist" sim cluster --cores 0
expect 2 "$heist" sim cluster --lifelines some
expect 2 "$heist" sim cluster -p 1000000 -c 100
says "nodes must be from 1 to 1e15" "$heist" sim cluster --nodes 1e16
says "    deaths      lost" "$heist" sim cluster -p 4 --nodes 1e7 --crashes 1
says "critical path   Tinf   10" "$heist" sim show "$examples/figure1.dag"
says "cycle.dag:4:1: a cycle: a1 -> b1 -> a1" "$heist" sim show "$bad/cycle.dag"
says "deep.json:1:9: nested deeper than 8 levels" "$heist" sim show "$bad/deep.json"
for action in "show $examples/figure1.dag" "run fib:9" "sweep fib:9 -p 1..4" "bounds -n 2 --seeds 1 -p 2" "game --games 5" \
  "communication -p 4 --length 20" "contention -n 8" "proof fib:8" "tails fib:8 --runs 20" "cluster -p 4 --nodes 1e6"; do
  # shellcheck disable=SC2086
  "$heist" sim $action --json | python3 -c 'import json, sys; json.load(sys.stdin)' || { echo "no JSON: $action" && failed=1; }
done
for plot in speedup time space steals communication tails tails_steals bounds_time bounds_steals loop_space latency bytes tight game contention \
  deques/deque deques/spawn deques/stall deques/death deques/enable; do
  [ -s "$bad/$plot.svg" ] || { echo "no plot $plot.svg" && failed=1; }
done
expect 2 "$heist" sim run fib:5 --collapse 3
expect 0 "$heist" sim bounds "$examples/not_strict.dag" fib:8 -p 2,4 --seeds 2
expect 0 "$heist" sim bounds --kind any -n 4 --seeds 1 -p 4 --largest 300
says "is more than --largest 10" "$heist" sim bounds --smallest 1000 --largest 10
printf 'thread a : read*2 write sum\nthread b : b1*3\nspawn read -> b1\njoin b1 -> sum\n' >"$bad/long.dag"
says "read(2)" "$heist" sim proof "$bad/long.dag" --sequence
says "fillcolor=\"#ffd8a8\"" "$heist" sim show "$examples/figure1.dag" --to dot --critical-path
expect 0 "$heist" sim run fib:9 -p 4 --resize 5:1,20:4
expect 0 "$heist" sim run fib:9 -p 4 --resize adaptive --yield all --slice 20
expect 0 "$heist" sim sweep fib:9 -p 4 --share feedback --quantum 20 --seeds 2
expect 0 "$heist" sim sweep fib:9 -p 4,64 --victims near --steal half --seeds 2
expect 0 "$heist" sim run rounds:5,parts=8 -p 4 --affinity
expect 2 "$heist" sim run fib:9 -p 4 --resize sometimes
expect 2 "$heist" sim run fib:9 -p 4 --resize random --share feedback
expect 2 "$heist" sim run fib:9 -p 4 --affinity --steal half
expect 0 "$heist" sim compare fib:8 any:3 -p 2,4 --seeds 2 --vary steal=one,half --vary victims=uniform,near --columns T,far --plot "$bad/compare.svg"
expect 0 "$heist" sim compare rounds:4 -p 4 --seeds 1 --vary affinity=false,true --columns kept
expect 2 "$heist" sim compare fib:8 --vary steal=three
expect 2 "$heist" sim compare fib:8 --vary nothing=1
expect 2 "$heist" sim compare fib:8 --vary steal
expect 2 "$heist" sim compare fib:8 --columns beauty
expect 2 "$heist" sim compare any:x
expect 0 "$heist" sim share -n 10 -p 16 --quantum 50 --largest 5000
expect 0 "$heist" sim cache scan:512 heat:16,rounds=3,parts=4 -p 2,4 --words 64 --seeds 2 --plots "$bad"
expect 2 "$heist" sim cache nothing:5
expect 2 "$heist" sim cache scan:512 --words 4
for action in "compare fib:8 -p 2 --seeds 1" "share -n 2 -p 4 --largest 2000" "cache scan:512 -p 2 --seeds 1"; do
  # shellcheck disable=SC2086
  "$heist" sim $action --json | python3 -c 'import json, sys; json.load(sys.stdin)' || { echo "no JSON: $action" && failed=1; }
done
for plot in compare cache_misses cache_steals; do
  [ -s "$bad/$plot.svg" ] || { echo "no plot $plot.svg" && failed=1; }
done
exit $failed
