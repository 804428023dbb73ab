#include <analysis/race/memory.hpp>
#include <analysis/race/owners.hpp>
#include <analysis/race/reach.hpp>
#include <analysis/race/runtime.hpp>

#include <link.h>

#include <cstring>

namespace heist::race {

namespace {

using address = std::uintptr_t;

// More is not looked through: then the block counts as shared, and the race is reported.
constexpr std::size_t most_bytes = std::size_t{1} << 26;

template <class F>
void for_words(address from, std::size_t size, const F& f) {
  for (address a = (from + 7) & ~address{7}; a + 8 <= from + size; a += 8) f(*reinterpret_cast<const address*>(a));
}

// The variables of the thread, but for those of the C library, whose malloc keeps blocks there.
struct search {
  own_set<address> reached;
  own_vector<const heap_blocks::block*> open;
  std::size_t bytes = 0;

  void follow(address from, std::size_t size) {
    for_words(from, size, [this](address to) {
      const heap_blocks::block* const b = the_heap.starting_at(to);
      if (b != nullptr && reached.insert(to).second) open.push_back(b);
    });
  }
};

bool is_own(const dl_phdr_info& info) {
  const char* const name = info.dlpi_name == nullptr ? "" : info.dlpi_name;
  return std::strstr(name, "libc.so") == nullptr && std::strstr(name, "ld-linux") == nullptr;
}

int from_thread(dl_phdr_info* info, std::size_t, void* with) {
  if (info->dlpi_tls_data == nullptr || !is_own(*info)) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      static_cast<search*>(with)->follow(reinterpret_cast<address>(info->dlpi_tls_data), info->dlpi_phdr[i].p_memsz);
  return 0;
}

struct question {
  address start;
  bool found = false;
};
int from_variables(dl_phdr_info* info, std::size_t, void* with) {
  if (!is_own(*info)) return 0;
  auto& q = *static_cast<question*>(with);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& h = info->dlpi_phdr[i];
    if (h.p_type != PT_LOAD || (h.p_flags & PF_W) == 0) continue;
    // The relocated part may be read, too.
    for_words(info->dlpi_addr + h.p_vaddr, h.p_memsz, [&q](address to) { q.found = q.found || to == q.start; });
  }
  return 0;
}

}  // namespace

bool belongs_to_thread(address start, address frame) {
  const unjudged own;
  search s;
  ::dl_iterate_phdr(&from_thread, &s);
  while (!s.open.empty() && s.bytes < most_bytes) {
    const heap_blocks::block b = *s.open.back();
    s.open.pop_back();
    s.bytes += b.size;
    if (s.bytes < most_bytes) s.follow(b.start, b.size);
  }
  if (s.reached.count(start) == 0) return false;
  question q{start};
  ::dl_iterate_phdr(&from_variables, &q);
  if (!q.found && frame >= stack_low && frame < stack_high) {
    for (address a = (frame + 7) & ~address{7}; a + 8 <= stack_top; a += 8)
      q.found = q.found || *reinterpret_cast<const address*>(a) == start;
  }
  std::size_t looked_at = 0;
  if (!q.found) {
    the_heap.for_all([&](const heap_blocks::block& b) {
      if (q.found || s.reached.count(b.start) != 0) return;
      looked_at += b.size;
      if (looked_at < most_bytes) for_words(b.start, b.size, [&q](address to) { q.found = q.found || to == q.start; });
    });
  }
  return !q.found && looked_at < most_bytes;
}

}  // namespace heist::race
