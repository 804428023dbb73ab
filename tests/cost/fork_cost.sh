#!/bin/sh
# Instructions and stack bytes a fork, bounded. Neither moves with the machine's mood.
#   fork_cost.sh program build-type sanitizers checked
# Exits 77 (skipped) where the figures would mean nothing.
. "$(dirname "$0")/callgrind.sh"

# fork what small large forks most-over-serial most: the last two in tenths
fork() {
  heist=$(growth "$1" "$2" "$3") && serial=$(growth "serial_$1" "$2" "$3") || exit 1
  bound "instructions a fork, $1, over the serial program" $(((heist - serial) * 10 / $4)) "$5"
  bound "instructions a fork, $1, in all" $((heist * 10 / $4)) "$6"
}

# Seen in November 2026, at -O2 on x86-64, over the serial program:
#              fib     flat    spawns
#   g++ 12     36.7    24.0    123.6
#   clang 19   34.7    22.9    129.0
# Before a spawn was a call (docs/decisions/call_on.md) it had 190.6 with g++. Before there was anything to measure, profile or
# trace a fork had 36.7, as now. That is what "off, it costs nothing" means, and the bounds leave no room for an instruction on
# a fork with g++.
# fib(n) forks F(n+1) - 1 times: 4180 - 232 between n = 12 and n = 18.
fork fib 12 18 3948 370 590
fork flat 100 1100 1000 245 380
fork spawns 100 1100 1000 1300 1380
# A join of ten. Seen: 196 and 254 over the serial program, 301 in all with both. It was 278 and 383 when each branch had a
# function of its own for the rest.
fork tens 100 1100 1000 2600 3050
# An async and the get of its future. Seen: 184.6 with g++ 12, 187.0 with clang 19. There is no allocation, which would cost
# some 100.
fork asyncs 100 1100 1000 1880 1960

# A measured future that waits among many to be asked: asking must not look at the others. Seen:
# 6,039 with g++ 12; 148,911 when it did.
futures=$(growth measured 1000 11000) || exit 1
bound "instructions a measured future" $((futures / 1000)) 100000

# Seen: 80 with g++ 12, 64 with clang 14; the serial twin's are 32 with both.
frames=$("$program" frames) || exit 1
heist=${frames% *} serial=${frames#* }
echo "stack bytes a level: $heist, at most 96; serial $serial"
[ "$heist" -gt 0 ] && [ "$heist" -le 96 ] || { echo "FAILED: stack bytes a level"; failed=1; }
exit $failed
