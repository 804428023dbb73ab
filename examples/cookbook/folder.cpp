// Recipe: look at every file of a folder, and keep the errors instead of ending at the first.

#include <heist/heist.hpp>

#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// region: data
struct findings {
  std::size_t lines = 0;
  std::vector<std::string> errors;
  friend bool operator==(const findings&, const findings&) = default;
};

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

std::size_t count_lines(const fs::path& name) {
  std::ifstream file(name);
  if (!file) throw std::runtime_error("cannot be opened");
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line); ++lines)
    if (line.find('\0') != line.npos) throw std::runtime_error("is not a text");
  return lines;
}
// end

// region: serial
findings scan_serial(const fs::path& folder) {
  findings found;
  for (const fs::path& file : files_in(folder)) {
    try {
      found.lines += count_lines(file);
    } catch (const std::exception& e) {
      found.errors.push_back(file.filename().string() + ' ' + e.what());
    }
  }
  return found;
}
// end

// region: parallel
findings scan(const fs::path& folder) {
  heist::reducer<std::size_t> lines;
  heist::reducer<std::vector<std::string>, heist::op::append<std::vector<std::string>>> errors;
  heist::for_each(files_in(folder), [&](const fs::path& file) {
    try {
      *lines += count_lines(file);
    } catch (const std::exception& e) {
      errors->push_back(file.filename().string() + ' ' + e.what());
    }
  });
  return {lines.take(), errors.take()};
}
// end

}  // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "heist_cookbook_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return 1;
  const fs::path folder = name;
  for (int i = 0; i < 200; ++i) {
    const fs::path file = folder / ("file" + std::to_string(1000 + i));
    if (i % 40 == 7) {
      fs::create_symlink("nowhere", file);
      continue;
    }
    std::ofstream to(file);
    for (int line = 0; line < i; ++line) to << "line " << line << '\n';
    if (i % 50 == 20) to << '\0' << '\n';
  }
  const findings found = scan(folder);
  const findings expected = scan_serial(folder);
  fs::remove_all(folder);
  std::printf("%zu lines; %zu files with errors:\n", found.lines, found.errors.size());
  for (const std::string& e : found.errors) std::printf("  %s\n", e.c_str());
  return found == expected && found.errors.size() == 9 ? 0 : 1;
}
