#!/bin/sh
# library.sh libheist.so: what programs see of it, and how it is loaded.
library=$1 failed=0
complain() { echo "FAILED: $*"; failed=1; }

# Weak ones aside: inline functions that somebody else has as well. A u is one of the C++ library's.
exported=$(nm -DC --defined-only "$library" | grep -v '^[0-9a-f]* [uWV] ' | sed 's/^[0-9a-f]* [A-Z] //')
echo "$exported" | grep '^heist::default_pool()$' >/dev/null || complain "no symbols: $exported"
strangers=$(echo "$exported" | grep -v -E '^(vtable for |typeinfo (name )?for )?heist(::|_this_worker$)')
[ -z "$strangers" ] || complain "exported, and not heist's: $strangers"
# What no header calls from a program's code.
inner=$(echo "$exported" | grep -E '^heist::detail::(scheduler|seat|idle|parking|stack|stack_supply|stack_cache|injector|victim_list|fence_governor|program_profile)::')
[ -z "$inner" ] || complain "exported, and nobody's business: $inner"

readelf -lW "$library" | grep 'GNU_STACK' | grep ' RW ' >/dev/null || complain "its stack is executable"
readelf -dW "$library" | grep 'FLAGS_1.*NODELETE' >/dev/null || complain "it can be unloaded from under its threads"
# The switch of stacks knows nothing of a shadow stack: programs with heist must run without.
if readelf -nW "$library" | grep SHSTK >/dev/null; then complain "it is marked as fit for shadow stacks"; fi
exit $failed
