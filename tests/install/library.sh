#!/bin/sh
# library.sh libheist.so: what programs see of it, and how it is loaded.
library=$1 failed=0
complain() { echo "FAILED: $*"; failed=1; }

# Weak ones aside: templates of the C++ library's, and the tables of heist's exceptions. A u is a variable of the C++ library's. An A
# is the name of the version.
all=$(nm -DC --defined-only "$library")
weak=$(echo "$all" | grep -E '^[0-9a-f]* [uWV] (typeinfo (name )?for |vtable for |guard variable for )?heist::' | grep -v -E 'for heist::(cancelled|broken_wait|closed_channel)@')
[ -z "$weak" ] || complain "defined in a header and seen by all: it lacks HEIST_OWN (heist/base/export.hpp)
$weak"
exported=$(echo "$all" | grep -v '^[0-9a-f]* [uWVA] ' | sed 's/^[0-9a-f]* [A-Z] //')
unversioned=$(echo "$exported" | grep -v '@@HEIST_[0-9.]*$' | grep -v '^pthread_mutex_')  # those a checked build replaces
[ -z "$unversioned" ] || complain "exported under no version: see cmake/symbols.map.in
$unversioned"
exported=$(echo "$exported" | sed 's/@@HEIST_[0-9.]*$//')
echo "$exported" | grep '^heist::default_pool' >/dev/null || complain "no symbols: $exported"
# Names without parameters, each once, against the list: what is exported programs may come to rely on.
names=$(echo "$exported" | sed -e 's/(.*//' -e 's/\[abi:[a-z0-9_]*\]//g' | LC_ALL=C sort -u)
list=$(dirname "$0")/exported.txt
wanted=$(grep -v '^#' "$list" | grep . | LC_ALL=C sort -u)
more=$(echo "$names" | grep -v -x -F -e "$wanted")
[ -z "$more" ] || complain "exported, and not in $list; hide it (no HEIST_API), or list it if headers call it:
$more"
less=$(echo "$wanted" | grep -v -x -F -e "$names")
[ -z "$less" ] || complain "in $list, and not exported; take it off the list, or see that the .cpp file that defines it includes the
header that has HEIST_API, as programs may not link without it:
$less"

readelf -lW "$library" | grep 'GNU_STACK' | grep ' RW ' >/dev/null || complain "its stack is executable"
readelf -dW "$library" | grep 'FLAGS_1.*NODELETE' >/dev/null || complain "it can be unloaded from under its threads"
# The switch of stacks knows nothing of a shadow stack: programs with heist must run without.
if readelf -nW "$library" | grep SHSTK >/dev/null; then complain "it is marked as fit for shadow stacks"; fi
exit $failed
