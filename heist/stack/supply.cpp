#include <heist/base/fatal.hpp>
#include <heist/check/chaos.hpp>
#include <heist/stack/supply.hpp>
#include <heist/stack/valgrind.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace heist::detail {

namespace {

// Once in the life of the process: what happens then is slow, not wrong, and many stacks may be refused in a row.
void say_that_there_are_no_more() noexcept {
  static std::atomic<bool> said{false};
  if (!said.exchange(true, std::memory_order_relaxed))
    say("the system refuses more stacks, so waits block their threads, and spawns call their children; raise "
        "vm.max_map_count (docs/guides/troubleshooting.md), or the limit on memory");
}

}  // namespace

stack_supply::~stack_supply() {
  for (const slab_list* list : {&with_spares_, &without_spares_})
    for (slab* s = list->first(); s != nullptr;) slab::unmap(std::exchange(s, s->after));
}

void stack_supply::enlist(stack_cache& c) {
  const std::lock_guard hold(lock_);
  caches_.push_back(&c);
}

stack* stack_supply::take() noexcept {
  chaos::step(chaos::at::stack_wanted);
  std::unique_lock hold(lock_);
  if (slab* const from = with_spares_.first()) {
    stack* const s = from->take_spare();
    --spares_;
    least_spares_ = std::min(least_spares_, spares_);
    if (!from->has_spare()) {
      with_spares_.remove(from);
      from->has_blank() ? without_spares_.push_front(from) : without_spares_.push_back(from);
    }
    count_live();
    return s;
  }
  least_spares_ = 0;
  const place p = reserve(hold);
  if (p.in == nullptr) {
    hold.unlock();
    say_that_there_are_no_more();
    return nullptr;
  }
  hold.unlock();
  stack* const s = p.in->make(p.number);
  if (s == nullptr) {
    free(p);
    say_that_there_are_no_more();
    return nullptr;
  }
  s->tsan_release_made();
  hold.lock();
  p.in->list(p.number);
  ++made_;
  count_live();
  sample(*s, stack::fresh_resident());
  return s;
}

// Reserves a blank place. A new slab has as many places as there are stacks, so at most half of all
// addresses are unused.
stack_supply::place stack_supply::reserve(std::unique_lock<fair_lock>& hold) noexcept {
  slab* in = without_spares_.first();
  if (in == nullptr || !in->has_blank()) {
    const std::size_t wanted = made_;
    hold.unlock();
    in = slab::map(stack_size_, wanted);
    hold.lock();
    if (in == nullptr) return {nullptr, 0};
    without_spares_.push_front(in);
  }
  const place p{in, in->reserve()};
  if (!in->has_blank()) {
    without_spares_.remove(in);
    without_spares_.push_back(in);
  }
  return p;
}

// Makes a place without a stack blank again.
void stack_supply::free(place p) noexcept {
  {
    const std::lock_guard hold(lock_);
    slab_list& list = p.in->has_spare() ? with_spares_ : without_spares_;
    list.remove(p.in);
    p.in->vacate(p.number);
    if (!p.in->idle() || p.in->has_spare()) return list.push_front(p.in);
  }
  slab::unmap(p.in);
}

// Strands that wait come in bursts, one after the other. If the stacks of a burst were unmapped when it ends, and mapped for
// the next one, the kernel would take longer than short strands do. So a working pool keeps all that it has needed within a
// tenth of a second.
std::size_t stack_supply::not_needed() noexcept {
  const nanoseconds time = now();
  if (time < next_look_) return 0;
  next_look_ = time + lately;
  return std::min(spares_, std::exchange(least_spares_, spares_));  // some may have been shed meanwhile
}

stack_supply::limits stack_supply::to_keep(when now) noexcept {
  const std::size_t few = 2 * caches_.size();
  // Workers that search or sleep have a stack each; if there are more, strands wait, and the burst is not over.
  if (now == when::at_rest && count_live() <= few) return {few, few};
  // A worker that returns from deep nesting will soon free whole slabs.
  const std::size_t some = few + (caches_.size() + 1) * slab::most_places;
  if (spares_ <= some) return {some, some};
  const std::size_t most = std::max(some, spares_ - not_needed());
  // One waits a while for slabs to get idle: each stack alone would interrupt all other cores.
  return {most, std::max(most, 4 * some)};
}

void stack_supply::give(stack* s, when now) noexcept {
  chaos::step(chaos::at::stack_given);
  limits keep{};
  {
    const std::lock_guard hold(lock_);
    slab& home = s->home;
    (home.has_spare() ? with_spares_ : without_spares_).remove(&home);
    home.give_spare(s);
    with_spares_.push_front(&home);
    ++spares_;
    keep = to_keep(now);
    if (spares_ <= keep.most) return;
  }
  shed(keep);
}

void stack_supply::shed_at_rest() noexcept {
  limits keep{};
  {
    const std::lock_guard hold(lock_);
    keep = to_keep(when::at_rest);
  }
  shed(keep);
}

bool stack_supply::keeps_a_burst() noexcept {
  const std::lock_guard hold(lock_);
  return spares_ > 2 * caches_.size();
}

void stack_supply::settle() noexcept {
  limits keep{};
  {
    const std::lock_guard hold(lock_);
    keep.most = std::max(2 * caches_.size(), spares_ - not_needed());
    keep.most_alone = keep.most;
  }
  shed(keep);
}

// By slab, which is one system call for all its stacks; by stack if no slab is idle and there are more than `most_alone`.
void stack_supply::shed(limits keep) noexcept {
  for (;;) {
    slab* idle = nullptr;
    place p{};
    stack* s = nullptr;
    {
      const std::lock_guard hold(lock_);
      if (spares_ <= keep.most) return;
      idle = with_spares_.first();
      while (idle != nullptr && !idle->idle()) idle = idle->after;
      auto forget = [this](stack& gone) {
        --made_;
        bytes_ -= gone.last_resident;
      };
      if (idle != nullptr) {
        with_spares_.remove(idle);
        spares_ -= idle->spares();
        idle->for_each_stack(forget);
      } else {
        if (spares_ <= keep.most_alone) return;
        p.in = with_spares_.first();
        s = p.in->take_spare();
        p.number = p.in->strike_off(s);
        --spares_;
        forget(*s);
        if (!p.in->has_spare()) {
          with_spares_.remove(p.in);
          without_spares_.push_front(p.in);  // it will have a blank place
        }
      }
    }
    if (idle != nullptr) {
      slab::unmap(idle);
    } else {
      p.in->unmake(s);
      free(p);
    }
  }
}

stack::residency stack_supply::trim(stack& s, std::size_t keep) noexcept {
  const auto [before, after] = s.trim(keep);
  const std::lock_guard hold(lock_);
  count_live();
  sample(s, before);
  sample(s, after);
  return {before, after};
}

void stack_supply::note_shallow(stack& s) noexcept {
  const std::size_t resident = s.resident_above_mark();
  const std::lock_guard hold(lock_);
  count_live();
  sample(s, resident);
}

void stack_supply::sample(stack& s, std::size_t resident) noexcept {
  bytes_ += resident - s.last_resident;
  s.last_resident = resident;
  bytes_peak_ = std::max(bytes_peak_, bytes_);
}

// A stack is live if it is neither spare nor in a cache. The caches are read one after the other,
// while their workers use them, so a sum above the peak is believed only if a second count gives
// the same.
std::size_t stack_supply::count_live() noexcept {
  auto live = [this] {
    std::size_t cached = spares_;
    for (const stack_cache* c : caches_) cached += c->count_.get();
    return made_ - std::min(made_, cached);
  };
  const std::size_t n = live();
  if (n > peak_ && live() == n) peak_ = n;
  return n;
}

stack_supply::figures stack_supply::read() noexcept {
  const std::lock_guard hold(lock_);
  for (const slab_list* list : {&with_spares_, &without_spares_})
    for (slab* s = list->first(); s != nullptr; s = s->after)
      s->for_each_stack([this](stack& k) { sample(k, k.resident()); });
  return {count_live(), peak_, bytes_peak_};
}

void stack_cache::trim(stack& s) noexcept {
  const auto [before, after] = supply_.trim(s);
  check_period_.set(before > after ? 1 : std::min(2 * check_period_.get(), 8192u));
  until_check_.set(check_period_.get());
}

bool stack_cache::parks_shallow(const stack& s, cell<unsigned>& until_check, unsigned period) noexcept {
  const unsigned left = until_check.get() - 1;
  until_check.set(left > 0 ? left : period);
  // A frame that stepped over the mark and left it alone has made it undefined in valgrind's eyes.
  valgrind_sees_mapped(s.mark(), sizeof(std::uint64_t));
  return left > 0 && s.stands_above_mark() && !s.was_deep();
}

void stack_cache::parked(stack& s) noexcept {
  if (parks_shallow(s, parks_until_check_, park_period)) return supply_.note_shallow(s);
  supply_.trim(s, 0);
}

void stack_cache::waits(stack& s) noexcept {
  const bool due = waits_until_check_.get() == 1;
  if (parks_shallow(s, waits_until_check_, wait_period_.get())) return;
  const auto [before, after] = supply_.trim(s, 0);
  // What is above the mark comes and goes with every wait.
  if (due) wait_period_.set(before - after > stack::keep_size ? 1 : std::min(2 * wait_period_.get(), most_wait_period));
}

void stack_cache::put(stack* s) noexcept {
  s->tsan_acquire_made();  // put_early() did so on the stack that was left; this is the one arrived at
  s->vacate();
  if (s->was_deep() || until_check_.get() == 0) trim(*s);
  const std::size_t n = count_.get();
  if (n == most) return supply_.give(s, stack_supply::when::busy);
  keep(n, s);
}

void stack_cache::hand_back() noexcept {
  while (count_.get() > most_idle) {
    stack* const s = take();
    s->vacate();
    supply_.trim(*s);
    supply_.give(s, stack_supply::when::at_rest);
  }
  supply_.shed_at_rest();
  for (std::size_t i = 0; i < count_.get(); ++i) {
    stack* const s = kept_[i].get();
    s->tsan_acquire_made();
    s->vacate();
    supply_.trim(*s);
  }
}

}  // namespace heist::detail
