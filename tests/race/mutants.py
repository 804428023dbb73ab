#!/usr/bin/env python3
"""Plants bugs in the detector of races, one at a time, and says which of them the oracle and the cases do not find.

usage: tests/race/mutants.py [--build FOLDER] [--only TEXT] [--from TEXT] [--programs N] [--check]

--build FOLDER  a build with race_cases and race_oracle (default build/release)
--only TEXT     only mutants whose name contains TEXT
--programs N    random programs for each question (default 1500)
--check         only check that each text to be replaced is in the code, once

--from TEXT     begin with the first whose name contains TEXT

What a mutant changes of the detector is compiled anew, and linked before the library. Exits with 1 if a mutant survives.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "analysis" / "race"
COMPILER = os.environ.get("CXX", "g++")

# (name, file, text, text instead)
MUTANTS = [
    ("an ended first branch is in series", "order.cpp", "  list_.push_back({f.start + 1, last_, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});\n  floor_ = list_.size();", "  list_.push_back({f.start + 1, f.start, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});\n  floor_ = list_.size();"),
    ("the fork itself is parallel to its branches", "order.cpp", "  list_.push_back({f.start + 1, last_, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});\n  floor_ = list_.size();", "  list_.push_back({f.start, last_, f.frame, f.code, 0, nullptr, nullptr, f.depth, f.kind});\n  floor_ = list_.size();"),
    ("a join does not end its interval", "order.hpp", "      list_.pop_back();\n      floor_ = f.outer_floor;", "      floor_ = f.outer_floor;"),
    ("a child is in series with its parent", "order.cpp", "  list_.push_back({f.start + 1, last_, f.frame, f.code, f.owner, nullptr, left, f.depth, f.kind});", "  list_.push_back({f.start + 1, f.start, f.frame, f.code, f.owner, nullptr, left, f.depth, f.kind});"),
    ("sync forgets nothing", "order.cpp", "    while (from > floor_ && list_[from - 1].owner == owner) --from;\n", ""),
    ("a child's survivors are forgotten", "order.cpp", "      add_survivors(*i.left, &i);\n", ""),
    ("what a child came after is forgotten", "order.cpp", "  cut(std::move(cuts));\n", ""),
    ("what a branch came after is forgotten", "order.cpp", "  cut(from.cuts);\n", ""),
    ("what a child's child came after is forgotten", "order.cpp", "      to->cuts.insert(to->cuts.end(), s.left->cuts.begin(), s.left->cuts.end());\n", ""),
    ("what a first branch left is forgotten", "order.cpp", "    take_over(*f.left, &first);\n", ""),
    ("spawns into outer scopes count as nested", "hooks.cpp", "  if (strand != the.time.strand()) the.time.make_irregular();\n", ""),
    ("futures count as nested", "order.cpp", "  if (kind == fork_kind::future || (list_.size() > floor_ && list_.back().owner >> epoch_bits > owner >> epoch_bits))\n    irregular_ = true;\n", ""),
    ("one reader stands for all, always", "judge.cpp", "if ((rb & bytes) == bytes && !time.irregular()) return;", "if ((rb & bytes) == bytes) return;"),
    ("the same in the quick case", "order.hpp", "last_size_ = irregular_ || top_->holes != nullptr", "last_size_ = top_->holes != nullptr"),
    ("a reader is replaced by a parallel one", "judge.cpp", "    if (r_parted != nullptr) {\n", "    if (r_parted == nullptr) {\n"),
    ("a write does not look at readers", "judge.cpp", "    if (writes && r_parted != nullptr && (rb & bytes) != 0)", "    if (!writes && r_parted != nullptr && (rb & bytes) != 0)"),
    ("a write is not recorded over another", "judge.cpp", "      note(address, code);\n      c.writer = me;\n", ""),
    ("a write forgets a reader of other bytes", "judge.cpp", "      if (r_parted == nullptr && (rb & ~bytes) == 0 && rt >= kept_before) c.reader = 0;\n", "      c.reader = 0;\n"),
    ("bytes beside do not matter", "judge.cpp", "  if (w_parted != nullptr && (wb & bytes) != 0)", "  if (w_parted != nullptr)"),
    ("the quick case forgets the reader of a written cell", "judge.hpp", "    } else if (!time.surely_before(w) || !time.surely_before(r)) {\n      return false;", "    } else if (!time.surely_before(w)) {\n      return false;"),
    ("two cells count as one", "judge.hpp", "    return differs == 0;\n", "    return true;\n"),
    ("all of the stack is new, if nothing quick is known", "judge.hpp", "    return (static_cast<unsigned>(address < time.lowest_frame()) & static_cast<unsigned>(address >= stack_low_)) != 0;\n", "    return address - stack_low_ < time.lowest_frame() - stack_low_;\n"),
    ("a sweep goes on in the next strand", "hooks.cpp", "  told() noexcept { sweeps::end_all(); }\n", "  told() noexcept {}\n"),
    ("a sweep goes on under a lock", "judge.hpp", "    sweeps::end_all();\n    held_locks.lock(address, how, time.now(), on_stack);\n", "    held_locks.lock(address, how, time.now(), on_stack);\n"),
    ("a sweep goes on without the lock", "judge.hpp", "    sweeps::allow(quickly);\n", "    sweeps::allow(true);\n"),
    ("a sweep does not know where it began", "sweeps.cpp", "      s.first = address;\n", ""),
    ("a block that was opened is new", "shadow.hpp", "    const cell c = all();\n    *all_ = {0, 0};\n", "    const cell c{0, 0};\n    *all_ = {0, 0};\n"),
    ("a part of a block stands for all of it", "judge.cpp", "      if (quickly && (here == block_size || all == block.all())) {\n", "      if (quickly) {\n"),
    ("cells that differ are a whole block", "judge.cpp", "to - address == block_size && after_alike(c + 1, c + cells_of_block, *c) == c + cells_of_block", "to - address == block_size"),
    ("a whole block is not looked at", "instrumented.cpp", "  if (!in_whole_block(a) && the.read_quickly<words>(shadow_of(a), a, code)) [[likely]] return;\n", "  if (the.read_quickly<words>(shadow_of(a), a, code)) [[likely]] return;\n"),
    ("a block that is given out again is old", "shadow.cpp", "  forget_blocks(from, from + size);\n", ""),
    ("the quick case forgets the locks", "judge.hpp", "const bool quickly = held() == 0 && !watch::any && kept_before == 0;", "const bool quickly = !watch::any && kept_before == 0;"),
    ("the zone of intervals is too short", "order.hpp", "after_all_ = static_cast<std::int64_t>((top_hi_ + 1) << instant_at);", "after_all_ = static_cast<std::int64_t>(top_hi_ << instant_at);"),
    ("a program counts as nested again too early", "order.hpp", "if (strand_ == 1 && open_loops_ == 0 && floor_ == 0 && irregular_) start_anew();", "if (irregular_) irregular_ = false;"),
    ("a lock held across a join protects its branches", "locks.cpp", "    if (l.since <= parted) continue;\n", ""),
    ("two shared holders are kept apart", "locks.cpp", "    if (std::binary_search(t.begin(), t.end(), alone)) return true;\n", "    if (std::binary_search(t.begin(), t.end(), alone) || std::binary_search(t.begin(), t.end(), alone | 1)) return true;\n"),
    ("a lock is never released", "locks.cpp", "      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));\n", ""),
    ("a destroyed lock keeps its name", "locks.cpp", "void locks::retire(const void* address) { names_.erase(reinterpret_cast<std::uintptr_t>(address)); }", "void locks::retire(const void*) {}"),
    ("atomics are not apart", "locks.cpp", "  if (t.front() == atomic_lock && sets_[ours].front() == atomic_lock) return true;\n", ""),
    ("an access with more locks replaces one with fewer", "judge.cpp", "      } else if (weaker && t >= kept_before && held_locks.part_of(with, o.locks)) {\n        lost = both;\n      }", "      } else if (weaker && t >= kept_before) {\n        lost = both;\n      }"),
    ("memory given out again is old", "heap.cpp", "  clear_shadow(start, size);\n", ""),
    ("a free is nothing", "heap.cpp", "  if (judged > 0) the.free(start, size, code);\n", ""),
    ("stacks of ended branches are remembered", "judge.hpp", "    if (i == nullptr || (address >= stack_low_ && address < i->frame)) return nullptr;", "    if (i == nullptr) return nullptr;"),
    ("releases on the stack outlive their strand", "hooks.cpp", "  if (releases_on_stack()) forget_stack_counts(stack_low, o.fork.frame);\n", ""),
    ("what is done once gives no order", "counts.cpp", "  the.time.after(*d.end, d.first, d.last);\n", ""),
    ("one reader stands for others after a thing was done once", "counts.cpp", "  the.time.make_irregular();\n  d.end = the.time.here();", "  d.end = the.time.here();"),
    ("what is done once stands for what was done before it", "counts.cpp", "the.keep_before(inside());", "the.keep_before(0);"),
    ("a release is part of a later one, always", "counts.cpp", "(p.inside == 0 || p.inside == inside) && ", ""),
    ("the last owner is not after the others", "counts.cpp", "  for (const point* const p : at->second) the.time.after(*p);\n  free_points(at->second);\n  b.releases.erase(at);", "  free_points(at->second);\n  b.releases.erase(at);"),
    ("variables of the thread are shared", "owners.cpp", "    if (address - ranges[i].start < ranges[i].size) return true;\n", ""),
    ("what variables of the thread own is shared", "owners.cpp", "belongs_to_thread(b->start, frame));", "false);"),
]


def check():
    return [f"{name}: its text is {(FOLDER / file).read_text().count(old)} times in {file}, not once"
            for name, file, old, _ in MUTANTS if (FOLDER / file).read_text().count(old) != 1]


def compiled(where, sources):
    """The objects of these files, whose tree begins at `where`."""
    objects = []
    for source in sources:
        objects.append(where / f"{source.stem}.o")
        subprocess.run([COMPILER, "-std=c++20", "-O0", "-w", "-fPIC", "-DHEIST_RACE", "-DHEIST_STATIC", f"-I{where}", f"-I{ROOT}",
                        "-c", str(source), "-o", str(objects[-1])], check=True)
    return objects


def in_pieces(copy):
    """One file for each of the groups in which cmake/race.cmake has the sources compiled."""
    text = (ROOT / "cmake" / "race.cmake").read_text()
    pieces = []
    for group in ("detector", "entry"):
        names = re.search(rf"set\({group}_sources(.*?)\)", text, re.S).group(1).split()
        pieces.append(copy / f"{group}_whole.cpp")
        pieces[-1].write_text("".join(f'#include "{pathlib.Path(n).name}"\n' for n in names))
    return pieces


def build(where, plain, tests, library, mutant):
    _, file, old, new = mutant
    copy = where / "analysis" / "race"
    copy.mkdir(parents=True)
    for source in FOLDER.glob("*.?pp"):
        (copy / source.name).write_text(source.read_text().replace(old, new) if source.name == file else source.read_text())
    if file.endswith(".hpp"):  # all of the detector, in two pieces, which compile much faster than forty
        mutated, others = compiled(where, in_pieces(copy)), []
    else:
        mutated = compiled(where, [copy / file] if file else [])
        others = [o for o in plain if o.stem not in {m.stem for m in mutated}]
    for program, objects in tests.items():
        subprocess.run([COMPILER, *map(str, [*objects, *mutated, *others, library]), "-pthread", "-ldl", "-lhwloc",
                        "-o", str(where / program)], check=True)


def caught_by(where, programs):
    for command in (["race_oracle", str(programs)], ["race_cases"]):
        for question in ([{}, {"HEIST_RACE": "determinacy"}] if command[0] == "race_oracle" else [{}]):
            try:
                done = subprocess.run([str(where / command[0]), *command[1:]], capture_output=True, text=True, timeout=300,
                                      env=dict(os.environ, **question))
            except subprocess.TimeoutExpired:
                return f"{command[0]}: it does not end"
            if done.returncode != 0:
                return f"{command[0]}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.returncode}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.format_help = lambda: __doc__
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("--only", default="")
    parser.add_argument("--from", dest="first", default="")
    parser.add_argument("--programs", type=int, default=1500)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    problems = check()
    if problems or args.check:
        print("\n".join(problems) if problems else f"{len(MUTANTS)} mutants of the detector fit its code")
        return bool(problems)
    tests = {p: sorted((args.build / "tests" / "race" / "CMakeFiles" / f"{p}.dir").glob("*.o")) for p in ("race_cases", "race_oracle")}
    survivors = 0
    plain_folder = tempfile.TemporaryDirectory()
    plain = compiled(pathlib.Path(plain_folder.name), sorted(FOLDER.glob("*.cpp")))
    begin = next((i for i, m in enumerate(MUTANTS) if args.first in m[0]), len(MUTANTS))
    for mutant in [("as built", "", "", "")] + [m for m in MUTANTS[begin:] if args.only in m[0]]:
        with tempfile.TemporaryDirectory() as folder:
            build(pathlib.Path(folder), plain, tests, args.build / "libheist_race.a", mutant)
            seen = caught_by(pathlib.Path(folder), args.programs)
        good = bool(seen) != (mutant[0] == "as built")
        survivors += not good
        print(f"{mutant[0]:<60} {seen or 'nothing found'}{'' if good else '   BAD'}", flush=True)
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
