#pragma once
// What a stop calls, for strands.

#include <heist/base/export.hpp>
#include <heist/stack/context.hpp>

#include <stop_token>
#include <utility>

HEIST_BEGIN

namespace heist::detail {

// While it lives, a stop that is requested by this token calls f(). After it, f does not run.
//
// If the thread that destroys a std::stop_callback is the one that called it, libstdc++ orders nothing: what a thread has
// done it has seen. Here that may be two strands, which ThreadSanitizer takes for threads.
template <class F>
class stop_call {
 public:
  stop_call(const std::stop_token& token, F f) : token_(token), call_(token, std::move(f)) {}
  ~stop_call() {
    if (token_.stop_requested()) see_what_this_thread_did();
  }
  stop_call(const stop_call&) = delete;
  stop_call& operator=(const stop_call&) = delete;

 private:
  const std::stop_token& token_;
  const std::stop_callback<F> call_;
};

}  // namespace heist::detail

HEIST_END
