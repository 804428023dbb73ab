# What the scripts here share, to be sourced: their arguments, and instructions counted by callgrind.
program=$1 build_type=$2 sanitizers=$3 checked=$4
skip() { echo "skipped: $*"; exit 77; }
[ "$build_type" = Release ] || skip "the build type is $build_type, not Release"
[ -z "$sanitizers" ] || skip "built with sanitizers"
[ "$checked" != ON ] || skip "built with run-time checks"
command -v valgrind >/dev/null || skip "there is no valgrind"

# instructions what n: of one run
instructions() {
  count=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p')
  [ -n "$count" ] || { echo "callgrind failed on $program $1 $2" >&2; exit 1; }
  echo "$count"
}

failed=0
# bound name seen most: both in tenths
bound() {
  echo "$1: $(($2 / 10)).$(($2 % 10)), at most $(($3 / 10))"
  [ "$2" -gt 0 ] && [ "$2" -le "$3" ] || { echo "FAILED: $1"; failed=1; }
}

# growth what small large: instructions between two sizes, so that starting and ending cancel out
growth() {
  small=$(instructions "$1" "$2") && large=$(instructions "$1" "$3") && echo $((large - small))
}
