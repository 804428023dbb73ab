// What does going to another stack and back cost, by Boost.Context and by heist's own switch? A spawn that nobody
// steals is one such round trip. x86-64.

#include <bench/common/bench.hpp>

#include <heist/stack/switch.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <memory>

namespace {

using bench::text;
namespace boost_context = boost::context::detail;

constexpr long trips = 500'000;
constexpr std::size_t stack_size = 64 * 1024;

BENCH_OPAQUE void tiny(long i) { bench::opaque(i); }

// No stack is left at all.
BENCH_OPAQUE void by_call() {
  for (long i = 0; i < trips; ++i) tiny(i);
}

// Boost.Context: an out-of-line switch that also saves and restores the floating-point mode.
void boost_child(boost_context::transfer_t t) {
  for (;;) {
    tiny(static_cast<long>(reinterpret_cast<std::intptr_t>(t.data)));
    t = boost_context::jump_fcontext(t.fctx, nullptr);
  }
}

BENCH_OPAQUE void by_boost(char* stack) {
  boost_context::fcontext_t child = boost_context::make_fcontext(stack + stack_size, stack_size, boost_child);
  for (long i = 0; i < trips; ++i) child = boost_context::jump_fcontext(child, reinterpret_cast<void*>(i)).fctx;
}

// As Boost.Context, and what its user does on top of it: calls on the way to the switch, and returns after it. The
// processor foretells a return by the last call, which was on the other stack.
BENCH_OPAQUE boost_context::transfer_t through_a_call(boost_context::fcontext_t to, void* data) {
  auto t = boost_context::jump_fcontext(to, data);
  bench::opaque(t.data);
  return t;
}
BENCH_OPAQUE boost_context::transfer_t through_two_calls(boost_context::fcontext_t to, void* data) {
  auto t = through_a_call(to, data);
  bench::opaque(t.data);
  return t;
}

void nested_child(boost_context::transfer_t t) {
  for (;;) {
    tiny(static_cast<long>(reinterpret_cast<std::intptr_t>(t.data)));
    t = through_two_calls(t.fctx, nullptr);
  }
}

BENCH_OPAQUE void by_boost_through_calls(char* stack) {
  boost_context::fcontext_t child = boost_context::make_fcontext(stack + stack_size, stack_size, nested_child);
  for (long i = 0; i < trips; ++i) child = through_two_calls(child, reinterpret_cast<void*>(i)).fctx;
}

// heist's own: inlined, so that no return comes between the switch and the code that goes on; the compiler saves the
// registers it needs, and nobody touches the floating-point mode.
heist::detail::context parent, child;
long argument;

void heist_child(heist::detail::handoff*) {
  for (;;) {
    tiny(argument);
    heist::detail::jump(child, parent, nullptr);
  }
}

BENCH_OPAQUE void by_heist(char* stack) {
  heist::detail::jump_starts(child, stack + stack_size, heist_child);
  for (long i = 0; i < trips; ++i) {
    argument = i;
    heist::detail::jump(parent, child, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, 25);
  bench::introduce("switch", o);
  const auto memory = std::make_unique<char[]>(stack_size + 64);
  char* const stack = memory.get() + 64 - reinterpret_cast<std::uintptr_t>(memory.get()) % 64;
  bench::contest c;
  auto add = [&](auto f) { return c.add([=] { return bench::thread_ns_of(f) / trips; }); };
  const auto call = add([] { by_call(); });
  const std::pair<const char*, std::size_t> ways[] = {
      {"Boost.Context, called directly", add([=] { by_boost(stack); })},
      {"Boost.Context, two calls down", add([=] { by_boost_through_calls(stack); })},
      {"heist/stack/switch.hpp", add([=] { by_heist(stack); })},
  };
  c.play(o.rounds);
  bench::table t({"ns per round trip", "min", "median"});
  for (const auto& [name, i] : ways)
    t.add({name, text("%.2f", c[i].min() - c[call].min()), text("%.2f", bench::difference(c[i], c[call]).median())});
  t.print();
}
