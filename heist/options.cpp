#include <heist/options.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace heist::detail {

// Never freed: a pool that outlives main() may call what is in it.
void keep_until_exit(std::shared_ptr<const void> what) {
  static std::mutex lock;
  static auto* const all = new std::vector<std::shared_ptr<const void>>;
  const std::lock_guard hold(lock);
  all->push_back(std::move(what));
}

const char* kept_list(const char* text, std::size_t length) {
  const auto copy = std::make_shared<const std::string>(text, length);
  keep_until_exit(copy);
  return copy->c_str();
}

const char* kept_list(const int* numbers, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    text += std::to_string(numbers[i]);
  }
  return kept_list(text.data(), text.size());
}

}  // namespace heist::detail
