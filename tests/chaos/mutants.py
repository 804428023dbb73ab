"""The mutants of tests/model as changes of the real code: script/mutants builds and runs them.

A mutant is a few replacements in heist/, made in a copy of the files: what is not shipped need not be read by those who
read the core. Each text to be replaced must occur exactly once, so that a mutant cannot rot unnoticed. Where the
mutant's window is not at one of chaos's steps, the replacement adds one.
"""

from dataclasses import dataclass, field

DEQUE = "heist/deque/deque.hpp"
FENCE = "heist/fence/fence.cpp"
JOIN = "heist/join.hpp"
BOOKS = "heist/sched/scope_books.cpp"
BOOKS_HPP = "heist/sched/scope_books.hpp"
CHILD = "heist/sched/this_child.cpp"
CHILD_HPP = "heist/sched/this_child.hpp"
SCOPE_WAIT = "heist/sched/scope_wait.cpp"
SEARCH = "heist/sched/search.cpp"
ROBBERY = "heist/sched/robbery.cpp"
SEAT = "heist/strand/seat.hpp"
FORK = "heist/sched/fork.cpp"
REQUESTS = "heist/sched/fork.cpp"
SEATS = "heist/sched/seats.cpp"
SERVICE = "heist/sched/service.cpp"
CALLERS = "heist/sched/callers.cpp"
ARRIVALS = "heist/sched/arrivals.cpp"
ARRIVALS_HPP = "heist/sched/arrivals.hpp"
SPAWNED = "heist/sched/spawned.cpp"
IDLE = "heist/sleep/idle.cpp"
WAIT = "heist/sched/wait.cpp"
SCHEDULER = "heist/sched/scheduler.cpp"
ROSTER = "heist/sched/roster.cpp"
MUTEX = "heist/mutex.cpp"


# Protocols between machines: mutants of the code are in tests/cluster/mutants.py.
BETWEEN_MACHINES = {"cluster", "cluster_orphans", "cluster_driver", "cluster_lost", "cluster_best"}


@dataclass
class Mutant:
    name: str
    models: list             # (model, mutant) rows of script/model that are this change
    program: str             # what catches it: "deque", or a part of pool_program; "tsan": deque_program under TSan
    edits: list              # (file, text, text instead)
    quick: bool = False
    survives: str = ""       # why it cannot be caught here; it is run a little all the same
    harmless: bool = False   # the model says so: then it must survive
    first: list = field(default_factory=list)  # seeds that have caught it before: tried before the others
    thieves: int = 2         # for deque_program
    env: dict = field(default_factory=dict)


MUTANTS = []


def mutant(name, models, program, *edits, **more):
    MUTANTS.append(Mutant(name, models, program, list(edits), **more))


# The deque -----------------------------------------------------------------------------------------------------------

HEAVY = "    if (!heavy_fence()) return {steal_result::unfenced};\n"
FENCED = "    chaos::step(chaos::at::fenced);\n"
RAISE = "    d_.raise_guard(b - here + 1);\n    chaos::step(chaos::at::guarded);\n"
LOWER = ("        const bool lowered = d_.guard_.compare_exchange_strong(guard, b - older + to.shared(), "
         "std::memory_order_acquire,\n" + 63 * " " + "std::memory_order_acquire);\n")
MOVED = ("      if (d_.top_.compare_exchange_strong(at, to, std::memory_order_seq_cst, std::memory_order_relaxed))\n"
         "        return older > 0 ? outcome::ours : outcome::last;\n")

mutant("no_fence", [("deque", "NO_FENCE")], "deque", (DEQUE, HEAVY, ""), quick=True)
mutant("weak_fence", [("deque", "NO_FENCE")], "deque", (DEQUE, HEAVY, "    full_fence();\n"))
mutant("no_raise", [("deque", "NO_RAISE")], "deque", (DEQUE, RAISE, ""), quick=True)
mutant("raise_late", [("deque", "RAISE_LATE")], "deque", (DEQUE, RAISE, ""), (DEQUE, FENCED, FENCED + RAISE))
mutant("bottom_early", [("deque", "BOTTOM_EARLY")], "deque",
       (DEQUE, "    if (at.above(d_.bottom_.load(std::memory_order_acquire)) <= 0) return {steal_result::empty, nullptr, true};\n", ""))
WAITS = "".join(f"    chaos::step(chaos::at::{place});\n" for place in ("guarded", "item_seen", "claimed", "growing"))
mutant("top_reread", [("deque", "TOP_REREAD")], "deque",
       (DEQUE, "    const boundary at = d_.top_.load(std::memory_order_acquire);\n    if (at.shared() > 0) return claim(at, note);\n"
               "    const index b =",
        "    boundary at = d_.top_.load(std::memory_order_acquire);\n    if (at.shared() > 0) return claim(at, note);\n"
        "    const index b ="),
       (DEQUE, FENCED, FENCED + WAITS + "    at = d_.top_.load(std::memory_order_acquire);\n"), thieves=3)
mutant("second_item", [("deque", "SECOND_ITEM")], "deque",
       (DEQUE, RAISE, "    const bool second = at.place() == second_;\n    if (!second) d_.raise_guard(b - here + 1);\n"
                      "    chaos::step(chaos::at::guarded);\n"),
       (DEQUE, HEAVY, "    if (!second && !heavy_fence()) return {steal_result::unfenced};\n"),
       (DEQUE, "    return {steal_result::stolen, without_tag(found), false, is_tagged(found)};\n",
        "    second_ = at.next().place();\n    return {steal_result::stolen, without_tag(found), false, is_tagged(found)};\n"),
       (DEQUE, "  deque& d_;\n};\n\n}  // namespace",
        "  static inline thread_local std::size_t second_ = ~std::size_t{0};\n  deque& d_;\n};\n\n}  // namespace"))
mutant("guard_early", [("deque", "GUARD_EARLY")], "deque",
       (DEQUE, "    // order[deque.publish]: a thief that sees this bottom sees the items above it, as if it had seen their push\n",
        "    const index guard = d_.guard_.load(std::memory_order_relaxed);\n    chaos::step(chaos::at::lowering);\n"),
       (DEQUE, "    const bool ours = d_.guard_.load(std::memory_order_relaxed) <= b;\n", "    const bool ours = guard <= b;\n"))
mutant("no_third_case", [("deque", "NO_THIRD_CASE")], "deque",
       (DEQUE, "      if (older < 0) return outcome::stolen;\n", "      if (older != 0) return outcome::stolen;\n"), quick=True)
mutant("not_raised_again", [("deque", "NOT_RAISED_AGAIN")], "deque",
       (DEQUE, "    d_.raise_guard(b + 1);\n    chaos::step(chaos::at::settled);\n", "    chaos::step(chaos::at::settled);\n"))
mutant("lowered_by_store", [("deque", "LOWERED_BY_STORE")], "deque",
       (DEQUE, MOVED, "      if (older > 0) {\n        d_.top_.store(to, std::memory_order_seq_cst);\n        return outcome::ours;\n"
                      "      }\n" + MOVED), quick=True)
mutant("guard_by_store", [("deque", "GUARD_BY_STORE")], "deque",
       (DEQUE, LOWER, WAITS + "        const bool lowered = true;\n"
                      "        d_.guard_.store(b - older + to.shared(), std::memory_order_relaxed);\n"), thieves=3,
       survives="a thief must see a bottom that is two stores old, and chaos holds one back")
mutant("guard_after_top", [("deque", "GUARD_AFTER_TOP")], "deque",
       (DEQUE, "    index guard = d_.guard_.load(std::memory_order_acquire);\n"
               "    boundary at = d_.top_.load(std::memory_order_relaxed);\n",
        "    boundary at = d_.top_.load(std::memory_order_relaxed);\n" + WAITS +
        "    index guard = d_.guard_.load(std::memory_order_acquire);\n"), thieves=3,
       survives="a thief must see a bottom that is two stores old, and chaos holds one back")
mutant("guard_late", [("deque", "GUARD_LATE")], "deque",
       (DEQUE, LOWER, "        const bool lowered = true;\n"),
       (DEQUE, MOVED, MOVED.replace("        return older", "      {\n        chaos::step(chaos::at::growing);\n"
                                    "        if (older > 0) d_.guard_.store(guard, std::memory_order_relaxed);\n"
                                    "        return older") + "      }\n"))
mutant("shared_unguarded", [("deque", "SHARED_UNGUARDED")], "deque", (DEQUE, "      d_.raise_guard(b - here + wanted);\n", ""))
mutant("share_guarded_by_store", [("deque", "SHARE_GUARDED_BY_STORE")], "deque",
       (DEQUE, "      d_.raise_guard(b - here + wanted);\n",
        "      chaos::step(chaos::at::growing);\n      d_.guard_.store(b - here + wanted, std::memory_order_relaxed);\n"))
mutant("two_by_top", [("deque", "TWO_BY_TOP")], "deque", survives="no code: claim() takes one item at a time")
mutant("claim_by_top", [("deque", "CLAIM_BY_TOP")], "deque", survives="no code: the top has no word of its own")
mutant("note_early", [("deque", "NOTE_EARLY")], "deque",
       (DEQUE, FENCED, FENCED + "    note(at);\n    chaos::step(chaos::at::item_seen);\n"),
       (DEQUE, "    note(at);\n    chaos::step(chaos::at::claiming);\n",
        "    if (at.shared() > 0) note(at);\n    chaos::step(chaos::at::claiming);\n"))
mutant("relaxed_publish", [("deque", "RELAXED_PUBLISH"), ("idle", "RELAXED_PUBLISH")], "tsan",
       (DEQUE, "d_.bottom_.store(b + 1, std::memory_order_release);", "d_.bottom_.store(b + 1, std::memory_order_relaxed);"))
mutant("relaxed_grow", [("deque", "RELAXED_GROW")], "tsan",
       (DEQUE, "ring_.store(&r, std::memory_order_release);", "ring_.store(&r, std::memory_order_relaxed);"))
mutant("relaxed_share", [("deque", "RELAXED_SHARE")], "tsan",
       (DEQUE, "compare_exchange_weak(at, to, std::memory_order_seq_cst, std::memory_order_relaxed)",
        "compare_exchange_weak(at, to, std::memory_order_relaxed, std::memory_order_relaxed)"))
mutant("raised_unmarked", [("deque", "RAISED_UNMARKED")], "deque",
       (DEQUE, "      if (d_.lowered_at_.get() == b - here) to = to.with_mark();\n", ""),
       survives="the owner must come back to the same word while a thief stands still; tests/deque/deque_test.cpp makes it do so")
mutant("several_though_marked", [("deque", "SEVERAL_THOUGH_MARKED")], "deque",
       (DEQUE, "    const index n = at.marked() ? 1 : std::max", "    const index n = std::max"),
       survives="the owner must come back to the same word twice; tests/deque/deque_test.cpp makes it do so")
mutant("several_under_one_guard", [("deque", "SEVERAL_UNDER_ONE_GUARD")], "deque",
       (DEQUE, "    d_.raise_guard(b - here + wanted);\n    chaos", "    d_.raise_guard(b - here + 1);\n    chaos"))
mutant("several_unseen", [("deque", "SEVERAL_UNSEEN")], "deque",
       (DEQUE, "    if (left <= 0) return {steal_result::empty, 0, true};\n", ""),
       (DEQUE, "claim_several(at, std::min(wanted, left), into, note)", "claim_several(at, left > wanted ? wanted : wanted, into, note)"))
mutant("several_by_top", [("deque", "SEVERAL_BY_TOP")], "deque",
       (DEQUE, "    chaos::step(chaos::at::several_seen);\n",
        "    chaos::step(chaos::at::several_seen);\n    const std::size_t first = at.place();\n"
        "    at = d_.top_.load(std::memory_order_acquire);\n    if (at.place() != first || at.marked()) return {steal_result::lost};\n"))
mutant("bottom_from_register", [("deque_round_trip", "BOTTOM_FROM_REGISTER")], "joins",
       (DEQUE, "  // Owner only. True if one more push has a slot.\n",
        "  index bottom() const noexcept { return d_.bottom_.load(std::memory_order_relaxed); }\n"
        "  void restore(index b) noexcept {\n    d_.bottom_.store(b, std::memory_order_relaxed);\n"
        "    chaos::step(chaos::at::settled);\n  }\n\n  // Owner only. True if one more push has a slot.\n"),
       (JOIN, "  auto left = [&]() __attribute__((always_inline)) -> value_of<F> {\n",
        "  const auto kept_bottom = w.jobs.owner().bottom();\n"
        "  auto left = [&]() __attribute__((always_inline)) -> value_of<F> {\n"),
       (JOIN, "  // The strand may be on another worker now.",
        "  if (this_worker() == &w) w.jobs.owner().restore(kept_bottom);\n  // The strand may be on another worker now."))

# The limit and the requests -------------------------------------------------------------------------------------------

LIMIT = "    const bool below_limit = b + 1 <= d_.limit_.load(std::memory_order_relaxed);\n"
PUBLISH = "    // order[deque.publish]: the thief that sees this bottom sees the slot and what it points to\n"
ASK = "    requests.fetch_or(static_cast<unsigned>(r), std::memory_order_seq_cst);\n"

mutant("limit_before_bottom", [("deque_limit", "LIMIT_BEFORE_BOTTOM"), ("idle", "HINT_BEFORE_PUSH")], "wakes",
       (DEQUE, LIMIT, ""),
       (DEQUE, PUBLISH, LIMIT + "    chaos::step(chaos::at::light_fence);\n" + PUBLISH))
mutant("requests_not_reread", [("deque_limit", "REQUESTS_NOT_REREAD")], "wakes",
       (REQUESTS, "  if (s.requests.load(std::memory_order_seq_cst) != 0) s.jobs.trip();\n", ""))
mutant("limit_before_request", [("deque_limit", "LIMIT_BEFORE_REQUEST")], "wakes",
       (SEAT, ASK + "    chaos::step(chaos::at::asked);\n    jobs.trip();\n",
        "    jobs.trip();\n    chaos::step(chaos::at::asked);\n" + ASK))
mutant("withdrawn_late", [("deque_limit", "WITHDRAWN_LATE")], "wakes",
       (REQUESTS, "    s.withdraw(request::wake);\n    chaos::step(chaos::at::withdrawn);\n    pool.seats.rouse_one();\n",
        "    pool.seats.rouse_one();\n    chaos::step(chaos::at::withdrawn);\n    s.withdraw(request::wake);\n"))
mutant("asker_without_fence", [("deque_limit", "ASKER_WITHOUT_FENCE"), ("idle", "NO_FENCE")], "wakes",
       (SEARCH, "    full_fence();\n  } else if (!heavy_fence()) {\n", "  } else if (false) {\n"))
# A kernel without membarrier; and a store of bottom that is held until the requests have been read.
NO_MEMBARRIER = [
    (FENCE, "return ::syscall(SYS_membarrier, command, 0, 0) == 0;", "return command < 0;"),
    (DEQUE, "    chaos::step(chaos::at::pushed);\n", "    if (below_limit) chaos::step(chaos::at::pushed);\n"),
    (REQUESTS, "  if (asked != 0 && (asked & ~standing) == 0 &&",
     "  chaos::step(chaos::at::pushed);\n  if (asked != 0 && (asked & ~standing) == 0 &&"),
]
mutant("no_membarrier", [], "wakes", *NO_MEMBARRIER, harmless=True)
mutant("pusher_without_fence", [("deque_limit", "PUSHER_WITHOUT_FENCE")], "wakes",
       (REQUESTS, "  if (pool.fences.pushers_fence()) full_fence();\n", ""), *NO_MEMBARRIER)

# Suspend and resume ---------------------------------------------------------------------------------------------------

mutant("publish_before_switch", [("suspend", "PUBLISH_BEFORE_SWITCH")], "joins",
       (FORK, "    const bool left = suspend(\n", """\
    struct early {
      stack* mine;
      bool parked;
    } e{w.parked, park(w)};
    const bool left = suspend(
"""),
       (FORK, """\
          auto& self = *static_cast<waiter*>(p);
          stack& mine = *self.parked;
          return park(self) ? nullptr : resumed(mine);
        },
        &w);
""", """\
          auto& self = *static_cast<early*>(p);
          return self.parked ? nullptr : resumed(*self.mine);
        },
        &e);
"""))
mutant("not_displaced", [("suspend", "NOT_DISPLACED")], "joins",
       (FORK, "job::parked(word) ? *waiter_in(word).displaced : *reinterpret_cast", "*reinterpret_cast"))
mutant("park_by_store", [("suspend", "PARK_BY_STORE")], "joins",
       (FORK, """\
  return w.branch->word.compare_exchange_strong(pending, parked_word(w), std::memory_order_seq_cst,
                                                std::memory_order_acquire);
""", """\
  static_cast<void>(pending);
  w.branch->word.store(parked_word(w), std::memory_order_release);
  return true;
"""))
mutant("parked_read_before_exchange", [("suspend", "PARKED_READ_BEFORE_EXCHANGE")], "joins",
       (FORK, "branch.word.exchange(outcome | left, std::memory_order_acq_rel);\n",
        "branch.word.load(std::memory_order_acquire);\n  chaos::step(chaos::at::finishing);\n"
        "  branch.word.store(outcome | left, std::memory_order_release);\n"))
mutant("touched_after_exchange", [("suspend", "TOUCHED_AFTER_EXCHANGE")], "joins",
       (FORK, "  if (!job::parked(was)) return nullptr;\n",
        "  branch.word.store(outcome, std::memory_order_relaxed);\n  if (!job::parked(was)) return nullptr;\n"))
mutant("root_posted_anyway", [("suspend", "ROOT_POSTED_ANYWAY")], "roots",
       (CALLERS, "  if (now.exchange(stage::ended, std::memory_order_acq_rel) == stage::blocked) {\n",
        "  now.exchange(stage::ended, std::memory_order_acq_rel);\n  chaos::step(chaos::at::root_ending);\n  {\n"),
       first=["1", "20"])
mutant("root_blocked_by_store", [("suspend", "ROOT_BLOCKED_BY_STORE")], "roots",
       (CALLERS, """\
  chaos::step(chaos::at::going_home);
  stage before = stage::running;
""", """\
  if (now.load(std::memory_order_acquire) == stage::ended) return false;
  chaos::step(chaos::at::going_home);
"""),
       (CALLERS, """\
  return now.compare_exchange_strong(before, stage::blocked, std::memory_order_acq_rel, std::memory_order_acquire);
""", """\
  now.store(stage::blocked, std::memory_order_release);
  return true;
"""), first=["32", "6"])

# Who sleeps, who searches ---------------------------------------------------------------------------------------------

ALL_REST = "guests_.load(std::memory_order_seq_cst) == 0 && pool_.injected.empty()"

mutant("no_second_look", [("idle", "NO_SECOND_LOOK")], "wakes",
       (SEARCH, "  return work_in_sight();\n", "  return false;\n"))
mutant("looked_before_listed", [("idle", "LOOKED_BEFORE_LISTED")], "wakes",
       (SEARCH, "  chaos::step(chaos::at::lying_down);\n",
        "  const bool seen = ask_and_look();\n  chaos::step(chaos::at::lying_down);\n"),
       (SEARCH, "if (!roused && (ask_and_look() ||", "if (!roused && (seen ||"))
mutant("borrowed_says_nothing", [("idle", "BORROWED_SAYS_NOTHING")], "holder",
       (SEARCH, "    pool_.seats.rouse_one();\n    if (pool_.any_queued", "    if (pool_.any_queued"))
mutant("returned_silently", [("idle", "RETURNED_SILENTLY")], "one_seat",
       (SEATS, "  if (pool_.sleepers.searching() > 0) return false;\n", ""),
       (SEATS, "  return !nothing_to_do && pool_.search.ask_and_look() && rouse_one(where);\n", "  static_cast<void>(nothing_to_do), static_cast<void>(where);\n  return false;\n"))
mutant("searcher_seen_before_listed", [("idle", "SEARCHER_SEEN_BEFORE_LISTED")], "homecomings",
       (SEATS, "      pool_.sleepers.add_asleep(t);\n    }\n",
        "      seen = pool_.sleepers.searching() > 0;\n      chaos::step(chaos::at::seat_returned);\n"
        "      pool_.sleepers.add_asleep(t);\n    }\n"),
       (SEATS, "  {\n    const std::lock_guard hold(lock_);\n    pool_.service.end_relief();\n",
        "  bool seen = false;\n  {\n    const std::lock_guard hold(lock_);\n    pool_.service.end_relief();\n"),
       (SEATS, "  return rouse_if_needed(where);\n", "  return !seen && rouse_if_needed(where);\n"))
mutant("guests_forgotten", [("idle", "GUESTS_FORGOTTEN")], "one_seat",
       (SEATS, ALL_REST, "pool_.injected.empty()"))
mutant("nap_ends_unseeing", [("idle", "NAP_ENDS_UNSEEING")], "wakes",
       (SEARCH, "if (!roused && (ask_and_look() ||", "if (!roused && nap == 0 && (ask_and_look() ||"))
mutant("injected_forgotten", [("idle", "INJECTED_FORGOTTEN")], "injected",
       (SEATS, ALL_REST, "guests_.load(std::memory_order_seq_cst) == 0"))
mutant("nobody_roused_next", [("idle", "NOBODY_ROUSED_NEXT")], "injected",
       (SEARCH, "if (pool_.sleepers.end_search()) pool_.seats.rouse_one();", "static_cast<void>(pool_.sleepers.end_search());"),
       (SEARCH, "  if (pool_.any_queued() && pool_.sleepers.searching() == 0)", "  if (pool_.waits.any_ready() && pool_.sleepers.searching() == 0)"),
       env={"HEIST_WORKERS": "2"})
mutant("nobody_asked_to_sign", [("idle", "NOBODY_ASKED_TO_SIGN")], "wakes",
       (SEARCH, "  if (pool_.sleepers.anybody_asleep())\n    t.at.get()->ask(request::wake);\n  else if (", "  if ("))
mutant("stock_unseen", [("idle", "STOCK_UNSEEN")], "bursts",
       (SEARCH, " || pool_.stocked.any();", ";"))
mutant("stocked_late", [("idle", "STOCKED_LATE")], "bursts",
       (ROBBERY, "  if (size_ > 1) keep_all_but_first();\n",
        "  if (size_ > 1) {\n    if (pool_.sleepers.end_search()) pool_.seats.rouse_one();\n"
        "    chaos::step(chaos::at::stocking);\n    keep_all_but_first();\n    pool_.sleepers.begin_search();\n  }\n"),
       survives="the thief searches again for a moment, and wakes a sleeper when it stops")
mutant("not_asked_again", [("idle", "NOT_ASKED_AGAIN")], "books",
       (IDLE, "  if (searching() > 0) return nullptr;\n  sleeper* const", "  sleeper* const"))
mutant("roused_for_nothing", [("idle", "ROUSED_FOR_NOTHING")], "rest",
       (SEARCH, "  if (!roused) pool_.outside.lies_down();",
        "  else if (!roused) pool_.seats.rouse_one();\n  if (!roused) pool_.outside.lies_down();"))
mutant("uncounted_before_listed", [("idle", "UNCOUNTED_BEFORE_LISTED")], "wakes",
       (IDLE, "  add_asleep(s, how);\n  chaos::step(chaos::at::listed);\n", ""),
       (IDLE, "  searching_.fetch_sub(1, std::memory_order_seq_cst);\n",
        "  searching_.fetch_sub(1, std::memory_order_seq_cst);\n  chaos::step(chaos::at::listed);\n  add_asleep(s, how);\n"),
       harmless=True)

# A changing number of workers ------------------------------------------------------------------------------------------

mutant("left_by_a_hint", [("resize", "LEFT_BY_A_HINT")], "sizes",
       (ROSTER, "  if (!too_many()) return false;\n  serving_", "  serving_"),
       (SERVICE, "  const std::lock_guard hold(pool_.seats.lock());\n  if (!leaves(t)) return false;\n",
        "  const std::lock_guard hold(pool_.seats.lock());\n  static_cast<void>(leaves(t));\n"))
mutant("left_silently", [("resize", "LEFT_SILENTLY")], "sizes",
       (WAIT, "  pool.seats.rouse_one();  // one that lies down may have seen neither\n", ""),
       (WAIT, "  w.queue_up(s);\n  urge(pool, resumer::other);\n", "  w.queue_up(s);\n"))
mutant("reserve_before_home", [("resize", "RESERVE_BEFORE_HOME")], "sizes",
       (SERVICE, "  t.retired.set(true);\n  return true;\n", "  t.retired.set(true);\n  roster_.add(t);\n  return true;\n"),
       (SERVICE, "    t.retired.set(false);\n    roster_.add(t);\n", "    t.retired.set(false);\n"))
mutant("retired_silently", [("resize", "RETIRED_SILENTLY")], "sizes",
       (SEARCH, "    if (t.searching.replace(false)) end_search();\n    return {};\n",
        "    if (t.searching.replace(false)) static_cast<void>(pool_.sleepers.end_search());\n    return {};\n"),
       survives="a strand must be queued after the other thread has looked for the last time, and before this one leaves")
mutant("up_without_list", [("resize", "UP_WITHOUT_LIST")], "sizes",
       (IDLE, "  if (take_out([&](sleeper& other) { return &other == &s; }) == nullptr) return false;\n",
        "  take_out([&](sleeper& other) { return &other == &s; });\n"))
mutant("recruited_blindly", [("resize", "RECRUITED_BLINDLY")], "sizes",
       (SERVICE, "  if (more) pool_.seats.rouse_if_needed(spot::beside);\n", ""))
mutant("dismissed_though_roused", [("resize", "DISMISSED_THOUGH_ROUSED")], "sizes",
       (SERVICE, "    if (t == nullptr) t = static_cast<pool_thread*>(pool_.sleepers.borrow());\n    if (t == nullptr) return;\n",
        "    if (t == nullptr) t = static_cast<pool_thread*>(pool_.sleepers.borrow());\n    if (t == nullptr) return;\n"
        "    t->bed.post();\n"))

# The scope's counters -------------------------------------------------------------------------------------------------

PARKED = """\
  return suspend(
      [](void* p) -> stack* {
        const parked left = *static_cast<parked*>(p);
        return left.of.expect_last_at(left.mine) ? resumed(left.mine) : nullptr;
      },
      &me);
"""

mutant("stolen_read_after", [("scope", "STOLEN_READ_AFTER")], "scopes",
       (ARRIVALS, "  const bool all_here = balance_.fetch_sub(all, std::memory_order_acq_rel) == all;\n",
        "  const std::int64_t before = balance_.fetch_sub(all, std::memory_order_acq_rel);\n"),
       (ARRIVALS, "  return all_here;\n", "  return before == stolen_ + awake;\n"))
mutant("reckoned_before_switch", [("scope", "RECKONED_BEFORE_SWITCH")], "scopes", (SCOPE_WAIT, PARKED, """\
  struct early {
    stack& mine;
    bool last;
  } e{me.mine, arrivals_.expect_last_at(me.mine)};
  return suspend(
      [](void* p) -> stack* {
        auto& self = *static_cast<early*>(p);
        return self.last ? resumed(self.mine) : nullptr;
      },
      &e);
"""))
mutant("parked_written_late", [("scope", "PARKED_WRITTEN_LATE")], "scopes",
       (ARRIVALS, "  parked_ = &parked;\n  return expect_last();\n",
        "  const bool last = expect_last();\n  parked_ = &parked;\n  return last;\n"))
mutant("balance_reset_early", [("scope", "BALANCE_RESET_EARLY")], "scopes",
       (SCOPE_WAIT, "  if (arrivals_.all_here() ||", "  arrivals_.reset_early();\n  if (arrivals_.all_here() ||"),
       (ARRIVALS_HPP, "  void reset() noexcept;\n",
        "  void reset() noexcept;\n  void reset_early() noexcept { balance_.store(awake, std::memory_order_relaxed); }\n"))
# Children that other strands spawn.
COUNT = "  arrivals_.count();\n  const apart parents;"
UNCOUNTED = "  const apart parents;"
mutant("unbiased", [("scope", "UNBIASED")], "scopes",
       (ARRIVALS_HPP, "awake = std::int64_t{1} << 48;", "awake = 0;"))
mutant("counted_late", [("scope", "COUNTED_LATE")], "scopes",
       (BOOKS, COUNT, UNCOUNTED),
       (CHILD, "    begin_own_clock();\n    return forked::counted;\n",
        "    begin_own_clock();\n    chaos::step(chaos::at::arriving);\n    child_here().owner.count_late();\n"
        "    return forked::counted;\n"),
       (BOOKS_HPP, "  part made_by() const noexcept { return made_by_; }\n",
        "  part made_by() const noexcept { return made_by_; }\n"
        "  void count_late() noexcept { arrivals_.count(); }\n"))
mutant("counted_by_thief", [("scope", "COUNTED_BY_THIEF")], "scopes",
       (BOOKS, COUNT, UNCOUNTED),
       (BOOKS, "    if (arrivals_.arrive() != nullptr)  // its parent continues, and is counted\n",
        "    if (false)\n"),
       (SPAWNED, "  begin_measured_continuation(depth_of(*parent, &record));\n",
        "  else {\n    chaos::step(chaos::at::arriving);\n    record.owner->arrivals_.count();\n  }\n"
        "  begin_measured_continuation(depth_of(*parent, &record));\n"))
mutant("record_read_late", [("scope", "RECORD_READ_LATE")], "scopes",
       (CHILD_HPP, "  return end_child(how);\n}\n",
        "  this_seat()->running.get()->part_of.set({record.owner, record.number});\n  return end_child(how);\n}\n"),
       (CHILD_HPP, "#include <heist/stack/stack.hpp>\n", "#include <heist/stack/stack.hpp>\n#include <heist/strand/seat.hpp>\n"))
mutant("robbed_child_counts", [("scope", "ROBBED_CHILD_COUNTS")], "scopes",
       (SPAWNED, "record.owner->arrivals_.expect();\n", "{\n  }\n"),
       (CHILD, "  if (this_worker()->jobs.owner().settle()) return to_caller();\n",
        "  if (this_worker()->jobs.owner().settle()) return to_caller();\n  child_here().owner.arrivals_.expect();\n"), quick=True)
mutant("pushed_before_switch", [("scope", "PUSHED_BEFORE_SWITCH")], "scopes",
       (BOOKS, "  if (!enter_child(s, mine, {&owner, child.number}, child, body)) [[unlikely]] return no_stack(s);\n",
        "  child.parent = &mine;\n  if (!s.jobs.owner().push(&child)) tripped(s);\n"
        "  if (!enter_child(s, mine, {&owner, child.number}, child, body)) [[unlikely]] return no_stack(s);\n"),
       (CHILD_HPP, """\
  if (w.jobs.owner().push(&child)) [[likely]] return forked::lightly;
""", ""),
       (CHILD, "  tripped(w);\n  wait::give_way();\n", "  static_cast<void>(w);\n  wait::give_way();\n"),
       (BOOKS, "  call_child(*s, *mine, fresh, {this, child.number}, child, body);\n",
        "  child.parent = mine;\n  if (!s->jobs.owner().push(&child)) tripped(*s);\n"
        "  call_child(*s, *mine, fresh, {this, child.number}, child, body);\n"))

# Waits ---------------------------------------------------------------------------------------------------------------

REST = ("  return now_.compare_exchange_strong(before, stage::resting, std::memory_order_acq_rel, "
        "std::memory_order_acquire);\n")
RESUME = "  if (now_.exchange(stage::over, std::memory_order_acq_rel) != stage::resting) return;\n"
LEFT = "  s.left_by.store(this, std::memory_order_seq_cst);\n"
LOOKED = "  // The strand may be running again.\n  if (with_seat) give_up(s);\n"
TAKE_KEY = ("    if (left->left_by.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel, "
            "std::memory_order_relaxed)) {\n")
KEY = "    wait* const w = s.left_by.exchange(nullptr, std::memory_order_acq_rel);\n"
AGAIN = """\
    if (!s.jobs.seems_empty()) {
      s.left_by.store(w, std::memory_order_seq_cst);  // order[wait.seat]: as when it was left
      continue;
    }
"""
THINGS = "    w->mine_ = s.take_strand();\n"
NO_SEAT = "    w->seat_.store(nullptr, std::memory_order_release);\n"

mutant("rests_by_store", [("wait", "RESTS_BY_STORE")], "waits",
       (WAIT, REST, "  static_cast<void>(before);\n  now_.store(stage::resting, std::memory_order_release);\n  return true;\n"))
mutant("resumed_by_store", [("wait", "RESUMED_BY_STORE")], "waits",
       (WAIT, RESUME, "  const stage before = now_.load(std::memory_order_acquire);\n  chaos::step(chaos::at::resuming);\n"
                      "  now_.store(stage::over, std::memory_order_release);\n  if (before != stage::resting) return;\n"))
mutant("ready_while_coming", [("wait", "READY_WHILE_COMING")], "waits",
       (WAIT, RESUME, "  static_cast<void>(now_.exchange(stage::over, std::memory_order_acq_rel));\n"))
mutant("seat_late", [("wait", "SEAT_LATE")], "waits",
       (WAIT, LEFT, "  seat_.store(nullptr, std::memory_order_relaxed);\n" + LEFT),
       (WAIT, LOOKED, "  if (with_seat) w.seat_.store(&s, std::memory_order_release);\n" + LOOKED))
mutant("always_bare", [("wait", "ALWAYS_BARE")], "waits", (WAIT, "  if (s.jobs.size() == 0) {\n    seat_", "  if (true) {\n    seat_"))
mutant("taken_without_key", [("wait", "TAKEN_WITHOUT_KEY")], "waits",
       (WAIT, TAKE_KEY, "    static_cast<void>(expected);\n    chaos::step(chaos::at::giving_up);\n"
                        "    if (left->left_by.store(nullptr, std::memory_order_relaxed), true) {\n"))
mutant("given_up_without_key", [("wait", "GIVEN_UP_WITHOUT_KEY")], "waits",
       (WAIT, KEY, "    wait* const w = s.left_by.load(std::memory_order_acquire);\n"))
mutant("not_looked_again", [("wait", "NOT_LOOKED_AGAIN")], "waits", (WAIT, KEY, "    chaos::step(chaos::at::giving_up);\n" + KEY), (WAIT, AGAIN, ""))
mutant("not_looked_after_leaving", [("wait", "NOT_LOOKED_AFTER_LEAVING")], "waits", (WAIT, LOOKED, ""))
mutant("things_late", [("wait", "THINGS_LATE")], "waits",
       (WAIT, THINGS, ""), (WAIT, NO_SEAT, NO_SEAT + "    chaos::step(chaos::at::giving_up);\n" + THINGS))
RESUMING = ("  const resuming until_all_is_done(pool.waits);  // the strand may end, its root return, and its caller destroy the "
            "pool\n  make_ready(resumer::other);\n")
mutant("resumer_not_counted", [("wait", "RESUMER_NOT_COUNTED")], "waits", (WAIT, RESUMING, "  make_ready(resumer::other);\n"))
mutant("resumer_counted_late", [("wait", "RESUMER_COUNTED_LATE")], "waits",
       (WAIT, RESUMING, "  pool.waits.put(*this, resumer::other);\n  chaos::step(chaos::at::made_ready);\n"
                        "  const resuming late(pool.waits);\n  urge(pool, resumer::other);\n"))
mutant("ends_at_once", [("wait", "ENDS_AT_ONCE")], "waits", (SCHEDULER, "  waits.await_resuming();\n", ""))

# The mutex -----------------------------------------------------------------------------------------------------------

mutant("queued_blindly", [("mutex", "QUEUED_BLINDLY")], "locks",
       (MUTEX, "    if ((s & held) == 0) {\n", "    if ((s & held) == 8) {\n"))
mutant("freed_blindly", [("mutex", "FREED_BLINDLY")], "locks",
       (MUTEX, "  while ((s & starving) == 0 && (s & (queued | awake)) != queued)\n", "  while ((s & starving) == 0)\n"))
mutant("awake_kept_in_queue", [("mutex", "AWAKE_KEPT_IN_QUEUE")], "locks",
       (MUTEX, "state_.compare_exchange_weak(s, others | queued |", "state_.compare_exchange_weak(s, s | queued |"))
mutant("awake_kept_by_holder", [("mutex", "AWAKE_KEPT_BY_HOLDER")], "locks",
       (MUTEX, "(s | held) & ~(me.is_awake ? awake : 0u)", "s | held"))
mutant("awake_while_starving", [("mutex", "AWAKE_WHILE_STARVING")], "locks",
       (MUTEX, "    if ((s & starving) != 0) return false;\n", ""),
       survives="the store that hands the mutex over loses the bit, and one more waiter is woken than need be")
mutant("handed_untold", [("mutex", "HANDED_UNTOLD")], "locks",
       (MUTEX, "      *static_cast<bool*>(next->item) = true;\n", ""))
mutant("woken_not_awake", [("mutex", "WOKEN_NOT_AWAKE")], "locks",
       (MUTEX, "(next != nullptr ? awake : s & awake)", "(s & awake)"), harmless=True)
