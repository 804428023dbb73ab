#!/usr/bin/env bash
# HEIST_RECORD: the same computation is written whoever ran what, and wrong values get a clear line.
set -euo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "record.sh: $1" >&2
  exit 1
}

for workers in 1 2 8; do
  HEIST_WORKERS=$workers HEIST_RECORD_GRAIN=0 HEIST_RECORD=$work/$workers "$program"
done
for workers in 1 2 8; do
  HEIST_WORKERS=$workers HEIST_RECORD_GRAIN=0 HEIST_RECORD=$work/waits$workers "$program" waits
done
for workers in 1 2 8; do
  HEIST_WORKERS=$workers HEIST_RECORD_GRAIN=0 HEIST_RECORD=$work/others$workers "$program" others
done
for workers in 1 2 8; do
  HEIST_WORKERS=$workers HEIST_RECORD_GRAIN=0 HEIST_RECORD=$work/outside$workers "$program" outside
done
HEIST_RECORD_GRAIN=1000000000 HEIST_RECORD=$work/coarse "$program"
python3 - "$work" <<'PYTHON' || fail "the recordings are not as they should be"
import json, sys

def steps(file):
    magic, header, data = open(file, "rb").read().split(b"\n", 2)
    assert magic == b"heist recording 1", magic
    assert json.loads(header)["bytes"] == len(data), header
    names = [None, "strand", "fork", "second", "join", "child", "child_end", "queued", "later", "sync"]
    numbers = {"strand": 2, "child_end": 1, "queued": 2, "later": 2, "sync": 1}
    at, scopes, out = 0, {}, []
    while at < len(data):
        name, at = names[data[at]], at + 1
        values = []
        for _ in range(numbers.get(name, 0)):
            n = shift = 0
            while True:
                byte, at = data[at], at + 1
                n |= (byte & 0x7f) << shift
                shift += 7
                if byte < 0x80: break
            values.append(n)
        if name == "strand": continue  # takes another time each time, or none
        if values: values[0] = scopes.setdefault(values[0], len(scopes))
        out.append((name, *values))
    return out

folder = sys.argv[1]
one = steps(f"{folder}/1")
count = lambda s: [name for name, *_ in one].count(s)
assert count("fork") == count("join") == 63 + 15 + 1, one
assert count("queued") == count("later") == 2 and count("sync") == 1, one
for workers in (2, 8): assert steps(f"{folder}/{workers}") == one, workers
waits = steps(f"{folder}/waits1")
assert [name for name, *_ in waits].count("fork") == 3 + 1 + 1 + 3 + 1 + 7, waits
for workers in (2, 8): assert steps(f"{folder}/waits{workers}") == waits, workers
# A future is queued where it begins, and its computation comes where it is asked: the first one last, after a sync.
names = [name for name, *_ in waits]
assert names[0] == "queued" and names[-1] == "sync" and names.count("queued") == names.count("later") == 2, waits
first = waits[0][1]
assert ("later", first, 0) in waits[names.index("join"):], waits
# What a scope's children spawn into it is queued there, and runs at the sync, in an order that depends on the schedule.
others = steps(f"{folder}/others1")
names = [name for name, *_ in others]
assert names.count("queued") == names.count("later") == 6 + 2 and names.count("child") == 2, others
assert names[names.index("child"):names.index("child_end")].count("queued") == 2, others
for workers in (2, 8): assert len(steps(f"{folder}/others{workers}")) == len(others), workers
# What a thread outside every pool asks for is a child of the program; what nobody asks for is a root, and comes last.
outside = steps(f"{folder}/outside1")
names = [name for name, *_ in outside]
assert names[:4] == ["queued"] * 3 + ["later"] and names.count("later") == 1, outside
assert outside[3] == ("later", outside[0][1], 0), outside
assert names.count("fork") == 7 + 15 + 3 + 1 and names[-5:] == ["join", "join", "fork", "second", "join"], outside
for workers in (2, 8): assert steps(f"{folder}/outside{workers}") == outside, workers
assert [name for name, *_ in steps(f"{folder}/coarse") if name == "fork"] == []
PYTHON

HEIST_RECORD=$work/nothing "$program" nothing
[ ! -e "$work/nothing" ] || fail "a program that never used heist wrote something"
for wrong in much -1 1e3 1000000001; do
  HEIST_RECORD=$work/x HEIST_RECORD_GRAIN=$wrong "$program" 2>"$work/wrong" && fail "a grain of \"$wrong\" was accepted"
  grep -q "HEIST_RECORD_GRAIN is \"$wrong\", not a number in 0" "$work/wrong" || fail "\"$wrong\" got no clear line"
done
for wrong in HEIST_RECORD_LOOPS HEIST_SEED; do
  env HEIST_RECORD="$work/x" $wrong=often "$program" 2>"$work/wrong" && fail "a wrong $wrong was accepted"
  grep -q "$wrong is \"often\", not " "$work/wrong" || fail "a wrong $wrong got no clear line"
done
HEIST_RECORD=$work/no/such/folder "$program" 2>"$work/wrong"
grep -q "HEIST_RECORD: .* cannot be written" "$work/wrong" || fail "an unwritable file got no clear line"
HEIST_RECORD=/dev/full HEIST_PROFILE=json:/dev/full "$program" 2>"$work/wrong"
[ "$(grep -c "/dev/full cannot be written" "$work/wrong")" -eq 2 ] || fail "a full disk got no clear line"
