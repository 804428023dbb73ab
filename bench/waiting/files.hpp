#pragma once
// The files that contestants read: FOLDER/0, FOLDER/1, …, each of `file_size` bytes.

#include <bench/waiting/contestant.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace waiting {

constexpr std::size_t file_size = 16 << 10;

class files {
 public:
  files(std::string folder, long count) : folder_(std::move(folder)), count_(count) {}
  explicit files(arguments& a) : folder_(a.next<std::string>()), count_(a.next()) {}

  static constexpr long most_at_once = 64;

  long count() const { return count_; }
  std::string path(long i) const { return folder_ + '/' + std::to_string(i); }

 private:
  std::string folder_;
  long count_;
};

class file_content {
 public:
  // By the system's plain calls, which block.
  void read(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    bench::expect(fd >= 0 && ::read(fd, bytes_.get(), file_size) == static_cast<ssize_t>(file_size), path.c_str());
    ::close(fd);
  }
  std::span<std::byte> bytes() { return {bytes_.get(), file_size}; }

 private:
  std::unique_ptr<std::byte[]> bytes_ = std::make_unique_for_overwrite<std::byte[]>(file_size);
};

}  // namespace waiting
