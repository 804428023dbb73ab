#!/usr/bin/env python3
"""check.py TRACE [COUNTS]: is the trace whole, and does it say what the pools counted?"""
import collections
import json
import sys


def ns(microseconds):
    return round(microseconds * 1000)


trace = json.load(open(sys.argv[1]))
events, other = trace["traceEvents"], trace["otherData"]
assert other["format"] == 1 and trace["displayTimeUnit"] == "ns", other

names = {(e["pid"], e["tid"]): e["args"] for e in events if e["name"] == "thread_name"}
lanes = list(names)
assert len(lanes) == len(set(lanes)) == len(other["dropped"]), lanes
dropping = {lane for lane, n in zip(lanes, other["dropped"]) if n > 0}
named = {e["pid"] for e in events if e["name"] == "process_name"}
assert all(e["name"] == "process_name" or (e["pid"], e["tid"]) in names and e["pid"] in named for e in events), "an event without a lane"
ids = list(named) + [tid for _, tid in lanes]
assert len(ids) == len(set(ids)) and 0 not in ids, "two pools or lanes are one to Perfetto"
assert min((ns(e["ts"]) for e in events if "ts" in e), default=0) == 0, "the first event is not at 0"

slices = [e for e in events if e["ph"] == "X"]
by_lane = collections.defaultdict(list)
for e in slices:
    assert e["dur"] >= 0 and e["cat"] in ("run", "sleep"), e
    ends = {"run": {"ended", "suspended", "resumed another", "trace ended"},
            "sleep": {"woken", "saw work", "lent", "trace ended"}}
    assert e["args"]["end"] in ends[e["cat"]], e
    by_lane[e["pid"], e["tid"]].append(e)
for lane, mine in by_lane.items():
    mine.sort(key=lambda e: (ns(e["ts"]), ns(e["ts"] + e["dur"])))
    for before, after in zip(mine, mine[1:]):
        assert ns(before["ts"]) + ns(before["dur"]) <= ns(after["ts"]), (lane, before, after)
        if before["args"]["end"] == "resumed another":
            assert after["name"] == "resumed" and ns(before["ts"]) + ns(before["dur"]) == ns(after["ts"]), (before, after)
        if before["args"]["end"] == "lent":
            assert after["name"] in ("root", "resumed") and ns(before["ts"]) + ns(before["dur"]) == ns(after["ts"]), (before, after)
    # A seat is free at first, and again when its caller has gone home.
    if lane not in dropping and any(e["cat"] == "sleep" for e in mine):
        lent = sum(e["args"]["end"] == "lent" for e in mine)
        assert sum(e["args"].get("begin") == "rest" for e in mine) in (lent, lent + 1), lane

left = {e["id"]: e for e in events if e["ph"] == "s"}
came = {e["id"]: e for e in events if e["ph"] == "f"}
stolen = {e["args"]["steal"]: e for e in slices if "steal" in e["args"]}
assert set(left) == set(came) == set(stolen) == set(range(1, len(stolen) + 1)), "arrows and stolen slices differ"
# A worker may rob a seat that its own strand has left to wait.
own_too = any(e["ph"] == "b" and e["cat"] == "wait" for e in events)
for n, e in stolen.items():
    assert e["name"] in ("stolen", "continuation"), e
    assert e["args"].get("far", True) is True, e
    assert names[left[n]["pid"], left[n]["tid"]]["lane"] == e["args"]["from"], (left[n], e)
    assert e["tid"] == came[n]["tid"] and (own_too or left[n]["tid"] != e["tid"]), (left[n], e)
    assert left[n]["ts"] <= came[n]["ts"] == e["ts"] and left[n]["pid"] == came[n]["pid"] == e["pid"], (left[n], e)
assert {e["name"] for e in slices if e["cat"] == "run"} - {"root", "stolen", "continuation", "resumed"} == set()

begun = {e["id"]: e for e in events if e["ph"] == "b"}
ended = {e["id"]: e for e in events if e["ph"] == "e"}
assert begun.keys() == ended.keys() and all(begun[i]["ts"] <= ended[i]["ts"] for i in begun), "regions"

if len(sys.argv) > 2:
    counts = json.load(open(sys.argv[2]))
    assert not any(other["dropped"]), other
    seen = {"steals": len(stolen),
            "suspends": sum(e["args"]["end"] == "suspended" for e in slices),
            "resumes": sum(e["name"] == "resumed" for e in slices)}
    assert seen == counts, (seen, counts)
    assert collections.Counter(e["name"] for e in begun.values()) == {"scope": 40, "own pool": 1, "outside": 1}
print(f"{len(events)} events, {len(lanes)} lanes, {len(stolen)} steals, dropped {sum(other['dropped'])}")
