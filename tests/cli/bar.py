#!/usr/bin/env python3
"""bar.py HEIST: what takes long has a bar on a terminal, which goes away, and nothing is drawn where there is none."""
import os
import pty
import re
import subprocess
import sys
import tempfile

heist = sys.argv[1]
BAR = re.compile(rb"\r\x1b\[K([^\r]*) \[[# ]{40}\] ([^\r]*)")
GONE = b"\r\x1b[K"


def on_a_terminal(words, until=None):
    """What it draws; as soon as `until` is found in it, it is ended."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(words[0], words)
    drawn = b""
    try:
        while not (until and until.search(drawn)):
            more = os.read(terminal, 4096)
            if not more:
                break
            drawn += more
    except OSError:  # the program's end has closed the terminal
        pass
    if until:
        os.kill(pid, 9)
    os.close(terminal)
    os.waitpid(pid, 0)
    return drawn


# Computations that take longer than anybody waits, ended once there is a bar.
for action, what in ((["sim", "run", "fib:60"], b"fib:60"), (["sim", "run", "fib:60", "-p", "1,2,4"], b"fib:60"),
                     (["sim", "proof", "fib:18", "-p", "4", "--runs", "100000"], b"P = 4")):
    drawn = on_a_terminal([heist, *action], BAR)
    found = BAR.search(drawn)
    assert found and found[1] == what, (action, drawn)

# A program that sleeps: the bar counts its runs, and is gone in the end.
with tempfile.TemporaryDirectory() as folder:
    profile = os.path.join(folder, "p.json")
    with open(profile, "w") as f:
        f.write('{"heist_profile": 1, "unit": "ns", "work": 1, "span": 1, "burdened_span": 1, "burden": 1, "forks": 0,'
                '"steals": 0, "steal_attempts": 0, "suspends": 0, "stack_bytes_peak": 0, "workers": [], "regions": []}')
    slow = [heist, "profile", "--runs", "2", "--", "sh", "-c", f'sleep 1.5; cp {profile} "${{HEIST_PROFILE#json:}}"']
    drawn = on_a_terminal(slow)
    bars = BAR.findall(drawn)
    assert bars and all(what == b"sh" and b" of 2, " in count for what, count in bars), drawn
    assert drawn.count(GONE) == len(bars) + 1 and b"[" not in drawn[drawn.rindex(GONE) + len(GONE):], drawn
    piped = subprocess.run(slow, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True).stdout
    assert b"\r" not in piped and b"\x1b" not in piped, piped
