#!/bin/sh
# headers.sh compiler source-folder: every public header stands alone, whatever it is included after, and says what it cannot do
# without.
fail() {
  echo "$said"
  echo "FAILED: $*"
  exit 1
}

# With an older standard: one sentence, before anything that the compiler would stumble over, and no hundred lines after it. Also of
# headers that nobody includes first.
for header in $(cd "$2" && find heist -name '*.hpp'); do
  said=$(printf '#include <%s>\n' "$header" | $1 -std=c++17 -E -o /dev/null -I "$2" -x c++ - 2>&1) &&
    fail "<$header> compiles with -std=c++17"
  case $(echo "$said" | grep -m 1 'error: ') in *'heist needs C++20: compile with -std=c++20'*) ;; *)
    fail "with -std=c++17 <$header> does not begin with the flag" ;;
  esac
  [ "$(echo "$said" | grep -c 'error: ')" -le 2 ] || fail "with -std=c++17 <$header> says more than it must"
done

refusal='heist carries exceptions from branch to join: compile without -fno-exceptions'
for header in "$2"/heist/*.hpp; do
  name=heist/$(basename "$header")
  printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
    $1 -std=c++20 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror -I "$2" -x c++ - || {
    echo "FAILED: <$name> does not stand alone"
    exit 1
  }
  said=$(printf '#include <%s>\n' "$name" | $1 -std=c++20 -E -o /dev/null -fno-exceptions -I "$2" -x c++ - 2>&1) && {
    echo "FAILED: <$name> compiles with -fno-exceptions"
    exit 1
  }
  case $(echo "$said" | grep -m 1 error) in *"$refusal"*) ;; *)
    echo "$said"
    echo "FAILED: with -fno-exceptions <$name> does not say first: $refusal"
    exit 1 ;;
  esac
done
