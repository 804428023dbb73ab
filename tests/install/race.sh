#!/bin/sh
# race.sh prefix source work cmake compiler: builds programs for races against an installed heist, by find_package and by
# pkg-config, and tries what must be refused.
set -e
prefix=$1 source=$2/tests/install/race_consumer work=$3 cmake=$4 compiler=$5
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"
races() {
  status=0
  "$@" >report.txt 2>&1 || status=$?
  [ $status = 66 ] || { cat report.txt; fail "$*: exit status $status, not 66"; }
  grep -q '^heist race: 1 race;' report.txt && grep -q 'global variable shared_by_both' report.txt ||
    { cat report.txt; fail "$*: not the race that is there"; }
}

echo "-- find_package and heist_race(): the program and its library"
"$cmake" -G Ninja -S "$source" -B app -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" >log.txt 2>&1 ||
  { cat log.txt; fail "configure"; }
"$cmake" --build app --target app-race -- -v >log.txt 2>&1 || { cat log.txt; fail "build app-race"; }
races app/app-race
grep -e '-o app-race' log.txt >link.txt || { cat log.txt; fail "no link line"; }
! grep -q -e '-fsanitize=thread' link.txt || { cat link.txt; fail "-fsanitize=thread at the link"; }

echo "-- heist_race() refuses a program whose library was not built for races"
if "$cmake" -G Ninja -S "$source" -B forgotten -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" -DRACE_FORGOTTEN=ON \
  >log.txt 2>&1; then fail "it did not"; fi
tr -s '\n ' ' ' <log.txt | grep -q 'app links with library, which links with heist: call heist_race(library) first' ||
  { cat log.txt; fail "refused for another reason"; }

echo "-- pkg-config"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name heist-race.pc)")
export PKG_CONFIG_PATH
for file in main library; do
  "$compiler" -std=c++20 -O1 $(pkg-config --cflags heist-race) -c "$source/$file.cpp" -o $file.o || fail "pkg-config --cflags"
done
"$compiler" main.o library.o $(pkg-config --libs --static heist-race) -o by-pkg-config || fail "pkg-config --libs"
races ./by-pkg-config

echo "-- compiled and linked in one step"
link_only=""
! "$compiler" --version | grep -q clang || link_only=-fno-sanitize-link-runtime
"$compiler" -std=c++20 -O1 $(pkg-config --cflags heist-race) $link_only "$source/main.cpp" "$source/library.cpp" \
  $(pkg-config --libs --static heist-race) -o in-one-step || fail "in one step"
races ./in-one-step

echo "-- ordinary objects do not link, with the ordinary library or without"
"$compiler" -std=c++20 -O1 $(pkg-config --cflags heist) -c "$source/library.cpp" -o ordinary.o
for libraries in "heist-race" "heist-race heist"; do
  if "$compiler" main.o ordinary.o $(pkg-config --libs --static $libraries) -o mixed >log.txt 2>&1; then
    fail "an ordinary object and $libraries: linked"
  fi
  grep -q -i 'heist_this_worker' log.txt || { cat log.txt; fail "not linked for another reason"; }
done

echo "-- ThreadSanitizer's library, too: the program says so, or does not link"
libraries=$(pkg-config --libs --static heist-race | sed 's/-nodefaultlibs//')
"$compiler" main.o library.o $libraries -fsanitize=thread -o with-tsan >log.txt 2>&1 || true
if [ -x with-tsan ]; then
  status=0
  ./with-tsan >log.txt 2>&1 || status=$?
  [ $status = 70 ] || { cat log.txt; fail "with libtsan: exit status $status, not 70"; }
  grep -q "linked with ThreadSanitizer's library, too" log.txt || { cat log.txt; fail "with libtsan: another message"; }
fi
if "$compiler" main.o library.o $libraries -fsanitize=thread -static-libtsan -o with-static >log.txt 2>&1; then
  status=0
  ./with-static >log.txt 2>&1 || status=$?
  [ $status = 70 ] || { cat log.txt; fail "with libtsan, static: exit status $status, not 70"; }
fi
