#!/usr/bin/env bash
# HEIST_PROFILE: what a program came to, as text and as JSON, and what a wrong value gets.
set -euo pipefail
program=$1 version=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "profile.sh: $1" >&2
  exit 1
}
profiled() { HEIST_PROFILE_UNIT=strand HEIST_PROFILE=$1 "$program" "${@:2}"; }

for workers in 1 2 8; do
  HEIST_WORKERS=$workers profiled "json:$work/p.json"
  python3 - "$work/p.json" <<'PYTHON' || fail "the JSON with $workers workers is not as it should be"
import json, sys
p = json.load(open(sys.argv[1]))
assert p["heist_profile"] == 1 and p["unit"] == "strand", p
assert p["work"] == 190 + 46 + 4 + 1, p["work"]
assert p["span"] == 13 + 9 + 3, p["span"]
assert p["forks"] == 63 + 15 + 1 + 2, p["forks"]
assert sum(w["strands"] for w in p["workers"]) == p["work"], p["workers"]
assert [s["workers"] for s in p["speedup"]] == [2**i for i in range(11)]
region, = p["regions"]
assert region["name"] == 'in a "pool"' and region["work"] == 45 and region["span"] == 8, region
PYTHON
done

# Of what, where and when, in a time zone far from UTC.
before=$(date -u +%FT%TZ)
allowed=$(python3 -c 'import os; print(min(os.sched_getaffinity(0)))')
TZ=FAR-9 profiled "json:$work/all.json" && HEIST_PROFILE=json:$work/one.json taskset -c "$allowed" "$program"
python3 - "$work" "$program" "$version" "$before" "$(date -u +%FT%TZ)" <<'PYTHON' || fail "the JSON does not say where it is from"
import json, os, sys
folder, program, version, before, after = sys.argv[1:]
p, one = (json.load(open(f"{folder}/{name}.json")) for name in ("all", "one"))
assert p["program"] == os.path.basename(program) and p["heist"] == version, p
assert len(p["started"]) == len(before) and before <= p["started"] <= after, p
assert 1 <= p["processors"] <= len(os.sched_getaffinity(0)) and one["processors"] == 1, (p, one)
kernel = os.uname()
assert p["system"] == f"{kernel.sysname} {kernel.release} {kernel.machine}", p
models = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
assert p["cpu"] == (models[0] if models else ""), p
PYTHON

HEIST_PROFILE=json:$work/p.json "$program" "one root"
python3 -c 'import json, sys; p = json.load(open(sys.argv[1])); assert p["burdened_span"] > p["span"] > 0, p' "$work/p.json" ||
  fail "the only root's forks have no burden"
burden=5000 # the guess where nothing could be stolen, as on a machine that has other things to do
for i in $(seq 30); do
  HEIST_PROFILE=json:$work/p.json "$program" "one root"
  burden=$(grep -o '"burden": [0-9]*' "$work/p.json" | grep -o '[0-9]*$')
  [ "$burden" -eq 5000 ] || break
done
[ "$burden" -gt 0 ] && [ "$burden" -ne 5000 ] || fail "a steal costs $burden ns each time: nobody has measured it"

profiled text 2>"$work/text"
grep -q "work T1            241 strands" "$work/text" || fail "the text lacks the work"
grep -Eq "^  $(date -u +%Y)-.*Z, heist $version, .*[0-9] processors?, $(uname -sr)" "$work/text" || fail "the text does not say where it is from"
profiled "text:$work/other" && cmp -s <(sed 2d "$work/text" | head -3) <(sed 2d "$work/other" | head -3) || fail "the file is not like the text"

profiled text nothing 2>"$work/nothing"
[ ! -s "$work/nothing" ] || fail "a program that never used heist wrote something"

for wrong in yes json: ; do
  profiled "$wrong" 2>"$work/wrong" && fail "\"$wrong\" was accepted"
  grep -q "HEIST_PROFILE is \"$wrong\", not text, json" "$work/wrong" || fail "\"$wrong\" got no clear line"
done
profiled "json:$work/no/such/folder" 2>"$work/wrong"
grep -q "cannot be written" "$work/wrong" || fail "an unwritable file got no clear line"

# Which figures cannot be trusted. Forks around nothing never can; leaves of a millisecond can, if they have the cores.
if [ "$build" = Release ]; then # other builds take longer for nothing
  HEIST_PROFILE=text "$program" fine 2>"$work/fine"
  grep -q "^  doubtful: .* took less than 100 ns, about what it takes to measure one$" "$work/fine" || fail "no word of doubt: $(cat "$work/fine")"
  grep -q "^            work, span, parallelism and speed-up are not reliable" "$work/fine" || fail "it does not say which figure"
  grep -q "^            fork less often .*HEIST_PROFILE_UNIT=strand" "$work/fine" || fail "it does not say what to do"
fi
HEIST_PROFILE_UNIT=strand HEIST_PROFILE=text "$program" fine 2>"$work/strands"
! grep -q doubtful "$work/strands" || fail "strands are doubted: $(cat "$work/strands")"
HEIST_PROFILE=text "$program" coarse 2>"$work/coarse"
! grep -q "measuring" "$work/coarse" || fail "strands of a millisecond are too short: $(cat "$work/coarse")"
# Four workers take turns on one processor: each goes on counting while another runs.
HEIST_WORKERS=4 HEIST_PROFILE=text taskset -c "$allowed" "$program" coarse 2>"$work/turns"
grep -Eq "^  doubtful: the program lost its cores [0-9]+ times" "$work/turns" ||
  fail "lost cores are not told: $(cat "$work/turns")"
grep -q "^            span, parallelism and speed-up are not reliable" "$work/turns" || fail "it does not say which figure"
grep -q "heist profile --runs 5" "$work/turns" || fail "it does not say what to do"
