#pragma once
// A dag in the making: what readers and builders have found so far, by name. finish() says what is wrong with it.

#include <analysis/dag/dag.hpp>
#include <analysis/dag/error.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heist::analysis {

class draft {
 public:
  explicit draft(std::string source) : source_(std::move(source)) {}  // the file's name, for messages

  void name(std::string n) { dag_.name = std::move(n); }
  void thread(std::string_view name, std::uint64_t frame, place where);  // what follows belongs to it
  void instruction(std::string_view name, std::uint64_t duration, place where);
  void spawn(std::string_view from, std::string_view to, place where);
  void join(std::string_view from, std::string_view to, place where);

  // Throws bad_input if this is no computation: an unknown name, a thread with two parents or none, two spawns by one
  // instruction, a cycle.
  dag finish();

  [[noreturn]] void fail(place where, std::string_view what) const;

 private:
  id find(std::string_view name, place where, const char* what) const;
  void resolve_spawns();
  void check_threads();
  void check_joins();
  void check_acyclic();

  std::string source_;
  dag dag_;
  std::unordered_map<std::string, id> instructions_;
  std::unordered_map<std::string, id> threads_;
  std::vector<place> thread_places_;
  struct named_edge {
    std::string from, to;
    place where;
  };
  std::vector<named_edge> spawns_, joins_;
};

// Made of letters, digits, _ . and ', in UTF-8, at most 64 bytes: so that every message is one line.
bool good_name(std::string_view name);
bool name_byte(char c);

}  // namespace heist::analysis
