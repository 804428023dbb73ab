#include <analysis/dag/scanner.hpp>

#include <analysis/dag/draft.hpp>

#include <fmt/format.h>

#include <charconv>

namespace heist::analysis {

std::string quoted(std::string_view word) {
  if (word.empty()) return "the end of the file";
  if (good_name(word) || word == "->" || (word.size() == 1 && word[0] > ' ' && word[0] < 0x7f)) {
    return fmt::format("\"{}\"", word);
  }
  return fmt::format("a word of {} bytes", word.size());
}

void scanner::fail(place where, std::string_view what) const {
  throw bad_input(fmt::format("{}:{}: {}", source_, to_string(where), what));
}

// Moves to the next word and makes it the current one.
void scanner::skip() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      line_start_ = at_ + 1;
    } else if (c == '#') {
      while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      break;
    }
  }
  current_ = {{}, here_place()};
  if (at_ == text_.size()) return;
  std::size_t n = 1;
  if (text_.substr(at_, 2) == "->") {
    n = 2;
  } else if (name_byte(text_[at_])) {
    while (at_ + n < text_.size() && name_byte(text_[at_ + n])) ++n;
  } else if (std::string_view(":{}*").find(text_[at_]) == std::string_view::npos) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    fail(current_.where, byte > ' ' && byte < 0x7f ? fmt::format("\"{}\" is not allowed here", text_[at_])
                                                   : fmt::format("byte 0x{:02x} is not allowed in a text", byte));
  }
  current_.text = text_.substr(at_, n);
  at_ += n;
}

scanner::token scanner::take() {
  const token t = current_;
  skip();
  return t;
}

bool scanner::take_if(std::string_view word) {
  if (current_.text != word) return false;
  skip();
  return true;
}

void scanner::expect(std::string_view word, std::string_view after) {
  if (take_if(word)) return;
  fail(current_.where, fmt::format("expected \"{}\" after {}, found {}", word, after, quoted(current_.text)));
}

std::uint64_t scanner::number(std::string_view what) {
  std::uint64_t n = 0;
  const char* const end = current_.text.data() + current_.text.size();
  const auto [stop, error] = std::from_chars(current_.text.data(), end, n);
  if (current_.text.empty() || error != std::errc() || stop != end) {
    fail(current_.where, fmt::format("{} must be a number, not {}", what, quoted(current_.text)));
  }
  skip();
  return n;
}

void scanner::go_back(const position& p) {
  at_ = p.at;
  line_ = p.line;
  line_start_ = p.line_start;
  current_ = p.current;
}

}  // namespace heist::analysis
