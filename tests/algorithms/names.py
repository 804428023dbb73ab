#!/usr/bin/env python3
"""names.py compiler source-folder: heist has every name in the tables of docs/reference/standard_algorithms.md, and the
tables have every algorithm that the standard library has with an execution policy. heist/execution.hpp has those, too, and
tests/lazy/policy_test.cpp has a row for each. The fuzz target calls every name in the tables.

What the standard library has is read from libstdc++'s own declarations; without them that part is left out."""
import pathlib
import re
import subprocess
import sys

compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])
page = (root / "docs/reference/standard_algorithms.md").read_text()
first, beyond = page.split("## Beyond the standard")
rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| `(heist/\w+\.hpp)` \| [^|]+ \| [^|]+ \|$", first, re.M)
more = re.findall(r"^\| `(\w+)\([^`]*\)` \| `(heist/\w+\.hpp)` \| [^|]+ \| [^|]+ \| [^|]+ \|$", beyond, re.M)
if len(rows) != first.count("\n| `") or len(more) != beyond.count("\n| `"):
    sys.exit("FAILED: a row of the tables cannot be read")

# Each name, with its header alone.
problems = []
names = [(ours, header) for _, ours, header in rows] + more
program = "".join(f"#include <{h}>\n" for h in sorted({h for _, h in names}))
program += "".join(f"using heist::{name};\n" for name, _ in names)
result = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-x", "c++", "-"], input=program, text=True,
                        capture_output=True)
if result.returncode != 0:
    problems.append(result.stderr)
for name, header in names:
    if not re.search(rf"\b{name}(\(|\{{\}};)", (root / header).read_text()):
        problems.append(f"{header} does not have {name}")

# What the standard library has with a policy.
search = subprocess.run([compiler, "-std=c++20", "-E", "-x", "c++", "-v", "/dev/null"], text=True, capture_output=True).stderr
folders = [pathlib.Path(line.strip()) / "pstl" for line in search.splitlines() if line.startswith(" /")]
declared = [f / f"glue_{part}_defs.h" for f in folders for part in ("algorithm", "numeric", "memory")]
known = {standard for standard, _, _ in rows}
theirs = set()
for file in filter(pathlib.Path.exists, declared):
    theirs |= set(re.findall(r"^(\w+)\(_ExecutionPolicy&&", file.read_text(), re.M))
problems += [f"the table lacks std::{name}" for name in sorted(theirs - known)]

# heist::std_ has them in parallel, and each has a row in its test.
with_policy = "#include <heist/execution.hpp>\n" + "".join(f"using heist::std_::{name};\n" for name in sorted(theirs))
result = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-x", "c++", "-"], input=with_policy, text=True,
                        capture_output=True)
if result.returncode != 0:
    problems.append(result.stderr)
policy_test = (root / "tests/lazy/policy_test.cpp").read_text()
problems += [f"tests/lazy/policy_test.cpp has no row for {name}" for name in sorted(theirs) if f"ROW({name}," not in policy_test]

# The fuzz target calls each name.
fuzzed = "".join((root / "tests/algorithms/fuzz" / file).read_text() for file in ("target.cpp", "rest.cpp"))
problems += [f"tests/algorithms/fuzz does not call {name}" for name, _ in names if f"heist::{name}(" not in fuzzed]
print(f"{len(rows)} names of the standard ({len(theirs)} of them with a policy in this library), {len(more)} beyond it")
if problems:
    sys.exit("FAILED: " + "\n".join(problems))
