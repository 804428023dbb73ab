// Boost.Fiber's contestant: fiber WORKERS KIND. KIND is how the threads find fibers to run:
//
//   own        each thread runs its own fibers, and sleeps if none can run
//   sharing    there is one queue for all; a thread without work looks there again and again
//   stealing   each thread has a queue; one without work steals, again and again
//
// The last two can also sleep, but then nothing wakes a thread for another one's fibers.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/work.hpp>

#include <boost/fiber/all.hpp>

#include <barrier>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace {

using namespace waiting;
namespace fibers = boost::fibers;

// Threads that run fibers. Between two runs they sleep, so as not to disturb the other contestants.
class fiber_pool {
 public:
  fiber_pool(unsigned threads, std::string kind) : size_(threads), kind_(std::move(kind)), gate_(threads) {
    for (unsigned i = 1; i < threads; ++i)
      threads_.emplace_back([this, i] {
        use_kind();
        for (;;) play(i);
      });
    use_kind();
  }

  long size() const { return size_; }

  // Calls f(i) on each thread i, in a fiber. Returns when all have returned. Until then, all threads run fibers.
  void run(const std::function<void(long)>& f) {
    job_ = &f;
    over_.emplace(size_);
    play(0);
  }

 private:
  void use_kind() const {
    if (kind_ == "sharing") fibers::use_scheduling_algorithm<fibers::algo::shared_work>();
    if (kind_ == "stealing") fibers::use_scheduling_algorithm<fibers::algo::work_stealing>(size_);
  }

  void play(unsigned i) {
    gate_.arrive_and_wait();  // blocks the thread
    (*job_)(i);
    over_->wait();  // blocks the fiber
    gate_.arrive_and_wait();
  }

  const unsigned size_;
  const std::string kind_;
  std::barrier<> gate_;
  const std::function<void(long)>* job_ = nullptr;
  std::optional<fibers::barrier> over_;
  std::vector<std::thread> threads_;
};

void both(const auto& f, const auto& g) {
  fibers::fiber other(fibers::launch::post, g);
  f();
  other.join();
}

// n fibers, an equal share begun by each thread.
template <class F>
void spawn_all(fiber_pool& pool, long n, const F& f) {
  pool.run([&](long thread) {
    std::vector<fibers::fiber> all;
    for (long i = thread; i < n; i += pool.size()) all.emplace_back(fibers::launch::post, [&f, i] { f(i); });
    for (fibers::fiber& one : all) one.join();
  });
}

template <class F>
figures wait_then(fiber_pool& pool, long n, long ms, const F& compute) {
  return timed([&] {
    findings found;
    spawn_all(pool, n, [&](long i) {
      boost::this_fiber::sleep_for(std::chrono::milliseconds(ms));
      found.add(compute(static_cast<word>(i)));
    });
    return found.sum();
  });
}

long ping_pong(fiber_pool& pool, long n) {
  fibers::unbuffered_channel<long> there, back;
  long sum = 0;
  spawn_all(pool, 2, [&](long player) {
    if (player == 0) {
      for (long i = 0; i < n; ++i) {
        there.push(i);
        sum += back.value_pop();
      }
      there.close();
    } else {
      for (const long v : there) back.push(v);
    }
  });
  return sum;
}

long sections_of(fiber_pool& pool, long wanting, long n, long steps) {
  return sections<fibers::mutex>(n, steps, [&](const auto& f) { spawn_all(pool, wanting, f); });
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned threads = workers(argc, argv);
  fiber_pool pool(threads, argc > 2 ? argv[2] : "own");
  answer({
      {"ping_pong", [&](arguments& a) { return timed([&, n = a.next()] { return ping_pong(pool, n); }); }},
      {"sections", [&](arguments& a) {
         const long wanting = a.next(), n = a.next(), steps = a.next();
         return timed([&] { return sections_of(pool, wanting, n, steps); });
       }},
      {"compute", [&](arguments& a) {
         const long n = a.next(), ms = a.next(), steps = a.next();
         return wait_then(pool, n, ms, [=](word i) { return chain(i, steps); });
       }},
      {"sort", [&](arguments& a) {
         const long n = a.next(), ms = a.next(), size = a.next();
         return wait_then(pool, n, ms, [=](word i) {
           return sort_some(i, static_cast<std::size_t>(size), [](const auto& f, const auto& g) { both(f, g); });
         });
       }},
  });
}
