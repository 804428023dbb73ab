// What tests/cli/race.sh asks `heist race` about: a program with races, without, with waits that cannot be run depth-first, and
// with other ends.
//   race_program WHAT

#include <heist/join.hpp>
#include <heist/reducer.hpp>
#include <heist/scope.hpp>

#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string_view>
#include <thread>

namespace {

int x, hidden, first_sum, second_sum;
pthread_barrier_t gate;
sem_t signs;
pthread_spinlock_t spin;
pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
std::atomic<int> flag;

[[gnu::noinline]] void bump() { ++x; }
[[gnu::noinline]] void by_one_way() {
  bump();
  asm volatile("");
}
[[gnu::noinline]] void by_another_way() {
  bump();
  asm volatile("");
}
[[gnu::noinline]] void bump_hidden() { ++hidden; }

void race() { heist::join(&by_one_way, &by_another_way); }
void two_races() {
  heist::join(&bump_hidden, &bump_hidden);
  race();
}
void clean() {
  heist::join([] { ++x; }, [] { ++hidden; });
}
void on_heap() {
  auto* const p = new int[4]();
  heist::join([=] { p[1] = 1; }, [=] { p[1] = 2; });
  x = p[1];
  delete[] p;
}
void on_stack() {
  int local = 0;
  heist::join([&] { local = 1; }, [&] { local = 2; });
  x = local;
}
void early() {
  heist::reducer<int> sum;
  heist::scope s;
  s.spawn([&] { *sum += 1; });
  first_sum = sum.take();
  s.sync();
}
void with_threads() {
  std::thread([] {}).join();
  race();
}
void with_fork() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) std::abort();
  race();
}
void deep(int n) {
  if (n > 0)
    heist::join([n] { deep(n - 1); }, [] {});
  else
    race();
}
void large() {
  constexpr std::size_t size = std::size_t{64} << 30;
  auto* const p = static_cast<char*>(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (p == MAP_FAILED) std::abort();
  heist::join([=] { p[size - 1] = 1; }, [=] { p[size - 1] = 2; });
  heist::join([=] { p[1] = 1; }, [=] { p[2] = 2; });
  ::munmap(p, size);
}
void crash() {
  race();
  int* volatile none = reinterpret_cast<int*>(16);
  asm volatile("" : "+m"(none));
  *none = 1;
  std::abort();
}
void free_twice() {
  race();
  void* volatile p = std::malloc(100);
  void* volatile again = p;
  std::free(p);
  std::free(again);
  std::abort();
}
void become(const char* what) {
  race();
  ::execlp("echo", "echo", what, static_cast<char*>(nullptr));
}

struct named {
  const char* name;
  void (*run)();
};
constexpr named all[] = {
    {"race", &race},
    {"two", &two_races},
    {"clean", &clean},
    {"heap", &on_heap},
    {"stack", &on_stack},
    {"early", &early},
    {"threads", &with_threads},
    {"fork", &with_fork},
    {"deep", [] { deep(20000); }},
    {"large", &large},
    {"crash", &crash},
    {"free", &free_twice},
    {"status", [] { std::exit(7); }},
    {"_exit", [] { race(), ::_exit(7); }},
    {"_exit-clean", [] { clean(), ::_exit(7); }},
    {"quick_exit", [] { race(), std::quick_exit(7); }},
    {"exec", [] { become("became another"); }},
    {"mutex", [] { pthread_mutex_lock(&m); heist::join([] { pthread_mutex_lock(&m); }, [] {}); }},
    {"rdlock", [] { pthread_rwlock_wrlock(&readers); heist::join([] { pthread_rwlock_rdlock(&readers); }, [] {}); }},
    {"wrlock", [] { pthread_rwlock_rdlock(&readers); heist::join([] { pthread_rwlock_wrlock(&readers); }, [] {}); }},
    {"spin", [] { pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); heist::join([] { pthread_spin_lock(&spin); }, [] {}); }},
    {"condition", [] { pthread_mutex_lock(&m); heist::join([] { pthread_cond_wait(&c, &m); }, [] { pthread_cond_signal(&c); }); }},
    {"barrier", [] { pthread_barrier_init(&gate, nullptr, 2); heist::join([] { pthread_barrier_wait(&gate); }, [] { pthread_barrier_wait(&gate); }); }},
    {"semaphore", [] { sem_init(&signs, 0, 0); heist::join([] { sem_wait(&signs); }, [] { sem_post(&signs); }); }},
    {"atomic", [] { heist::join([] { flag.wait(0); }, [] { flag = 1, flag.notify_all(); }); }},
    {"latch", [] { std::latch l(1); heist::join([&] { l.wait(); }, [&] { l.count_down(); }); }},
    {"std-semaphore", [] { std::counting_semaphore<4> s(0); heist::join([&] { s.acquire(); }, [&] { s.release(); }); }},
    {"std-barrier", [] { std::barrier<> b(2); heist::join([&] { b.arrive_and_wait(); }, [&] { b.arrive_and_wait(); }); }},
    // These go through.
    {"alone", [] { pthread_barrier_init(&gate, nullptr, 1); pthread_barrier_wait(&gate); flag = 1; flag.wait(0);
                   sem_init(&signs, 0, 1); sem_wait(&signs); pthread_spin_init(&spin, 0); pthread_spin_lock(&spin); pthread_spin_unlock(&spin); }},
    {"ordered", [] { sem_init(&signs, 0, 0); heist::join([] { x = 1; sem_post(&signs); }, [] { sem_wait(&signs); x = 2; }); }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  for (const named& n : all)
    if (what == n.name) {
      n.run();
      std::puts("done");
      return 0;
    }
  return 2;
}
