#!/bin/sh
# needed.sh build-folder: what programs that include public headers need of the library is in exported.txt, so that they link with
# a shared library, too. Reads the objects of the examples and of tests that include nothing else; library.sh compares the list
# with a shared library, which takes long to build.
build=$1
list=$(dirname "$0")/exported.txt
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for folder in examples tests/waiting tests/lazy tests/tbb tests/mutex tests/algorithms tests/join tests/scope tests/programs; do
  find "$build/$folder" -name '*.o'
done > "$work/objects"
[ "$(wc -l < "$work/objects")" -ge 40 ] || { echo "FAILED: there are hardly any objects in $build"; exit 1; }
xargs nm -C < "$work/objects" 2>/dev/null | grep ' U heist::' | grep -vE 'heist::(analysis|cli|cluster|io)::' |
  sed -e 's/^ *U //' -e 's/(.*//' -e 's/\[abi:[a-z0-9_]*\]//g' | LC_ALL=C sort -u > "$work/needed"
grep -v '^#' "$list" | LC_ALL=C sort -u > "$work/listed"
more=$(LC_ALL=C comm -23 "$work/needed" "$work/listed")
[ -z "$more" ] || {
  echo "FAILED: headers call these, and they are not in $list; mark them HEIST_API and list them:"
  echo "$more"
  exit 1
}
