#!/usr/bin/env bash
# script/layers, in a scratch copy of the tree: it accepts what is there, names both parts of an include that goes up, refuses a
# cycle in its table, and sees that join.hpp includes too much.
set -uo pipefail
root=$(realpath "$1")
. "$(dirname "$(realpath "$0")")/../cli/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir script
cp "$root/script/layers" script/
cp -r "$root"/{heist,analysis,cli,examples,ARCHITECTURE.md,CMakeLists.txt} .
git init -q . || exit 1 # the script asks git for the files

# fresh PATH: as the tree has it.
fresh() { cp "$root/$1" "$1"; }

expect 0 script/layers

header=heist/deque/deque.hpp
sed -i '/^#pragma once/a #include <heist/strand/strand.hpp>' $header
expect 1 script/layers
says "$header includes heist/strand/strand.hpp: deque must not know strand" script/layers
fresh $header

# Its table with an arrow from the deque to a part above it that includes the deque.
sed -i 's/"owner and thieves", "fence check"/"owner and thieves", "strand fence check"/' script/layers
expect 1 script/layers
says "the table lets deque include strand, which does not lie below it" script/layers
fresh script/layers

header=heist/strand/worker.hpp
sed -i '/^#pragma once/a #include <heist/stack/stack.hpp>' $header
expect 1 script/layers
says "heist/join.hpp includes" script/layers
says "headers of heist, more than 15" script/layers
fresh $header

# A source without a header, and a file that belongs to no part.
touch heist/deque/lonely.cpp heist/stray.hpp
says "heist/deque/lonely.cpp has no header of its name" script/layers
says "heist/stray.hpp belongs to no part" script/layers
rm heist/deque/lonely.cpp heist/stray.hpp

# A picture that the table does not make.
sed -i 's/^| deque | .*/| deque | nowhere | — |/' ARCHITECTURE.md
says "ARCHITECTURE.md shows another picture" script/layers
script/layers --write >/dev/null
cmp -s ARCHITECTURE.md "$root/ARCHITECTURE.md" || complain "--write does not mend the picture"

exit $failed
