#!/usr/bin/env bash
# installed.sh cmake build-folder version: the command as cmake --install leaves it, in a prefix that is then moved.
set -uo pipefail
cmake=$1 build=$(realpath "$2") version=$3
. "$(dirname "$0")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"$cmake" --install "$build" --prefix "$work/first" >log 2>&1 || { cat log; exit 1; }
mv first moved
heist=$work/moved/bin/heist
[ "$("$heist" --version)" = "heist $version" ] || complain "the installed command is not heist $version"
expect 0 "$heist" sim run fib:5

# The demo computes for a while: what is tried here is that the command finds it, with all the arguments.
[ -x moved/libexec/heist/heist_demo ] || complain "heist_demo is not installed: $(find moved -name 'heist_demo*')"
[ "$(moved/libexec/heist/heist_demo --help | head -c 17)" = "usage: heist_demo" ] || complain "the installed heist_demo does not run"
printf '#!/bin/sh\necho "found: $*" >&2\nexit 7\n' >moved/libexec/heist/heist_demo
expect 7 "$heist" demo --workers 3
says "found: --workers 3 --rounds" "$heist" demo --workers 3
rm moved/libexec/heist/heist_demo
expect 2 "$heist" demo
says "there is no heist_demo in $work/moved/bin or $work/moved/libexec/heist" "$heist" demo
exit $failed
