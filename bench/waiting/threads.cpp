// The standard library's contestant: threads that block. Also what the computation takes without any waiting.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/files.hpp>
#include <bench/waiting/work.hpp>

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace {

using namespace waiting;

// f(0) … f(n − 1), each on a thread of its own.
template <class F>
void on_threads(long n, const F& f) {
  std::vector<std::thread> all;
  for (long i = 0; i < n; ++i) all.emplace_back([&f, i] { f(i); });
  for (std::thread& t : all) t.join();
}

// f(i) for each i, on `threads` threads, without any waiting.
template <class F>
figures compute(long threads, long n, const F& f) {
  return timed([&] {
    findings found;
    on_threads(threads, [&](long t) {
      for (long i = t; i < n; i += threads) found.add(f(static_cast<word>(i)));
    });
    return found.sum();
  });
}

long ping_pong(long n) {
  std::mutex m;
  std::condition_variable changed;
  long turn = 0, sum = 0;
  on_threads(2, [&](long mine) {
    for (long i = 0; i < n; ++i) {
      std::unique_lock hold(m);
      changed.wait(hold, [&] { return turn == mine; });
      if (mine == 1) sum += i;
      turn = 1 - mine;
      changed.notify_one();
    }
  });
  return sum;
}

long sections_of(long threads, long n, long steps) {
  return sections<std::mutex>(n, steps, [=](const auto& f) { on_threads(threads, f); });
}

long async_and_get(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += std::async(std::launch::async, [i] { return i & 1; }).get();
  return sum;
}

// A thread for each file, and at most `most` at once.
word read_files(std::size_t most, const files& all) {
  word sum = 0;
  std::deque<std::future<word>> reading;
  const auto end_one = [&] {
    sum += reading.front().get();
    reading.pop_front();
  };
  for (long i = 0; i < all.count(); ++i) {
    if (reading.size() == most) end_one();
    reading.push_back(std::async(std::launch::async, [&all, i] {
      file_content content;
      content.read(all.path(i));
      return hash(content.bytes());
    }));
  }
  while (!reading.empty()) end_one();
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

int main(int argc, char** argv) {
  const long threads = workers(argc, argv);
  answer({
      {"async", [](arguments& a) { return timed([n = a.next()] { return async_and_get(n); }); }},
      {"ping_pong", [](arguments& a) { return timed([n = a.next()] { return ping_pong(n); }); }},
      {"sections", [](arguments& a) {
         const long wanting = a.next(), n = a.next(), steps = a.next();
         return timed([=] { return sections_of(wanting, n, steps); });
       }},
      {"compute", [=](arguments& a) {
         const long n = a.next(), ignored = a.next(), steps = a.next();
         static_cast<void>(ignored);
         return compute(threads, n, [=](word i) { return chain(i, steps); });
       }},
      {"sort", [=](arguments& a) {
         const long n = a.next(), ignored = a.next(), size = a.next();
         static_cast<void>(ignored);
         const auto one_after_the_other = [](const auto& f, const auto& g) { f(), g(); };
         return compute(threads, n, [=](word i) {
           return sort_some(i, static_cast<std::size_t>(size), one_after_the_other);
         });
       }},
      {"files", [=](arguments& a) {
         return timed([&, all = files(a)] { return read_files(static_cast<std::size_t>(threads), all); });
       }},
  });
}
