#include <analysis/race/calls.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/watch.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace heist::race {

void judge::access(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code, lock_set with) {
  const bool plain = with == 0;
  while (size > 0) {
    const block_of_cells block(address);
    const std::size_t here = std::min(size, block.end() - address);
    if (block.whole()) {
      cell all = block.all();
      const bool quickly = plain && alike_quickly(all, address, kind, code);
      if (quickly && (here == block_size || all == block.all())) {
        block.set(all);
        address += here;
        size -= here;
        continue;
      }
      block.open();
    }
    size -= here;
    access_in_block(address, here, kind, code, with);
    address += here;
  }
}

void judge::access_in_block(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code, lock_set with) {
  cell* c = shadow_of(address);
  std::uintptr_t word = address & ~std::uintptr_t{3};
  const bool plain = with == 0;
  while (size > 0) {
    const unsigned skipped = static_cast<unsigned>(address - word);
    const unsigned n = size < 4 - skipped ? static_cast<unsigned>(size) : 4 - skipped;
    const unsigned bytes = ((1u << n) - 1) << skipped;
    const bool done = plain && (kind == access_kind::read ? has_read(*c, bytes) || read_quickly(*c, word, bytes, code)
                                                          : has_written(*c, bytes) || write_quickly(*c, bytes, code));
    if (!done) touch(*c, word, bytes, kind, code, with);
    size -= n;
    word += 4;
    address = word;
    ++c;
  }
}

namespace {

// The first cell that is not like this one.
cell* after_alike(cell* c, cell* end, const cell& like) {
  using words = std::uint64_t __attribute__((vector_size(16)));
  const words x{like.writer, like.reader};
  const auto differ = [&x](const cell* k) { return *reinterpret_cast<const words*>(k) ^ x; };
  for (; end - c >= 4; c += 4) {
    const words all = differ(c) | differ(c + 1) | differ(c + 2) | differ(c + 3);
    if ((all[0] | all[1]) != 0) break;
  }
  while (c != end && *c == like) ++c;
  return c;
}

}  // namespace

// What is known of many cells, all alike, after an access of all their bytes. False: access() decides.
bool judge::alike_quickly(cell& like, std::uintptr_t address, access_kind kind, std::uintptr_t code) noexcept {
  if (has_written<1>(&like)) return true;
  return kind == access_kind::read ? has_read<1>(&like) || read_quickly<1>(&like, address, code) : write_quickly<1>(&like, address, code);
}

void judge::access_words(std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
  static_cast<void>(code_numbers.number(code));  // the quick ways need one
  const std::uintptr_t end = address + size;
  // On the stack a frame may end within a block.
  if (address < stack_high_ && end > stack_low_) return access(address, size, kind, code);
  while (address < end) {
    const block_of_cells block(address);
    const std::uintptr_t to = std::min(end, block.end());
    cell* const c = shadow_of(address);
    if (block.whole()) {
      access(address, to - address, kind, code);
    } else if (to - address == block_size && after_alike(c + 1, c + cells_of_block, *c) == c + cells_of_block) {
      cell all = *c;
      if (alike_quickly(all, address, kind, code)) block.set(all);
      else access(address, block_size, kind, code);
    } else {
      access_cells(c, (to - address) / 4, address, kind, code);
    }
    address = to;
  }
}

// Of one block. Cells that are alike are judged as one.
void judge::access_cells(cell* c, std::size_t cells, std::uintptr_t address, access_kind kind, std::uintptr_t code) {
  const cell* const begin = c;
  cell* const end = c + cells;
  while (c != end) {
    const cell like = *c;
    cell mine = like;
    const std::uintptr_t here = address + static_cast<std::uintptr_t>(c - begin) * 4;
    if (!alike_quickly(mine, here, kind, code)) {
      access_in_block(here, 4, kind, code, 0);
      ++c;
    } else if (mine == like) {
      c = after_alike(c + 1, end, like);
    } else {
      do *c++ = mine;
      while (c != end && *c == like);
    }
  }
}

void judge::free_large(std::uintptr_t address, std::size_t size, std::uintptr_t code) {
  for_known(address, size, [this, code](std::uintptr_t from, std::size_t n) { access(from, n, access_kind::freed, code); });
}

void judge::touch(cell& c, std::uintptr_t address, unsigned bytes, access_kind kind, std::uintptr_t code, lock_set with) {
  if (c.writer == cell::listed) [[unlikely]] return touch_listed(c, address, bytes, kind, code, with);
  const std::uint64_t w = c.writer, r = c.reader;
  const instant now = time.now(), wt = mark::time(w), rt = mark::time(r);
  const unsigned wb = mark::bytes(w), rb = mark::bytes(r);

  const interval* const w_parted = w != 0 && wt != now ? conflicting(wt, address) : nullptr;
  if (w_parted != nullptr && (wb & bytes) != 0)
    found_race(address, wb & bytes, w, access_kind::write, 0, kind, code, with, *w_parted);
  const bool writes = kind != access_kind::read;
  const bool reader_matters = r != 0 && rt != now;
  const interval* r_parted = nullptr;
  if (reader_matters) {
    r_parted = conflicting(rt, address);
    if (writes && r_parted != nullptr && (rb & bytes) != 0)
      found_race(address, rb & bytes, r, access_kind::read, 0, kind, code, with, *r_parted);
  }
  if (with != 0 && kind != access_kind::freed) {
    make_list(c);
    return touch_listed(c, address, bytes, kind, code, with);
  }

  const std::uint64_t me = mark::make(now, bytes, code_numbers.number(code));
  if (writes) {
    if (w != 0 && wt == now) {
      c.writer = w | std::uint64_t{bytes} << mark::bytes_at;
      return;
    }
    // One that is gone from the stack, or before us in all its bytes, need not be kept. If it raced, this byte is reported.
    const bool replaces = w == 0 || ((wb & ~bytes) == 0 && wt >= kept_before) || (w_parted == nullptr && time.parallel(wt) != nullptr);
    if (replaces) {
      note(address, code);
      c.writer = me;
      if (r_parted == nullptr && (rb & ~bytes) == 0 && rt >= kept_before) c.reader = 0;
      return;
    }
  } else {
    if (r != 0 && rt == now) {
      c.reader = r | std::uint64_t{bytes} << mark::bytes_at;
      return;
    }
    if (w != 0 && wt == now && (wb & bytes) == bytes) return;
    if (r == 0) {
      note(address, code);
      c.reader = me;
      return;
    }
    if (r_parted != nullptr) {
      // Whoever is parallel to us later is parallel to that one, too.
      if ((rb & bytes) == bytes && !time.irregular()) return;
    } else if (((rb & ~bytes) == 0 && rt >= kept_before) || time.parallel(rt) != nullptr) {
      note(address, code);
      c.reader = me;
      return;
    }
  }
  note(address, code);
  make_list(c);
  add(c, {me, 0, kind});
}

void judge::touch_listed(cell& c, std::uintptr_t address, unsigned bytes, access_kind kind, std::uintptr_t code, lock_set with) {
  access_list& list = *c.list();
  const instant now = time.now();
  const bool writes = kind != access_kind::read;
  unsigned new_bytes = bytes;  // those that no other access stands for
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < list.size; ++i) {
    listed_access o = list.all()[i];
    const unsigned had = mark::bytes(o.what), both = had & bytes;
    unsigned lost = 0;
    if (both != 0) {
      const instant t = mark::time(o.what);
      const bool stronger = o.kind != access_kind::read || !writes;
      const bool weaker = o.kind == access_kind::read || writes;
      if (t == now) {
        if (stronger && held_locks.part_of(o.locks, with)) new_bytes &= ~both;
        else if (weaker && held_locks.part_of(with, o.locks)) lost = both;
      } else if (const interval* const parted = conflicting(t, address)) {
        if ((writes || o.kind != access_kind::read) && !held_locks.apart(o.locks, with, parted->lo - 1)) {
          found_race(address, both, o.what, o.kind, o.locks, kind, code, with, *parted);
        }
        if (stronger && !time.irregular() && held_locks.part_of(o.locks, with) &&
            (o.locks == 0 || !held_locks.inherited(time.strand())))
          new_bytes &= ~both;
      } else if (time.parallel(t) != nullptr) {
        lost = had;  // of a frame that is gone
      } else if (weaker && t >= kept_before && held_locks.part_of(with, o.locks)) {
        lost = both;
      }
    }
    if ((had & ~lost) == 0) continue;
    o.what &= ~(std::uint64_t{lost} << mark::bytes_at);
    list.all()[kept++] = o;
  }
  list.size = kept;
  if (kind == access_kind::freed || new_bytes != 0) note(address, code);
  if (kind == access_kind::freed) {
    // Nobody may touch these bytes any more, with whatever lock. The list must not outlive the block: its memory may become
    // the detector's own, and is then never given out again.
    __libc_free(&list);
    c = {mark::make(now, bytes, code_numbers.number(code)), 0};
    return;
  }
  if (new_bytes == 0) return;
  const std::uint64_t me = mark::make(now, new_bytes, code_numbers.number(code));
  if (kept == 0 && with == 0) {
    __libc_free(&list);
    c = writes ? cell{me, 0} : cell{0, me};
    return;
  }
  add(c, {me, with, kind});
}

void judge::make_list(cell& c) {
  constexpr std::uint32_t room = 4;
  auto* const list = static_cast<access_list*>(__libc_malloc(sizeof(access_list) + room * sizeof(listed_access)));
  list->size = 0;
  list->room = room;
  if (c.writer != 0) list->all()[list->size++] = {c.writer, 0, access_kind::write};
  if (c.reader != 0) list->all()[list->size++] = {c.reader, 0, access_kind::read};
  c.set_list(list);
}

void judge::add(cell& c, const listed_access& a) {
  access_list* list = c.list();
  if (list->size == list->room) {
    list->room *= 2;
    list = static_cast<access_list*>(__libc_realloc(list, sizeof(access_list) + list->room * sizeof(listed_access)));
    c.set_list(list);
  }
  list->all()[list->size++] = a;
}

void judge::drop_list(cell& c) noexcept { __libc_free(c.list()); }

void judge::found_race(std::uintptr_t address, unsigned bytes, std::uint64_t before, access_kind kind_before,
                       lock_set locks_before, access_kind kind, std::uintptr_t code, lock_set with, const interval& parted) {
  race_pair pair;
  pair.first = {code_numbers.address(mark::code(before)), kind_before, locks_before != 0};
  pair.second = {reinterpret_cast<const void*>(code), kind, with != 0};
  pair.first_at = mark::time(before);
  pair.fork = parted.fork;
  pair.fork_depth = parted.depth;
  pair.how = parted.kind;
  pair.frame = parted.frame;
  // The bytes need not lie together.
  for (unsigned skipped = 0; bytes >> skipped != 0;) {
    skipped += static_cast<unsigned>(std::countr_zero(bytes >> skipped));
    const unsigned n = static_cast<unsigned>(std::countr_one(bytes >> skipped));
    races.add(pair, address + skipped, n);
    skipped += n;
  }
}

}  // namespace heist::race
