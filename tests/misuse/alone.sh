#!/bin/sh
# alone.sh compiler include-folder most-lines file…
# Every line that is marked "// refused: sentence", compiled without the other marked ones: the compiler makes exactly one
# complaint, which has the sentence, and says no more than most-lines lines.
compiler=$1 include=$2 most=$3
shift 3
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
options="-std=c++20 -Wall -Wextra -I $include"
# The header is compiled once.
case $compiler in
*clang*) header="-include-pch $folder/heist.pch" ;;
*) header="-include $folder/heist.hpp" ;;
esac
echo '#include <heist/heist.hpp>' > "$folder/heist.hpp"
case $compiler in
*clang*) $compiler $options -x c++-header "$folder/heist.hpp" -o "$folder/heist.pch" || exit 1 ;;
*) $compiler $options -x c++-header "$folder/heist.hpp" -o "$folder/heist.hpp.gch" || exit 1 ;;
esac

failures=0
fail() {
  head -n 40 "$folder/said"
  echo "FAILED: $*"
  failures=$((failures + 1))
}
for file in "$@"; do
  for line in $(sed -n '/\/\/ refused: /=' "$file"); do
    # Others become blank, so that lines keep their numbers; so does the mark, which the compiler would show.
    sed -e "$line!s|^.*// refused: .*||" -e "${line}s|// refused: .*||" "$file" > "$folder/alone.cpp"
    sentence=$(sed -n "${line}s|.*// refused: ||p" "$file")
    $compiler $options $header -fsyntax-only "$folder/alone.cpp" > "$folder/said" 2>&1 && fail "$file:$line compiles"
    errors=$(grep -c ' error: ' "$folder/said")
    lines=$(wc -l < "$folder/said")
    [ "$errors" -eq 1 ] || fail "$file:$line: $errors complaints instead of one, in $lines lines: $sentence"
    grep -m 1 ' error: ' "$folder/said" | grep -q -F -e "$sentence" || fail "$file:$line: does not say: $sentence"
    [ "$lines" -le "$most" ] || fail "$file:$line: $lines lines about: $sentence"
  done
done
[ $failures -eq 0 ]
