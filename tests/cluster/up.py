#!/usr/bin/env python3
"""up.py HEIST PROGRAM: what heist cluster up promises (strangers hear and say nothing, the password's file, TLS), and that
heist serve --drain loses no work."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

heist, program = sys.argv[1:]


class Command:
    """A process that ends with the test, and what it says."""

    def __init__(self, folder, name, words, **variables):
        self.out, self.err = folder / f"{name}.out", folder / f"{name}.err"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEIST_")} | variables
        self.process = subprocess.Popen([str(w) for w in words], env=environment, stdout=self.out.open("w"), stderr=self.err.open("w"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def said(self):
        return self.out.read_text() + self.err.read_text()

    def ended(self):
        status = self.process.wait(120)
        return status, self.said()

    def until(self, text):
        while not re.search(text, self.said()):
            assert self.process.poll() is None, self.said()
            time.sleep(0.02)
        return re.search(text, self.said())


def up(folder, name, *more):
    """A server, and what HEIST_CLUSTER must be."""
    server = Command(folder, name, [heist, "cluster", "up", "--port", "0", *more])
    return server, server.until(r"HEIST_CLUSTER=(\S+)\n")[1]


class Client:
    """What anybody can say to the server without our library."""

    def __init__(self, port, **login):
        self.wire = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.lines = self.wire.makefile("rb")
        self.heard, self.refused, self.subscriptions = [], [], 0
        assert self.lines.readline().startswith(b"INFO")
        self.say("CONNECT " + json.dumps({"verbose": False, **login}))

    def say(self, line):
        self.wire.sendall(line.encode() + b"\r\n")

    def publish(self, subject, text="", reply=""):
        self.say(f"PUB {subject} {reply} {len(text)}\r\n{text}")

    def subscribe(self, subject):
        self.subscriptions += 1
        self.say(f"SUB {subject} {self.subscriptions}")

    def settle(self):
        """All that was said before has come to the server, and all that came for us is here. False: the server hung up."""
        try:
            self.say("PING")
            while line := self.lines.readline().decode():
                word, *rest = line.split()
                if word == "PONG":
                    return True
                if word == "-ERR":
                    self.refused.append(line)
                if word == "MSG":
                    self.heard.append((rest[0], self.lines.read(int(rest[-1]) + 2)[:-2].decode()))
        except OSError:
            pass
        return False


def takes_part(folder, name, url, **more):
    """A driver and a helper find each other there, and the answer is right."""
    with Command(folder, name + "_helper", [heist, "serve", "--cluster", url, "--", program, "naps", "0"],
                 HEIST_WORKERS="1", XDG_RUNTIME_DIR=str(folder), **more) as helper, \
         Command(folder, name + "_driver", [program, "naps", "500"], HEIST_CLUSTER=url, HEIST_WORKERS="1",
                 TEST_WAIT_FOR_PEERS="1", **more) as driver:
        status, said = driver.ended()
        assert status == 0 and said.startswith("500\n"), said
        assert helper.ended()[0] == 0, helper.said()


def refused(folder, name, url, sentence, **more):
    with Command(folder, name, [program, "fib", "20"], HEIST_CLUSTER=url, **more) as p:
        status, said = p.ended()
    assert status == 3 and sentence in said and said.count("\n") == 1, (name, status, said)


def strangers(folder):
    """Two jobs on one server, each with the account that heist cluster up wrote for it."""
    kept = folder / "kept"
    kept.mkdir()
    (kept / "server.conf").write_text("of a time before")
    (kept / "server.conf").chmod(0o644)
    of_two, url_of_two = up(folder, "up_two", "--job", "two")
    of_one, url = up(folder, "up_one", "--job", "one", "--folder", kept)
    with of_one, of_two:
        settings = kept / "server.conf"
        assert settings.stat().st_mode & 0o777 == 0o600, oct(settings.stat().st_mode)
        takes_part(folder, "one", url)
        user, password, port = re.fullmatch(r"nats://(\w+):(\w+)@127\.0\.0\.1:(\d+)/one", url).groups()
        assert user == "one" and len(password) == 32
        other = re.search(r":(\w+)@", url_of_two)[1]
        assert other != password
        for login in ({}, {"user": "one"}, {"user": "one", "pass": other}, {"user": "two", "pass": other}, {"auth_token": password}):
            assert not Client(int(port), **login).settle(), login
        # The password is good for this job only.
        refused(folder, "another_job", url.removesuffix("one") + "two", "heist: cluster: the server does not let this user hear heist.two.>")
        text = settings.read_text()
        assert text.count("  one {\n") == 1
        block = text[text.index("  one {\n"):text.rindex("}\n")]
        second = re.sub(r"\bone\b", "two", block).replace("heist_one", "heist_two").replace(password, other)
    assert (of_one.process.returncode, of_two.process.returncode) == (0, 0)

    shared = folder / "shared.conf"
    shared.write_text(text.replace(block, block + second))
    with Command(folder, "shared", ["nats-server", "-c", shared]) as server:
        port = int(server.until(r"Listening for client connections on 127\.0\.0\.1:(\d+)")[1])
        one, two = Client(port, user="one", **{"pass": password}), Client(port, user="two", **{"pass": other})
        for subject in ("heist.one.>", "_INBOX.>"):
            one.subscribe(subject)
        assert one.settle() and not one.refused, one.refused
        one.publish("$JS.API.STREAM.CREATE.KV_heist_one", json.dumps({"name": "KV_heist_one", "subjects": ["$KV.heist_one.>"]}), "_INBOX.made")
        while not one.heard:
            assert one.settle()
            time.sleep(0.02)
        assert "error" not in one.heard.pop()[1], one.heard
        ours = ("heist.two.>", "_INBOX.>")
        not_ours = (">", "*.*.>", "heist.>", "heist.one.>", "heist.one.all", "$SYS.>", "$JS.API.>", "$KV.heist_one.>")
        for subject in ours + not_ours:
            two.subscribe(subject)
        assert two.settle()
        assert len(two.refused) == len(not_ours) and all("Permissions Violation" in r for r in two.refused), two.refused
        for subject in ("heist.one.all", "heist.one.driver", "_INBOX.someone", "$KV.heist_one.entry"):
            one.publish(subject, "of one")
        assert one.settle() and two.settle()
        assert not two.heard, two.heard
        one.heard.clear()
        refusals = len(two.refused)
        for subject in ("heist.one.all", "heist.one.driver", "$KV.heist_one.entry", "$SYS.REQ.SERVER.PING"):
            two.publish(subject, "of two")
        two.publish("_INBOX.someone", "of two")
        two.publish("heist.two.all", "of two")
        two.publish("$JS.API.STREAM.NAMES", "", "_INBOX.names")
        while not any(subject == "_INBOX.names" for subject, _ in two.heard):
            assert two.settle()
            time.sleep(0.02)
        assert len(two.refused) == refusals + 4, two.refused
        names = next(text for subject, text in two.heard if subject == "_INBOX.names")
        assert "heist_one" not in names and '"streams":null' in names.replace(" ", ""), names
        assert one.settle() and not one.heard, one.heard


def encrypted(folder):
    def openssl(*words):
        subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)

    certificate, key, another = folder / "c.pem", folder / "c.key", folder / "another.pem"
    for file, its_key in ((certificate, key), (another, folder / "another.key")):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", its_key, "-out", file, "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    server, url = up(folder, "up_tls", "--tls-cert", certificate, "--tls-key", key)
    with server:
        assert url.startswith("tls://"), url
        takes_part(folder, "tls", url, HEIST_CLUSTER_CA=str(certificate))
        sentence = "name the certificates to trust (HEIST_CLUSTER_CA)"
        refused(folder, "untrusted", url, sentence, HEIST_CLUSTER_CA=str(another))
        refused(folder, "plain", url.replace("tls://", "nats://"), sentence)
    half = subprocess.run([heist, "cluster", "up", "--port", "0", "--tls-cert", certificate], capture_output=True, text=True, timeout=60)
    assert half.returncode == 2 and "both --tls-cert and --tls-key" in half.stderr and half.stderr.count("\n") == 1, half


def drained(folder):
    """A helper is asked to leave in the middle: it ends with 0, and nothing that it had begun is begun again."""
    server, url = up(folder, "up_drain")
    runtime = {"XDG_RUNTIME_DIR": str(folder), "HEIST_CLUSTER": url, "HEIST_WORKERS": "1"}
    serve = [heist, "serve", "--", program, "stretches_apart", "0"]
    with server, Command(folder, "leaves", serve, **runtime) as helper, \
         Command(folder, "drain_driver", [program, "stretches_apart", "16"], TEST_WAIT_FOR_PEERS="1", **runtime) as driver:
        helper.until("stretch .* begins")
        with Command(folder, "drain", [heist, "serve", "--drain"], **runtime) as drain:
            status, said = drain.ended()
        assert status == 0 and "1 helper leaves when" in said and said.endswith("done\n"), said
        assert helper.process.poll() is not None or helper.process.wait(1) == 0
        assert helper.process.returncode == 0, helper.said()
        assert driver.process.poll() is None, "the job had ended before: nothing is shown"
        status, said = driver.ended()
        assert status == 0 and said.startswith("136\n"), said
        begun = re.findall(r"stretch (\d+) begins", helper.said() + said)
        assert sorted(map(int, begun)) == list(range(1, 17)), begun
        with Command(folder, "drain_again", [heist, "serve", "--drain"], **runtime) as drain:
            assert drain.ended() == (0, "no helper runs here\n"), drain.said()


def ends(folder):
    """It ends with 0 when it is asked to, its server with it, and leaves nothing."""
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        temporary = folder / f"temporary{int(how)}"
        temporary.mkdir()
        server = Command(folder, f"up_{int(how)}", [heist, "cluster", "up", "--port", "0"], TMPDIR=str(temporary))
        with server:
            port = int(server.until(r"127\.0\.0\.1:(\d+)/")[1])
            (held,) = temporary.iterdir()
            assert held.stat().st_mode & 0o777 == 0o700 and (held / "server.conf").stat().st_mode & 0o777 == 0o600
            server.process.send_signal(how)
            assert server.ended()[0] == 0, server.said()
        assert not list(temporary.iterdir())
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            raise AssertionError("the server is still there")
        except ConnectionRefusedError:
            pass


with tempfile.TemporaryDirectory() as name:
    for part in (strangers, encrypted, drained, ends):
        folder = pathlib.Path(name, part.__name__)
        folder.mkdir()
        part(folder)
        print(f"{part.__name__}: well", flush=True)
