#include <heist/base/environment.hpp>
#include <heist/base/fatal.hpp>
#include <heist/base/process.hpp>
#include <heist/base/random.hpp>
#include <heist/share/board.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace heist::detail {

namespace {

constexpr std::uint64_t magic = 0x3164'7261'6f62'7368;  // "hsboard1"
constexpr std::size_t slot_bytes = 128;

// As it lies in the file. A slot that is being written while it is read has a wrong sum.
struct record {
  std::uint64_t mark = magic;
  notice what;
  std::uint64_t sum = 0;

  std::uint64_t reckon() const noexcept {
    std::array<std::uint64_t, sizeof(notice) / 8> words;
    static_assert(sizeof words == sizeof what && sizeof(notice) % 8 == 0);
    std::memcpy(words.data(), &what, sizeof words);
    std::uint64_t all = magic;
    for (const std::uint64_t w : words) all = mix(all ^ w);
    return all;
  }
};
static_assert(sizeof(record) <= slot_bytes);

off_t place_of(unsigned slot) noexcept { return static_cast<off_t>(slot * slot_bytes); }

// Locks of open files: each is the file's that took it, and ends with it.
bool lock(int file, int how, unsigned slot, short& kind) noexcept {
  struct flock l {};
  l.l_type = kind;
  l.l_whence = SEEK_SET;
  l.l_start = place_of(slot);
  l.l_len = slot_bytes;
  if (::fcntl(file, how, &l) != 0) return false;
  kind = l.l_type;
  return true;
}

bool take(int file, unsigned slot) noexcept {
  short kind = F_WRLCK;
  return lock(file, F_OFD_SETLK, slot, kind);
}

bool is_taken(int file, unsigned slot) noexcept {
  short kind = F_WRLCK;
  return lock(file, F_OFD_GETLK, slot, kind) && kind != F_UNLCK;
}

std::string path_of_user() {
  const std::string_view wish = text_from_environment("HEIST_BOARD");
  return !wish.empty() ? std::string(wish) : "/dev/shm/heist-" + std::to_string(::geteuid());
}

// Whether there is nothing in the file but slots, used or not: not somebody's letter.
bool all_slots(int file) {
  std::vector<char> bytes(board::slots * slot_bytes);
  const ssize_t got = ::pread(file, bytes.data(), bytes.size(), 0);
  if (got < 0) return false;
  for (std::size_t at = 0; at < static_cast<std::size_t>(got); at += slot_bytes) {
    std::uint64_t mark = 0;
    std::memcpy(&mark, bytes.data() + at, sizeof mark);
    const auto slot = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    if (mark != magic && !std::all_of(slot, slot + slot_bytes, [](char c) { return c == 0; })) return false;
  }
  return true;
}

// Why the file cannot be a board; empty: it can.
std::string fault_of(int file) {
  struct stat s {};
  if (file < 0) return std::string("cannot be opened (") + std::strerror(errno) + ")";
  if (::fstat(file, &s) != 0 || !S_ISREG(s.st_mode)) return "is not a file";
  if (s.st_uid != ::geteuid()) return "belongs to another user";
  if ((s.st_mode & 077) != 0) return "can be used by others than its owner";
  if (s.st_size > place_of(board::slots)) return "is too long";
  if (!all_slots(file)) return "has something else in it";
  return "";
}

}  // namespace

std::string notice::name() const {
  std::string s(program.data(), ::strnlen(program.data(), program.size()));
  for (char& c : s)
    if (c < ' ' || c > '~') c = '?';  // somebody else's bytes, on their way to a terminal
  return s;
}

board& board::of_user() {
  static board* const b = [] {
    auto* const made = new board(path_of_user());  // pools may outlive static objects
    if (!made->complaint().empty())
      say(("the board " + made->path_ + " " + made->complaint() +
           ", so pools do not see those of other processes; remove it, or name another file (HEIST_BOARD)")
              .c_str());
    return made;
  }();
  return *b;
}

board::board(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  complaint_ = fault_of(file_);
  if (complaint_.empty()) return;
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

board::~board() {
  if (file_ >= 0) ::close(file_);
}

namespace {
// The files of all places. A child of fork() closes its copies: they would hold the locks of a parent that has ended.
std::array<std::atomic<int>, board::slots>& open_places() noexcept {
  static std::array<std::atomic<int>, board::slots> files = [] {
    at_fork_in_child([] {
      for (std::atomic<int>& f : open_places())
        if (const int file = f.exchange(0, std::memory_order_relaxed); file != 0) ::close(file - 1);
    });
    return std::array<std::atomic<int>, board::slots>{};
  }();
  return files;
}
}  // namespace

board::place::place(board& on) noexcept {
  if (on.file_ < 0) return;
  // The file may have been removed since: then this is a new one, and the others will not be seen.
  std::array<char, 32> path;
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", on.file_);
  const int mine = ::open(path.data(), O_RDWR | O_CLOEXEC);
  if (mine < 0) return;
  for (slot_ = 0; slot_ < slots; ++slot_)
    if (detail::take(mine, slot_)) {
      file_ = mine;
      open_places()[slot_].store(mine + 1, std::memory_order_relaxed);  // 0: none
      return;
    }
  ::close(mine);
}

board::place::~place() {
  // In a child of fork() it is closed already.
  if (file_ < 0 || open_places()[slot_].exchange(0, std::memory_order_relaxed) == 0) return;
  const std::array<char, slot_bytes> nothing{};
  static_cast<void>(::pwrite(file_, nothing.data(), nothing.size(), place_of(slot_)) < 0);
  ::close(file_);
}

void board::place::write(const notice& n) const noexcept {
  if (file_ < 0 || open_places()[slot_].load(std::memory_order_relaxed) == 0) return;
  record r{magic, n, 0};
  r.sum = r.reckon();
  static_cast<void>(::pwrite(file_, &r, sizeof r, place_of(slot_)) < 0);  // if it fails, others do not see us
}

std::vector<board::entry> board::read() const {
  std::vector<entry> all;
  if (file_ < 0) return all;
  std::vector<char> bytes(slots * slot_bytes);
  const ssize_t got = ::pread(file_, bytes.data(), bytes.size(), 0);
  for (unsigned i = 0; i < slots && place_of(i) + static_cast<off_t>(sizeof(record)) <= got; ++i) {
    record r;
    std::memcpy(&r, bytes.data() + i * slot_bytes, sizeof r);
    if (r.mark == magic && r.sum == r.reckon() && is_taken(file_, i)) all.push_back({i, r.what});
  }
  return all;
}

}  // namespace heist::detail
