#pragma once
// A machine of the job that does what the test says, and nothing else. It hears what real ones say.

#include <heist/cluster/options.hpp>
#include <heist/cluster/wire.hpp>

#include <nats/nats.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace [[gnu::visibility("hidden")]] heist_test {  // as heist's own types are

namespace hcd = heist::cluster::detail;

class puppet {
 public:
  puppet(const std::string& address, hcd::node_id id) : me_(id), wire_(options_for(address), id) {
    wire_.listen({[this](hcd::message& m) { came(m); }, [](hcd::node_id) {}, [] {}, [] {}, [] {}});
  }
  ~puppet() { wire_.close(); }
  puppet(const puppet&) = delete;
  puppet& operator=(const puppet&) = delete;

  // Becomes a helper of the driver that is there; empty-handed if none is within a minute.
  bool join_as_helper() {
    hcd::message hello = says(hcd::say::hello);
    wire_.send_all(hello);
    const auto driver = await([](const hcd::message& m) {
      return m.what == hcd::say::here && (m.flags & hcd::flag::driver) != 0 && m.of.instance != 0;
    });
    if (!driver) return false;
    other_ = driver->from;
    of_ = driver->of;
    build_ = driver->text;
    wire_.send_all(says(hcd::say::hello));  // with the build: now we are a member
    return true;
  }
  // Becomes the driver of a helper that is there; by default in a job of its own.
  bool join_as_driver(std::optional<hcd::term> of = {}) {
    wire_.send_all(says(hcd::say::hello));
    const auto helper = await([](const hcd::message& m) { return m.what == hcd::say::here; });
    if (!helper) return false;
    other_ = helper->from;
    build_ = helper->text;
    drives(of.value_or(hcd::term{0, me_}));
    return true;
  }

  // From now on it is the driver of that term, whose root runs.
  void drives(hcd::term of) {
    of_ = of;
    hcd::message hello = says(hcd::say::hello);
    hello.flags = hcd::flag::driver | hcd::flag::running;
    wire_.send_all(hello);
    wire_.flush();
  }

  hcd::message says(hcd::say what) const {
    hcd::message m;
    m.what = what;
    m.from = me_;
    m.of = of_;
    m.text = what == hcd::say::hello || what == hcd::say::here ? build_ : "";
    return m;
  }
  hcd::message says(hcd::say what, std::uint64_t number) const {
    hcd::message m = says(what);
    m.number = number;
    return m;
  }
  // To the one that it has joined.
  void send(const hcd::message& m) { wire_.send(other_, m); }
  void send_to(hcd::node_id whom, const hcd::message& m) { wire_.send(whom, m); }
  void send_all(const hcd::message& m) { wire_.send_all(m); }
  // The same, whatever it is.
  void send_bytes(const hcd::bytes& data) {
    char subject[64];
    std::snprintf(subject, sizeof subject, "heist.test.n.%016llx.m", static_cast<unsigned long long>(other_));
    natsConnection_Publish(wire_.client(), subject, data.data(), static_cast<int>(data.size()));
  }
  void flush() { wire_.flush(); }
  // Returns when the other one has dealt with everything that was sent to it: false if it does not.
  bool catch_up() {
    hcd::message look = says(hcd::say::look);
    send(look);
    const bool answered = await(hcd::say::figures).has_value();
    forget();
    return answered;
  }

  // The first message of that kind that has come and was not taken yet; nothing, if none comes.
  template <class Which>
  std::optional<hcd::message> await(Which which, int milliseconds = 60'000) {
    std::unique_lock hold(lock_);
    std::optional<hcd::message> found;
    came_.wait_for(hold, std::chrono::milliseconds(milliseconds), [&] {
      for (auto at = heard_.begin(); at != heard_.end(); ++at)
        if (which(*at)) {
          found = std::move(*at);
          heard_.erase(at);
          return true;
        }
      return false;
    });
    return found;
  }
  std::optional<hcd::message> await(hcd::say what, int milliseconds = 60'000) {
    return await([what](const hcd::message& m) { return m.what == what; }, milliseconds);
  }
  void forget() {
    const std::lock_guard hold(lock_);
    heard_.clear();
  }
  // Asks until a task comes.
  std::optional<hcd::message> borrow() {
    for (int tries = 0; tries < 200; ++tries) {
      hcd::message ask = says(hcd::say::ask);
      ask.request = static_cast<std::uint64_t>(tries) + 1;
      send(ask);
      auto answer = await([](const hcd::message& m) { return m.what == hcd::say::task || m.what == hcd::say::none; }, 2000);
      if (answer && answer->what == hcd::say::task) return answer;
    }
    return std::nullopt;
  }

  // From now on that one is meant.
  void turn_to(hcd::node_id other) { other_ = other; }
  hcd::node_id other() const { return other_; }
  hcd::node_id me() const { return me_; }

 private:
  static heist::cluster::options options_for(const std::string& address) {
    const std::string argument = "--heist-cluster=" + address;
    const char* const argv[] = {"puppet", argument.c_str()};
    return heist::cluster::options::from(2, argv);
  }
  void came(const hcd::message& m) {
    const std::lock_guard hold(lock_);
    heard_.push_back(m);
    came_.notify_all();
  }

  const hcd::node_id me_;
  hcd::node_id other_ = 0;
  hcd::term of_;
  std::string build_;
  std::mutex lock_;
  std::condition_variable came_;
  std::deque<hcd::message> heard_;
  hcd::wire wire_;  // last: it calls came()
};

}  // namespace heist_test
