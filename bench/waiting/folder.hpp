#pragma once
// A temporary folder with files to read.

#include <bench/waiting/files.hpp>

#include <string>

namespace waiting {

class folder_of_files {
 public:
  // Makes them, and waits until they are on the disk.
  explicit folder_of_files(long count);
  folder_of_files(const folder_of_files&) = delete;
  folder_of_files& operator=(const folder_of_files&) = delete;
  ~folder_of_files();

  const std::string& path() const { return path_; }
  const files& all() const { return all_; }

  // The files' content is not in the page cache afterwards; says so if much of it is. (One file in a hundred is asked.)
  void forget() const;

 private:
  const std::string path_;
  const files all_;
};

}  // namespace waiting
