#include <bench/mix/phases.hpp>

#include <heist/for_each.hpp>
#include <heist/pool.hpp>

static unsigned long in(const mix::load& l, heist::options o) {
  heist::pool pool(o);
  return mix::play(l, [&](int n, auto&& body) { pool.run([&] { heist::for_each_index(0, n, body); }); });
}

unsigned long mix::heist(const load& l) { return in(l, {}); }

unsigned long mix::heist_feedback(const load& l) {
  ::heist::options o;
  o.share = ::heist::share::feedback;
  return in(l, o);
}
