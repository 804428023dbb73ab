#!/bin/sh
# install.sh source-folder work-folder cmake compiler version: installs heist both ways and builds programs against it.
set -e
source=$1 work=$2 cmake=$3 compiler=$4 version=$5
here=$source/tests/install
fail() { echo "FAILED: $*"; exit 1; }
step() { echo "-- $*"; }
# Unoptimised: what is tested is how things are found.
configure() {
  "$cmake" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@" >log.txt 2>&1 ||
    { cat log.txt; fail "configure $*"; }
}
build() { "$cmake" --build "$1" >log.txt 2>&1 || { cat log.txt; fail "build $1"; }; }
run() { env HEIST_WORKERS=2 "$@" || fail "$* returned $?"; }

io=$(pkg-config --exists liburing && echo ON || echo OFF)
cluster=$(pkg-config --exists libnats && echo ON || echo OFF)

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cp -r "$here/consumer" "$work/consumer" # outside the tree

# Projects may compile many files as one: so do all of these but the first, which is much faster, too.
for kind in static shared; do
  shared=$([ $kind = shared ] && echo ON || echo OFF)
  prefix=$work/$kind-prefix

  step "$kind: only the library, and GoogleTest is not even looked for"
  configure -S "$source" -B $kind -DBUILD_TESTING=OFF -DBUILD_SHARED_LIBS=$shared -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_UNITY_BUILD=$shared -DHEIST_TOOLS=OFF
  build $kind
  programs=$(find $kind -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name 'libheist.so*' ! -name 'libheist_io.so*' ! -name 'libheist_cluster.so*')
  [ -z "$programs" ] || fail "built with BUILD_TESTING=OFF and HEIST_TOOLS=OFF: $programs"
  others=$(find $kind \( -name '*.a' -o -name '*.so' \) ! -name 'libheist.*' ! -name 'libheist_io.*' ! -name 'libheist_cluster.*' ! -name 'libheist_race.a')
  [ -z "$others" ] || fail "libraries besides heist: $others"

  step "$kind: install"
  "$cmake" --install $kind --prefix "$prefix" >log.txt || { cat log.txt; fail "install"; }
  library=$(find "$prefix" -name "libheist.$([ $kind = shared ] && echo so || echo a)")
  [ -n "$library" ] || fail "no library in $prefix"
  strangers=$(find "$prefix/include" -type f ! -path "$prefix/include/heist/*.hpp" ! -path "$prefix/include/heist/race/builtins.h")
  [ -z "$strangers" ] || fail "installed besides headers: $strangers"
  if grep -r -F -l -e "$source" -e "$work" "$prefix" --include='*.cmake' --include='*.pc'; then
    fail "these name folders of the build"
  fi
  # Moved, as a package is when it is unpacked.
  mv "$prefix" "$prefix-moved"
  prefix=$prefix-moved
  libraries=$(dirname "$(find "$prefix" -name "libheist.$([ $kind = shared ] && echo so || echo a)")")

  step "$kind: find_package"
  configure -S "$work/consumer" -B $kind-consumer -DCMAKE_PREFIX_PATH="$prefix" -DHEIST_WANTED="$version"
  build $kind-consumer
  run $kind-consumer/app

  if [ $io = ON ]; then
    step "$kind: find_package with heist::io, which alone needs liburing"
    configure -S "$work/consumer" -B $kind-io -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_IO=ON
    build $kind-io
    run $kind-io/io_app
    if [ $kind = static ]; then
      configure -S "$work/consumer" -B $kind-without -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_DISABLE_FIND_PACKAGE_liburing=ON
      if "$cmake" -G Ninja -S "$work/consumer" -B $kind-without -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCONSUMER_IO=ON >log.txt 2>&1; then fail "heist::io was found without liburing"; fi
      grep -q 'heist::io needs liburing' log.txt || { cat log.txt; fail "refused for another reason"; }
    elif readelf -dW "$libraries/libheist.so" | grep -q uring; then
      fail "libheist.so needs liburing"
    fi
  fi

  if [ $cluster = ON ]; then
    step "$kind: find_package with heist::cluster, which alone needs libnats"
    configure -S "$work/consumer" -B $kind-cluster -DCMAKE_PREFIX_PATH="$prefix" -DCONSUMER_CLUSTER=ON
    build $kind-cluster
    run $kind-cluster/cluster_app
    if [ $kind = shared ] && readelf -dW "$libraries/libheist.so" | grep -q nats; then fail "libheist.so needs libnats"; fi
  fi

  step "$kind: find_package refuses another version"
  if "$cmake" -G Ninja -S "$work/consumer" -B $kind-refused -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
    -DHEIST_WANTED=99.0 >log.txt 2>&1; then fail "version 99.0 was found"; fi
  grep -q '99.0' log.txt || { cat log.txt; fail "refused for another reason"; }

  step "$kind: pkg-config"
  PKG_CONFIG_PATH=$libraries/pkgconfig
  export PKG_CONFIG_PATH
  [ "$(pkg-config --modversion heist)" = "$version" ] || fail "pkg-config says version $(pkg-config --modversion heist)"
  flags=$(pkg-config $([ $kind = static ] && echo --static) --cflags --libs heist)
  "$compiler" -std=c++20 "$work/consumer/main.cpp" "$work/consumer/other.cpp" -o $kind-by-pkg-config $flags ||
    fail "pkg-config --cflags --libs heist gave: $flags"
  run env LD_LIBRARY_PATH="$libraries" ./$kind-by-pkg-config
  if "$compiler" -std=c++20 -DHEIST_CHECKED "$work/consumer/main.cpp" "$work/consumer/other.cpp" -o $kind-checked $flags >log.txt 2>&1
  then fail "a program with the checks was linked with a library without them"; fi
  grep -q 'checked' log.txt || { cat log.txt; fail "a program with the checks was refused for another reason"; }
  if [ $io = ON ]; then
    flags=$(pkg-config $([ $kind = static ] && echo --static) --cflags --libs heist-io)
    "$compiler" -std=c++20 "$work/consumer/io.cpp" -o $kind-io-by-pkg-config $flags ||
      fail "pkg-config --cflags --libs heist-io gave: $flags"
    run env LD_LIBRARY_PATH="$libraries" ./$kind-io-by-pkg-config
  fi

  step "$kind: builds for races"
  env LD_LIBRARY_PATH="$libraries" "$here/race.sh" "$prefix" "$source" "$work/$kind-race" "$cmake" "$compiler"
done

step "the shared library exports what headers need, and nothing else"
"$here/library.sh" shared/libheist.so || fail "libheist.so"
if [ $io = ON ]; then
  strangers=$(nm -DC --defined-only shared/libheist_io.so | grep -v -E '^[0-9a-f]* [uWVA] ' | grep -v ' heist::io::' || true)
  [ -z "$strangers" ] || fail "libheist_io.so exports besides heist::io: $strangers"
  readelf -dW shared/libheist_io.so | grep 'FLAGS_1.*NODELETE' >/dev/null || fail "libheist_io.so can be unloaded from under its thread"
fi

step "every public template links with it"
"$compiler" -std=c++20 -O0 -I "$source" "$source/tests/lint/all_headers.cpp" -o all-headers shared/libheist.so -pthread ||
  fail "what headers call is not exported"

step "add_subdirectory: no tests, no examples, and GoogleTest is not looked for"
configure -S "$work/consumer" -B subdirectory -DHEIST_SOURCE="$source" -DCMAKE_UNITY_BUILD=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
build subdirectory
run subdirectory/app
programs=$(find subdirectory -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name app ! -name 'libheist.*')
[ -z "$programs" ] || fail "built besides the consumer: $programs"
"$cmake" --install subdirectory --prefix "$work/nothing" >log.txt 2>&1 || { cat log.txt; fail "install of the consumer"; }
if [ -n "$(find "$work/nothing" -type f 2>/dev/null)" ]; then fail "the consumer installs heist"; fi

step "the command: built as README says, unless it is not wanted, or what it needs is missing"
has_command() { "$cmake" --build "$1" --target help | grep -q heist_command; }
configure -S "$source" -B command -DBUILD_TESTING=OFF
has_command command || fail "cmake -DBUILD_TESTING=OFF builds no heist command"
configure -S "$source" -B command -DBUILD_TESTING=OFF -DHEIST_TOOLS=OFF
! has_command command || fail "HEIST_TOOLS=OFF is ignored"
configure -S "$source" -B command -DBUILD_TESTING=OFF -DHEIST_TOOLS=ON
has_command command || fail "BUILD_TESTING=OFF HEIST_TOOLS=ON: the second is ignored"
configure -S "$source" -B command -DHEIST_TOOLS=AUTO -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
! has_command command || fail "built without CLI11 and fmt"
grep -q 'Building only the library: the heist command needs these packages, which were not found: CLI11 fmt (Debian: libcli11-dev' log.txt ||
  { cat log.txt; fail "does not say why there is no command"; }
if "$cmake" -S "$source" -B command -DHEIST_TOOLS=ON >log.txt 2>&1; then fail "HEIST_TOOLS=ON is ignored where CLI11 is missing"; fi
tr -s '\n ' ' ' <log.txt | grep -q 'HEIST_TOOLS is ON: the heist command needs these packages, which were not found: CLI11 fmt' ||
  { cat log.txt; fail "does not say why there can be no command"; }

step "CMake 3.16 is enough: its policies, and no command or argument that came later"
mkdir old
cp -r "$source/CMakeLists.txt" "$source/LICENSE" "$source/cmake" "$source/heist" "$source/cli" "$source/analysis" "$source/examples" old
sed -i 's/VERSION 3.16[.][.][.]3.25)/VERSION 3.16)/' old/CMakeLists.txt
grep -q 'VERSION 3.16)' old/CMakeLists.txt || fail "another version is asked for"
configure -S old -B old-build -DBUILD_TESTING=OFF
if (cd "$source" && find . -name build -prune -o \( -name CMakeLists.txt -o -name '*.cmake' \) -print | grep -v tests/install/work |
  xargs grep -n -i -E 'file\((CONFIGURE|REAL_PATH|ARCHIVE|COPY_FILE|CHMOD)|cmake_path|cmake_language|block\(|FILE_SET|\$<(PATH|LINK_LIBRARY|LINK_GROUP|DEVICE_LINK)'); then
  fail "these came after CMake 3.16"
fi

step "a checked library says so to programs: pkg-config, and the CMake package"
configure -S "$source" -B command -DHEIST_TOOLS=OFF -DHEIST_CHECKED=ON
pkg-config --cflags command/heist.pc | grep -q -e '-DHEIST_CHECKED' || fail "heist.pc does not have HEIST_CHECKED"
grep -r -q 'INTERFACE_COMPILE_DEFINITIONS "HEIST_CHECKED"' command --include=heistTargets.cmake || fail "the CMake package does not have HEIST_CHECKED"
if pkg-config --cflags static/heist.pc | grep -e -D; then fail "heist.pc defines what this library is not"; fi

step "FetchContent: the same"
configure -S "$work/consumer" -B fetched -DHEIST_SOURCE="$source" -DHEIST_FETCHED=ON -DCMAKE_UNITY_BUILD=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
build fetched
run fetched/app
programs=$(find fetched -type f -perm -u+x ! -path '*/CMakeFiles/*' ! -name app ! -name 'libheist.*')
[ -z "$programs" ] || fail "built besides the consumer: $programs"
