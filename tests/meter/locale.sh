#!/usr/bin/env bash
# What programs leave behind has decimal points and no groups of digits, whatever language they speak. Exit code 77: one
# half was tried, as there is no locale with a decimal comma for the other.
set -euo pipefail
program=$1
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "locale.sh: $1" >&2
  exit 1
}

check() { # what the program itself writes
  HEIST_PROFILE=json:$work/p.json HEIST_TRACE=$work/t.json HEIST_RECORD=$work/r "$program" commas >"$work/own"
  [ "$(cat "$work/own")" = "$1" ] || fail "the program writes $(cat "$work/own") instead of $1"
  python3 - "$work" <<'PYTHON' || fail "where programs write $1, the JSON is not as it should be"
import json, sys
p = json.load(open(f"{sys.argv[1]}/p.json"))
whole = ("work", "span", "burdened_span", "burden", "forks", "steals", "steal_attempts", "stack_bytes_peak", "serial_space")
assert all(isinstance(p[name], int) for name in whole), p
assert abs(p["parallelism"] * p["span"] / p["work"] - 1) < 1e-4, p
header = json.loads(open(f"{sys.argv[1]}/r", "rb").read().split(b"\n")[1])
assert 0 < header["ns_per_tick"] and set(header) == {"ns_per_tick", "grain", "bytes"}, header
PYTHON
  python3 "$here/../trace/check.py" "$work/t.json" >"$work/checked" || fail "where programs write $1, the trace is not whole"
  HEIST_PROFILE=text:$work/text "$program" commas >"$work/own"
  grep -q 'parallelism [0-9]*\.[0-9]$' "$work/text" || fail "where programs write $1, the text has no decimal points"
  if grep -q '[0-9],[0-9]' "$work/text"; then fail "where programs write $1, so does the text"; fi
}

LC_ALL=C check "1234.5 1.234,5"

# A locale of our own, or else one that is installed.
export LOCPATH=$work
localedef -i de_DE -f UTF-8 "$work/commas" 2>"$work/why" || unset LOCPATH
for name in commas $(locale -a); do
  [ "$(LC_ALL=$name "$program" commas)" = "1234,5 1.234,5" ] || continue
  LC_ALL=$name check "1234,5 1.234,5"
  exit 0
done
echo "locale.sh: no locale with a decimal comma, and none could be made: $(head -n 1 "$work/why")"
exit 77
