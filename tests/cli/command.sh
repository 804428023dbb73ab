#!/usr/bin/env bash
# heist profile, trace, record, report and doctor: exit codes, one-line complaints, files that are whole or not there.
set -uo pipefail
heist=$1 program=$2
here=$(dirname "$(realpath "$0")")
. "$here/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cpu=$(python3 -c "import os; print(min(os.sched_getaffinity(0)))") # one that we may use

page() { python3 "$here/page_data.py" "$@" || complain "the page is not as it should be: $*"; }
is_json() { python3 -c 'import json, sys; json.load(sys.stdin)' || complain "no JSON: $1"; }

for action in '' profile trace record report sim doctor top demo 'sim predict' 'sim cluster'; do
  # shellcheck disable=SC2086
  expect 0 "$heist" $action --help
  says Examples "$heist" $action --help
done
says "heist 0." "$heist" --version
says "heist 0." "$heist" -V
for action in '' profile 'sim predict'; do
  # shellcheck disable=SC2086
  [ "$("$heist" help $action)" = "$("$heist" $action --help)" ] || complain "heist help $action is not heist $action --help"
done
expect 2 "$heist" help bogus
says 'heist: there is no "bogus"; see heist --help' "$heist" help bogus
expect 2 "$heist" help sim bogus
expect 2 "$heist" bogus
says 'heist: there is no "bogus"; see heist --help' "$heist" bogus
says 'heist: there is no "bogus"; see heist sim --help' "$heist" sim bogus
expect 2 "$heist" profile
says "see heist profile --help" "$heist" profile
says "see heist sim run --help" "$heist" sim run fib:3 --bogus
expect 2 "$heist" trace --
expect 2 "$heist" trace -w 0 -- "$program"

# Profiles.
says "work T1" "$heist" profile -w 2 -- "$program"
says "outside" "$heist" trace --json -- sh -c 'echo outside >&2; "$0"' "$program"
"$heist" profile --json -o p.json --html p.html --unit strand -- "$program" 2>/dev/null >printed
is_json profile <printed
cmp -s p.json printed || complain "the profile that is kept is not the one that is printed"
page p.html 'data["title"] == "traced" and data["profiles"][0]["unit"] == "strand" and data["traces"] == []'

# Every figure of a profile is read and told: here each is another number, and the program only hands them over.
cat >figures.json <<'JSON'
{"heist_profile": 1, "unit": "ns", "program": "süß", "heist": "0.0.9", "started": "2026-01-02T03:04:05Z",
 "cpu": "A CPU", "processors": 1, "system": "Linux 1.2 x",
 "work": 8000000000, "span": 2000000, "burdened_span": 4000000, "burden": 5000, "parallelism": 4000,
 "forks": 11, "steals": 12, "steal_attempts": 13, "suspends": 14, "stack_bytes_peak": 15360, "serial_space": 16384,
 "workers": [{"strands": 1, "busy": 17}, {"strands": 0, "busy": 0}, {"strands": 2, "busy": 1800}], "speedup": [],
 "regions": [{"name": "süß", "times": 19, "work": 200, "span": 50, "burdened_span": 60, "longest": 23, "forks": 24},
             {"name": "b", "times": 21, "work": 22, "span": 0}]}
JSON
cat >expected <<'TEXT'
heist profile of süß
  2026-01-02T03:04:05Z, heist 0.0.9, A CPU, 1 processor, Linux 1.2 x
  work T1                 8.00 s
  span Tinf              2.00 ms   parallelism 4000.0
  burdened span          4.00 ms   parallelism 2000.0, if a steal costs 5.00 us
  forks 11, steals 12 of 13 attempts, suspends 14
  peak of all stacks 15 KiB, serial space 16 KiB
  2 workers ran something: busy 17 ns to 1.80 us, strands 1 to 2

  workers   expected time                 speed-up
        1   8.00 s to 8.00 s              1.00 to 1.00
        2   4.00 s to 4.00 s              2.00 to 2.00
        4   2.00 s to 2.00 s              3.99 to 4.00
        8   1.00 s to 1.00 s              7.97 to 8.00
       16   500.00 ms to 504.00 ms        15.87 to 16.00
       32   250.00 ms to 254.00 ms        31.50 to 32.00
       64   125.00 ms to 129.00 ms        62.02 to 64.00
      128   62.50 ms to 66.50 ms          120.30 to 128.00
      256   31.25 ms to 35.25 ms          226.95 to 256.00
      512   15.62 ms to 19.62 ms          407.64 to 512.00
     1024   7.81 ms to 11.81 ms           677.25 to 1024.00

  region                         times          work          span  parallelism  longest span       forks
  süß                               19        200 ns         50 ns          4.0         23 ns          24
  b                                 21         22 ns          0 ns          1.0          0 ns           0
TEXT
"$heist" profile -- sh -c 'cp figures.json "${HEIST_PROFILE#json:}"' | diff expected - || complain "a profile is told wrongly"
sed 's/8000000000/1000/' figures.json >fine.json
says "91 ns of work for each fork, and a good part of that is the cost of measuring" "$heist" profile -- sh -c 'cp fine.json "${HEIST_PROFILE#json:}"'
sed 's/"forks": 11/"forks": 11, "short_strands": 2, "short_work": 4000000000/' figures.json >short.json
says "67 % of the strands, with 50 % of the work, took less than 100 ns" "$heist" profile -- sh -c 'cp short.json "${HEIST_PROFILE#json:}"'
"$heist" profile --json -- sh -c 'cp short.json "${HEIST_PROFILE#json:}"' 2>said >/dev/null
grep -q "^heist: 67 % of the strands.*not reliable.*HEIST_PROFILE_UNIT=strand" said || complain "with --json it says: $(cat said)"

# Of several runs the one with the least span is kept, whole. These spans are 2, 4, 1 and 3 ms, the forks tell which run it was.
cat >varies.sh <<'SH'
n=$(cat turn 2>/dev/null || echo 0)
echo $((n + 1)) >turn
set -- 2 4 1 3
shift "$n"
sed "s/\"span\": 2000000/\"span\": ${1}000000/; s/\"forks\": 11/\"forks\": $n/" figures.json >"${HEIST_PROFILE#json:}"
SH
"$heist" profile --runs 4 --json -o least.json -- sh varies.sh >printed 2>said
python3 -c 'import json; p = json.load(open("least.json")); assert (p["span"], p["forks"]) == (1e6, 2), p' ||
  complain "not the run with the least span was kept"
cmp -s least.json printed || complain "of several runs another profile is kept than is printed"
[ "$(cat said)" = "heist: kept run 3 of 4, the one with the least span; the longest span was 4 times as long" ] ||
  complain "of several runs it says: $(cat said)"
[ "$(cat turn)" = 4 ] || complain "--runs 4 makes $(cat turn) runs"
"$heist" profile --runs 3 -- sh -c 'cp figures.json "${HEIST_PROFILE#json:}"' 2>said >/dev/null
[ "$(cat said)" = "heist: kept run 1 of 3, the one with the least span" ] || complain "of three equal runs it says: $(cat said)"
# A run that fails is the last.
rm turn
expect 5 "$heist" profile --runs 4 -- sh -c 'sh varies.sh; exit 5'
[ "$(cat turn)" = 1 ] || complain "after a run that failed there are more"
expect 2 "$heist" profile --runs 0 -- true

# Who lets go of the core is not interrupted; who shares it with another that computes is, and is told so.
says_not() {
  local text=$1
  shift
  ! grep -qF -- "$text" <<<"$("$@" 2>&1)" || complain "says \"$text\": $*"
}
lost='lost its core'
says_not "$lost" "$heist" profile -- sh -c 'sleep 0.1; cp figures.json "${HEIST_PROFILE#json:}"'
crowd='import os, sys
for i in range(3):
    if os.fork() == 0:
        while os.times().user < 0.2: pass
        os._exit(0)
for i in range(3): os.wait()
open(os.environ["HEIST_PROFILE"][5:], "w").write(open(sys.argv[1]).read())'
says "$lost" taskset -c "$cpu" "$heist" profile -- python3 -c "$crowd" figures.json
sed 's/"unit": "ns"/"unit": "strand"/' figures.json >strands.json
says_not "$lost" taskset -c "$cpu" "$heist" profile --unit strand -- python3 -c "$crowd" strands.json

# Traces.
expect 0 "$heist" trace -w 8 -- "$program"
python3 "$here/../trace/check.py" heist.trace.json >/dev/null || complain "heist.trace.json is not whole"
"$heist" trace -w 2 --json -o t.json --html t.html --profile q.json -- "$program" 2>counts >summary
python3 - <<'PYTHON' || complain "the summary does not say what the trace does"
import json
summary, counts, trace = (json.load(open(f)) for f in ("summary", "counts", "t.json"))
events = [e for e in trace["traceEvents"] if e["ph"] != "M"]
assert summary["steals"] == counts["steals"] and summary["suspends"] == counts["suspends"], (summary, counts)
assert summary["events"] == len(events) and summary["dropped"] == 0 and summary["regions"] == 42
assert sum(l["robbed"] for l in summary["lanes"]) == sum(l["steals"] for l in summary["lanes"]) == summary["steals"]
assert all(0 <= l["utilisation"] <= 1 for l in summary["lanes"])
assert abs(summary["duration_us"] - max(e["ts"] + e.get("dur", 0) for e in events)) < 0.01
PYTHON
page t.html 'len(data["profiles"]) == len(data["traces"]) == 1 and data["traces"][0] == json.load(open("t.json"))'
"$heist" trace -w 8 --events 20 --json -o few.json -- "$program" 2>/dev/null |
  python3 -c 'import json, sys; assert json.load(sys.stdin)["dropped"] > 0' || complain "--events drops nothing"

says "cache misses" "$heist" trace --misses -w 2 -o m.json -- "$program"
"$heist" trace --misses -w 2 --json -o m.json -- "$program" 2>/dev/null |
  python3 -c 'import json, sys; assert len(json.load(sys.stdin)["cache_misses"]) in (1, 3)' || complain "no misses in JSON"

# Recordings, and what is predicted from them.
expect 0 "$heist" record -w 2 --grain 0 --plain 0 -- "$program"
"$heist" record -w 2 --plain 0 --json -o r.heist -- "$program" 2>/dev/null | is_json record
costs="--fork 2 --spawn 10 --steal 1000 --resume 500 --wake 1000"
claim="--claim 300"
# shellcheck disable=SC2086
"$heist" sim predict heist.recording --seeds 3 -p 1,2,1024 $costs $claim --plot p.svg --json >predicted
python3 - <<'PYTHON' || complain "the prediction is not as it should be"
import json
p = json.load(open("predicted"))
one, two, many = p["predictions"]
serial = p["work"] + 2 * p["forks"]  # at least: some may be spawns
assert 0.999 * serial <= one["ns"] and abs(one["speed_up"] - 1) < 1e-9 and one["steals"] == 0, p
assert not p["steal_costs_guessed"]
for point in (two, many): assert max(p["span"], p["work"] / point["workers"]) <= point["ns"] * 1.001, p
for point in p["predictions"]: assert point["low_ns"] < point["ns"] < point["high_ns"], p
PYTHON
# The program on one worker, not recorded: strands are as long as they are then.
says "it does not leave the number of workers" "$heist" record --plain 1 -o none.heist -- "$program" pools 2
says "runs 2 times again, in turn" "$heist" record -w 1 --plain 2 -o plain.heist -- "$heist" sim sweep fib:10 -p 2 --seeds 20
says '"plain_ns":[' sed -n 2p plain.heist
says "what it read from a pipe" sh -c 'echo 1 | "$0" record --plain 1 -o none.heist -- "$0" sim sweep fib:5 -p 2' "$heist"
# shellcheck disable=SC2086
"$heist" sim predict heist.recording --seeds 2 -p 1 --t1 50 $costs $claim --json >predicted
python3 -c 'import json; n = json.load(open("predicted"))["predictions"][0]["ns"]; assert abs(n - 50e6) < 1e4, n' ||
  complain "--t1 is not the time on one worker"
# Another machine.
echo '{"cores": 8, "nodes": 2, "claim": [300, 900], "wake": 20000}' >machine.json
says "8 cores in 2 nodes" "$heist" sim predict heist.recording --seeds 2 --machine machine.json
expect 2 "$heist" sim predict heist.recording --machine machine.json -p 16
for wrong in '{}' '[]' '{"cores": 8, "nodes": 3}' '{"cores": 8, "claim": [1, 2, 3]}' '{"cores": 8, "claim": [2, 1]}' \
  '{"cores": 8, "speed": 0}' '{"cores": 8, "wings": 2}' '{"cores": -8}' '{"cores": 8'; do
  echo "$wrong" >wrong.json
  expect 2 "$heist" sim predict heist.recording --machine wrong.json
done
expect 2 "$heist" sim predict heist.recording --machine missing.json
"$heist" sim machine >here.json
python3 - <<'PYTHON' || complain "the machine's description does not say what was guessed"
import json
here = json.load(open("here.json"))
assert {"look", "patience", "queue_fences", "nodes"} <= set(here["guessed"]), here
assert "fence" in here["guessed"] or here["fence"] > 0 and here["interrupt"] > 0, here
assert here["answer"] == here["fence"] / 4, here
PYTHON
expect 0 "$heist" sim predict heist.recording --seeds 2 --machine here.json -p 1
grep -q "<svg" p.svg || complain "no plot"
# Ways to steal, also of a shape that nobody has recorded.
# shellcheck disable=SC2086
"$heist" sim predict fib:16 -p 1,8 --stealing fence,ask $costs --claim 200 --fence 8000 --interrupt 1000 \
  --plot-interrupts i.svg --json >predicted
python3 - <<'PYTHON' || complain "the ways to steal are not as they should be"
import json
p = json.load(open("predicted"))
assert p["costs"]["answer"] == 2000 and p["costs"]["claim"] == 200, p
assert [(x["stealing"], x["workers"]) for x in p["predictions"]] == [("fence", 1), ("fence", 8), ("ask", 1), ("ask", 8)], p
one, fence, also, ask = p["predictions"]
assert one["ns"] == also["ns"] and one["fences"] == one["requests"] == 0, p
assert fence["fences"] >= fence["steals"] > 0 and fence["interrupts"] > fence["fences"] and fence["requests"] == 0, p
assert ask["requests"] >= ask["answers"] > 0 and ask["fences"] < ask["steals"] and ask["ns"] < fence["ns"], p
PYTHON
grep -q "fence: interrupts" i.svg || complain "no plot of interrupts"
# shellcheck disable=SC2086
says "an answer within 2.0 us" "$heist" sim predict fib:10 -p 2 --stealing ask $costs --fence 8000
expect 2 "$heist" sim predict fib:10 --stealing begging
says "--t1: \"0\" is not a number above 0" "$heist" sim predict fib:10 --t1 0
says "--fork: \"inf\" is not a number from 0 on" "$heist" sim predict fib:10 --fork inf
says "processors: 5..2 has no number" "$heist" sim predict fib:10 -p 5..2
expect 2 "$heist" sim predict fib:x
says "is a guess" taskset -c "$cpu" "$heist" sim predict heist.recording --seeds 2 -p 1
expect 2 "$heist" sim predict "$program"
expect 2 "$heist" sim predict missing.heist
head -c -1 heist.recording >cut.heist
expect 2 "$heist" sim predict cut.heist
expect 0 "$heist" record -w 2 --draw dag.dot --threads 10 -- "$program"
says "digraph" cat dag.dot
# What cannot be drawn is refused before the program has run, and what has no meaning beside --compare, too.
for wrong in "--draw dag.png" "--draw no/such/folder/dag.dot" "--compare --draw other.dot" "--compare -o other.heist" "--runs 2"; do
  # shellcheck disable=SC2086
  expect 2 "$heist" record $wrong -- sh -c 'touch has_run; exit 3'
done
says "install it, or give a name that ends in .dot" env PATH="$PWD" "$heist" record --draw dag.svg -- /bin/sh -c 'exit 3'
[ ! -e has_run ] || complain "a program ran although what was asked for makes no sense"
expect 0 "$heist" sim show heist.recording --collapse 5
expect 0 "$heist" sim sweep heist.recording -p 2 --seeds 2 --collapse 5
expect 0 "$heist" sim compare heist.recording -p 2 --seeds 2 --vary steal=one,half
expect 0 "$heist" sim run heist.recording -p 2 --check --step 1000
expect 2 "$heist" sim proof heist.recording --collapse 2
# Steps that are longer than the strands make the work longer than it was.
says "is too long for this recording: strands take at least one" "$heist" sim show heist.recording --step 1e8
expect 3 "$heist" record --compare --runs 2 -- sh -c '"$0" pools 2; exit 3' "$program"
"$heist" record --compare --runs 1 --json -- sh -c '"$0" pools 2; echo $$' "$program" >compared
[ $? -eq 1 ] || complain "the output is not the same, and nothing says so"
python3 - <<'PYTHON' || complain "runs are not compared on one worker and several, with other seeds"
import json
runs = json.load(open("compared"))["runs"]
assert [r["workers"] == 1 for r in runs] == [True, False] and [r["seed"] for r in runs] == [0, 1], runs
PYTHON
# Where loops split is told by the clock, which is no difference between programs. Nor is how far a search looked beyond the match.
expect 0 "$heist" record --compare -- "$program" loop
expect 0 "$heist" record --compare -- "$program" search
# Children begin where they are spawned, by whichever strand, and futures where they are made.
for which in "serial children" "parallel children"; do
  expect 0 "$heist" record --compare -- "$program" "$which"
  "$heist" record -w 1 --plain 0 --json -o children.heist -- "$program" "$which" >children.json
  python3 - "$which" <<'PYTHON' || complain "the span of $which is not what it should be"
import json, sys
j = json.load(open("children.json"))
parallelism = j["work"] / j["span"]
assert (parallelism < 1.1 if sys.argv[1] == "serial children" else parallelism > 3), j
PYTHON
done
expect 1 "$heist" record --compare --runs 1 -- "$program" workers
says "computation  DIFFERENT" "$heist" record --compare --runs 1 -- "$program" workers
expect 2 "$heist" record -o no/such/folder/x -- "$program"
expect 2 "$heist" record -- "$program" nothing

# The program's own end is passed on; what it wrote is shown all the same.
expect 3 "$heist" trace -w 4 -o exit.json -- "$program" exit
[ -s exit.json ] || complain "a program that failed left no trace"
# With a page, a profile and a summary, too.
expect 9 "$heist" trace -o failed.json --html failed.html --profile failed.profile --json -- sh -c '"$0" >/dev/null; exit 9' "$program"
[ -s failed.json ] && [ -s failed.html ] && [ -s failed.profile ] || complain "a program that failed left no trace, profile and page"
expect 9 "$heist" record -o failed.heist -- sh -c '"$0" >/dev/null; exit 9' "$program"
expect 7 "$heist" profile -- sh -c 'exit 7'
expect 137 "$heist" profile -- sh -c 'kill -9 $$'
says "killed by signal 9" "$heist" profile -- sh -c 'kill -9 $$'
expect 137 env --ignore-signal=CHLD "$heist" profile -- sh -c 'kill -9 $$'
expect 130 env --default-signal=INT "$heist" profile -- sh -c 'kill -INT $$; exit 7'
expect 7 env --ignore-signal=INT "$heist" profile -- sh -c 'kill -INT $$; exit 7'

# Nothing to show: one line, and what was there stays.
one_line() { # text command…
  local text=$1 output
  shift
  output=$("$@" 2>&1)
  [ "$output" = "$text" ] || complain "says \"$output\" instead of \"$text\": $*"
}
one_line "heist: false wrote no profile: it never used heist, or did not end by returning from main or calling exit(); its exit status is 1" \
  "$heist" profile -- false
expect 1 "$heist" profile -- false
one_line "heist: true wrote no profile: it never used heist, or did not end by returning from main or calling exit(); its exit status is 0" \
  "$heist" profile -- true
one_line "heist: sh wrote no trace: it was killed by signal 9 (Killed)" "$heist" trace -- sh -c 'kill -9 $$'
for action in profile trace record; do
  expect 1 "$heist" $action -- false
  expect 137 "$heist" $action -- sh -c 'kill -9 $$'
done

# A hang-up or a request to end is the program's, too; no drafts stay behind.
for signal in HUP TERM; do
  env --default-signal=HUP,TERM "$heist" trace -o ended.json -- sh -c 'echo >started; exec sleep 100' 2>said &
  while [ ! -e started ]; do sleep 0.05; done
  kill -$signal $!
  wait $!
  [ $? -gt 128 ] || complain "$signal does not end the command"
  rm started
  ls ended.json* >/dev/null 2>&1 && complain "after $signal there is still $(ls ended.json*)"
done

echo old >old.json
expect 2 "$heist" trace -o old.json -- "$program" nothing
expect 2 "$heist" profile -- "$program" nothing
says "never used heist" "$heist" trace -o old.json -- true
[ "$(cat old.json)" = old ] || complain "an old trace is gone"
expect 2 "$heist" profile -- ./no_such_program
says "cannot be started: No such file" "$heist" profile -- ./no_such_program
expect 2 "$heist" profile -- "$work"
expect 2 "$heist" trace -o no/such/folder -- "$program"
expect 2 "$heist" trace -o "$work" -- "$program"

# A trace is kept though the profile that was to go with it is not there.
expect 2 "$heist" trace -o kept.json --profile gone.json -- sh -c 'env -u HEIST_PROFILE "$0" >/dev/null' "$program"
[ -s kept.json ] && [ ! -e gone.json ] || complain "the trace was to be kept, without the profile"

# What is new may be read by whom the umask allows.
(umask 027 && exec "$heist" trace -o mode.json -- "$program") >/dev/null 2>&1
[ "$(stat -c %a mode.json)" = 640 ] || complain "with umask 027 a trace has the mode $(stat -c %a mode.json)"

# Links lead to the file, and what is no file stays what it is: tried with a pipe, as a mistake would cost root /dev/null.
mkdir far
ln -s far/a.json link.json
ln -s link.json chain.json
for _ in 1 2; do expect 0 "$heist" trace -o chain.json -- "$program"; done
[ -h chain.json ] && [ -h link.json ] && [ -s far/a.json ] || complain "a link was replaced"
mkfifo pipe
timeout 60 cat pipe >from_pipe &
expect 0 timeout 60 "$heist" trace -o pipe -- "$program"
wait $!
[ -p pipe ] || complain "a pipe was replaced"
is_json "through a pipe" <from_pipe

# Reports.
expect 0 "$heist" report q.json t.json
page report.html 'data["title"] == "traced" and data["profiles"][0]["program"] == "traced" and len(data["traces"]) == 1'
expect 0 "$heist" report t.json -o named.html --title '</script><b>'
page named.html 'data["title"] == "</script><b>"'
echo '{"points": [{"program": "x", "workers": 1, "seconds": 2, "steals": 0}]}' >points.json
expect 0 "$heist" report points.json q.json -o points.html
page points.html 'data["points"][0]["seconds"] == 2 and data["title"] == data["profiles"][0]["program"] == "traced"'
"$heist" report q.json p.json -o two.html >two || complain "two profiles make no page"
page two.html 'data["title"] == "traced" and [p["program"] for p in data["profiles"]] == ["traced (q.json)", "traced (p.json)"]'
# A profile from before these members came in.
python3 -c 'import json, sys
p = json.load(open("q.json"))
for name in "program", "heist", "started", "cpu", "processors", "system", "serial_space": del p[name]
json.dump(p, open("older.json", "w"))'
expect 0 "$heist" report older.json -o older.html
page older.html 'data["title"] == data["profiles"][0]["program"] == "older"'
mkdir bad
size=$(stat -c %s t.json)
for at in 0 1 100 $((size / 2)) $((size - 3)); do head -c "$at" t.json >"bad/trace$at.json"; done
head -c 200 q.json >bad/profile.json
sed 's/"format":1/"format":2/' t.json >bad/newer.json
sed 's/"ts":/"tz":/' t.json >bad/timeless.json
sed 's/"heist_profile": 1/"heist_profile": 9/' q.json >bad/newer_profile.json
sed 's/"span":/"spam":/' q.json >bad/spanless.json
sed 's/"unit": "ns"/"unit": "miles"/' q.json >bad/unit.json
echo '{"traceEvents": [], "otherData": []}' >bad/empty.json
echo '[1, 2]' >bad/list.json
echo '{"a": 1}' >bad/other.json
head -c 1000000 /dev/zero | tr '\0' '[' >bad/deep.json
for file in bad/*.json bad missing.json; do
  expect 2 "$heist" report "$file" -o bad.html
  says "$file" "$heist" report "$file" -o bad.html
done
expect 2 "$heist" report heist.recording -o bad.html
says "it is a recording; to predict how it runs on more workers: heist sim predict heist.recording" "$heist" report heist.recording
expect 2 "$heist" report /etc/passwd -o bad.html
says "/etc/passwd cannot be used: it is not one of heist's files" "$heist" report /etc/passwd
says "is truncated or damaged" "$heist" report "bad/trace$((size / 2)).json"
[ ! -e bad.html ] || complain "a page was made of bad files"
expect 2 "$heist" report t.json -o no/such/page.html
leftovers=$(find . -name '*.??????' ! -name '*.json' ! -name '*.html')
[ -z "$leftovers" ] || complain "drafts are left behind: $leftovers"

# Who shares the machine.
export HEIST_BOARD=$PWD/board
"$heist" top --once >top.txt
grep -q 'no pool shares this machine' top.txt || complain "heist top sees pools where there are none"
"$heist" top --once --json >top.json
python3 -c 'import json; assert json.load(open("top.json"))["pools"] == []' || complain "the JSON of heist top is not as it should be"
chmod 644 board
status=0
"$heist" top --once >top.txt 2>&1 || status=$?
test $status = 2 || complain "heist top gives $status for a board that others can write, not 2"
grep -q 'by others than its owner' top.txt || complain "heist top does not say what is wrong with the board"
unset HEIST_BOARD

# The doctor.
"$heist" doctor --json >doctor.json
python3 - <<'PYTHON' || complain "the doctor's JSON is not as it should be"
import json
found = {f["name"]: f for f in json.load(open("doctor.json"))}
wanted = {"cores", "affinity", "cgroup quota", "workers", "NUMA", "membarrier", "stack limit", "mappings", "address space", "machine",
          "huge pages", "clock", "load", "kernel", "compiler", "memory limit", "io_uring", "frequency", "a fork", "a steal", "a wake"}
assert set(found) == wanted, set(found) ^ wanted
assert all(f["value"] and f["meaning"] and f["level"] in ("fine", "note", "problem") for f in found.values())
assert all(f["advice"] for f in found.values() if f["level"] != "fine")
assert not any(f["value"] == "0.0 ns" for f in found.values()), "nothing costs nothing"
import platform
release = tuple(int(n) for n in platform.release().split(".")[:2])
assert ("guard regions" in found["mappings"]["meaning"]) == (release >= (6, 13)), found["mappings"]
PYTHON
says "affinity            1 of" taskset -c "$cpu" "$heist" doctor
expect 1 env HEIST_WORKERS=0 "$heist" doctor
says "take turns" env HEIST_WORKERS=4000 "$heist" doctor
says "2x (HEIST_WORKERS)" env HEIST_WORKERS=2x "$heist" doctor
expect 1 env HEIST_WORKERS=2x "$heist" doctor
membarrier() { "$@" "$heist" doctor | grep membarrier; }
[ "$(membarrier env)" = "$(membarrier env HEIST_TRACE=never.json HEIST_TRACE_EVENTS=none)" ] ||
  complain "another setting passes for membarrier"
says "PROBLEM  stack limit         0.25 MiB" bash -c 'ulimit -S -s 256 && "$0" doctor' "$heist"
exit $failed
