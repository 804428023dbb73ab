#pragma once
// When the detector judges: the program's first thread, from the first instrumented code on, until the program ends.

namespace heist::race {

// 1: what the calling thread does is judged; 2: it is written down instead (addresses.hpp). 0: neither, as in the
// detector, and on other threads than the first. Negative: neither, but its forks count; as many times as it was said.
extern constinit thread_local int judged [[gnu::tls_model("initial-exec")]];

void start();
// 1 or 2, in this run.
int usual_judged() noexcept;
bool started() noexcept;
// The program has threads of its own, which are not judged.
void note_thread() noexcept;
bool has_threads() noexcept;

// While it lives, what the calling thread does is not judged.
class unjudged {
 public:
  unjudged() noexcept : before_(judged) { judged = 0; }
  ~unjudged() { judged = before_; }
  unjudged(const unjudged&) = delete;
  unjudged& operator=(const unjudged&) = delete;

 private:
  const int before_;
};

}  // namespace heist::race
