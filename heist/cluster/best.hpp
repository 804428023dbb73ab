#pragma once
// A best value that all machines of a job know, sooner or later: for branch and bound.

#include <heist/base/export.hpp>
#include <heist/cluster/checks.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/pack.hpp>

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::cluster {

namespace detail {

// Such a value, as the messages see it. Objects of this class are static, and have names. While it is listed, the agent's
// threads call its virtual functions: so the class that defines them lists it last and withdraws it first.
class shared_value {
 public:
  HEIST_API explicit shared_value(const char* name);
  virtual ~shared_value() = default;
  shared_value(const shared_value&) = delete;
  shared_value& operator=(const shared_value&) = delete;

  std::uint64_t id() const noexcept { return id_; }
  // Its bytes, and how often it has improved in this process: 0 times, nobody need know it.
  virtual std::pair<bytes, std::uint64_t> look() const = 0;
  // What another machine has, if it can be read. If it is better: how often the value has improved now; else 0.
  virtual std::uint64_t hear(const bytes& from) = 0;
  virtual void begin_anew() = 0;

 protected:
  HEIST_API void enlist(const char* name);
  HEIST_API void withdraw();
  // It has improved here: the other machines are to hear of it.
  HEIST_API static void tell();
  // Before it is reset here: waits for what may still offer something.
  HEIST_API static void settle();

 private:
  const std::uint64_t id_;
};

// All of this process. Any thread.
namespace shared_values {
struct news {
  std::uint64_t id;
  bytes value;
  std::uint64_t version;
};
std::vector<news> all();
std::uint64_t hear(std::uint64_t id, const bytes& value);  // as shared_value::hear
void reset_all();
bool any();
// What tell() and settle() call; null: nothing.
void when_told(std::function<void()> call);
void when_reset(std::function<void()> call);
}  // namespace shared_values

}  // namespace detail

// The best value so far, with whatever proves it, e.g. a length and a tour. At namespace scope, with a name that no other has:
//
//   hc::best<tour> shortest("shortest", tour::endless());
//
// Whoever finds a better one offers it; the other machines hear of it within milliseconds. Until then they work with what
// they know: so use it to prune, and not for more. When a task's result has come back, so has every better value that its
// machine knew. A value a is better than b if Better()(a, b).
template <class T, class Better = std::less<T>>
class best final : private detail::shared_value {
  static_assert(detail::fits_on_wire<T>());

 public:
  best(const char* name, T initial) : shared_value(name), initial_(initial), value_(std::move(initial)) { enlist(name); }
  ~best() override { withdraw(); }  // at exit the agent's threads may still run

  // Any thread.
  T get() const {
    const std::lock_guard hold(lock_);
    return value_;
  }
  // Any thread. True if it is better than the best known here.
  bool offer(const T& value) {
    if (improve(value) == 0) return false;
    tell();
    return true;
  }
  // The driver, between two roots: the next one begins with the initial value, on all machines. Without it the next one goes on
  // from the best value that the driver has.
  void reset() {
    settle();
    begin_anew();
  }

 private:
  void begin_anew() override {
    const std::lock_guard hold(lock_);
    value_ = initial_;
    version_ = 0;
  }
  std::uint64_t improve(const T& value) {
    const std::lock_guard hold(lock_);
    if (!Better()(value, value_)) return 0;
    value_ = value;
    return ++version_;
  }
  std::pair<detail::bytes, std::uint64_t> look() const override {
    detail::bytes to;
    detail::writer w(to);
    const std::lock_guard hold(lock_);
    detail::put(w, value_);
    return {std::move(to), version_};
  }
  std::uint64_t hear(const detail::bytes& from) override {
    try {
      detail::reader r(from);
      const T value = detail::get<T>(r);
      r.must_be_at_end();
      return improve(value);
    } catch (const std::exception&) {  // no such value: as if it were lost
      return 0;
    }
  }

  const T initial_;
  mutable std::mutex lock_;
  T value_;
  std::uint64_t version_ = 0;
};

}  // namespace heist::cluster

HEIST_END
