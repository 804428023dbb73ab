// Recipe: a file that does not fit into memory goes through several steps, in blocks.

#include <heist/blocking.hpp>
#include <heist/pipeline.hpp>

#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace {

namespace fs = std::filesystem;

// region: data
// Reads blocks of whole lines, until the file ends.
class block_reader {
 public:
  explicit block_reader(const fs::path& name) : file_(name, std::ios::binary) {}

  std::optional<std::string> operator()() {
    std::string block = std::move(rest_);
    const std::size_t old = block.size();
    block.resize(old + 64 * 1024);
    file_.read(block.data() + old, 64 * 1024);
    block.resize(old + static_cast<std::size_t>(file_.gcount()));
    const std::size_t end = file_ ? block.rfind('\n') + 1 : block.size();  // 0 if a line is longer than a block
    rest_ = block.substr(end);
    block.resize(end);
    if (block.empty() && !file_) return std::nullopt;
    return block;
  }

 private:
  std::ifstream file_;
  std::string rest_;  // the beginning of a line
};

using levels = std::map<std::string, int>;  // how many lines there are of each

// What was found in a block.
struct summary {
  std::string errors;  // the lines with an error in them
  levels counts;
};

// A line begins with its level: "error the disk is full".
summary summarize(std::string_view block) {
  summary s;
  while (!block.empty()) {
    const std::string_view line = block.substr(0, std::min(block.find('\n'), block.size() - 1) + 1);
    const std::string_view level = line.substr(0, line.find(' '));
    ++s.counts[std::string(level)];
    if (level == "error") s.errors += line;
    block.remove_prefix(line.size());
  }
  return s;
}
// end

// region: serial
levels filter_serial(const fs::path& from, std::ostream& to) {
  levels all;
  block_reader read(from);
  while (std::optional<std::string> block = read()) {
    const summary s = summarize(*block);
    for (const auto& [level, count] : s.counts) all[level] += count;
    to << s.errors;
  }
  return all;
}
// end

// region: parallel
levels filter(const fs::path& from, std::ostream& to) {
  levels all;
  block_reader read(from);
  heist::pipeline(
      16,  // blocks in memory, at most
      [&] { return heist::blocking([&] { return read(); }); },
      heist::parallel(summarize),       // several blocks at once
      heist::serial([&](summary&& s) {  // one at a time, in any order
        for (const auto& [level, count] : s.counts) all[level] += count;
        return std::move(s.errors);
      }),
      heist::ordered([&](const std::string& errors) {  // one at a time, in the file's order
        heist::blocking([&] { to << errors; });
      }));
  return all;
}
// end

}  // namespace

int main() {
  std::string name = (fs::temp_directory_path() / "heist_large_file_XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) return 1;
  const fs::path folder = name;
  {
    std::ofstream log(folder / "log");
    for (int i = 0; i < 200'000; ++i)
      log << (i % 100 == 3 ? "error" : i % 10 == 5 ? "warning" : "note") << " number " << i << '\n';
    log << "note that this line does not end";
  }
  std::ofstream found(folder / "found"), expected(folder / "expected");
  const levels counts = filter(folder / "log", found);
  const bool counted = counts == filter_serial(folder / "log", expected);
  found.close();
  expected.close();
  auto text_of = [&](const char* file) {
    std::ifstream in(folder / file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string errors = text_of("found");
  const bool right =
      counted && errors == text_of("expected") && errors.starts_with("error number 3\nerror number 103\n");
  fs::remove_all(folder);
  for (const auto& [level, count] : counts) std::printf("%d lines with %s\n", count, level.c_str());
  return right && counts.at("error") == 2'000 ? 0 : 1;
}
