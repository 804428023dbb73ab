#pragma once
// The values of a shape, as written on a command line: "20", "10,work=3", "size=100,seed=7".

#include <cstdint>
#include <map>
#include <string>

namespace heist::analysis {

class spec {
 public:
  spec(std::string text, std::size_t values_at, const std::string& first);

  std::uint64_t number(const char* key, std::uint64_t otherwise, std::uint64_t least, std::uint64_t most);
  double real(const char* key, double otherwise, double least, double most);
  std::uint32_t frame() { return static_cast<std::uint32_t>(number("frame", 1, 1, 0xffffffffu)); }

  void finish() const;  // throws bad_input if a key was given that nobody asked for

 private:
  [[noreturn]] void fail(const std::string& what) const;
  std::string text_;
  std::map<std::string, std::string> values_;
  std::map<std::string, bool> used_;
};

}  // namespace heist::analysis
