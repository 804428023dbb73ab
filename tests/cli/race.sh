#!/bin/sh
# race.sh heist race_program ordinary_program: what `heist race` and programs built for races say, and their exit statuses.
heist=$1 program=$2 ordinary=$3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
out=$folder/out err=$folder/err
failures=0
fail() {
  echo "FAILED: $1"
  sed 's/^/  out: /' "$out"
  sed 's/^/  err: /' "$err"
  failures=$((failures + 1))
}
# ask WHAT STATUS [OPTION...]: with the command. alone: without.
ask() {
  asked="heist race $*"
  what=$1 wanted=$2
  shift 2
  timeout 120 "$heist" race "$@" -- "$program" $what >"$out" 2>"$err" </dev/null
  got=$?
  [ $got = "$wanted" ] || fail "$asked: exit status $got, not $wanted"
}
alone() {
  asked="$program $1"
  timeout 120 "$program" "$1" >"$out" 2>"$err" </dev/null
  got=$?
  [ $got = "$2" ] || fail "$asked: exit status $got, not $2"
}
says() { grep -q -e "$1" "$err" || fail "$asked: does not say '$1'"; }
prints() { grep -q -e "$1" "$out" || fail "$asked: does not print '$1'"; }
silent() { ! grep -q -e "$1" "$err" "$out" || fail "$asked: says '$1'"; }

ask race 66
says '^heist race: 1 race; asked for data races (--data)$'
says 'write program.cpp:[0-9]* .*write program.cpp:[0-9]* .*global variable (anonymous namespace)::x$'
says 'called from .*by_another_way'
says 'they part at the join at .* in .*race'
prints '^done$'
alone race 66
says '^heist race: 1 race; asked for data races (--data)$'
ask clean 0
says '^heist race: no races; asked for data races (--data)$'
alone clean 0
says '^heist race: no races;'
ask status 7
ask race 66 --determinacy
says 'asked for determinacy races'
ask race 66 --reversed
says 'second branches first (--reversed)'
ask clean 0 --reversed

# Both stacks, each its own; and a verdict where there is nothing to see a second time.
ask race 66 --stacks
says 'running it again'
[ "$(grep -c 'called from .*by_one_way' "$err")" = 1 ] || fail "$asked: the first access was not called by_one_way()"
[ "$(grep -c 'called from .*by_another_way' "$err")" = 1 ] || fail "$asked: the second access was not called by_another_way()"
[ "$(grep -c '^heist race: 1 race' "$err")" = 1 ] || fail "$asked: not one verdict"
[ "$(grep -c '^done' "$out")" = 1 ] || fail "$asked: the output is not there once"
ask clean 0 --stacks
says '^heist race: no races;'
silent 'running it again'

ask two 66
says '^heist race: 2 races;'
ask two 66 --first
says '^heist race: 1 race;'
silent '^done'
echo 'function:*bump_hidden*' >"$folder/names"
ask two 66 --suppress "$folder/names"
says '^heist race: 1 race, 1 suppressed;'
ask two 66 --first --suppress "$folder/names"
says '^heist race: 1 race, 1 suppressed;'
says 'global variable (anonymous namespace)::x$'
printf '# all\nfile:program.cpp\n' >"$folder/all"
ask two 0 --suppress "$folder/all"
says '^heist race: no races, 2 suppressed;'
ask two 0 --first --suppress "$folder/all"
prints '^done$'
echo 'variable:hidde' >"$folder/part"
ask two 66 --suppress "$folder/part"
says '^heist race: 2 races;'
ask two 2 --suppress "$folder/none"
says 'cannot be read'
ask race 2 --data --determinacy

# The same of what lies on the heap and on the stack: there the first access is known by its address.
for where in heap stack; do
  ask $where 66 --stacks
  [ "$(grep -c "called from .*on_$where" "$err")" = 2 ] || fail "$asked: not the calls of both accesses"
done

# What they belong to.
ask heap 66
says 'a heap block of 16 bytes, 4 bytes in'
says 'allocated at .*program.cpp:[0-9]* in .*on_heap'
ask stack 66
says 'the stack frame of .*on_stack'

ask race 66 --json
python3 - "$out" <<'EOF' || fail "$asked: not the JSON that it should be"
import json, sys
report = json.load(open(sys.argv[1]))
race, = report["races"]
assert report["asked"] == "data" and report["signal"] == 0
assert race["first"]["access"] == "write" and race["second"]["at"]["function"].endswith("bump()")
assert race["fork"]["kind"] == "join" and race["bytes"] == 4
EOF
grep -q '^done$' "$err" || fail "$asked: the program's output is not on stderr"
ask race 66 --html "$folder/page.html"
grep -q '<h1>1 race</h1>' "$folder/page.html" && grep -q 'They part at' "$folder/page.html" && grep -q 'class="here"' "$folder/page.html" ||
  fail "$asked: not the page that it should be"

# A reducer that is read too early: no fork, and nobody says that there is one.
ask early 66 --html "$folder/page.html"
says 'a strand that has not joined may have added to this reducer'
silent 'they part'
! grep -q -e 'They part' -e '<svg' -e '<code>:0' "$folder/page.html" || fail "$asked: a fork on the page"
grep -q 'A strand that has not joined' "$folder/page.html" || fail "$asked: the page does not say what was first"
ask early 66 --json
grep -q '"fork": null' "$out" || fail "$asked: a fork in the JSON"

for wait in mutex rdlock wrlock spin condition barrier semaphore atomic latch std-semaphore std-barrier; do
  ask $wait 65
  says 'the program waits for .*it cannot be run depth-first'
done
ask alone 0
ask ordered 0

# Other ends.
for end in _exit quick_exit; do
  ask $end 66
  says '^heist race: 1 race;'
  alone $end 66
done
ask _exit-clean 7
says '^heist race: no races;'
ask exec 66
says '^heist race: 1 race;'
prints 'became another'
ask crash 139
says '^heist race: 1 race;'
says 'was ended by signal 11'
ask free 134
says '^heist race: 1 race;'

# Other programs.
ask threads 66
says 'the program started threads of its own: what they do is not judged'
ask fork 66
ask deep 66
ask large 66
says '^heist race: 1 race;'
cp "$program" "$folder/stripped"
strip "$folder/stripped"
kept=$program program=$folder/stripped
ask race 66
says 'stripped+0x'
says 'memory of unknown origin'
program=$kept
timeout 60 "$heist" race -- "$ordinary" >"$out" 2>"$err"
got=$? asked="heist race of an ordinary program"
[ $got = 2 ] || fail "$asked: exit status $got, not 2"
says 'was not built to look for races'
timeout 60 "$heist" race -- "$folder/none" >"$out" 2>"$err"
got=$? asked="heist race of no program"
[ $got = 2 ] || fail "$asked: exit status $got, not 2"
says 'cannot be started'

# Which memory they touch.
addresses() {
  asked="heist record --addresses $*"
  wanted=$1
  shift
  timeout 120 "$heist" record --addresses -o "$folder/a" "$@" >"$out" 2>"$err" </dev/null
  got=$?
  [ $got = "$wanted" ] || fail "$asked: exit status $got, not $wanted"
}
addresses 0 -- "$program" clean
prints '^heist record: [0-9]* accesses in [0-9]* threads in '
silent 'races\?;'
addresses 7 --json -- "$program" status
prints '"accesses": [1-9]'
addresses 0 --sample 4 -- "$program" race
prints ' (to one block in 4) '
timeout 60 "$heist" sim cache "$folder/a" -p 2 --seeds 1 >"$out" 2>"$err" || fail "heist sim cache of addresses"
prints 'no exception'
addresses 2 -- "$ordinary"
says 'was not built to look for races'
addresses 2 --sample 0 -- "$program" clean
timeout 60 "$heist" sim cache "$program" >"$out" 2>"$err" && fail "heist sim cache of a program succeeds"
says 'was not written by heist record --addresses'

[ $failures = 0 ] && echo "heist race says what it should"
exit $failures
