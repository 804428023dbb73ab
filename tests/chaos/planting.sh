#!/usr/bin/env bash
# script/mutants --plant, in a project of two files: what a test notices is caught, what none notices is listed with its line,
# what does not compile is neither; and the project is as it was.
set -uo pipefail
mutants=$(realpath "$1")
. "$(dirname "$(realpath "$0")")/../cli/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(tiny CXX)
enable_testing()
add_executable(tiny_test tiny.cpp)
add_test(NAME tiny COMMAND tiny_test)
set_tests_properties(tiny PROPERTIES LABELS little)
CMAKE
cat >tiny.cpp <<'CPP'
// if (a < 1) is a comment, and so no place to plant anything
static int unused = 5;
int main() {
  int steps = 0;
  while (steps < 3) ++steps;
  unused = 6;
  return steps == 3 ? 0 : 1;
}
CPP
cp tiny.cpp before

[ "$("$mutants" --root . --plant tiny.cpp --list)" = 'tiny.cpp:2  constant  static int unused = [5 → (5 + 1)];
tiny.cpp:4  constant  int steps = [0 → (0 + 1)];
tiny.cpp:5  condition  negated: steps < 3
tiny.cpp:5  comparison  while (steps [< → <=] 3) ++steps;
tiny.cpp:5  constant  while (steps < [3 → (3 + 1)]) ++steps;
tiny.cpp:6  statement  dropped: unused = 6;
tiny.cpp:6  constant  unused = [6 → (6 + 1)];
tiny.cpp:7  comparison  return steps [== → !=] 3 ? 0 : 1;
tiny.cpp:7  constant  return steps == [3 → (3 + 1)] ? 0 : 1;
tiny.cpp:7  constant  return steps == 3 ? [0 → (0 + 1)] : 1;
tiny.cpp:7  constant  return steps == 3 ? 0 : [1 → (1 + 1)];
11 to plant' ] || complain "--list says otherwise: $("$mutants" --root . --plant tiny.cpp --list)"

"$mutants" --root . --plant tiny.cpp --tests little --lines 5-6 >said 2>&1
[ $? -eq 1 ] || complain "survivors, and the exit status is another than 1"
grep -q '^3 caught, 2 survive, 0 did not compile$' said || complain "counted wrongly"
grep -q '^caught by tiny  *tiny.cpp:5  comparison ' said || complain "a bug that the test notices is not told as caught"
[ "$(sed -n '/^Survivors:/,$p' said)" = 'Survivors:
  tiny.cpp:6  statement  dropped: unused = 6;
  tiny.cpp:6  constant  unused = [6 → (6 + 1)];' ] || complain "the survivors are others"
[ $failed -eq 0 ] || cat said
cmp -s tiny.cpp before || complain "the file that was planted in has changed"

# Again, with a type that cannot be counted up: neither caught nor a survivor.
sed -i 's/^static int unused = 5;/template <int> struct only; template <> struct only<5> {}; static only<5> one; static int unused;/' tiny.cpp
"$mutants" --root . --plant tiny.cpp --tests '^tiny$' --lines 2 --most 1 --seed 3 >said 2>&1
[ $? -eq 0 ] && grep -q '^0 caught, 0 survive, 1 did not compile$' said || complain "what does not compile: $(cat said)"
expect 1 "$mutants" --root . --plant nothing.cpp
says "there is no file nothing.cpp" "$mutants" --root . --plant nothing.cpp
says "choose some by --tests" "$mutants" --root . --plant tiny.cpp --lines 5

# Told to end, it ends what it has started. Here that is a test that never ends, and says which process it is.
cat >tiny.cpp <<'CPP'
#include <cstdio>
#include <unistd.h>
int main() {
  std::FILE* const file = std::fopen("process", "w");
  std::fprintf(file, "%d", ::getpid());
  std::fclose(file);
  for (;;) ::pause();
}
CPP
"$mutants" --root . --plant tiny.cpp --tests little >said 2>&1 &
process=build/planted/build/release/process
while [ ! -s $process ] && kill -0 $! 2>/dev/null; do sleep 0.1; done
says "another run is using" "$mutants" --root . --plant tiny.cpp --tests little
kill $!
wait $!
[ $? -eq 143 ] || complain "SIGTERM does not end it: $(cat said)"
runs() { grep -qs '^State:.*[RSDT] (' "/proc/$(cat $process)/status"; }
for _ in $(seq 100); do runs || break; sleep 0.1; done # a busy machine takes its time
! runs || complain "a test is still running"
exit $failed
