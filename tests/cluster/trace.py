#!/usr/bin/env python3
"""trace.py HEIST PROGRAM: one trace of three processes has their lanes, and arrows between them; a process that was killed has
a mark."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

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

    # A helper is killed once it has begun a branch: the two others notice, and the one trace has one mark.
    killed, again = pathlib.Path(folder, "killed.json"), pathlib.Path(folder, "killed.html")
    environment = os.environ | {"TMPDIR": folder, "TEST_WAIT_FOR_PEERS": "2"}
    said = pathlib.Path(folder, "said")
    run = subprocess.Popen([heist, "cluster", "run", "-n", "3", "-w", "1", "--trace", killed, "--", program, "stretches_apart", "12"],
                           env=environment, stdout=subprocess.PIPE, stderr=said.open("w"), text=True)
    while "begins" not in said.read_text().replace("the root begins", "") and run.poll() is None:
        time.sleep(0.02)
    time.sleep(0.5)  # both helpers have something by now
    children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    helpers = [c for c in children if b"HEIST_CLUSTER_ROLE=helper" in pathlib.Path(f"/proc/{c}/environ").read_bytes().split(b"\0")]
    assert len(helpers) == 2, children
    os.kill(int(helpers[0]), signal.SIGKILL)
    assert run.communicate(timeout=100)[0].startswith("78\n") and run.returncode == 0, said.read_text()
    assert "2 machines" in said.read_text() and "1 lost" in said.read_text(), said.read_text()
    trace = json.loads(killed.read_text())
    marks = [e for e in trace["traceEvents"] if e["ph"] == "i" and e["cat"] == "lost"]
    assert len(marks) == 1 and marks[0]["name"].startswith("machine ") and marks[0]["ts"] > 0, marks
    assert trace["otherData"]["machines"] == 2 and trace["otherData"]["crossed"]["lost"] == 1, trace["otherData"]
    subprocess.run([heist, "report", killed, "-o", again], check=True, capture_output=True)
    assert marks[0]["name"] in again.read_text()
