#pragma once
// Words of a text file, with their places. '#' starts a comment that ends with the line.

#include <analysis/dag/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace heist::analysis {

class scanner {
 public:
  scanner(std::string_view text, std::string source) : text_(text), source_(std::move(source)) { skip(); }

  struct token {
    std::string_view text;  // a name or number; one of ":", "{", "}", "*", "->"; or empty at the end
    place where;
  };

  const token& peek() const { return current_; }
  token take();
  bool take_if(std::string_view word);
  void expect(std::string_view word, std::string_view after);
  std::uint64_t number(std::string_view what);
  bool at_end() const { return current_.text.empty(); }

  // Reading on from an earlier place: for the bodies of loops.
  struct position {
    std::size_t at, line, line_start;
    token current;
  };
  position here() const { return {at_, line_, line_start_, current_}; }
  void go_back(const position& p);

  [[noreturn]] void fail(place where, std::string_view what) const;

 private:
  void skip();
  place here_place() const { return {nullptr, line_, at_ - line_start_ + 1}; }

  std::string_view text_;
  std::string source_;
  std::size_t at_ = 0, line_ = 1, line_start_ = 0;
  token current_;
};

// How a word is shown in a message: in one line, and shortened.
std::string quoted(std::string_view word);

}  // namespace heist::analysis
