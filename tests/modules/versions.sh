#!/bin/sh
# versions.sh source-folder work-folder cmake compiler: modules with two versions of heist, static and shared, by this compiler and
# by clang, unoptimised and optimised, two and ten in one process.
set -e
source=$1 work=$2 cmake=$3 compiler=$4
here=$source/tests/modules
fail() { echo "FAILED: $*"; exit 1; }
step() { echo "-- $*"; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# The second version is this one under another number, with everything in another place: to mix them up is to crash.
for version in 1 2; do
  mkdir tree$version
  cp -r "$source/CMakeLists.txt" "$source/cmake" "$source/heist" tree$version
done
(
  cd tree2
  sed -i -e 's/^#define HEIST_VERSION_MINOR .*/#define HEIST_VERSION_MINOR 98/' -e 's/^#define HEIST_VERSION ".*/#define HEIST_VERSION "0.98.0"/' \
    heist/version.hpp
  move() { # file line: two words come before what the class has
    sed -i "s/^$2\$/&\n  void* moved_[2] = {nullptr, nullptr};/" "$1"
    grep -q moved_ "$1" || fail "$1 has no line \"$2\""
  }
  move heist/sched/fork.hpp 'struct job {'
  move heist/sched/scope_books.hpp '  place_of_scope place_;'
  move heist/pool.hpp ' private:'
  move heist/mutex.hpp ' private:'
  move heist/stats.hpp '  HEIST_OWN_VALUE(counters);'
  move heist/measurement.hpp '    HEIST_OWN_VALUE(part);'
  move heist/strand/belongings.hpp 'struct belongings {'
)

step "two versions, static and shared"
for version in 1 2; do
  for kind in static shared; do
    "$cmake" -S tree$version -B $kind$version -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
      -DBUILD_TESTING=OFF -DHEIST_TOOLS=OFF -DHEIST_INSTALL=OFF -DHEIST_RACE=OFF -DHEIST_CLUSTER=OFF -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
      -DBUILD_SHARED_LIBS=$([ $kind = shared ] && echo ON || echo OFF) >log.txt 2>&1 || { cat log.txt; fail "configure"; }
    "$cmake" --build $kind$version >log.txt 2>&1 || { cat log.txt; fail "build"; }
  done
done
readelf -VW shared2/libheist.so | grep -q 'HEIST_0.98' || fail "symbols of the shared library have no version"

step "modules"
"$compiler" -std=c++20 "$here/host.cpp" -o host -ldl -pthread
compilers=$compiler
! command -v clang++-19 >/dev/null || compilers="$compiler clang++-19"
n=0
for version in 1 2; do
  for with in $compilers; do
    for level in -O0 -O2; do
      object=$n.o
      file=module
      [ "$with $level" != "$compiler -O2" ] || file=rest
      "$with" -std=c++20 $level -fPIC -Wall -Wextra -Werror -DMODULE=$file$version -I tree$version -c "$here/$file.cpp" -o $object
      "$compiler" -shared $object -o static$version-$n.so static$version/libheist.a -lhwloc -pthread -Wl,-z,nodelete
      "$compiler" -shared $object -o shared$version-$n.so -L shared$version -lheist -Wl,-rpath,"$work/shared$version" -pthread
      "$here/exports.sh" tree$version ./static$version-$n.so ./shared$version-$n.so || fail "exports"
      n=$((n + 1))
    done
  done
done

run() { # module…
  for scope in local global; do
    HEIST_WORKERS=4 timeout 120 ./host $scope "$@" >log.txt 2>&1 || { cat log.txt; fail "$scope: $*"; }
  done
}
step "each alone, and pairs: two copies of one version, and two versions, in both orders"
for a in ./static*.so ./shared*.so; do run "$a"; done
for pair in 'static1 static1' 'static1 static2' 'static2 static1' 'shared1 shared2' 'shared2 shared1' 'static1 shared2' 'shared1 static2' \
  'static1 shared1' 'shared1 static1'; do
  set -- $pair
  first=$(ls ./$1-*.so | head -n 1) second=$(ls ./$2-*.so | tail -n 1)
  run "$first" "$second"
  run "$(ls ./$1-*.so | sed -n 2p)" "$(ls ./$2-*.so | sed -n 1p)"
done
step "ten"
run $(ls ./static*.so ./shared*.so | awk '{ print (NR * 7) % 16, $0 }' | sort -n | awk '{ print $2 }' | head -n 10)
