#include <analysis/cache/address_file.hpp>

#include <analysis/dag/error.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace heist::analysis {

namespace {

constexpr std::string_view first_words = "heist addresses 1 ";

// The events, one after the other.
class events {
 public:
  explicit events(const std::string& path) : path_(path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw bad_input(path + " cannot be read");
    text_.assign(std::istreambuf_iterator<char>(in), {});
    const std::size_t line = text_.find('\n');
    if (!text_.starts_with(first_words) || line == std::string::npos) refuse();
    const char* const end = text_.data() + line;
    const auto [to, error] = std::from_chars(text_.data() + first_words.size(), end, sample_);
    if (error != std::errc() || to != end || sample_ < 1) refuse();
    begin_ = line + 1;
    if (text_.back() != '.') throw bad_input(path + " has no end: the program was killed, or the disk is full");
    rewind();
  }

  std::uint64_t sample() const { return sample_; }
  void rewind() { at_ = begin_; }
  char next() {
    if (at_ >= text_.size()) refuse();
    return text_[at_++];
  }
  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(next());
      n |= std::uint64_t{byte & 127u} << shift;
      if (byte < 128) return n;
    }
    refuse();
  }
  std::int64_t difference() {
    const std::uint64_t n = number();
    return static_cast<std::int64_t>(n >> 1) ^ -static_cast<std::int64_t>(n & 1);
  }
  [[noreturn]] void refuse() const { throw bad_input(path_ + " was not written by heist record --addresses"); }

 private:
  const std::string path_;
  std::string text_;
  std::uint64_t sample_ = 1;
  std::size_t begin_ = 0, at_ = 0;
};

struct loop_size {
  std::uint64_t iterations = 0, accesses = 0;
  // A leaf has at least some hundred accesses, as a block of a loop of heist's takes some microseconds.
  std::uint64_t grain() const {
    constexpr std::uint64_t leaf = 500;
    return accesses == 0 ? std::max<std::uint64_t>(iterations, 1)
                         : std::max<std::uint64_t>(1, (iterations * leaf + accesses - 1) / accesses);
  }
};

// Of all loops, in the order of their beginnings.
std::vector<loop_size> sizes_of_loops(events& in) {
  std::vector<loop_size> all;
  std::vector<std::pair<std::size_t, std::uint64_t>> open;  // loops, and the accesses before each
  std::uint64_t accesses = 0;
  for (char e; (e = in.next()) != '.';) {
    switch (e) {
      case 'a':
        in.number();
        ++accesses;
        break;
      case '[':
      case 's':
        in.number();
        break;
      case 'l':
        open.emplace_back(all.size(), accesses);
        all.emplace_back();
        break;
      case 'i':
        if (open.empty()) in.refuse();
        ++all[open.back().first].iterations;
        break;
      case 'L':
        if (open.empty()) in.refuse();
        all[open.back().first].accesses = accesses - open.back().second;
        open.pop_back();
        break;
      default:
        break;
    }
  }
  in.rewind();
  return all;
}

// The words that were touched, numbered page by page in the order of their first use.
class dense_memory {
 public:
  std::uint64_t operator()(std::uint64_t word) {
    constexpr std::uint64_t words = 512;
    const auto [at, is_new] = pages_.try_emplace(word / words, pages_.size());
    if (is_new && pages_.size() > (std::uint64_t{1} << 32) / words - 1)
      throw bad_input("the trace touches too much memory");
    return at->second * words + word % words;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> pages_;
};

class builder {
 public:
  explicit builder(events& in) : in_(in), sizes_(sizes_of_loops(in)) {}

  std::unique_ptr<traced_program> build() {
    std::uint64_t word = 0;
    dense_memory dense;
    for (char e; (e = in_.next()) != '.';) {
      if (e == 'a') {
        word += static_cast<std::uint64_t>(in_.difference());
        to_.touch(dense(word));
      } else {
        structure(e);
      }
    }
    while (strands_.size() > 1) end_child();  // the program has ended in the midst of them
    return to_.finish(in_.sample());
  }

 private:
  struct child {
    id thread;
    std::uint64_t group;
  };
  struct strand {
    std::vector<id> branches;  // of open joins, the innermost last
    std::vector<child> children;
  };
  // A part of a loop that has been divided: the first half is a child.
  struct half {
    std::uint64_t end;  // of both
    id first;
    bool in_second = false;
  };
  struct loop {
    std::uint64_t grain, end, now = 0;  // of the part that runs
    std::vector<half> halves = {};
  };

  void structure(char e) {
    switch (e) {
      case '(': {
        const id branch = begin_child();
        strands_[strands_.size() - 2].branches.push_back(branch);
        return;
      }
      case '[': {
        const std::uint64_t group = in_.number();
        const id thread = begin_child();
        strands_[strands_.size() - 2].children.push_back({thread, group});
        return;
      }
      case ')':
      case ']':
        return end_child();
      case 'j':
        if (now().branches.empty()) in_.refuse();
        to_.await({now().branches.back()});
        return now().branches.pop_back();
      case 's':
        return sync(in_.number());
      case 'l':
        if (next_loop_ == sizes_.size()) in_.refuse();
        loops_.push_back({sizes_[next_loop_].grain(), sizes_[next_loop_].iterations});
        ++next_loop_;
        return;
      case 'i':
        return begin_iteration(innermost());
      case 'e':
        ++innermost().now;
        return close_parts(innermost());
      case 'L':
        do {  // an exception may have left some of it
          innermost().now = innermost().end;
          close_parts(innermost());
        } while (!innermost().halves.empty());
        return loops_.pop_back();
      default:
        in_.refuse();
    }
  }

  void sync(std::uint64_t group) {
    std::vector<id> awaited;
    std::erase_if(now().children, [&](const child& c) {
      if (c.group != group) return false;
      awaited.push_back(c.thread);
      return true;
    });
    to_.await(awaited);
  }

  void begin_iteration(loop& l) {
    while (l.end > l.now + l.grain) {
      l.halves.push_back({l.end, begin_child()});
      l.end = l.now + (l.end - l.now) / 2;
    }
  }
  void close_parts(loop& l) {
    while (l.now == l.end && !l.halves.empty()) {
      half& h = l.halves.back();
      if (!h.in_second) {
        end_child();
        h.in_second = true;
        l.end = h.end;
      } else {
        to_.await({h.first});
        l.halves.pop_back();
      }
    }
  }

  id begin_child() {
    strands_.emplace_back();
    return to_.begin_child();
  }
  void end_child() {
    if (strands_.size() == 1) in_.refuse();
    strands_.pop_back();
    to_.end_child();
  }
  strand& now() { return strands_.back(); }
  loop& innermost() {
    if (loops_.empty()) in_.refuse();
    return loops_.back();
  }

  events& in_;
  const std::vector<loop_size> sizes_;
  std::size_t next_loop_ = 0;
  tracer to_;
  std::vector<strand> strands_ = std::vector<strand>(1);
  std::vector<loop> loops_;
};

}  // namespace

std::unique_ptr<traced_program> read_addresses(const std::string& path) {
  events in(path);
  return builder(in).build();
}

}  // namespace heist::analysis
