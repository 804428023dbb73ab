// Recipe: a tree of folders, each folder and each file a strand, and none keeps a worker while it waits for the disk.

#include <heist/blocking.hpp>
#include <heist/io.hpp>
#include <heist/reducer.hpp>
#include <heist/scope.hpp>
#include <heist/semaphore.hpp>

#include <fcntl.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace io = heist::io;

// region: data
struct findings {
  std::size_t files = 0, lines = 0;
  std::vector<std::string> errors;

  findings& operator+=(const findings& more) {
    files += more.files, lines += more.lines;
    errors.insert(errors.end(), more.errors.begin(), more.errors.end());
    return *this;
  }
  friend bool operator==(const findings&, const findings&) = default;
};

std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  std::vector<fs::directory_entry> all{fs::directory_iterator(folder), fs::directory_iterator()};
  std::sort(all.begin(), all.end());
  return all;
}

bool is_folder(const fs::directory_entry& entry) { return entry.is_directory() && !entry.is_symlink(); }
// end

// region: file
heist::counting_semaphore<> may_open(200);  // a process may usually have 1,024 files open

struct permit {
  permit() { may_open.acquire(); }
  ~permit() { may_open.release(); }
};

findings look_at(const fs::path& name) {
  try {
    const permit mine;
    const io::file file(name, O_RDONLY);
    std::vector<std::byte> block(16 * 1024);
    findings found{1, 0, {}};
    std::int64_t at = 0;
    for (std::size_t got = block.size(); got == block.size(); at += static_cast<std::int64_t>(got)) {
      got = io::read(file.fd(), block, at);
      const auto lines = std::ranges::count(std::span(block).first(got), std::byte('\n'));
      found.lines += static_cast<std::size_t>(lines);
    }
    return found;
  } catch (const std::system_error& e) {
    return {0, 0, {name.filename().string() + ": " + e.code().message()}};
  }
}
// end

// region: serial
void crawl_serial(const fs::path& folder, findings& found) {
  for (const fs::directory_entry& entry : entries_of(folder))
    if (is_folder(entry))
      crawl_serial(entry, found);
    else
      found += look_at(entry);
}
// end

// region: parallel
void crawl(const fs::path& folder, heist::reducer<findings>& found) {
  const std::vector<fs::directory_entry> entries = heist::blocking([&] { return entries_of(folder); });
  heist::with_scope([&](heist::scope& s) {
    for (const fs::directory_entry& entry : entries)
      s.spawn([&] {
        if (is_folder(entry))
          crawl(entry, found);
        else
          *found += look_at(entry);
      });
  });
}
// end

// A tree of 1 + 3 + 9 + 27 folders, with five files each.
void plant(const fs::path& folder, int depth, int& number) {
  fs::create_directory(folder);
  for (int i = 0; i < 5; ++i, ++number) {
    const fs::path file = folder / ("file" + std::to_string(i));
    if (number % 50 == 7) {
      fs::create_symlink("nowhere", file);
      continue;
    }
    std::ofstream to(file);
    for (int line = 0; line < 20 * number; ++line) to << "line " << line << '\n';
  }
  if (depth == 0) return;
  for (int i = 0; i < 3; ++i) plant(folder / ("folder" + std::to_string(i)), depth - 1, number);
}

}  // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "heist_crawler_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return 1;
  const fs::path folder = fs::path(name) / "root";
  int number = 0;
  plant(folder, 3, number);
  findings expected;
  crawl_serial(folder, expected);
  heist::reducer<findings> found;
  crawl(folder, found);
  fs::remove_all(name);
  std::printf("%zu files with %zu lines; %zu with errors\n", found->files, found->lines, found->errors.size());
  for (const std::string& e : found->errors) std::printf("  %s\n", e.c_str());
  return *found == expected && found->files == 196 && found->errors.size() == 4 ? 0 : 1;
}
