#!/usr/bin/env python3
"""trace.py HEIST PROGRAM: one trace of three processes has their lanes, and arrows between them."""
import json
import pathlib
import subprocess
import sys
import tempfile

heist, program = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    file, page = pathlib.Path(folder, "all.json"), pathlib.Path(folder, "all.html")
    run = subprocess.run([heist, "cluster", "run", "-n", "3", "-w", "1", "--trace", file, "--", program, "naps", "2000"],
                         capture_output=True, text=True, timeout=100)
    assert run.returncode == 0 and run.stdout.startswith("2000\n"), run
    assert "3 machines" in run.stderr and "KiB sent" in run.stderr, run.stderr
    trace = json.loads(file.read_text())
    events = trace["traceEvents"]
    machines = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name"]
    assert len(machines) == 3 and sum("(driver)" in m for m in machines) == 1, machines
    lanes = [(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"]
    assert len(set(lanes)) == len(lanes) == len(trace["otherData"]["dropped"]), lanes
    assert all(e["ts"] >= 0 for e in events if "ts" in e)
    ends = {e["id"]: e for e in events if e.get("cat") == "loan" and e["ph"] == "f"}
    loans = [(e, ends[e["id"]]) for e in events if e.get("cat") == "loan" and e["ph"] == "s"]
    assert loans, "nothing was lent"
    assert all(a["pid"] != b["pid"] and a["ts"] <= b["ts"] for a, b in loans), loans
    subprocess.run([heist, "report", file, "-o", page], check=True, capture_output=True)
    bad = subprocess.run([heist, "cluster", "trace", "-o", file, page], capture_output=True, text=True)
    assert bad.returncode == 2 and bad.stderr.count("\n") == 1, bad
