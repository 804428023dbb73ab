#pragma once
// The options of a pool.

#include <heist/base/chrono.hpp>
#include <heist/base/export.hpp>

#include <cstddef>
#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist {

namespace detail {
HEIST_API void keep_until_exit(std::shared_ptr<const void> what);
// A copy of the text, or the numbers with commas between them; kept until the program ends.
HEIST_API const char* kept_list(const char* text, std::size_t length);
HEIST_API const char* kept_list(const int* numbers, std::size_t count);
}

// What a worker lets its thieves have. See docs/decisions/asking.md.
enum class fences {
  automatic,   // asymmetric if the kernel has membarrier, else symmetric
  asymmetric,  // half, when a thief asks; a thief that gets no answer interrupts it by membarrier
  symmetric,   // everything, at every fork: a fork costs compare-and-swaps, a steal interrupts nobody
};

// Which threads have their affinity mask narrowed while they are woken, so that the kernel does not
// put them on the waker's processor. See heist/sleep/README.md, "On which processor".
enum class placement {
  automatic,  // what HEIST_PLACEMENT says, or else workers
  off,        // none
  workers,    // the pool's own threads
  all,        // also callers that wait in pool::run
};

// How a pool shares the machine with others.
enum class share {
  dedicated,  // it does not: it has as many workers as it was told
  feedback,   // it has at most that many; every ten milliseconds it asks for more or fewer, by what it made of those that it
              // had, and all pools of the user that do so divide the processors (docs/guides/sharing.md)
};

// Whom a worker without work tries to rob.
enum class victims {
  uniform,  // any of the others, each with the same chance
  near,     // half of the time likewise, otherwise preferably one that shares a core, a cache or a node. So every worker has at
            // least half of the chance that it has otherwise, and O(P·T∞) attempts still suffice, with twice the constant
};

// How much a worker without work takes from the one that it robs.
enum class steal {
  one,   // the oldest branch, continuation or child
  half,  // up to half of them, by one claim. It begins them one after the other; others may take them from it. For programs
         // that make many at once; the bound P·S₁ on stacks is not claimed (docs/guides/steal_half.md)
};

// The order in which workers are bound to processors.
enum class bind {
  none,     // they are not
  spread,   // each as far as can be from those before it
  compact,  // each as near as can be
};

// options::bind: one of these, or a list of processors for workers 0, 1, … in turn, such as "0-3,8" or {0, 1, 2, 3, 8}. A text
// may also be one of the words, as in HEIST_BIND. The pool's constructor reads it.
class HEIST_TYPE binding {
 public:
  // NOLINTBEGIN(google-explicit-constructor): assigned like its value
  HEIST_OWN constexpr binding(heist::bind how = heist::bind::none) noexcept : how_(how) {}
  HEIST_OWN constexpr binding(const char* text) noexcept : list_(text) { take_word(); }  // not copied
  HEIST_OWN binding(std::initializer_list<int> processors) : list_(detail::kept_list(processors.begin(), processors.size())) {}
  // A string, or a vector or array of numbers. They are copied, and the copy is kept until the program ends.
  template <class List>
    requires requires(const List& l) { detail::kept_list(l.data(), l.size()); }
  HEIST_OWN binding(const List& list) : list_(detail::kept_list(list.data(), list.size())) {
    take_word();
  }
  // NOLINTEND(google-explicit-constructor)

  // Whether workers are bound at all.
  HEIST_OWN constexpr explicit operator bool() const noexcept { return how_ != heist::bind::none || list_ != nullptr; }
  HEIST_OWN constexpr heist::bind how() const noexcept { return how_; }
  HEIST_OWN constexpr const char* list() const noexcept { return list_; }

 private:
  HEIST_OWN constexpr void take_word() noexcept {
    if (list_ == nullptr) return;
    const std::string_view text = list_;
    if (text == "none")
      *this = heist::bind::none;
    else if (text == "spread")
      *this = heist::bind::spread;
    else if (text == "compact")
      *this = heist::bind::compact;
  }

  heist::bind how_ = heist::bind::none;
  const char* list_ = nullptr;
};

// Tools that observe the whole program, not one pool. They take effect with the first pool that the
// program makes. A later pool may repeat them; if it asks for something else, its constructor
// throws std::invalid_argument. Each field has an environment variable that overrides it:
// docs/reference/environment.md. Null means off.
struct HEIST_TYPE tools {
  // Write work and span when the program ends: "text", "json", "text:FILE" or "json:FILE".
  const char* profile = nullptr;
  // The unit of the profile: "time" or "strand".
  const char* profile_unit = "time";
  // The file for a trace of what every worker did, and the number of events it keeps for each
  // worker, 1 … 2²⁸.
  const char* trace = nullptr;
  unsigned trace_events = 1u << 18;
  // The file for a recording of the computation, for `heist sim predict`. Parts that take less than
  // the grain, in nanoseconds, 0 … 10⁹, are recorded as one strand.
  const char* record = nullptr;
  unsigned record_grain = 1000;
  // What decides where a recorded loop splits: "time", or "count", which is the same in every run.
  const char* record_loops = "time";
};

// A function to call later: any callable that takes the arguments, or none; or null. It is copied with its bytes, so that
// options stay plain; one of more than two words is kept until the program ends.
template <class... Args>
class HEIST_TYPE handler {
  template <class F>
  static constexpr bool suits = std::is_invocable_v<F&, Args...> || std::is_invocable_v<F&>;

 public:
  HEIST_OWN constexpr handler(std::nullptr_t = nullptr) noexcept {}
  template <class F>
    requires(!std::is_same_v<std::decay_t<F>, handler> && suits<std::decay_t<F>>)
  HEIST_OWN handler(F&& f) {  // NOLINT(google-explicit-constructor): assigned like a std::function
    using function = std::decay_t<F>;
    if constexpr (std::is_pointer_v<function>)
      if (f == nullptr) return;
    if constexpr (std::is_trivially_copyable_v<function> && sizeof(function) <= sizeof bytes_) {
      ::new (static_cast<void*>(bytes_)) function(std::forward<F>(f));
      call_ = [](const void* bytes, Args... args) {
        function here = *static_cast<const function*>(bytes);
        handler::call(here, std::move(args)...);
      };
    } else {
      const auto kept = std::make_shared<function>(std::forward<F>(f));
      detail::keep_until_exit(kept);
      function* const at = kept.get();
      ::new (static_cast<void*>(bytes_)) (function*)(at);
      call_ = [](const void* bytes, Args... args) {
        handler::call(**static_cast<function* const*>(bytes), std::move(args)...);
      };
    }
  }

  HEIST_OWN explicit operator bool() const noexcept { return call_ != nullptr; }
  HEIST_OWN void operator()(Args... args) const { call_(bytes_, std::move(args)...); }

 private:
  template <class F>
  HEIST_OWN static void call(F& f, Args... args) {
    if constexpr (std::is_invocable_v<F&, Args...>)
      f(std::move(args)...);
    else
      f();
  }

  alignas(void*) unsigned char bytes_[2 * sizeof(void*)] = {};
  void (*call_)(const void*, Args...) = nullptr;
};
using exception_handler = handler<std::exception_ptr>;
// Gets the number of the thread in its pool, from 0 on.
using thread_handler = handler<unsigned>;

// options::nice of a pool whose threads have the nice value of the thread that made it.
inline constexpr int inherited_nice = std::numeric_limits<int>::min();

// The defaults suit most programs. If a value is out of range, the pool's constructor throws
// std::invalid_argument. All fields but functions have an environment variable that sets them for the default pool:
// docs/reference/environment.md.
//
// Fields marked "Implementation knob" are for experiments and rare machines. Their meaning may
// change with any version.
struct HEIST_TYPE options {
  // The number of workers, 1 … 4096; pool::resize changes it. 0 means heist::available_parallelism(), and the pool follows
  // when that changes, unless `bind` is set.
  unsigned workers = 0;

  // The number of workers is never less, 1 … 4096, whatever `workers`, pool::resize or the machine say.
  unsigned workers_least = 1;

  // The size of each strand's stack in bytes, 32 KiB … 64 GiB. Memory is committed as it is
  // touched. 0 means the soft stack limit (ulimit -s), or 8 MiB if there is none.
  std::size_t stack_size = 0;

  // Implementation knob.
  heist::fences fences = heist::fences::automatic;

  // Implementation knob. How long an idle worker searches for work before it sleeps, and how long a
  // strand or a caller that waits for others keeps its core, 0 … 1 s. A longer time reacts sooner
  // and uses more CPU.
  std::chrono::nanoseconds search_time = std::chrono::microseconds(50);

  // Implementation knob. A thief whose last steals brought little work backs off before the next
  // one, for at most this many times the cost of a heavy fence, 0 … 1024.
  unsigned most_backoff = 32;

  // How many callers from outside may be in the pool at once. With 0 there is no limit: a caller
  // that finds no idle worker brings a seat of its own, so all callers make progress at once. With
  // n, later callers wait their turn, and at most `workers` strands run at once, callers included.
  // A caller whose strands wait for an event counts.
  // Strands of other pools are not counted and do not wait.
  unsigned most_callers = 0;

  // How many threads in heist::blocking may be replaced by others at the same time. Past that, and
  // with 0, a blocked call keeps its worker.
  unsigned most_blocked = 256;

  // Whether the pool shares the machine with other pools and processes.
  heist::share share = heist::share::dedicated;

  // Whom an idle worker tries to rob.
  heist::victims victims = heist::victims::uniform;

  // How much it takes.
  heist::steal steal = heist::steal::one;

  // Whether each worker stays on one processor: heist::bind::none, spread or compact, or a list. If there are more workers
  // than processors, they share them.
  heist::binding bind = heist::bind::none;

  // Implementation knob. HEIST_PLACEMENT=off overrides it for every pool in the process.
  heist::placement placement = heist::placement::automatic;

  // Called with what a detached function has thrown, by the thread that ran it; it must not throw. Null: the program ends,
  // as for an exception that leaves a std::thread.
  exception_handler on_unhandled = nullptr;

  // Called by each thread of the pool when it starts, before it works, and when it ends; also by threads that replace blocked
  // ones. They must not throw, and are not in the pool yet, or no more: what they call of heist uses the default pool.
  // Threads of the default pool never end.
  thread_handler on_thread_start = nullptr;
  thread_handler on_thread_stop = nullptr;

  // The threads are called NAME-0, NAME-1, …; the kernel keeps 15 characters. Null: "heist". Copied by the pool.
  const char* thread_name = nullptr;

  // The nice value of the threads, -20 … 19.
  int nice = inherited_nice;

  // The processors on which the threads may run, such as "0-3,8". Null: those of the thread that makes the pool. If
  // `workers` is 0, there are as many workers as processors in it, or fewer if the cgroup's quota is less.
  const char* processors = nullptr;

  heist::tools tools = {};
};

}  // namespace heist

HEIST_END
