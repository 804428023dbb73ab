#pragma once
// A process that runs beside the command, and ends with it.

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace heist::cli {

class child {
 public:
  using variables = std::vector<std::pair<std::string, std::string>>;
  enum class output { own, none };  // `none`: standard output is dropped, errors are not

  // Throws bad_input if it cannot be started. The kernel ends it if the command dies without its destructor.
  child(const std::vector<std::string>& words, const variables& with, output where);
  child(child&& other) noexcept : id_(std::exchange(other.id_, 0)), status_(other.status_) {}
  child& operator=(child&&) = delete;
  ~child();

  pid_t id() const { return id_; }
  // Whether it has ended, after waiting so long for it.
  bool ended_within(int milliseconds);
  // After that: its exit status, 128 + n if signal n killed it.
  int status() const { return status_; }
  void signal(int number) const;
  // Asks it to end, and makes it after a while.
  void stop();

 private:
  pid_t id_ = 0;  // 0: has ended
  int status_ = 0;
};

}  // namespace heist::cli
