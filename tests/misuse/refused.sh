#!/bin/sh
# refused.sh compiler include-folder file [flag…]
# Every line of the file that is marked "// refused: sentence" must not compile: the compiler must complain about that
# line, and say each sentence at least as often as it is expected. A file without marks must compile without a word.
compiler=$1 include=$2 file=$3
shift 3
case $compiler in *clang*) set -- -ferror-limit=0 "$@" ;; esac # else it stops before the last line
said=$($compiler -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -I "$include" "$@" "$file" 2>&1)
result=$?
fail() {
  echo "$said"
  echo "FAILED: $*"
  exit 1
}

sentences=$(sed -n 's|.*// refused: ||p' "$file" | sort | uniq -c)
if [ -z "$sentences" ]; then
  [ $result -eq 0 ] && [ -z "$said" ] || fail "$file should compile without a word"
  exit 0
fi
[ $result -ne 0 ] || fail "$file compiles"
for line in $(sed -n '/\/\/ refused: /=' "$file"); do
  echo "$said" | grep -q -F -e "$file:$line:" || fail "line $line compiles: $(sed -n "${line}p" "$file")"
done
# The compiler shows the line itself, mark and all: that does not count.
echo "$sentences" | while read -r expected sentence; do
  seen=$(echo "$said" | grep -v '// refused: ' | grep -c -F -e "$sentence")
  [ "$seen" -ge "$expected" ] || {
    echo "$said"
    echo "FAILED: expected $expected times, seen $seen times: $sentence"
    exit 1
  }
done
