#!/bin/sh
# exports.sh source-folder module…: what other modules could take over. A module keeps what heist's headers put into it; what it
# lets others see of a class of heist's, by a template of the standard library's, has the version in its name.
source=$1
shift
number() { sed -n "s/^#define HEIST_VERSION_$1 //p" "$source/heist/version.hpp"; }
tag=v$(number MAJOR)_$(number MINOR)
tag=B${#tag}$tag
failed=0
complain() {
  echo "FAILED: $1:"
  c++filt | head -n 20
  failed=1
}
for module in "$@"; do
  seen=$(readelf --dyn-syms -W "$module" | awk '$7 != "UND" && $5 != "LOCAL" { print $8 }' | sed 's/@.*//')
  echo "$seen" | grep -q '^module_work$' || echo "$seen" | complain "$module does not export what it should"
  # The function of a library whose interface has heist's classes in it.
  echo "$seen" | grep -q '10run_engine' || echo "$seen" | complain "$module hides its own interface"
  heists=$(echo "$seen" | grep heist | grep -v '10run_engine')
  own=$(echo "$heists" | grep -E '^heist|^_Z(T[a-zA-Z]|G[VR])?Z*N[rVKRO]*5heist')
  [ -z "$own" ] || echo "$own" | complain "$module exports symbols of heist's"
  nameless=$(echo "$heists" | grep . | grep -v "$tag")
  [ -z "$nameless" ] || echo "$nameless" | complain "$module exports symbols of no version (HEIST_TYPE, HEIST_VERSIONED)"
done
exit $failed
