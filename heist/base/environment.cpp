#include <heist/base/environment.hpp>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace heist::detail {

namespace {

// Set once and never destroyed, without a lock: a child of fork() reads it, too.
constinit std::atomic<const environment_wishes*> the_wishes{nullptr};

[[noreturn]] void refuse(const char* variable, std::string_view text, const std::string& instead) {
  throw std::invalid_argument("heist: " + std::string(variable) + " is \"" + std::string(text) + "\", not " + instead);
}

}  // namespace

std::string_view text_from_environment(const char* variable) {
  if (const char* const text = std::getenv(variable); text != nullptr && *text != '\0') return text;
  const environment_wishes* const all = the_wishes.load();
  if (all == nullptr) return {};
  const auto wish = all->find(std::string_view(variable));
  return wish == all->end() ? std::string_view() : wish->second;
}

bool wish_instead(environment_wishes all) {
  auto mine = std::make_unique<const environment_wishes>(std::move(all));
  const environment_wishes* first = nullptr;
  if (!the_wishes.compare_exchange_strong(first, mine.get())) return *first == *mine;
  static_cast<void>(mine.release());
  return true;
}

std::optional<std::uint64_t> number_from_environment(const char* variable, std::uint64_t least, std::uint64_t most) {
  const std::string_view text = text_from_environment(variable);
  if (text.empty()) return std::nullopt;
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most)
    refuse(variable, text, "a number in " + std::to_string(least) + " … " + std::to_string(most));
  return n;
}

std::optional<std::size_t> word_from_environment(const char* variable, std::initializer_list<const char*> words) {
  const std::string_view text = text_from_environment(variable);
  if (text.empty()) return std::nullopt;
  std::string all;
  std::size_t place = 0;
  for (const char* const word : words) {
    if (text == word) return place;
    if (place > 0) all += place + 1 == words.size() ? " or " : ", ";
    all += word;
    ++place;
  }
  refuse(variable, text, all);
}

}  // namespace heist::detail
