#!/usr/bin/env python3
"""Does the simulator fetch what it will need? g++ drops calls of functions that only prefetch, which shows in no result.

prefetch.py OBJDUMP ARCHIVE: the steps of the machine and of stealing have prefetches, not only a function that nobody calls."""
import collections, re, subprocess, sys

objdump, archive = sys.argv[1:]
listing = subprocess.run([objdump, "--disassemble", "--demangle", "--no-show-raw-insn", archive], check=True,
                         capture_output=True, text=True).stdout
found, function = collections.Counter(), ""
for line in listing.splitlines():
    if start := re.match(r"[0-9a-f]+ <(.*)>:$", line): function = start[1]
    elif re.search(r"\t(prefetch|prfm)", line): found[function] += 1
for part, least in (("analysis::machine::", 5), ("::stealing::", 5)):
    seen = sum(n for name, n in found.items() if part in name and "::fetch(" not in name)
    if seen < least: sys.exit(f"{archive}: {seen} prefetches in functions of {part}, expected at least {least}: {dict(found)}")
