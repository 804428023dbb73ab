#pragma once
// A program that the command runs under variables of its own.

#include <CLI/CLI.hpp>

#include <string>
#include <utility>
#include <vector>

namespace heist::cli {

// How a program's run ended.
struct ended {
  int status = 0;       // its exit status; 128 + n if signal n killed it
  int signal = 0;       // that n, or 0
  long lost_cores = 0;  // how often a thread of it was made to leave its core for another
  double seconds = 0;   // of processor time, of all its threads
};

struct program {
  enum class output { own, to_stderr, to_file };

  // Options: the words of the program, and how many workers.
  void add_to(CLI::App& app);

  // Runs it to its end. Throws bad_input if it cannot be started, or waited for.
  ended run(const std::vector<std::pair<std::string, std::string>>& variables, output where) const;

  // From here on a signal that would end the command goes to the program that runs, if one does.
  static void pass_signals_on();

  // A signal that would have ended the command went to a program that ran: no other is to follow.
  static bool was_told_to_end();
  // Says so, if it failed; returns its exit status.
  int tell(const ended& how) const;

  // Says in one line that it left nothing behind; returns the command's exit code.
  int left_nothing(const ended& how, const char* what) const;

  std::vector<std::string> words;
  unsigned workers = 0;          // 0: as it likes
  std::string output_file = {};  // for to_file
};

// A file that is written under another name beside it and gets its own when it is whole. What is there and no file,
// such as /dev/null or a pipe, stays what it is: the whole is then copied into it. A signal that ends the command takes
// the other name away, too.
class new_file {
 public:
  explicit new_file(std::string path);  // throws bad_input if it cannot be written
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  const std::string& draft() const { return draft_; }
  bool written() const;
  void write(const std::string& text) const;
  void keep();

 private:
  std::string path_, target_, draft_;  // as it was named, what links lead to, and what is written first
  bool in_place_;
};

}  // namespace heist::cli
