// oneTBB's contestant. A task that waits blocks its thread; so there may be more threads than cores.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/files.hpp>
#include <bench/waiting/work.hpp>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <chrono>
#include <thread>

namespace {

using namespace waiting;

template <class F>
word wait_then(long n, long ms, const F& compute) {
  findings found;
  tbb::task_group all;
  for (long i = 0; i < n; ++i)
    all.run([&, i] {
      std::this_thread::sleep_for(std::chrono::milliseconds(ms));
      found.add(compute(static_cast<word>(i)));
    });
  all.wait();
  return found.sum();
}

long run_and_wait(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) {
    tbb::task_group g;
    g.run([&, i] { sum += i & 1; });
    g.wait();
  }
  return sum;
}

word pipeline(long n, long steps) {
  word digest = 0;
  long next = 0;
  tbb::parallel_pipeline(32, tbb::make_filter<void, word>(tbb::filter_mode::serial_in_order,
                                                          [&](tbb::flow_control& c) -> word {
                                                            if (next < n) return static_cast<word>(next++);
                                                            c.stop();
                                                            return 0;
                                                          }) &
                                 tbb::make_filter<word, word>(tbb::filter_mode::parallel,
                                                              [=](word x) { return chain(x, steps); }) &
                                 tbb::make_filter<word, void>(tbb::filter_mode::serial_in_order,
                                                              [&](word x) { digest = digest * 31 + x; }));
  return digest >> 32;
}

word read_files(const files& all) {
  findings found;
  tbb::parallel_for(
      tbb::blocked_range<long>(0, all.count()),
      [&](const tbb::blocked_range<long>& some) {
        for (long i = some.begin(); i < some.end(); ++i) {
          file_content content;
          content.read(all.path(i));
          found.add(hash(content.bytes()));
        }
      });
  return found.sum();
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned threads = workers(argc, argv);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  const auto in_arena = [&](auto f) { return timed([&] { return arena.execute(f); }); };
  answer({
      {"async", [&](arguments& a) { return in_arena([n = a.next()] { return run_and_wait(n); }); }},
      {"compute", [&](arguments& a) {
         const long n = a.next(), ms = a.next(), steps = a.next();
         return in_arena([=] { return wait_then(n, ms, [=](word i) { return chain(i, steps); }); });
       }},
      {"sort", [&](arguments& a) {
         const long n = a.next(), ms = a.next(), size = a.next();
         const auto both = [](const auto& f, const auto& g) { tbb::parallel_invoke(f, g); };
         return in_arena([=] {
           return wait_then(n, ms, [=](word i) { return sort_some(i, static_cast<std::size_t>(size), both); });
         });
       }},
      {"pipeline", [&](arguments& a) {
         const long n = a.next(), steps = a.next();
         return in_arena([=] { return pipeline(n, steps); });
       }},
      {"files", [&](arguments& a) { return in_arena([all = files(a)] { return read_files(all); }); }},
  });
}
