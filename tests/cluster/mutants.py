"""The mutants of the cluster's models as changes of the real code, and more: script/mutants --cluster builds each in a copy of
the tree and runs the tests that watch that step. Each text to be replaced must occur exactly once.
"""

from dataclasses import dataclass

AGENT = "heist/cluster/agent.cpp"
BORROWER = "heist/cluster/borrower.cpp"
DEBTS = "heist/cluster/debts.cpp"
LEDGER = "heist/cluster/ledger.cpp"
LENDER = "heist/cluster/lender.cpp"
LOANS = "heist/cluster/loans.cpp"


@dataclass
class Mutant:
    name: str
    models: list   # (model, mutant) rows of script/model that are this change
    tests: dict    # test program -> filter of its cases
    edits: list    # (file, text, text instead)


MUTANTS = []


def mutant(name, models, tests, *edits):
    MUTANTS.append(Mutant(name, models, tests, list(edits)))


# Loans ---------------------------------------------------------------------------------------------------------------

FOUND = "    if (at == out_.end() || at->second->borrower != borrower) return false;\n"
mutant("borrower_not_compared", [], {"tables": "*"}, (LOANS, FOUND, "    if (at == out_.end()) return false;\n"))
mutant("number_used_again", [("cluster", "NUMBER_USED_AGAIN")], {"members": "*number*"},
       (LOANS, "      l->number = ++last_;\n", "      l->number = last_ = out_.empty() ? 1 : last_ + 1;\n"))
mutant("home_left_in_table", [("cluster", "HOME_LEFT_IN_TABLE")], {"tables": "*"},
       (LOANS, "        at = out_.erase(at);\n", "        ++at;\n"))
mutant("death_unnoticed", [("cluster", "DEATH_UNNOTICED")], {"jobs": "*killed*:*silent*"},
       (LENDER, "  came_home_.fetch_add(loans_.close_all_of(peer, fate::lost), std::memory_order_relaxed);\n", ""))
mutant("silence_not_suspected", [], {"jobs": "*silent*", "protocol": "*suspected*"},
       (LENDER, "at - peers_.last_heard(borrower) > suspect_) {", "at < suspect_) {"))
mutant("pong_ignored", [("cluster", "PONG_IGNORED"), ("cluster", "MISSING_NOT_SAID")], {"members": "*missing*"},
       (LENDER, "  for (const std::uint64_t n : m.numbers)\n", "  for (const std::uint64_t n : std::vector<std::uint64_t>())\n"))
mutant("drain_keeps_lifeline", [], {"members": "*lifeline*"},
       (LENDER, "  const std::lock_guard hold(lock_);\n  std::erase(lifelines_, peer);\n", "  static_cast<void>(peer);\n"))
mutant("lifeline_lost", [], {"members": "*lifeline*"},
       (LENDER, "    if (!noted && lifelines_.size() < most_lifelines) lifelines_.push_back(m.from);\n", "    static_cast<void>(noted);\n"))
mutant("last_ping_not_sent", [], {"tables": "loans*"},
       (LOANS, "  for (const node_id b : std::exchange(closed_at_, {})) all[b];\n", "  closed_at_.clear();\n"))

# Debts ---------------------------------------------------------------------------------------------------------------

mutant("task_entered_twice", [], {"tables": "debts*"}, (DEBTS, "  if (place != nullptr) return nullptr;\n", ""))
mutant("not_sent_again", [("cluster", "NOT_SENT_AGAIN")], {"members": "*sent_again*"},
       (DEBTS, "        a.again.push_back({d.result, {at->first}});\n", ""))
mutant("forgotten_when_sent", [("cluster", "FORGOTTEN_WHEN_SENT")], {"members": "*sent_again*"},
       (DEBTS, "  return {d.result, d.owed_to};\n", "  for (const debt_name& n : d.owed_to) here_.erase(n);\n  return {d.result, d.owed_to};\n"))
mutant("unlisted_runs_on", [("cluster", "UNLISTED_RUNS_ON")], {"tables": "debts*"},
       (DEBTS, "      if (auto u = release(here)) unwanted.push_back(std::move(u));  // it runs for nothing", "      release(here);  // it runs for nothing"))
mutant("declines_and_is_silent", [], {"members": "*asks_anew*"},
       (BORROWER, "    } else if (silent_) {  // the lifeline", "    } else if (false) {  // the lifeline"))
mutant("no_probe", [("cluster", "NO_PROBE")], {"protocol": "*drains*"},
       (BORROWER, "    } else if (silence > 3 * watch_every) {", "    } else if (silence > suspect_) {"))
mutant("drain_forgets", [("cluster", "LEFT_UNSEEN")], {"protocol": "*drains*", "jobs": "*drains*"},
       (AGENT, "return borrower_.table().empty() && !lender_.table().any();", "return borrower_.table().running() == 0 && !lender_.table().any();"))
mutant("cancel_stops_adopted", [("cluster_orphans", "CANCEL_STOPS_ADOPTED")], {"tables": "*"},
       (DEBTS, "  return d->owed_to.empty() && !d->orphan && !d->ended ? d : nullptr;\n", "  return !d->ended ? d : nullptr;\n"))
mutant("borrowed_adopts", [("cluster_orphans", "BORROWED_ADOPTS")], {"protocol": "*adopt_itself*"},
       (LENDER, "  if (!n || (n->holder != 0 && what_for == about_to::run_borrowed)) return", "  if (!n) return"))
mutant("orphan_dropped", [], {"tables": "debts*", "jobs": "*lent_on*"},
       (DEBTS, "        keys.push_back(d->known_as);\n", ""))
mutant("impure_adopted", [], {"tables": "debts*"},
       (DEBTS, "!d->orphan && leaves_notes(d->what) && orphans_", "!d->orphan && orphans_"))

# Terms, drivers and members ------------------------------------------------------------------------------------------

mutant("term_not_compared", [("cluster_driver", "OLD_RESULT_TAKEN")], {"protocol": "*counts_once*"},
       (AGENT, "    same_term = m.of == term_ && term_.instance != 0;\n", "    same_term = term_.instance != 0;\n"))
mutant("epoch_not_compared", [("cluster_driver", "LAST_FOLLOWED")], {"members": "*two_drivers*"},
       (AGENT, " || (m.of.instance == term_.instance && m.of.epoch < term_.epoch)) return;", ") return;"))
mutant("epoch_by_store", [("cluster_driver", "EPOCH_BY_STORE")], {"jobs": "*cut_off*:*overtaken*"},
       (LEDGER, 'kvStore_Update(&revision_, b_->store, "driver", data.data(), size, over);',
        'kvStore_Put(&revision_, b_->store, "driver", data.data(), size);'))
mutant("no_last_look", [("cluster_driver", "NO_LAST_LOOK")], {"jobs": "*cut_off*"},
       (AGENT, "    case ledger::change::overtaken:\n      throw std::runtime_error(", "    case ledger::change::overtaken:\n      return;\n      throw std::runtime_error("))
mutant("mark_ignored", [("cluster_driver", "MARK_IGNORED")], {"jobs": "*notes_die*:*cut_off*"},
       (LEDGER, "  if (before.is.of.epoch > 0) {\n", "  if (before.how == NATS_OK) {\n"))
mutant("no_mark", [("cluster_driver", "NO_MARK")], {"jobs": "*notes_die*:*cut_off*"}, (LEDGER, "  mark.of.epoch = 0;\n", ""))
mutant("bucket_deleted", [("cluster_driver", "BUCKET_DELETED")], {"jobs": "*cut_off*"},
       (LEDGER, "  if (made == change::done) purge(mark.of.instance);\n", "  if (made == change::done) js_DeleteKeyValue(b_->server, name_.c_str());\n"))
mutant("error_believed", [("cluster_driver", "ERROR_BELIEVED")], {"jobs": "*server_was_away*"},
       (LEDGER, "      if (const found_entry now = look_up(); now.how == NATS_OK) {", "      if (const found_entry now = look_up(); true) {"),
       (LEDGER, "    if (wire_.connected()) {\n      const natsStatus kept", "    {\n      const natsStatus kept"))
mutant("news_not_read", [], {"jobs": "*lost_helper*"}, (LENDER, "  if (l.how != fate::lost) return", "  if (l.how == fate::lost) return {fate::home, {}};\n  if (l.how != fate::lost) return"))
mutant("root_failure_unlooked", [], {"jobs": "*overtaken_throws*"}, ("heist/cluster.hpp", "          end_root();\n          throw;", "          throw;"))
mutant("notes_stay", [], {"jobs": "*notes_die*"}, (LEDGER, "    js_PurgeStream(b_->server,", "    if (instance == 0) js_PurgeStream(b_->server,"))
mutant("lost_not_said", [("cluster_lost", "NOT_SAID")], {"members": "*gone*:*lost*"},
       (AGENT, "    m.number = peer;\n    wire_.send_all(m);\n", "    m.number = peer;\n"))
mutant("lost_said_again", [("cluster_lost", "SAID_AGAIN")], {"members": "*gone*:*lost*"},
       (AGENT, "    news = doubted_.erase(peer) == 0 && peers_", "    doubted_.erase(peer);\n    news = peers_"))
mutant("lost_said_of_the_buried", [("cluster_lost", "SAID_OF_THE_BURIED")], {"members": "*said_once*"},
       (AGENT, "    news = doubted_.erase(peer) == 0 && peers_.last_heard(peer) != 0;", "    news = doubted_.erase(peer) == 0;"))
mutant("doubt_believed", [("cluster_lost", "DOUBT_BELIEVED")], {"members": "*gone*:*lost*"}, (AGENT, "  borrower_.doubt(peer);\n", "  nobody_at(peer);\n"))
FORMER = {"jobs": "*best_values_are*"}
mutant("best_of_the_former_root", [("cluster_best", "ONE_TERM")], FORMER,
       (AGENT, "std::exchange(had_root_, true) ? term{0, random_word()} : term_;", "term_;"))
mutant("late_offers_count", [("cluster_best", "NOT_AWAITED")], FORMER,
       (AGENT, "  const bool busy = borrower_.table().running() > 0 && shared_values::any();\n", "  const bool busy = false;\n"))
mutant("best_not_forgotten", [("cluster_best", "NOT_FORGOTTEN")], FORMER,
       (AGENT, "  gossip_.forget();\n  if (!busy) return gossip_.begin({});\n", "  if (!busy) return gossip_.begin({});\n"))
mutant("best_forgotten_once", [("cluster_best", "FORGOTTEN_ONCE")], FORMER,
       (AGENT, "  gossip_.forget();\n  gossip_.begin({});\n  bool hope;\n", "  gossip_.begin({});\n  bool hope;\n"))
mutant("result_before_best", [], {"members": "*every_best_value*"},
       (AGENT, "                  if (m.what == say::result) gossip_.tell(to);  // on the same connection: it is there first\n", ""))


# Mutants of the models that are not here, and why.
NO_STEP = "no single change of the code: "
NO_TEST = "the code can be changed so, but no test brings about what shows it: "
LEFT_OUT = {
    ("cluster", "CLOSED_WITHOUT_LOCK"): "two that close one loan within a few instructions; ThreadSanitizer sees a table without its lock",
    ("cluster", "LATE_RESULT_TAKEN"): NO_STEP + "a strand is reached only through its entry in the table",
    ("cluster", "OUT_BEFORE_IT_RESTS"): NO_STEP + "the theft returns when the strand rests, and the entry is made after that",
    ("cluster", "OUT_BEFORE_IT_IS_SENT"): NO_TEST + "a ping between two statements; the model says that it does no harm to values",
    ("cluster_orphans", "ENTRY_OUTLIVES_DECLINE"): NO_TEST + "a holder that declines, and the same call once more",
    ("cluster_orphans", "ADOPTION_UNWATCHED"): NO_STEP + "an adoption is a loan in the same table: death_unnoticed is this one, too",
    ("cluster_driver", "ALL_PURGED"): NO_TEST + "two durable drivers of two instances at the same time",
    ("cluster_driver", "ANY_MARK_TAKEN"): NO_TEST + "the answer to a mark is lost while another driver of the instance marks",
    ("cluster_best", "TERM_FIRST"): NO_TEST + "a borrowed task that ends between two statements",
    ("cluster_best", "NO_REST"): NO_TEST + "a borrowed task that ends between two statements, or within the two milliseconds of a look",
    ("cluster_best", "LOOKED_AFTERWARDS"): NO_TEST + "a borrowed task that ends between two statements",
    ("cluster_best", "BORROWS_WHILE_CLEANING"): NO_TEST + "the best is found by a machine that still cleans up: seen in one run of three at most",
    ("cluster_best", "OLD_TERM_HEARD"): NO_TEST + "a value that is under way while the next root begins",
    ("cluster_best", "HEARD_WITHOUT_ROOT"): NO_TEST + "a value that arrives between reset() and the next root",
    ("cluster_lost", "BURIED_AT_ONCE"): NO_TEST + "the word of a loss overtakes an announcement",
    ("cluster_lost", "ANNOUNCED_AT_BURIAL"): NO_TEST + "the word of a loss overtakes an announcement",
}


def run(args, root, copy):
    """`copy` is a tree with a build of its own: tests/chaos/planting.py."""
    chosen = [m for m in MUTANTS if args.only in m.name]
    copy.lock()
    copy.fetch()
    copy.configure()
    programs = sorted({t for m in chosen for t in m.tests})
    build = ["ninja", "-C", str(copy.build), "-j", str(args.jobs), "cluster_program", "cluster_program_other"]
    status, said = copy.run(build + [f"cluster_{t}_test" for t in programs])
    if status != 0:
        raise SystemExit(f"script/mutants: the copy cannot be built\n{said[-2000:]}")
    bad = 0
    for m in chosen:
        originals = {file: (copy.tree / file).read_text() for file, _, _ in m.edits}
        try:
            for file, old, new in m.edits:
                (copy.tree / file).write_text((copy.tree / file).read_text().replace(old, new))
            verdict = tried(m, copy, build)
        finally:
            for file, text in originals.items():
                (copy.tree / file).write_text(text)
        bad += not verdict.startswith("caught")
        print(f"{m.name:<28} {verdict}", flush=True)
    print(f"{len(chosen)} mutants, {bad} bad")
    return int(bad > 0)


def tried(m, copy, build):
    status, said = copy.run(build + [f"cluster_{t}_test" for t in m.tests])
    if status != 0:
        return "DOES NOT COMPILE: " + said[-500:]
    for test, cases in m.tests.items():
        program = copy.build / "tests" / "cluster" / f"cluster_{test}_test"
        status, said = copy.run([str(program), f"--gtest_filter={cases}"], limit=300)
        if status is None:
            return f"caught by {test}: it does not end"
        if status != 0:
            failed = [line.split()[-3] if line.endswith("ms)") else line.split()[-1] for line in said.splitlines() if "[  FAILED  ]" in line and "." in line]
            return f"caught by {failed[0] if failed else test}"
        if "[  PASSED  ] 0 tests" in said:
            return f"NO TEST of {test} is called {cases}"
    return "SURVIVES"
