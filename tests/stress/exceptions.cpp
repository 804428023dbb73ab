// Exceptions from random branches at random depths: the one that arrives is the first in serial order, whatever the
// schedule; whatever had started has ended by then; nothing is leaked; and the pool goes on.

#include "random_program.hpp"

#include <array>
#include <atomic>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using stress::fail;
using stress::hash;

// Live instances of everything that branches carry: values, captures, exceptions.
std::atomic<int> live{0};

class token {
 public:
  explicit token(std::uint64_t d) noexcept : digest(d) { ++live; }
  token(token&& from) noexcept : digest(from.digest) { ++live; }
  ~token() { --live; }
  std::uint64_t digest;
};

struct thrown {
  explicit thrown(std::uint64_t name) noexcept : who(name) { ++live; }
  thrown(const thrown& from) noexcept : who(from.who) { ++live; }
  ~thrown() { --live; }
  const std::uint64_t who;
};

enum class kind { leaf, join_two, join_four, scope, caught, handled };

constexpr unsigned most_children = 5;

struct node {
  std::uint64_t name;
  int depth;

  std::uint64_t luck(unsigned which, std::uint64_t n) const { return hash(name + 1000 * (which + 1)) % n; }
  kind what() const {
    static constexpr kind kinds[] = {kind::leaf,  kind::join_two, kind::join_two, kind::join_four, kind::join_four,
                                     kind::scope, kind::scope,    kind::scope,    kind::caught,    kind::handled};
    return depth == 0 ? kind::leaf : kinds[luck(0, std::size(kinds))];
  }
  bool leaf_throws() const { return luck(1, 6) == 0; }
  // A scope's.
  unsigned children() const { return static_cast<unsigned>(luck(2, most_children + 1)); }
  unsigned body_throws_before() const { return static_cast<unsigned>(luck(3, 20)); }  // past the children: not at all
  unsigned syncs_before() const { return static_cast<unsigned>(luck(4, 10)); }
  bool syncs_at_end() const { return luck(5, 2) == 0; }
  bool later(unsigned i) const { return luck(6 + i, 3) == 0; }

  node child(unsigned i) const { return {hash(name ^ (i + 1)), depth - 1}; }
};

std::uint64_t combined(std::uint64_t a, std::uint64_t b) { return hash(a * 0x100000001B3ull ^ b); }

// What the serial program gives: a digest, or whose exception.
struct outcome {
  std::uint64_t digest = 0;
  std::optional<std::uint64_t> thrower;
  friend bool operator==(const outcome&, const outcome&) = default;
};

outcome serial(const node& n);

outcome serial_join(const node& n, unsigned branches) {
  outcome sum{n.name, {}};
  for (unsigned i = 0; i < branches && !sum.thrower; ++i) {
    const outcome o = serial(n.child(i));
    sum = {combined(sum.digest, o.digest), o.thrower};
  }
  return sum;
}

outcome serial_scope(const node& n) {
  outcome sum{n.name, {}};
  std::optional<std::uint64_t> first;  // of the children since the last sync
  for (unsigned i = 0; i < n.children(); ++i) {
    if (i == n.body_throws_before()) return {0, n.name};
    if (i == n.syncs_before() && first) return {0, first};
    const outcome o = serial(n.child(i));
    if (o.thrower && !first) first = o.thrower;
    sum.digest = combined(sum.digest, o.digest);
  }
  sum.thrower = first;
  return sum;
}

outcome serial(const node& n) {
  switch (n.what()) {
    case kind::leaf:
      return n.leaf_throws() ? outcome{0, n.name} : outcome{n.name, {}};
    case kind::join_two:
      return serial_join(n, 2);
    case kind::join_four:
      return serial_join(n, 4);
    case kind::scope:
      return serial_scope(n);
    case kind::caught: {
      const outcome o = serial(n.child(0));
      return {o.thrower ? combined(n.name, *o.thrower) : o.digest, {}};
    }
    case kind::handled:
      return serial(n.child(0));
  }
  return {};
}

// The branches of one join, or the children of one scope, as their forker saw them. Not atomic where the fork's end
// must have ordered it: ThreadSanitizer would see a branch that is still at it.
class family {
 public:
  // A branch.
  template <class F>
  token run(unsigned i, F&& f) {
    const presence here(inside_);
    ++members_[i].ran;
    try {
      return f();
    } catch (const thrown& e) {
      members_[i].threw = e.who;
      throw;
    }
  }

  // After the join or the sync: nobody is at it any more. If nothing was thrown, all of the first `due` had to run. After an
  // exception those that come later need not, and where the whole is not wanted any more, none.
  void check_ended(unsigned due) const {
    if (inside_.load() != 0) fail("%d branches were still at it when their fork had ended", inside_.load());
    for (unsigned i = 0; i < most_children; ++i) {
      if (members_[i].ran > 1) fail("a branch ran twice");
      if (members_[i].ran == 0 && i < due) fail("a branch that was due did not run");
    }
  }

  // Then: the exception that arrived, if any, is the first branch's.
  void check_arrived(const thrown* e) const {
    std::optional<std::uint64_t> first;
    for (const member& m : members_)
      if (!first) first = m.threw;
    if (first && e == nullptr) fail("an exception was lost");
    if (e != nullptr && first != e->who) fail("another branch's exception arrived");
  }

 private:
  struct member {
    int ran = 0;
    std::optional<std::uint64_t> threw;
  };
  struct presence {
    explicit presence(std::atomic<int>& n) : count(n) { ++count; }
    ~presence() { --count; }
    std::atomic<int>& count;
  };

  std::atomic<int> inside_{0};
  std::array<member, most_children> members_;
};

token parallel(const node& n);

template <unsigned... i>
token parallel_join(const node& n, std::integer_sequence<unsigned, i...>) {
  family members;
  auto branch = [&](unsigned number) {
    return [&members, n, number, luggage = token(number)] {
      return members.run(number, [&] { return parallel(n.child(number)); });
    };
  };
  std::uint64_t sum = n.name;
  auto add = [&sum](const auto&... values) { ((sum = combined(sum, values.digest)), ...); };
  try {
    std::apply(add, heist::join(branch(i)...));
  } catch (const thrown& e) {
    members.check_ended(0);
    members.check_arrived(&e);
    throw;
  } catch (const heist::cancelled&) {
    members.check_ended(0);
    throw;
  }
  members.check_ended(sizeof...(i));
  members.check_arrived(nullptr);
  return token(sum);
}

token parallel_scope(const node& n) {
  family members;
  std::array<std::uint64_t, most_children> found{};
  unsigned spawned = 0;
  try {
    heist::scope s;
    for (unsigned i = 0; i < n.children(); ++i) {
      if (i == n.body_throws_before()) throw thrown(n.name);
      if (i == n.syncs_before()) s.sync();
      auto child = [&members, &found, n, i, luggage = token(i)] {
        found[i] = members.run(i, [&] { return parallel(n.child(i)); }).digest;
      };
      if (n.later(i))
        s.spawn_later(std::move(child));
      else
        s.spawn(std::move(child));
      ++spawned;
    }
    if (n.syncs_at_end()) s.sync();
  } catch (const heist::cancelled&) {
    members.check_ended(0);
    throw;
  } catch (const thrown& e) {
    members.check_ended(0);
    // The body's own wins over the children's.
    if (e.who != n.name) members.check_arrived(&e);
    throw;
  }
  members.check_ended(spawned);
  members.check_arrived(nullptr);
  std::uint64_t d = n.name;
  for (unsigned i = 0; i < n.children(); ++i) d = combined(d, found[i]);
  return token(d);
}

token parallel(const node& n) {
  switch (n.what()) {
    case kind::leaf:
      if (n.luck(12, 32) == 0) std::this_thread::yield();
      if (n.leaf_throws()) throw thrown(n.name);
      return token(n.name);
    case kind::join_two:
      return parallel_join(n, std::make_integer_sequence<unsigned, 2>());
    case kind::join_four:
      return parallel_join(n, std::make_integer_sequence<unsigned, 4>());
    case kind::scope:
      return parallel_scope(n);
    case kind::caught:
      try {
        return parallel(n.child(0));
      } catch (const thrown& e) {
        return token(combined(n.name, e.who));
      }
    case kind::handled:
      try {
        return parallel(n.child(0));
      } catch (const thrown&) {
        // The handler forks and may move; the exception it handles goes with it.
        try {
          parallel(n.child(1));
        } catch (const thrown&) {
        }
        throw;
      }
  }
  fail("there is no such node");
}

outcome in(heist::pool& pool, const node& root) {
  try {
    return {pool.run([&] { return parallel(root); }).digest, {}};
  } catch (const thrown& e) {
    return {0, e.who};
  }
}

void round(stress::session& s) {
  stress::dice d(s.seed());
  const heist::options wanted = stress::random_options(d);
  heist::pool pool(wanted);
  const stress::resizer changing(pool, stress::dice(d.next()));
  const unsigned callers = d.one_in(3) ? 3 : 1;
  constexpr int trees = 120;
  std::atomic<std::uint64_t> threw{0};
  stress::doing("a tree began");
  auto call = [&](stress::dice luck) {
    for (int i = 0; i < trees; ++i) {
      const node root{luck.next(), 5};
      const outcome expected = serial(root), found = in(pool, root);
      if (found.thrower != expected.thrower)
        fail("on %u workers a tree ends by %s exception instead of %s", wanted.workers, found.thrower ? "one" : "no",
             expected.thrower ? "another" : "none");
      if (!expected.thrower && found != expected) fail("on %u workers a tree gives a wrong answer", wanted.workers);
      threw += expected.thrower ? 1 : 0;
      if (callers == 1 && live != 0) fail("%d values, captures or exceptions are left", live.load());
    }
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < callers; ++i) others.emplace_back(call, stress::dice(d.next()));
  call(stress::dice(d.next()));
  for (std::thread& t : others) t.join();
  if (live != 0) fail("%d values, captures or exceptions are left", live.load());
  if (pool.run([] { return std::get<1>(heist::join([] {}, [] { return 7; })); }) != 7) fail("the pool is not usable");
  s.count("trees", callers * trees);
  s.count("that threw", threw);
  s.count("steals", pool.stats().steals);
  s.count("suspends", pool.stats().suspends);
}

}  // namespace

int main(int argc, char** argv) {
  stress::session s("stress_exceptions", argc, argv, {1.5, 1});
  while (s.more()) round(s);
  return s.end();
}
