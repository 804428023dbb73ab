"""Simple bugs, planted one at a time in a file of the user's choice: `script/mutants --plant FILE`.

Everything happens in a copy of the tree, so that nothing has to be put back, whatever ends the run.
"""

import fcntl
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

# Which tests belong to a file, by the first pattern that fits: labels, which are the folders of tests/.
BELONGS = [
    (r"heist/(algorithm/|collect|fill|filter|find|group|histogram|merge\.|op\.|order|pack|partition|permute|rearrange|reduce\.|replace|scan|"
     r"search|select|set|shuffle|sort|uninitialized)", "algorithms"),
    (r"heist/(lazy/|par\.|stage\.)", "lazy"),
    (r"heist/(tbb|execution)", "tbb lazy"),
    (r"heist/io", "io"),
    (r"heist/cluster", "cluster"),
    (r"heist/(race|race/)", "race"),
    (r"heist/(share/|sched/(allotment|feedback))", "share"),
    (r"heist/(affinity|for_each|scope|sched/(scope_books|spawned|arrivals|failures|leavings|place))", "scope algorithms"),
    (r"heist/(measure|measurement|meter/|sched/metering|strand/own_clock)", "meter cli"),
    (r"heist/(reducer|views/|strand/(belongings|reducer_base))", "views scope"),
    (r"heist/(mutex|shared_mutex|condition_variable|semaphore|latch|barrier|wait/|async|blocking|channel|coroutine|future|graph|pipeline|sender|sleep\.|"
     r"suspend|when)", "mutex waiting harsh"),
    (r"heist/join|heist/sched/(fork|suspend|waiter)|heist/strand/", "join scope"),
    (r"heist/sched/", "sched join scope sleep pool regression"),
    (r"heist/(deque|fence)/", "deque join harsh"),
    (r"heist/stack/", "stack space harsh"),
    (r"heist/sleep/", "sleep harsh"),
    (r"heist/trace/", "trace cli"),
    (r"heist/topology/", "topology pool"),
    (r"heist/base/", "base deque stack sleep pool join meter trace harsh"),
    (r"heist/", "pool join"),
    (r"cli/", "cli"),
    (r"analysis/", "analysis cli"),
]


@dataclass
class Plant:
    kind: str
    begin: int
    end: int
    new: str


def masked(text):
    """The text with comments, strings and preprocessor lines blanked: the same length, the same lines."""
    token = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*",
                       re.S | re.M)
    return token.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def closing(code, at):
    """The place of the bracket that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if depth == 0:
            return i
    return -1


COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
NOT_DROPPED = r"return|using|namespace|class|struct|template|case|default|break|continue|goto|public|private|else|do|if|for|while|" \
              r"switch|try|throw|static_assert|friend|enum|typedef|extern|operator|asm|co_\w+|delete|chaos"


def plants(text):
    """Every simple bug that can be planted in a C++ source, in the order of the text."""
    code = masked(text)
    found = []

    def add(kind, begin, end, new):
        line = code[code.rfind("\n", 0, begin) + 1:code.find("\n", end)]
        if not re.search(r"\bstatic_assert\b|\bchaos::", line):
            found.append(Plant(kind, begin, end, new))

    for m in re.finditer(r"\bmemory_order_(seq_cst|acq_rel|acquire|release)\b", code):
        add("order", m.start(), m.end(), "memory_order_relaxed")
    for m in re.finditer(r"(?<= )(<=|>=|==|!=|<|>)(?= )", code):  # the brackets of templates have no blanks around them
        add("comparison", m.start(), m.end(), COMPARISONS[m[0]])
    for m in re.finditer(r"(?<= )(&&|\|\|)(?=\s)", code):
        add("logic", m.start(), m.end(), "||" if m[0] == "&&" else "&&")
    for m in re.finditer(r"\b(?:if|while) \(", code):
        end = closing(code, m.end() - 1)
        condition = code[m.end():end]
        # One that declares something cannot be negated.
        if end > 0 and ";" not in condition and not re.match(r"[\w:<>,&* ]+[ *&]\w+ = ", condition):
            add("condition", m.end(), end, f"!({text[m.end():end]})")
    for m in re.finditer(r"(?<![\w.'])(0[xX][0-9a-fA-F']+|\d[\d']*)[uUlLzZ]{0,3}(?![\w.'])", code):
        digits = m[1].replace("'", "")
        large = int(digits, 16 if digits[:2] in ("0x", "0X") else 10) > 1000  # where one more is no bug
        add("constant", m.start(), m.end(), f"({m[0]} * 2)" if large else f"({m[0]} + 1)")
    for m in re.finditer(r"\b(true|false)\b(?! *_type)", code):
        add("constant", m.start(), m.end(), "false" if m[0] == "true" else "true")
    # A statement: a call, an assignment, a step up or down; not what declares something.
    for m in re.finditer(rf"^[ \t]+(?!(?:{NOT_DROPPED})\b)(?=(?:\*|\+\+|--)?[A-Za-z_][\w:]*(?:\(|\.|->|\[| [-+*/|&^]?= |\+\+|--))", code, re.M):
        if not re.search(r"(?:[;{}):]|\belse|\bdo)\s*$", code[:m.start()][-200:]):
            continue  # it goes on from the line before
        at = m.end()
        while at < len(code) and code[at] not in ";{}":
            at = closing(code, at) + 1 if code[at] in "([" else at + 1
            if at == 0:
                break
        statement = code[m.end():at]
        if 0 < at < len(code) and code[at] == ";" and not re.search(r"= (?:delete|default|0)$|\) (?:const|noexcept|override)", statement):
            add("statement", m.end(), at, "")
    return sorted(found, key=lambda p: (p.begin, p.kind))


def shown(text, p):
    """The change as one short line."""
    def flat(s):
        s = re.sub(r"\s+", " ", s).strip()
        return s if len(s) <= 60 else s[:57] + "…"

    if p.kind == "statement":
        return f"dropped: {flat(text[p.begin:p.end])};"
    if p.kind == "condition":
        return f"negated: {flat(text[p.begin:p.end])}"
    begin, end = text.rfind("\n", 0, p.begin) + 1, text.find("\n", p.end)
    line = text[begin:p.begin] + f"[{text[p.begin:p.end]} → {p.new}]" + text[p.end:end]
    return re.sub(r"\s+", " ", line).strip()[:140]


class Bar:
    """How far it is, in one line of a terminal; elsewhere nothing."""

    def __init__(self, total):
        self.total, self.began, self.on = total, time.monotonic(), sys.stderr.isatty()

    def show(self, done, what):
        if not self.on:
            return
        gone = time.monotonic() - self.began
        left = f", {gone / done * (self.total - done) / 60:.0f} min left" if done else ""
        filled = 20 * done // max(self.total, 1)
        columns = shutil.get_terminal_size().columns
        print(("\r\033[K" + f"[{'#' * filled}{'.' * (20 - filled)}] {done}/{self.total}{left}  {what}")[:columns + 4], end="", file=sys.stderr, flush=True)

    def clear(self):
        if self.on:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Copy:
    """A copy of the tree with a build of its own. It stays, so that the next run compiles only what has changed."""

    def __init__(self, root, preset):
        self.root, self.preset = root, preset
        self.tree = root / "build" / "planted"
        self.build = self.tree / "build" / preset

    def lock(self):
        """Two runs at once would plant into each other's copy."""
        self.tree.mkdir(parents=True, exist_ok=True)
        self.held = open(self.tree.parent / "planted.lock", "w")
        try:
            fcntl.flock(self.held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit(f"script/mutants: another run is using {self.tree}")

    def fetch(self):
        """What differs from the original is written again: also what a run that was killed has left."""
        skipped = {"build", ".git", "node_modules", "__pycache__"}
        here = set()
        for folder, folders, files in os.walk(self.root):
            folders[:] = [f for f in folders if f not in skipped]
            for name in files:
                source = pathlib.Path(folder) / name
                copy = self.tree / source.relative_to(self.root)
                here.add(copy)
                if not copy.exists() or copy.read_bytes() != source.read_bytes():
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, copy)
        for folder, folders, files in os.walk(self.tree):
            folders[:] = [f for f in folders if f not in skipped]
            for name in files:
                if pathlib.Path(folder) / name not in here:
                    (pathlib.Path(folder) / name).unlink()

    def run(self, command, limit=None):
        """(exit status, or None if it took too long; what it said)"""
        child = subprocess.Popen(command, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 errors="replace", start_new_session=True)
        try:
            said, _ = child.communicate(timeout=limit)
            return child.returncode, said
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            # What it has started, too: ninja passes a polite signal on to its compilers, and a program that hangs needs another.
            for how in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(child.pid, how)
                    child.wait(timeout=5)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass

    def configure(self):
        how = ["--preset", self.preset] if (self.tree / "CMakePresets.json").exists() else ["-G", "Ninja", "-B", str(self.build)]
        status, said = self.run(["cmake", *how])
        if status != 0:
            raise SystemExit(f"script/mutants: the copy cannot be configured\n{said[-2000:]}")

    def tests(self, wanted):
        """The names of the tests that are wanted, and what must be built for them."""
        listed = json.loads(self.run(["ctest", "--test-dir", str(self.build), "--show-only=json-v1"])[1])["tests"]
        names = []
        for t in listed:
            labels = next((p["value"] for p in t["properties"] if p["name"] == "LABELS"), [])
            if wanted(t["name"], labels):
                names.append(t["name"])
        known = {l.rpartition(": ")[0] for l in self.run(["ninja", "-C", str(self.build), "-t", "targets", "all"])[1].splitlines()}
        targets = set()
        for file in self.build.rglob("CTestTestfile.cmake"):
            for name, command in re.findall(r"^add_test\(\[=*\[(.*?)\]=*\] (.*)\)$", file.read_text(), re.M):
                if name in names:
                    for word in re.findall(r'"([^"]*)"', command):
                        target = os.path.relpath(word, self.build) if os.path.isabs(word) else word
                        targets |= {target} & known
        # A script starts more than it is given: what its folder's target builds.
        labels = {l for t in listed if t["name"] in names for p in t["properties"] if p["name"] == "LABELS" for l in p["value"]}
        return names, sorted(targets) + sorted(t for t in (f"tests_{l}" for l in labels if not targets) if t in known)


def plan(args, root, text, file):
    chosen = [p for p in plants(text) if not args.kinds or p.kind in args.kinds.split(",")]
    if args.lines:
        first, _, last = args.lines.partition("-")
        first, last = int(first), int(last or first)
        chosen = [p for p in chosen if first <= text.count("\n", 0, p.begin) + 1 <= last]
    if len(chosen) > args.most:
        chosen = sorted(random.Random(args.seed).sample(chosen, args.most), key=lambda p: p.begin)
    return chosen


def run(args, root):
    """The whole of `--plant`; the exit status."""
    file = args.plant
    if not (root / file).is_file():
        raise SystemExit(f"script/mutants: there is no file {file} in {root}; give its path from there")
    text = (root / file).read_text()
    chosen = plan(args, root, text, file)
    where = lambda p: f"{file}:{text.count(chr(10), 0, p.begin) + 1}"
    if args.list or not chosen:
        for p in chosen:
            print(f"{where(p)}  {p.kind}  {shown(text, p)}")
        print(f"{len(chosen)} to plant")
        return 0
    if args.tests:
        wanted = lambda name, labels: any(re.search(args.tests, x) for x in [name, *labels]) and ("slow" not in labels or re.search(args.tests, name))
    else:
        folders = next((f.split() for pattern, f in BELONGS if re.match(pattern, file)), None)
        if folders is None:
            raise SystemExit(f"script/mutants: which tests belong to {file} is not known; choose some by --tests")
        # Slow ones, too: most that belong to some folders are. What slow tests run is built for them.
        wanted = lambda name, labels: any(l in folders for l in labels)

    for end in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(end, lambda number, _: sys.exit(128 + number))  # by way of what cleans up
    copy = Copy(root, args.preset)
    copy.lock()
    bar = Bar(len(chosen))
    bar.show(0, "copying and configuring")
    copy.fetch()
    copy.configure()
    names, targets = copy.tests(wanted)
    if not names:
        bar.clear()
        raise SystemExit(f"script/mutants: no test fits {args.tests or 'this file'}")
    build = ["cmake", "--build", str(copy.build), "--", f"-j{args.jobs}", *targets]
    ctest = ["ctest", "--test-dir", str(copy.build), f"-j{args.jobs}", "--stop-on-failure", "--output-on-failure", "-R", f"^({'|'.join(map(re.escape, names))})$"]
    bar.show(0, f"building {len(names)} tests as they are")
    status, said = copy.run(build)
    if status == 0:
        bar.show(0, f"running {len(names)} tests as they are")
        began = time.monotonic()
        status, said = copy.run(ctest)
        took = time.monotonic() - began
    bar.clear()
    if status != 0:
        print(said[-3000:])
        raise SystemExit("script/mutants: the tests fail as they are; nothing was planted")
    limit = 60 + 10 * took  # a hang is seen sooner than by the tests' own limits
    print(f"{len(chosen)} to plant in {file}; {len(names)} tests, {took:.0f} s: {', '.join(names)}", flush=True)

    counts = {"caught": 0, "SURVIVES": 0, "did not compile": 0}
    survivors = []
    for done, p in enumerate(chosen):
        bar.show(done, f"{where(p)} {p.kind}")
        (copy.tree / file).write_text(text[:p.begin] + p.new + text[p.end:])
        status, said = copy.run(build)
        by = ""
        if status != 0:
            verdict = "did not compile"
        else:
            status, said = copy.run(ctest, limit)
            verdict = "SURVIVES" if status == 0 else "caught"
            failed = re.findall(r"^\s*\d+ - (\S+) \(", said, re.M)
            by = "" if status == 0 else " by its not ending" if status is None else f" by {', '.join(failed)}" if failed else ""
        counts[verdict] += 1
        line = f"{where(p)}  {p.kind}  {shown(text, p)}"
        if verdict == "SURVIVES":
            survivors.append(line)
        bar.clear()
        print(f"{verdict + by:<32} {line}", flush=True)
    (copy.tree / file).write_text(text)
    print(f"\n{counts['caught']} caught, {counts['SURVIVES']} survive, {counts['did not compile']} did not compile")
    if survivors:
        print("Survivors:\n  " + "\n  ".join(survivors))
    return int(bool(survivors))
