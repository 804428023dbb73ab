#include <analysis/race/judge.hpp>
#include <analysis/race/sweeps.hpp>

namespace heist::race {

namespace {

// A place whose sweeps are short opens one only now and then.
constexpr std::size_t few = 16;
constexpr unsigned char skipped_after_few = 100;
unsigned char skips[sweep_table::places];

}  // namespace

void sweeps::judge_words(one& s, std::uintptr_t end) {
  if (s.judged_first <= s.first && end <= s.judged_end) return;
  s.judged_first = s.first;
  s.judged_end = end;
  const std::size_t depth = call_stack.depth;
  call_stack.depth = s.depth;
  the.access_words(s.first, end - s.first, s.kind, s.code);
  call_stack.depth = depth;
}

sweeps::one sweeps::close(std::size_t i) noexcept {
  const one s = all_[i];
  if (s.judged_end == 0 && s.table->next[s.at] - s.first < few * s.size) skips[s.at] = skipped_after_few;
  for (std::size_t k = i + 1; k < open_; ++k) all_[k - 1] = all_[k];
  --open_;
  return s;
}

bool sweeps::touched(sweep_table& t, std::uintptr_t address, std::size_t size, access_kind kind, std::uintptr_t code) {
  const std::uintptr_t at = code % sweep_table::places, end = t.next[at];
  if (static_cast<std::intptr_t>(end) > 0) {
    std::size_t i = 0;
    while (all_[i].table != &t || all_[i].at != at) ++i;
    if (one& s = all_[i]; s.code == code && s.depth == call_stack.depth && end - s.first >= few * size) {
      // The loop begins again, in the same strand.
      judge_words(s, end);
      s.first = address;
      t.next[at] = address + size;
      return true;
    }
    one s = close(i);
    t.next[at] = (address + size) | sweep_table::not_open;
    judge_words(s, end);
    return false;
  }
  t.next[at] = (address + size) | sweep_table::not_open;
  if (!allowed_ || never_) return false;
  if (skips[at] > 0) {
    --skips[at];
    return false;
  }
  if (open_ == most) end_all();
  all_[open_++] = {&t, at, address, code, 0, 0, size, call_stack.depth, kind};
  t.next[at] = address + size;
  if (call_stack.depth > call_stack.watched) call_stack.watched = call_stack.depth;
  return true;
}

void sweeps::end_from(std::size_t i) noexcept {
  while (open_ > i) {
    one s = close(open_ - 1);
    const std::uintptr_t end = s.table->next[s.at];
    s.table->next[s.at] = end | sweep_table::not_open;
    judge_words(s, end);
  }
  call_stack.watched = open_ == 0 ? 0 : all_[open_ - 1].depth;
}

void sweeps::end_above(std::size_t depth) noexcept {
  std::size_t i = open_;
  while (i > 0 && all_[i - 1].depth > depth) --i;
  end_from(i);
}

}  // namespace heist::race
