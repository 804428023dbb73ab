#!/usr/bin/env python3
"""page_data.py PAGE EXPRESSION: asserts something about the data in a report page."""
import json
import re
import sys

page = open(sys.argv[1]).read()
scripts = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
assert len(scripts) == 1, f"{len(scripts)} data elements"
data = json.loads(scripts[0])
assert eval(sys.argv[2]), (sys.argv[2], {k: str(v)[:80] for k, v in data.items()})
