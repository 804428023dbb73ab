#!/usr/bin/env bash
# top.sh HEIST SHARING: two programs with options::share = feedback at once, each with right answers and seen on the board;
# what `heist top` shows of them. One that is killed is gone.
set -euo pipefail
heist=$1 sharing=$2
work=$(mktemp -d)
export HEIST_BOARD=$work/board HEIST_SHARE=feedback HEIST_WORKERS=4
programs=()
trap 'for p in "${programs[@]}"; do kill -9 "$p" 2>/dev/null || true; done; rm -rf "$work"' EXIT

fail() {
  echo "top.sh: $1" >&2
  exit 1
}
# Is that true of `heist top --json`, in a minute?
becomes() {
  for _ in $(seq 300); do
    "$heist" top --once --json >"$work/top.json"
    if python3 - "$work/top.json" "$1" <<'PYTHON'
import json
import sys

top = json.load(open(sys.argv[1]))
pools = top["pools"]
assert top["processors"] >= 1, top
for p in pools:
    assert set(p) == {"slot", "process", "pool", "program", "desire", "workers", "efficiency", "steals", "work_seconds", "quanta"}, p
    assert p["program"] == "sharing" and 0 <= p["efficiency"] <= 1 and p["work_seconds"] >= 0 and p["workers"] >= 1, p
sys.exit(0 if eval(sys.argv[2]) else 1)
PYTHON
    then return; fi
    sleep 0.2
  done
  fail "it never came true that $1; the last was $(cat "$work/top.json")"
}

mkfifo "$work/a" "$work/b"
"$sharing" <"$work/a" >"$work/a.out" &
programs+=($!)
exec 8>"$work/a"
"$sharing" <"$work/b" >"$work/b.out" 8>&- &
programs+=($!)
exec 9>"$work/b"

becomes "len(pools) == 2 and {p['process'] for p in pools} == {${programs[0]}, ${programs[1]}}"
# Each has what it desires, or a share; on a busy machine one worker. None has more than it may have.
becomes "len(pools) == 2 and all(1 <= p['desire'] <= 4 and p['workers'] <= 4 and p['quanta'] > 5 for p in pools)"
becomes "sum(p['workers'] for p in pools) <= max(2, top['processors'])"
"$heist" top --once >"$work/top"
for p in "${programs[@]}"; do
  grep -Eq "^ +$p +0  sharing +[1-4] +[1-4] +[0-9]+% +[0-9]+ +[0-9.]+ s\$" "$work/top" || fail "no row for $p: $(cat "$work/top")"
done
grep -Eq '^[0-9]+ workers for [0-9]+ processors$' "$work/top" || fail "no last line: $(cat "$work/top")"
# In a pipe: a table each time, and an end when nobody reads any more.
tables=$( ("$heist" top --interval 0.05 || true) | head -n 9 | grep -c '^ process pool  program') || true
[ "$tables" -ge 2 ] || fail "a pipe got $tables tables"
lines=$( ("$heist" top --json --interval 0.05 || true) | head -n 3 | grep -c '^{.*"pools":.*}$') || true
[ "$lines" -eq 3 ] || fail "a pipe got $lines objects"

exec 8>&-
wait "${programs[0]}" || fail "the first program failed: $(cat "$work/a.out")"
becomes "[p['process'] for p in pools] == [${programs[1]}]"
kill -9 "${programs[1]}"
wait "${programs[1]}" 2>/dev/null || true
becomes "pools == []"
exec 9>&-
