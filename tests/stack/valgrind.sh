#!/bin/sh
# memcheck knows the stacks: it says nothing of a program that is right, and finds what is wrong on a child's stack.
#   valgrind.sh program sanitizers
# Exits 77 (skipped) where there is no valgrind, or the library was built without its headers.
program=$1 sanitizers=$2
skip() { echo "skipped: $*"; exit 77; }
[ -z "$sanitizers" ] || skip "built with sanitizers"
command -v valgrind >/dev/null || skip "there is no valgrind"
"$program" 2 || exit $?
said=$(mktemp) && trap 'rm -f "$said"' EXIT

memcheck() { valgrind --tool=memcheck --fair-sched=try --error-exitcode=9 "$program" "$@" 2>"$said"; }
for workers in 2 4; do
  if ! memcheck $workers || grep -q 'switching stacks' "$said"; then
    cat "$said"
    echo "FAILED: memcheck complains of a right program on $workers workers"
    exit 1
  fi
done
memcheck 2 wrong
status=$?
[ $status -eq 9 ] && grep -q 'uninitialised' "$said" || {
  cat "$said"
  echo "FAILED: memcheck sees no wrong (status $status)"
  exit 1
}
