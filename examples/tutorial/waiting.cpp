// The third program of docs/tutorial.md: it asks a slow service many questions, and loses no worker while it waits.
// Without an argument everything runs once; `many`: only the questions of ask_all().

#include <heist/heist.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::chrono_literals;

int steps(std::uint64_t n) {
  int count = 0;
  for (; n != 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return count;
}

// region: ask
// Stands for a service on the network. Its answer, a number, takes 50 ms.
std::uint64_t ask(std::size_t question) {
  heist::sleep_for(50ms);
  return 1'000 * question + 1;
}

// The most steps that any of the thousand numbers from the answer on takes.
int longest_after(std::size_t question) {
  const std::uint64_t first = ask(question);
  return heist::transform_reduce(std::views::iota(first, first + 1'000), heist::op::max<int>(), steps);
}
// end

// region: many
std::vector<int> ask_all(std::size_t questions) {
  std::vector<int> found(questions);
  heist::with_scope([&](heist::scope& s) {
    for (std::size_t q = 0; q < questions; ++q) s.spawn([&, q] { found[q] = longest_after(q); });
  });
  return found;
}
// end

// region: later
// Asks the next question before it works on the answer to this one.
int longest_of_all(std::size_t questions) {
  int most = 0;
  heist::future<std::uint64_t> next = heist::async([] { return ask(0); });
  for (std::size_t q = 1; q <= questions; ++q) {
    const std::uint64_t first = next.get();
    if (q < questions) next = heist::async([q] { return ask(q); });
    for (std::uint64_t n = first; n < first + 1'000; ++n) most = std::max(most, steps(n));
  }
  return most;
}
// end

// region: flow
std::vector<int> ask_in_order(std::size_t questions) {
  std::vector<int> found;
  std::size_t next = 0;
  heist::pipeline(
      20, [&] { return next < questions ? std::optional(next++) : std::nullopt; },    // at most 20 under way
      heist::parallel([](std::size_t question) { return longest_after(question); }),  // several at once
      heist::ordered([&](int most) { found.push_back(most); }));                      // one by one, in order
  return found;
}
// end

// region: lock
// Remembers answers, so that no question is asked twice.
class memory {
 public:
  int recall(std::size_t question) {
    const std::lock_guard hold(lock_);
    if (!known_.contains(question)) known_.emplace(question, longest_after(question));  // waits and forks
    return known_.at(question);
  }

 private:
  heist::mutex lock_;
  std::map<std::size_t, int> known_;
};
// end

// region: block
std::string first_line(const std::string& file_name) {
  return heist::blocking([&] {
    std::ifstream file(file_name);
    std::string line;
    std::getline(file, line);
    return line;
  });
}
// end

// region: stop
std::optional<int> longest_within(std::chrono::milliseconds time, std::size_t question) {
  std::stop_source stop;
  heist::future<int> later = heist::async([question, token = stop.get_token()] {
    return heist::default_pool().run([&] { return longest_after(question); }, token);
  });
  if (later.wait_for(time) == std::future_status::ready) return later.get();
  stop.request_stop();  // nobody wants the answer any more
  return std::nullopt;
}
// end

template <class F>
auto timed(const char* what, F f) {
  const auto start = std::chrono::steady_clock::now();
  const auto result = f();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("%s took %.0f ms\n", what, took.count());
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<int> all = timed("100 questions at once", [] { return ask_all(100); });
  bool right = all.size() == 100 && *std::max_element(all.begin(), all.end()) == 350;
  if (argc > 1 && std::string_view(argv[1]) == "many") return right ? 0 : 1;

  const int most_of_4 = timed("4 questions, each asked early,", [] { return longest_of_all(4); });
  right = right && most_of_4 == *std::max_element(all.begin(), all.begin() + 4);
  right = right && timed("100 questions, at most 20 at once,", [] { return ask_in_order(100); }) == all;
  memory m;
  const auto [a, b, c] = timed("2 questions and a known one", [&] {
    return heist::join([&] { return m.recall(7); }, [&] { return m.recall(8); }, [&] { return m.recall(7); });
  });
  right = right && a == all[7] && b == all[8] && c == a &&
          first_line(argv[0]).starts_with(
              "\x7f"
              "ELF");
  right = right && timed("a question with 10 ms of patience", [] { return longest_within(10ms, 3); }) == std::nullopt;
  right = right && timed("a question with 10 s of patience", [] { return longest_within(10s, 3); }) == all[3];
  heist::default_pool().wait_idle();  // for the answer that nobody wanted
  std::printf("%s\n", right ? "all answers are right" : "some answers are WRONG");
  return right ? 0 : 1;
}
