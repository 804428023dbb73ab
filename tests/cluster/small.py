#!/usr/bin/env python3
"""small.py HEIST QUEENS: the parts of script/cluster that take seconds, with an example of the guide, as a user would run it.
The answer is right on several processes, though helpers are killed, and the server; strangers and second drivers are sent away;
an idle cluster says nothing."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

heist, queens = sys.argv[1:]
KNOWN = {10: 724, 12: 14200, 14: 365596}
bare = {k: v for k, v in os.environ.items() if not k.startswith("HEIST_")}


def begin(words, **variables):
    return subprocess.Popen([str(w) for w in words], env=bare | {"HEIST_WORKERS": "1"} | variables, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def run(words, **variables):
    p = begin(words, **variables)
    out, err = p.communicate(timeout=120)
    return p.returncode, out, err


def must_give(ended, value):
    assert ended == (0, f"{value}\n", ""), ended


class Cluster:
    """A server and helpers; nothing of it is left at the end."""

    def __init__(self, folder):
        self.helpers, self.words = [], [heist, "cluster", "up", "--password", "secret", "--folder", folder / "store"]
        self.runtime = str(folder)
        self.up(0)

    def up(self, port):
        self.server = begin([*self.words, "--port", port])
        line = self.server.stdout.readline()
        assert line.startswith("HEIST_CLUSTER="), self.server.communicate()
        self.url = line.strip().split("=", 1)[1]

    def down(self):
        """Without a warning."""
        (nats,) = pathlib.Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text().split()
        os.kill(int(nats), signal.SIGKILL)
        assert self.server.wait(60) != 0

    def serve(self):
        self.helpers.append(begin([heist, "serve", "--", queens, "14"], HEIST_CLUSTER=self.url, XDG_RUNTIME_DIR=self.runtime))

    def nodes(self):
        status, out, err = run([heist, "cluster", "top", "--once", "--json"], HEIST_CLUSTER=self.url)
        assert status == 0, err
        return json.loads(out)["nodes"]

    def until(self, what):
        deadline = time.monotonic() + 60
        while not (found := what()):
            assert time.monotonic() < deadline, self.nodes()
            time.sleep(0.02)
        return found

    def drive(self):
        return begin([queens, "14"], HEIST_CLUSTER=self.url)

    def must_end(self, driver):
        out, err = driver.communicate(timeout=120)
        must_give((driver.returncode, out, err), KNOWN[14])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for p in (*self.helpers, self.server):
            if p.poll() is None:
                p.terminate()
            try:
                p.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                p.kill()
                p.communicate()


def answers(_):
    must_give(run([queens, "10"]), KNOWN[10])
    must_give(run([heist, "cluster", "run", "-n", "3", "-w", "1", "--", queens, "12"]), KNOWN[12])


def storm(folder):
    """A helper that has borrowed something is killed, three times, and another one comes."""
    with Cluster(folder) as c:
        for _ in range(2):
            c.serve()
        c.until(lambda: len(c.nodes()) == 2)
        driver = c.drive()
        for _ in range(3):
            has = c.until(lambda: driver.poll() is not None or [n for n in c.nodes() if n["role"] == "helper" and n["borrowed"] > 0])
            if driver.poll() is not None:
                break
            os.kill(has[0]["process"], signal.SIGKILL)
            c.serve()
        c.must_end(driver)


def strangers(folder):
    with Cluster(folder) as c:
        said = run([queens, "10"], HEIST_CLUSTER=c.url.replace("secret", "guess"))
        assert said[0] != 0 and "does not accept" in said[2], said
        said = run([heist, "cluster", "top", "--once"], HEIST_CLUSTER=c.url.replace("secret", "guess"))
        assert said[0] == 2 and said[2].startswith("heist: cluster: the server") and said[2].count("\n") == 1, said
        driver = c.drive()
        c.until(lambda: driver.poll() is not None or any(n["role"] == "driver" for n in c.nodes()))
        said = run([queens, "14"], HEIST_CLUSTER=c.url)
        # The first one may have ended by now.
        assert said[0] != 0 and "has a driver already" in said[2] or driver.poll() is not None, said
        c.must_end(driver)


def server_away(folder):
    with Cluster(folder) as c:
        c.serve()
        c.until(lambda: len(c.nodes()) == 1)
        driver = c.drive()
        c.until(lambda: driver.poll() is not None or any(n["borrowed"] > 0 for n in c.nodes()))
        c.down()
        c.up(c.url.rsplit(":", 1)[1].split("/")[0])
        c.must_end(driver)


def silence(folder):
    with Cluster(folder) as c:
        for _ in range(2):
            c.serve()
        looks = 0

        def sent():
            """Of both; a look may miss one that is late."""
            nonlocal looks
            looks += 1
            each = {n["process"]: n["messages_sent"] for n in c.nodes()}
            return each if len(each) == 2 else None

        c.until(sent)
        time.sleep(1)  # they have said hello to each other
        before, looks_before = c.until(sent), looks
        time.sleep(1)
        after = c.until(sent)
        assert all(0 < after[p] - n <= looks - looks_before for p, n in before.items()), (before, after, looks - looks_before)


with tempfile.TemporaryDirectory() as name:
    for part in (answers, storm, strangers, server_away, silence):
        folder = pathlib.Path(name, part.__name__)
        folder.mkdir()
        began = time.monotonic()
        part(folder)
        print(f"{part.__name__}: well, {time.monotonic() - began:.1f} s", flush=True)
