#!/bin/sh
# headers.sh compiler source-folder: every public header stands alone, whatever it is included after.
for header in "$2"/heist/*.hpp; do
  name=heist/$(basename "$header")
  printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
    $1 -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -I "$2" -x c++ - || {
    echo "FAILED: <$name> does not stand alone"
    exit 1
  }
done
