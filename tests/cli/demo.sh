#!/usr/bin/env bash
# heist demo: the table, and the page with its figures.
set -uo pipefail
heist=$1
here=$(dirname "$0")
. "$here/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

says "fib(38)" "$heist" demo --rounds 1 --workers 2
python3 "$here/page_data.py" heist-demo.html \
  '(len(data["profiles"]) == 5 and len(data["points"]) == 10 and len(data["space"]) == 5 and [p["program"] for p in data["profiles"]] == [s["program"] for s in data["space"]]
   and len(data["traces"]) == 1
   and data["traces"][0]["otherData"]["workers"] == 2 and all(p["work"] > p["span"] > 0 for p in data["profiles"]))' ||
  complain "the page lacks something"
[ "$(ls)" = heist-demo.html ] || complain "files are left behind: $(ls)"
expect 2 "$heist" demo --workers 0
# Names are looked at first: nothing runs, so this says one line.
expect 2 "$heist" demo --trace bogus
says 'there is no program "bogus"; the programs are "sum of 100 million", "merge sort, 6 million", "fib(38)"' "$heist" demo --trace bogus
expect 2 "$heist" demo -o "$work/no/such/folder.html"
exit $failed
