// heist's contestant.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/files.hpp>
#include <bench/waiting/work.hpp>

#include <heist/heist.hpp>

#include <atomic>
#include <mutex>
#include <optional>

namespace {

using namespace waiting;

constexpr auto both = [](const auto& f, const auto& g) { heist::join(f, g); };

// f(i) for each i, each as a child of one scope.
template <class F>
void spawn_all(long n, const F& f) {
  heist::with_scope([&](heist::scope& s) {
    for (long i = 0; i < n; ++i) s.spawn([&f, i] { f(i); });
  });
}

// n tasks that wait and then call compute(i).
template <class F>
std::uint32_t wait_then(long n, long ms, const F& compute) {
  findings found;
  spawn_all(n, [&](long i) {
    heist::sleep_for(std::chrono::milliseconds(ms));
    found.add(compute(static_cast<word>(i)));
  });
  return found.sum();
}

long ping_pong(long n) {
  heist::channel<long> there(0), back(0);
  long sum = 0;
  heist::join(
      [&] {
        for (long i = 0; i < n; ++i) {
          there.push(i);
          sum += *back.pop();
        }
        there.close();
      },
      [&] {
        for (const long v : there) back.push(v);
      });
  return sum;
}

long sections_of(long strands, long n, long steps) {
  return sections<heist::mutex>(n, steps, [=](const auto& f) { spawn_all(strands, f); });
}

long async_and_get(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += heist::async([i] { return i & 1; }).get();
  return sum;
}

word pipeline(long n, long steps) {
  word digest = 0;
  heist::pipeline(
      32, [i = 0L, n]() mutable { return i < n ? std::optional<word>(static_cast<word>(i++)) : std::nullopt; },
      heist::parallel([steps](word x) { return chain(x, steps); }),
      heist::ordered([&](word x) { digest = digest * 31 + x; }));
  return digest >> 32;
}

// Each of some strands takes the next file. (A loop would split only for a worker without work.)
word read_files(const files& all) {
  findings found;
  std::atomic<long> next{0};
  spawn_all(files::most_at_once, [&](long) {
    file_content content;
    for (long i; (i = next++) < all.count();) {
      heist::blocking([&] { content.read(all.path(i)); });
      found.add(hash(content.bytes()));
    }
  });
  return found.sum();
}

}  // namespace

int main(int argc, char** argv) {
  heist::pool pool({.workers = workers(argc, argv)});
  // On the pool's workers alone: a caller of run() would be one more.
  const auto in_pool = [&](auto f) {
    return timed([&] {
      double found = 0;
      pool.detach([&] { found = static_cast<double>(f()); });
      pool.wait_idle();
      return found;
    });
  };
  answer({
      {"async", [&](arguments& a) { return in_pool([n = a.next()] { return async_and_get(n); }); }},
      {"ping_pong", [&](arguments& a) { return in_pool([n = a.next()] { return ping_pong(n); }); }},
      {"sections", [&](arguments& a) {
         const long strands = a.next(), n = a.next(), steps = a.next();
         return in_pool([=] { return sections_of(strands, n, steps); });
       }},
      {"compute", [&](arguments& a) {
         const long n = a.next(), ms = a.next(), steps = a.next();
         return in_pool([=] { return wait_then(n, ms, [=](word i) { return chain(i, steps); }); });
       }},
      {"sort", [&](arguments& a) {
         const long n = a.next(), ms = a.next(), size = a.next();
         return in_pool([=] {
           return wait_then(n, ms, [=](word i) { return sort_some(i, static_cast<std::size_t>(size), both); });
         });
       }},
      {"pipeline", [&](arguments& a) {
         const long n = a.next(), steps = a.next();
         return in_pool([=] { return pipeline(n, steps); });
       }},
      {"files", [&](arguments& a) { return in_pool([all = files(a)] { return read_files(all); }); }},
  });
}
