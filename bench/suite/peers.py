"""The contestants: who they are, and how each is started."""
import dataclasses
import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    file: str      # its file in a problem's folder
    compiler: str  # g++, clang++-19, cargo, javac or go
    # serial: not a contestant but what all are compared with; heist; peer; floor: not among those to be beaten.
    role: str = "peer"

    def has(self, problem):
        return os.path.exists(os.path.join(ROOT, "bench", problem.folder, self.file))

    def command(self, problem, workers, size):
        stem = self.file.split(".")[0]
        program = {
            "cargo": [f"build/rayon/release/{problem.folder}"],
            "go": [f"build/go/{problem.folder}"],
            "javac": ["java", "-cp", "build/java", "".join(w.capitalize() for w in problem.folder.split("_"))],
        }.get(self.compiler, [f"build/bench-{self.compiler}/bench/{problem.folder}/{stem}"])
        kind = ["--kind", problem.kind] if problem.kind else []
        return program + ["--workers", str(workers), "--size", str(size)] + kind


PEERS = [
    Peer("serial, g++", "serial.cpp", "g++", "serial"),
    Peer("serial, clang", "serial.cpp", "clang++-19", "serial"),
    Peer("heist, g++", "heist.cpp", "g++", "heist"),
    Peer("heist, clang", "heist.cpp", "clang++-19", "heist"),
    Peer("oneTBB, g++", "tbb.cpp", "g++"),
    Peer("oneTBB, clang", "tbb.cpp", "clang++-19"),
    Peer("OpenMP, libgomp", "openmp.cpp", "g++"),
    Peer("OpenMP, libomp", "openmp.cpp", "clang++-19"),
    Peer("std par, g++", "std_par.cpp", "g++"),
    Peer("Rayon", "rayon.rs", "cargo"),
    Peer("Java ForkJoinPool", "forkjoin.java", "javac"),
    Peer("Go", "goroutines.go", "go"),
    Peer("std::async", "async.cpp", "g++", "floor"),
]

# Rayon is built by Debian's Rust, which knows Debian's crates.
DEBIAN = {**os.environ, "PATH": "/usr/bin:" + os.environ.get("PATH", "")}


def at_hand(peer):
    tool = {"cargo": "/usr/bin/cargo"}.get(peer.compiler, peer.compiler)
    return shutil.which(tool) is not None


def build(problems):
    """Everything but the C++ programs, which CMake builds."""
    folders = sorted({p.folder for p in problems})
    run = lambda *command, **more: subprocess.run(command, cwd=os.path.join(ROOT, "bench"), check=True, **more)
    if any(p.compiler == "cargo" and at_hand(p) for p in PEERS):
        run("/usr/bin/cargo", "build", "--quiet", "--release", "--target-dir", "../build/rayon", env=DEBIAN)
    if shutil.which("javac"):
        sources = [f"{f}/forkjoin.java" for f in folders if os.path.exists(f"{ROOT}/bench/{f}/forkjoin.java")]
        run("javac", "-d", "../build/java", "runtimes/Contest.java", *sources)
    if shutil.which("go"):
        for f in folders:
            if os.path.exists(f"{ROOT}/bench/{f}/goroutines.go"):
                run("go", "build", "-o", f"../build/go/{f}", f"{f}/goroutines.go")


def versions():
    def first_line(*command):
        try:
            lines = subprocess.run(command, capture_output=True, text=True, timeout=20, env=DEBIAN).stdout.splitlines()
            return lines[0] if lines else ""
        except OSError:
            return ""

    def package(name):
        return first_line("dpkg-query", "-W", "-f", "${Version}", name)

    return {
        "g++": first_line("g++", "--version"), "clang": first_line("clang++-19", "--version"),
        "oneTBB": package("libtbb-dev"), "libgomp": package("libgomp1"), "libomp": package("libomp-19-dev"),
        "Rust": first_line("/usr/bin/rustc", "--version"), "Rayon": package("librust-rayon-dev"),
        "Java": first_line("java", "--version"), "Go": first_line("go", "version"),
    }


FLAGS = ("C++: CMake's Release, -O3 -DNDEBUG, no -march; functions and loops aligned to 64 bytes. Rust: opt-level 3, fat LTO, one codegen "
         "unit, loops aligned likewise. Java, Go: as they come.")
