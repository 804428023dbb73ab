#!/usr/bin/env bash
# HEIST_TRACE: traces of real runs are whole, say what the pools counted, and are bounded; what a wrong value gets.
set -euo pipefail
program=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "trace.sh: $1" >&2
  exit 1
}
traced() { HEIST_TRACE=$work/t.json "$program" "$@"; }
check() { python3 "$here/check.py" "$work/t.json" "$@"; }
about() { python3 -c "import json, sys; t = json.load(open('$work/t.json')); o = t['otherData']; e = t['traceEvents']; assert $1, o"; }

for workers in 1 2 8; do
  HEIST_WORKERS=$workers traced >"$work/counts"
  check "$work/counts" || fail "the trace with $workers workers is not as it should be"
  about "o['program'] == 'traced' and o['workers'] == max($workers, 3)"
  [ "$workers" -lt 8 ] || about "any(x['ph'] == 's' for x in e)" || fail "nothing was stolen, so nothing was shown"
done

# hwloc is told that each processor is a node: steals between them are marked.
if python3 -c 'import os, sys; sys.exit(not {0, 1} <= os.sched_getaffinity(0))'; then
  far="any(x.get('args', {}).get('far') for x in e)"
  for try in 1 2 3 4 5; do
    HWLOC_SYNTHETIC="node:2 core:1 pu:1" HEIST_BIND=0,1 HEIST_WORKERS=8 traced >"$work/counts"
    check "$work/counts" || fail "the trace of two nodes is not as it should be"
    about "$far" 2>/dev/null && break
    [ $try -lt 5 ] || fail "no steal was from another node"
  done
  HEIST_WORKERS=8 traced >/dev/null
  [ "$(cat /sys/devices/system/node/online)" != 0 ] || ! about "$far" 2>/dev/null || fail "a steal was from another node of one"
fi

HEIST_WORKERS=8 HEIST_TRACE_EVENTS=50 traced >/dev/null
check || fail "a trace with dropped events is not whole"
about "sum(o['dropped']) > 0 and sum(x['ph'] == 'X' for x in e) <= 50 * len(o['dropped'])" || fail "events were not dropped and counted"

HEIST_WORKERS=4 traced exit && fail "exit(3) in a branch did not end the program" || [ $? -eq 3 ]
check || fail "the trace of a program that ended while it worked is not whole"
about "any(x.get('args', {}).get('end') == 'trace ended' and x['cat'] == 'run' for x in e)"

HEIST_TRACE_EVENTS=100 traced pools 300
check || fail "the trace of many pools is not whole"
about "o['forgotten']['pools'] > 100 and o['forgotten']['events'] > 0 and len(e) < 10000" || fail "old pools were not forgotten"

for workers in 1 2; do
  HEIST_WORKERS=$workers traced waits
  check || fail "the trace of strands that wait is not whole"
  about "{x['name'] for x in e if x['ph'] == 'b' and x['cat'] == 'wait'} >= {'a mutex', 'a latch', 'a channel', 'a future', 'a resumption', 'a time'}" ||
    fail "a wait is not in the trace, by what it was for"
done

# The child forgets its parent's pool.
rm "$work/t.json"
ASAN_OPTIONS=detect_leaks=0 HEIST_WORKERS=2 traced fork || fail "the child of fork() failed"
[ ! -e "$work/t.json" ] || fail "the child of fork() wrote a trace, which is its parent's to write"

HEIST_PROFILE=json:$work/p.json HEIST_WORKERS=2 traced >/dev/null
check || fail "the trace of a profiled program is not whole"
python3 -c "import json; json.load(open('$work/p.json'))" || fail "a traced program wrote no profile"

rm "$work/t.json"
traced nothing
[ ! -e "$work/t.json" ] || fail "a program that never used heist wrote a trace"

HEIST_TRACE_EVENTS='' traced >/dev/null || fail "HEIST_TRACE_EVENTS set to nothing is not unset"
for wrong in 0 many 1e3; do
  HEIST_TRACE_EVENTS=$wrong traced 2>"$work/wrong" && fail "HEIST_TRACE_EVENTS=$wrong was accepted"
  grep -q "HEIST_TRACE_EVENTS is \"$wrong\", not a number in 1 … " "$work/wrong" || fail "\"$wrong\" got no clear line"
done
HEIST_TRACE=$work/no/such/folder "$program" 2>"$work/wrong" >/dev/null
grep -qx "heist: HEIST_TRACE: $work/no/such/folder cannot be written" "$work/wrong" || fail "an unwritable file got no clear line"
HEIST_TRACE=/dev/full "$program" 2>"$work/wrong" >/dev/null
grep -q "/dev/full cannot be written" "$work/wrong" || fail "a full disk got no clear line"
